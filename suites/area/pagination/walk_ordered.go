package pagination

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// mostOrders is how many requests are tried to find one that orders a listing otherwise.
const mostOrders = 10

// An order is a request that may order a listing otherwise, by a value of a parameter or of a field.
type order struct {
	by   string
	call probes.Probe
}

// ordersOf returns such requests: with each value of an enumeration, and with a flag. Of an object, the
// required fields have their first value.
func ordersOf(s model.Subject) (all []order) {
	values := func(p probes.Parameter) []probes.Value {
		if p.Type == "boolean" {
			return []probes.Value{probes.ValueOf(true)}
		}
		return s.EnumOf(p)
	}
	for _, p := range s.Op.Parameters {
		if _, set := s.ValidCall().Params()[p.Name]; p.Required || set {
			continue
		}
		fields, _ := s.FieldsOf(p, probes.Operation{})
		if len(fields) == 0 {
			for _, v := range values(p) {
				all = append(all, order{p.Name, s.ValidCall().With(p.Name, v.Go())})
			}
			continue
		}
		needed, known := map[string]any{}, true
		for _, f := range fields {
			if all := values(f); f.Required && len(all) > 0 {
				needed[f.Name] = all[0].Go()
			} else if f.Required {
				known = false
			}
		}
		for _, f := range fields {
			for _, v := range values(f) {
				if object := maps.Clone(needed); known {
					object[f.Name] = v.Go()
					all = append(all, order{p.Name + "." + f.Name, s.ValidCall().With(p.Name, object)})
				}
			}
		}
	}
	return all
}

// narrows reports whether a request lists fewer or other items than the plain one: its parameter says
// what is listed, and not in which order.
func narrows(plain, o probes.Observation) bool {
	x, y := walkOf(probes.Answers{plain}, plain.Probe.Step), walkOf(probes.Answers{o}, o.Probe.Step)
	total := totalOf(plain)
	return o.Succeeded() && (len(y.items) < len(x.items) || total.Is(probes.Number) && !total.Equal(totalOf(o)))
}

// ordersOtherwise reports whether two listings show as many items in another order. Of a collection with
// more pages the numbers of all items are compared, where both listings tell them.
func ordersOtherwise(plain, o probes.Observation) bool {
	x, y := walkOf(probes.Answers{plain}, plain.Probe.Step), walkOf(probes.Answers{o}, o.Probe.Step)
	partial := check.IsPartialListing(plain.Envelope())
	of, _, told := check.ItemKeys(x.items)
	switch total := totalOf(plain); {
	case !plain.Succeeded() || !o.Succeeded() || !told || partial != check.IsPartialListing(o.Envelope()), len(x.items) != len(y.items),
		!partial && !sameItems(x, y), total.Is(probes.Number) && !total.Equal(totalOf(o)):
		return false
	}
	return !slices.EqualFunc(x.items, y.items, func(a, b probes.Value) bool { return of(a) == of(b) })
}

func totalOf(o probes.Observation) probes.Value { return o.Data().At("pageInfo", "totalCount") }

// findOrder finds a request that orders a listing otherwise.
func findOrder(s model.Subject, ask model.AskFunc, whole func(probes.Probe) probes.Probe, script string) (call probes.Probe, ok bool) {
	plain := ask(whole(s.ValidCall()).Anew(script + ": as it is"))
	asked, filters := 0, map[string]bool{}
	for _, order := range ordersOf(s) {
		if filters[order.by] || asked == mostOrders {
			continue
		}
		o := ask(whole(order.call).Anew(probes.Nth(script+": order", asked)))
		if asked++; ordersOtherwise(plain, o) {
			return order.call, true
		}
		filters[order.by] = narrows(plain, o)
	}
	return call, false
}

// walksInOrder walks through a listing in another order, where a documented value gives it one.
func (p pager) walksInOrder(s model.Subject, ask model.AskFunc, script string) {
	if len(ordersOf(s)) == 0 {
		return
	}
	whole := func(call probes.Probe) probes.Probe { return p.whole(s, call) }
	if call, ok := findOrder(s, ask, whole, script); ok {
		p.walks(s, ask, call, script)
	}
}

// judgeInOrder rules on such a walk: the pages have the order of the listing, too.
func (p pager) judgeInOrder(got probes.Answers, script string) ruling.Ruling {
	if len(got.Under(script+": walk 1")) == 0 {
		return ruling.Conforms()
	}
	if r := p.judge(got, script); r.Verdict != ruling.Conforms().Verdict {
		return r
	}
	listed, walk := walkOf(got, script+": listing 1"), walkOf(got, script+": walk 1")
	of, _, _ := check.ItemKeys(listed.items)
	inOrder := func(w pageWalk) bool {
		return slices.EqualFunc(w.items[:min(len(w.items), len(listed.items))], listed.items, func(a, b probes.Value) bool { return of(a) == of(b) })
	}
	again := walkOf(got, script+": walk 2")
	if inOrder(walk) || inOrder(again) || !inOrder(walkOf(got, script+": listing 2")) || !inOrder(walkOf(got, script+": listing 3")) {
		return ruling.Conforms().By(walk.pages...)
	}
	return ruling.Departs("pages in the order of the whole listing", "another order").By(again.pages...).By(listed.last())
}

// Operations document, section 4.4.3.
var orderedWalkVisitsEveryItemOnce = check.Check{
	Requirement: "OPS-4.4.3-08",
	Handles:     check.Movement,
	Why:         "A cursor that names a place in one order leads astray in another one.",
	On:          model.Only(check.EachPaged(check.CursorStyle), func(s model.Subject) bool { return s.Ruling == nil && len(ordersOf(s)) > 0 }),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if call, ok := findOrder(s, ask, func(p probes.Probe) probes.Probe { return greatestOf(s, p) }, "ordered walk"); ok {
			askWalk(s, ask, call, "ordered walk")
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if len(got.Under("ordered walk: walk 1")) == 0 {
			return ruling.NotApplicable("no documented value is seen to order the listing otherwise")
		}
		return judgeWalk(got, "ordered walk")
	},
	Fix: "let a cursor name the item behind which the next page begins, in the order that was asked for",
}
