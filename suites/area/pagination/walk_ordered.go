package pagination

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An arrangement is a request that arranges a listing otherwise than the plain one, and the name of its walk.
type arrangement struct {
	script string
	call   probes.Probe
}

// arrangements finds a request that orders a listing otherwise, and one that lists a part of it.
func arrangements(s model.Subject, ask model.AskFunc, whole func(probes.Probe) probes.Probe, ordered, narrowed string) (all []arrangement) {
	plain := ask(whole(s.ValidCall()).Anew(ordered + ": as it is"))
	asked, filters := 0, map[string]bool{}
	met := func(script string) bool {
		return slices.ContainsFunc(all, func(a arrangement) bool { return a.script == script })
	}
	for _, order := range check.OrdersOf(s) {
		if filters[order.By] || asked == check.MostOrders || met(ordered) && met(narrowed) {
			continue
		}
		o := ask(whole(order.Call).Anew(probes.Nth(ordered+": order", asked)))
		asked++
		items, _, _ := check.Collection(o.Data())
		switch {
		case check.OrdersOtherwise(plain, o) && !met(ordered):
			all = append(all, arrangement{ordered, order.Call})
		case check.Narrows(plain, o):
			if filters[order.By] = len(items) > 1; filters[order.By] && !met(narrowed) {
				all = append(all, arrangement{narrowed, order.Call})
			}
		}
	}
	return all
}

// arranged walks through a listing in another order and through a part of it, where documented values
// arrange it so.
func (p pager) arranged(s model.Subject, ask model.AskFunc, ordered, narrowed string) {
	if len(check.OrdersOf(s)) == 0 {
		return
	}
	for _, a := range arrangements(s, ask, func(call probes.Probe) probes.Probe { return p.whole(s, call) }, ordered, narrowed) {
		p.walks(s, ask, a.call, a.script)
	}
}

// judgeArranged rules on both walks.
func (p pager) judgeArranged(got probes.Answers, ordered, narrowed string) ruling.Ruling {
	part := ruling.Conforms()
	if len(got.Under(narrowed+": walk 1")) > 0 {
		part = p.judge(got, narrowed)
	}
	return ruling.Worst(part, p.judgeInOrder(got, ordered))
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
	On:          model.Only(check.EachPaged(check.CursorStyle), func(s model.Subject) bool { return s.Ruling == nil && len(check.OrdersOf(s)) > 0 }),
	Lane:        probes.Sparse,
	Drive: func(s model.Subject, ask model.AskFunc) {
		for _, a := range arrangements(s, ask, func(p probes.Probe) probes.Probe { return greatestOf(s, p) }, "ordered walk", "narrowed walk") {
			askWalk(s, ask, a.call, a.script)
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, script := range []string{"ordered walk", "narrowed walk"} {
			if len(got.Under(script+": walk 1")) > 0 {
				rs = append(rs, judgeWalk(got, script))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("no documented value is seen to arrange the listing otherwise")
		}
		return ruling.Worst(rs...)
	},
	Fix: "let a cursor name the item behind which the next page begins, in the order that was asked for",
}
