package parameters

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A narrowing is what a choice was seen to do: it keeps the items whose member has other values than
// those that it leaves out.
type narrowing struct {
	choice
	member string
	out    []string // values of the member that only items have which are left out
	o      probes.Observation
}

// broken returns an item that the narrowing leaves out.
func (c narrowing) broken(items []probes.Value) (probes.Value, bool) {
	i := slices.IndexFunc(items, func(item probes.Value) bool { return slices.Contains(c.out, item.At(c.member).Canonical(nil)) })
	if i < 0 {
		return probes.Value{}, false
	}
	return items[i], true
}

// narrowingOf reads from a listing with a choice, and from the one without, what the choice does.
// Of the items that it keeps or of those that it leaves out there are two or more, and they alone
// share a value of a member: an identifier tells nothing. Or the value of the choice lies between the numbers
// that a member has in the ones and in the others. What is kept is shown whole; of the rest one
// page suffices.
func narrowingOf(c choice, before, o probes.Observation) (narrowing, bool) {
	all, kept, ok := rowsOf(before), rowsOf(o), o.Succeeded() && before.Succeeded() && !cut(o, c.par)
	if !ok || len(kept) == 0 || len(kept) >= len(all) {
		return narrowing{}, false
	}
	is := func(item probes.Value) func(probes.Value) bool {
		return func(v probes.Value) bool { return v.Equal(item) }
	}
	var left []probes.Value
	for _, item := range all {
		if !slices.ContainsFunc(kept, is(item)) {
			left = append(left, item)
		}
	}
	if len(left)+len(kept) != len(all) && !cut(before, "") {
		return narrowing{}, false
	}
	for _, member := range all[0].Names() {
		in, out := distinct(kept, member), distinct(left, member)
		shared := slices.ContainsFunc(in, func(v string) bool { return slices.Contains(out, v) })
		if !shared && (len(in) == 1 && len(kept) > 1 || len(out) == 1 && len(left) > 1 || bounds(c, kept, left, member)) {
			return narrowing{c, member, out, o}, true
		}
	}
	return narrowing{}, false
}

// cut reports whether a listing may go on: its answer says so, or it has as many items as it was asked for
// by another parameter than that of the choice.
func cut(o probes.Observation, chosen string) bool {
	rows := float64(len(rowsOf(o)))
	for _, v := range probes.ValueOf(o.Probe.Params()).Members() {
		if n, ok := v.Value.Float(); ok && n == rows && v.Name != chosen {
			return true
		}
	}
	return check.IsPartialListing(o.Envelope())
}

// bounds reports whether the choice is a lower or an upper bound of a member.
func bounds(c choice, kept, left []probes.Value, member string) bool {
	bound := probes.ValueOf(c.value)
	beyond := func(items []probes.Value, above bool) bool { // with the bound itself for the items that are kept
		return !slices.ContainsFunc(items, func(item probes.Value) bool {
			v := item.At(member)
			more, ok := larger(v, bound)
			less, _ := larger(bound, v)
			return !ok || above && less || !above && more
		})
	}
	return bound.Is(probes.Number) && len(left) > 0 && (beyond(kept, true) && beyond(left, false) || beyond(kept, false) && beyond(left, true))
}

// arrangementOf is a choice of an order: its value is the name of a member that the items have.
func arrangementOf(c choice, o probes.Observation) (narrowing, bool) {
	rows, name := rowsOf(o), probes.ValueOf(c.value).Text()
	if !o.Succeeded() || len(rows) < 2 || name == "" || !rows[0].Has(name) {
		return narrowing{}, false
	}
	return narrowing{choice: c, o: o}, true
}

// rowsOf returns the items of a listing, if they are objects.
func rowsOf(o probes.Observation) []probes.Value {
	items, _, ok := check.Collection(o.Data())
	if !ok || slices.ContainsFunc(items, func(v probes.Value) bool { return !v.Is(probes.Object) }) {
		return nil
	}
	return items
}

