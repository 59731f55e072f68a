package parameters

import (
	"regexp"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A filter may say that its bound is inclusive. Then it keeps the item that has the bound itself.

// toldInclusive matches a description that says of the bound itself that it is inclusive: at the end of a part of a sentence, or of at least
// this value. What else is included has a noun behind it.
var toldInclusive = regexp.MustCompile(`(?i)\b(inclusive|included|inclu[ií]d[oa]|inclus[aeo]|comprise?|inclusief|włącznie)\s*($|[.;,)])|\b(on or (before|after)|bis einschließlich|ab einschließlich)\b` +
	`|\bat (least|most) (this|the|that)\b|\b(mindestens|höchstens) (diese|den|das|die)|\bau (moins|plus) (ce|le|la)|\b(al menos|como (mínimo|máximo)) (est|el|la)|\b(almeno|al massimo) (quest|il|la)`)

// toldExclusive matches what speaks against that: a bound before which or after which something lies.
var toldExclusive = regexp.MustCompile(`(?i)\b(exclu|not inclu|no inclu|não inclu|non inclu|nicht|half|without|ohne|sem|senza|sans|below|above|under|over|less|more|greater|earlier|later|strictly)` +
	`|(^|[^r] )\b(before|after)\b|\b(vor|nach|antes|después|depois|avant|après|prima|dopo|voor|na)\b`)

// An inclusion is a bound of a filter at the value that an item has, and the values beside it.
type inclusion struct {
	filter
	item   probes.Value
	member string // of the item
	value  any
	beside []any
}

// inclusionsOf returns the filters of a listing that say that their bound is inclusive, each with the first item that has a value
// for it in a member that shares a word with it, and in no other one that is nearly the same.
func inclusionsOf(s model.Subject) (all []inclusion) {
	items, _, _ := check.Collection(s.KnownGoodRequest().Reply.Data())
	for _, f := range conditions(s) {
		told := f.par.Raw.At("description").Text()
		if !toldInclusive.MatchString(told) || toldExclusive.MatchString(told) || len(s.EnumOf(f.par)) > 0 {
			continue
		}
		for _, item := range items {
			if at, ok := included(s, f, item); ok {
				all = append(all, at)
				break
			}
		}
	}
	return all
}

// included returns the bound of a filter at the value of one item.
func included(s model.Subject, f filter, item probes.Value) (inclusion, bool) {
	for _, m := range item.Members() {
		shared := slices.ContainsFunc(vocab.Words(m.Name), func(w string) bool { return slices.Contains(vocab.Words(f.par.Name), w) })
		near := neighbours(f.par, m.Value)
		if !shared || len(near) == 0 || s.Misfit(f.par, m.Value) != "" {
			continue
		}
		confused := slices.ContainsFunc(item.Members(), func(other probes.Member) bool {
			return slices.ContainsFunc(near, func(v any) bool { return check.EqualsJSON(other.Value, v) })
		})
		near = slices.DeleteFunc(near, func(v any) bool { return s.Misfit(f.par, probes.ValueOf(v)) != "" })
		if !confused && len(near) > 0 {
			return inclusion{f, item, m.Name, m.Value.Go(), near}, true
		}
	}
	return inclusion{}, false
}

// neighbours are the values before and after that of a whole number or of a day.
func neighbours(p probes.Parameter, v probes.Value) []any {
	if n, ok := v.Float(); ok && v.Is(probes.Number) && p.Type == "integer" && n == float64(int(n)) {
		return []any{int(n) - 1, int(n) + 1}
	}
	if day, err := time.Parse(time.DateOnly, v.Text()); err == nil && p.Raw.At("format").Text() == "date" {
		return []any{day.AddDate(0, 0, -1).Format(time.DateOnly), day.AddDate(0, 0, 1).Format(time.DateOnly)}
	}
	return nil
}

// The steps of the script.
const (
	atItsValue   = "inclusive bound: at the value of an item"
	besideValue  = "inclusive bound: beside the value"
	withoutBound = "inclusive bound: no bound"
)

// Introspection document, section 8.1.2.
var inclusiveBoundsKeepTheirValue = check.Check{
	Requirement: "INT-8.1.2-07",
	Handles:     check.Movement,
	Why:         "Who asks for what is due up to a day that is called included misses what is due on it.",
	On: model.Only(model.Fullest(model.EachProven), func(s model.Subject) bool {
		return s.Ruling == nil && s.Op.Category == "READ" && len(inclusionsOf(s)) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		for i, in := range inclusionsOf(s) {
			o := ask(in.with(s.LargestPage(), in.value).Anew(probes.Nth(atItsValue, i)))
			if !o.Succeeded() || in.shows(o) {
				continue
			}
			for n, v := range in.beside {
				ask(in.with(s.LargestPage(), v).Anew(probes.Nth(besideValue, 2*i+n)))
			}
			ask(s.LargestPage().Anew(probes.Nth(withoutBound, i)))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for i, in := range inclusionsOf(s) {
			at, none := got.Step(probes.Nth(atItsValue, i)), got.Step(probes.Nth(withoutBound, i))
			switch {
			case at.Succeeded() && in.shows(at):
				rs = append(rs, ruling.Conforms().By(at))
			case at.Succeeded() && in.shows(none):
				var kept []probes.Observation
				for n := range in.beside {
					if o := got.Step(probes.Nth(besideValue, 2*i+n)); in.shows(o) && in.alone(at, o) {
						kept = append(kept, o)
					}
				}
				if len(kept) == 1 {
					rs = append(rs, ruling.Departs("the item that has the bound itself, as the description of "+check.Quoted(in.par.Name)+" says", "a list without it").By(at, kept[0], none))
				}
			}
		}
		if len(rs) == 0 {
			return ruling.NotProven("a bound that is seen to keep or to leave out an item", got.Last())
		}
		return ruling.Worst(rs...)
	},
	Fix: "compare with the bound itself as the description says",
}

// shows reports whether an answer lists the item.
func (in inclusion) shows(o probes.Observation) bool {
	items, _, _ := check.Collection(o.Data())
	return o.Succeeded() && slices.ContainsFunc(items, in.item.Equal)
}

// alone reports whether the items that a list leaves out beside another list are those that have the bound. The size of a page
// leaves out others, and shows as many as it says.
func (in inclusion) alone(without, with probes.Observation) bool {
	left, _, _ := check.Collection(without.Data())
	all, _, _ := check.Collection(with.Data())
	return !check.EqualsJSON(probes.ValueOf(len(left)), in.value) && !slices.ContainsFunc(all, func(item probes.Value) bool {
		return !slices.ContainsFunc(left, item.Equal) && !check.EqualsJSON(item.At(in.member), in.value)
	})
}
