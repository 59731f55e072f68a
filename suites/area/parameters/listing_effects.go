package parameters

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A promise is an optional parameter of a listing whose effect is certain on the items that are
// listed: of the values together, at least one changes the listing.
type promise struct {
	filter
	tried []map[string]any // parameters of each attempt
	want  string
}

var (
	boundWords   = strings.Fields("since until from to before after start end newer older min max")
	otherTime    = regexp.MustCompile(`(?i)as.?of|\bnow\b|relative|zone|reference|comput|cursor|deprecat|(no|without) effect`)
	directionSet = regexp.MustCompile(`(?i)desc(end|$)|asc(end|$)|revers|invert|absteig|aufsteig|umkehr|umgekehrt|d[eé]croiss|降順|昇順|逆順`)
)

// promisesOf returns the promises of an operation on the items it lists.
func promisesOf(s model.Subject) []promise {
	items, _, _ := check.Collection(s.KnownGoodRequest().Reply.Data())
	return promisesOn(s, items)
}

// promisesOn returns the promises of an operation on items.
func promisesOn(s model.Subject, items []probes.Value) []promise {
	if len(items) == 0 || !items[0].Is(probes.Object) {
		return nil
	}
	var all []promise
	add := func(f filter) {
		if told := f.par.Raw.At("description").Text() + " " + f.par.Name; otherTime.MatchString(told) {
			return
		}
		if f.unproven() {
			if p := kept(f, items); len(p.tried) > 0 {
				all = append(all, p)
			}
			return
		}
		for _, p := range []promise{moment(f, items), kept(f, items), turned(s, f, items), ordered(s, f, items), matched(s, f, items)} {
			if len(p.tried) > 0 {
				all = append(all, p)
				return
			}
		}
	}
	for _, f := range conditions(s) {
		add(f)
	}
	return all
}

// moment is a bound in time: nothing is after the far future or before the far past. The bound is
// one of a date that each item has, by its name, because a bound may pass what has no date.
func moment(f filter, items []probes.Value) promise {
	form := f.par.Raw.At("format").Text()
	if f.par.Type != "string" || form != "date-time" && form != "date" {
		return promise{}
	}
	words := vocab.Words(f.par.Name)
	about := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(boundWords, strings.ToLower(w)) })
	if len(about) == len(words) {
		return promise{}
	}
	dated := slices.ContainsFunc(items[0].Names(), func(name string) bool {
		column := check.Column(items, name)
		named := len(about) == 0 || slices.ContainsFunc(vocab.Words(name), func(w string) bool { return slices.Contains(about, w) })
		return named && len(column) == len(items) && !slices.ContainsFunc(column, func(v probes.Value) bool { return !check.UTCDatePattern.MatchString(v.Text()) })
	})
	if !dated {
		return promise{}
	}
	early, late := "1900-01-01", "2200-01-01"
	if form == "date-time" {
		early, late = early+"T00:00:00Z", late+"T00:00:00Z"
	}
	return promise{filter: f, tried: []map[string]any{{f.par.Name: early}, {f.par.Name: late}}, want: "no items before the far past or after the far future"}
}

// kept is a boolean that is called like a boolean of the items, of which there are both.
func kept(f filter, items []probes.Value) promise {
	met := map[bool]bool{}
	for _, item := range items {
		if v := item.At(f.par.Name); v.Is(probes.Boolean) {
			met[v.True()] = true
		}
	}
	if f.par.Type != "boolean" || len(met) < 2 {
		return promise{}
	}
	return promise{filter: f, tried: []map[string]any{{f.par.Name: true}, {f.par.Name: false}}, want: "items that meet " + f.par.Name}
}

// orders are the members that an enumeration offers to sort by, of those whose values all differ.
func orders(s model.Subject, par probes.Parameter, items []probes.Value) (names []string) {
	for _, v := range s.EnumOf(par) {
		if column := check.Column(items, v.Text()); len(column) == len(items) && check.CountDistinct(column) == len(items) {
			names = append(names, v.Text())
		}
	}
	return names
}

// turned is a boolean that reverses an order in which no two items are equal.
func turned(s model.Subject, f filter, items []probes.Value) promise {
	if f.inside != "" || f.par.Type != "boolean" || len(items) < 2 || !directionSet.MatchString(f.par.Name+" "+f.par.Raw.At("description").Text()) {
		return promise{}
	}
	for _, by := range s.Op.Parameters {
		if names := orders(s, by, items); len(names) > 0 && !by.Required {
			return promise{filter: f, tried: []map[string]any{{by.Name: names[0], f.par.Name: true}, {by.Name: names[0], f.par.Name: false}}, want: "another order with each value of " + f.par.Name}
		}
	}
	return promise{}
}

// ordered is an enumeration of members to sort by, none of which the items are sorted by as they are.
// What is kept at the top of each order breaks it in one place.
func ordered(s model.Subject, f filter, items []probes.Value) promise {
	if f.inside != "" {
		return promise{}
	}
	var tried []map[string]any
	for _, name := range orders(s, f.par, items) {
		ups, downs := 0, 0
		column := check.Column(items, name)
		for i := range column[1:] {
			if more, ok := larger(column[i], column[i+1]); ok && more {
				downs++
			} else if ok {
				ups++
			}
		}
		if ups > 1 && downs > 1 {
			tried = append(tried, map[string]any{f.par.Name: name})
		}
	}
	if len(tried) == 0 {
		return promise{}
	}
	return promise{filter: f, tried: tried, want: "another order by " + f.par.Name}
}