// distinct returns the distinct values of a member.
func distinct(items []probes.Value, member string) []string {
	return check.KeysOf(items, func(v probes.Value) string { return v.At(member).Canonical(nil) })
}

// toldApart reports whether the description of one parameter, or of the operation, names the other: that one may go
// before it.
func toldApart(s model.Subject, a, b narrowing) bool {
	names := func(text, name string) bool {
		return check.WholeWord(name).MatchString(text) || check.WholeWord(strings.TrimSuffix(name, "_id")).MatchString(text)
	}
	told := func(name string) string {
		i := slices.IndexFunc(s.Op.Parameters, func(p probes.Parameter) bool { return p.Name == name })
		return s.Op.Parameters[max(i, 0)].Raw.At("description").Text()
	}
	whole := s.Op.Details.At("description").Text()
	aside := func(name string) bool { // a short one is a word of many languages, unless it stands in quotes
		return names(whole, name) && (len(name) > 3 || regexp.MustCompile("[`'\"“‘«]"+regexp.QuoteMeta(name)+"[`'\"”’»]").MatchString(whole))
	}
	return names(told(a.par), b.par) || names(told(b.par), a.par) || aside(a.par) || aside(b.par)
}

// pairsOf returns the pairs of narrowings on different parameters, each of which keeps an item that
// the other one leaves out, and some pairs of a narrowing and an order which shows such an item.
func pairsOf(s model.Subject, seen []narrowing) (pairs [][2]narrowing) {
	narrowings := slices.DeleteFunc(slices.Clone(seen), func(n narrowing) bool { return n.member == "" })
	plain, bounded, conditions := 0, 0, 0
	for i, a := range narrowings {
		for _, b := range narrowings[i+1:] {
			_, aShows := b.broken(rowsOf(a.o))
			_, bShows := a.broken(rowsOf(b.o))
			met := slices.ContainsFunc(pairs, func(p [2]narrowing) bool { return p[0].same(a.choice) && p[1].same(b.choice) })
			if a.same(b.choice) || !aShows || !bShows || met || a.par != b.par && toldApart(s, a, b) {
				continue
			}
			count, most := &plain, mostPairs
			if a.condition != nil && b.condition != nil {
				count, most = &conditions, mostComparisons
			} else if a.bound || b.bound {
				count, most = &bounded, mostBounded
			}
			if *count < most {
				*count++
				pairs = append(pairs, [2]narrowing{a, b})
			}
		}
	}
	arranged := 0
	for _, n := range seen {
		i := slices.IndexFunc(narrowings, func(a narrowing) bool {
			_, shows := a.broken(rowsOf(n.o))
			return shows && a.par != n.par
		})
		if n.member == "" && i >= 0 && arranged < mostArranged {
			pairs = append(pairs, [2]narrowing{narrowings[i], n})
			arranged++
		}
	}
	return pairs
}

// narrowingsIn returns what the answers show of each choice, without it and with it.
func narrowingsIn(choices []choice, before probes.Observation, answers probes.Answers) (all []narrowing) {
	for i, c := range choices {
		if n, known := narrowingOf(c, before, answers[i]); known {
			all = append(all, n)
		} else if n, known := arrangementOf(c, answers[i]); known {
			all = append(all, n)
		}
	}
	return all
}

// judgePairs rules on the answers to requests with two conditions.
func judgePairs(pairs [][2]narrowing, before probes.Observation, both func(i int) probes.Observation) (rs []ruling.Ruling) {
	for i, pair := range pairs {
		o := both(i)
		if !o.Succeeded() {
			continue // two that exclude each other may be refused
		}
		rs = append(rs, ruling.Conforms().By(o))
		for i, c := range pair {
			item, broken := c.broken(rowsOf(o))
			if broken && slices.EqualFunc(rowsOf(o), rowsOf(pair[1-i].o), probes.Value.Equal) { // conditions of which one suffices list more
				rs = append(rs, ruling.Violates("items that meet both conditions", c.member+" "+item.At(c.member).String()).By(before, c.o, o))
			}
		}
	}
	return rs
}