// larger compares values whose order is beyond dispute: numbers, and dates in UTC.
func larger(a, b probes.Value) (more, ok bool) {
	if x, isNumber := a.Float(); isNumber && a.Is(probes.Number) {
		y, other := b.Float()
		return x > y, other
	}
	dates := check.UTCDatePattern.MatchString(a.Text()) && check.UTCDatePattern.MatchString(b.Text())
	return a.Text() > b.Text(), dates && len(a.Text()) == len(b.Text())
}

// requests are the calls with each attempt.
func (p promise) requests(call probes.Probe) (all []probes.Probe) {
	for _, params := range p.tried {
		one := call
		for name, v := range params {
			if p.inside != "" {
				name, v = p.inside, map[string]any{name: v}
			}
			one = one.With(name, v)
		}
		all = append(all, one)
	}
	return all
}

// certain reports whether the effect is certain on other items, too: those that were listed at first may
// be on another page.
func (p promise) certain(s model.Subject, items []probes.Value) bool {
	same := func(a, b map[string]any) bool { return probes.ValueOf(a).Equal(probes.ValueOf(b)) }
	return slices.ContainsFunc(promisesOn(s, items), func(now promise) bool {
		return now.par.Name == p.par.Name && now.inside == p.inside && now.want == p.want &&
			slices.ContainsFunc(now.tried, func(a map[string]any) bool {
				return slices.ContainsFunc(p.tried, func(b map[string]any) bool { return same(a, b) })
			})
	})
}

// chooses reports whether true is seen to keep the items that have it, and to leave others out. A field that includes more
// may do the same with false.
func (p promise) chooses(before probes.Observation, tried probes.Answers) bool {
	all, _, _ := check.Collection(before.Data())
	for i, o := range tried {
		items, _, _ := check.Collection(o.Data())
		other := func(item probes.Value) bool { return !item.At(p.par.Name).True() }
		if p.tried[i][p.par.Name] == true && len(items) > 0 && len(items) < len(all) && !slices.ContainsFunc(items, other) {
			return true
		}
	}
	return false
}

// Words by which a description says that one value keeps a part alone, and that one of them may keep all items.
var (
	eachValue  = regexp.MustCompile(`(?is)\btrue\b.*\bfalse\b|\bfalse\b.*\btrue\b`)
	onlyWords  = regexp.MustCompile(`(?i)\b(only|just|exclusively|nur|solo|sólo|solamente|soltanto|seulement|uniquement|apenas|somente|alleen|endast|kun|tylko)\b|только|だけ|のみ`)
	unfiltered = regexp.MustCompile(`(?i)\b(all|both|any|every|either|everyone|everything|anyone|anything|regardless|restriction|limit|whole|full|default|omit|ignore|filter|unfiltered|include|also|too|alle[ns]?|jede[rsn]?|beide|auch|ohne|egal|sonst|tous|toutes|tout|aussi|tod[oa]s?|ambos|también|tutt[aieo]|entramb[ie]|anche|ambas|também|alla|både|inkl|with|without)\b|全|すべて|все`)
)

// tellsOfBoth reports whether the description of a boolean says of each value that it keeps a part alone: only the hardy ones (true) or
// only the others (false).
func (p promise) tellsOfBoth() bool {
	told := p.par.Raw.At("description").Text()
	return eachValue.MatchString(told) && len(onlyWords.FindAllString(told, -1)) > 1 && !unfiltered.MatchString(told)
}

func (p promise) judge(s model.Subject, before probes.Observation, tried probes.Answers) ruling.Ruling {
	same := func(o probes.Observation) bool { return check.StableData(o) == check.StableData(tried[0]) }
	refused := func(o probes.Observation) bool { return !o.Succeeded() }
	items, _, _ := check.Collection(before.Data())
	switch {
	case len(items) == 0: // what was there may be gone
		return ruling.NotProven("a listing with items", before)
	case !p.certain(s, items):
		return ruling.NotProven("items on which "+p.par.Name+" has an effect", before)
	case slices.ContainsFunc(tried, refused):
		return ruling.NotProven("the documented value accepted", tried[slices.IndexFunc(tried, refused)]).By(before)
	case p.unproven() && !p.chooses(before, tried):
		return ruling.NotProven("items that meet "+p.par.Name, "items that tell nothing of it").By(before)
	case check.StableData(tried[0]) == check.StableData(before) && !slices.ContainsFunc(tried, func(o probes.Observation) bool { return !same(o) }):
		return ruling.Violates(p.want, "the same list for each value of "+p.par.Name+" as without it").By(tried...).By(before)
	case len(p.tried) == 2 && p.par.Type == "boolean" && same(tried[1]):
		return ruling.Violates(p.want, "the same list for true and false").By(tried...).By(before)
	case (p.inside != "" || p.tellsOfBoth()) && p.par.Type == "boolean" && !p.par.Raw.Has("default") && len(tried) == 2 && slices.ContainsFunc(tried, func(o probes.Observation) bool { return check.StableData(o) == check.StableData(before) }):
		return ruling.Violates(p.want, "all items for true or for false").By(tried...).By(before)
	}
	return ruling.Conforms().By(tried...).By(before)
}
