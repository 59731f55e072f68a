package pagination

import (
	"slices"
	"strings"

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

// turned is the name of a walk through what another one walks through, in the order that turns it round.
func turned(script string) string { return script + ", turned round" }

// mostTurns is how many requests are tried to find one that turns an order round.
const mostTurns = 6

// arrangements finds a request that orders a listing otherwise, and one that lists a part of it. It finds one that turns
// the order round, and lists the part so.
func arrangements(s model.Subject, ask model.AskFunc, whole func(probes.Probe) probes.Probe, ordered, narrowed string) (all []arrangement) {
	plain := ask(whole(s.ValidCall()).Anew(ordered + ": as it is"))
	asked, filters := 0, map[string]bool{}
	var order, part check.Order
	var inOrder probes.Observation
	for _, by := range check.OrdersOf(s) {
		if filters[by.By] || asked == check.MostOrders || order.By != "" && part.By != "" {
			continue
		}
		o := ask(whole(by.Call).Anew(probes.Nth(ordered+": order", asked)))
		asked++
		items, _, _ := check.Collection(o.Data())
		switch {
		case check.OrdersOtherwise(plain, o) && order.By == "":
			order, inOrder = by, o
			all = append(all, arrangement{ordered, by.Call})
		case check.Narrows(plain, o):
			if filters[by.By] = len(items) > 1; filters[by.By] && part.By == "" {
				part = by
				all = append(all, arrangement{narrowed, by.Call})
			}
		}
	}
	return append(all, turnedRound(s, ask, whole, order, part, plain, inOrder, ordered, narrowed)...)
}

// turnedRound finds the requests that turn the order and the plain listing round the most. By the second one a part is listed.
func turnedRound(s model.Subject, ask model.AskFunc, whole func(probes.Probe) probes.Probe, order, part check.Order, plain, inOrder probes.Observation, ordered, narrowed string) (all []arrangement) {
	turns := 0
	var ofOrder, ofPlain turn
	for _, by := range check.OrdersOf(s) {
		call := by.Call
		if param, _, within := strings.Cut(by.By, "."); by.By != order.By && !within {
			call = order.Call.With(param, by.Value.Go())
		}
		if order.By == "" || by.By == part.By || probes.ValueOf(by.Call.Params()).Equal(probes.ValueOf(order.Call.Params())) || turns == mostTurns {
			continue
		}
		o := ask(whole(call).Anew(probes.Nth(turned(ordered)+": order", turns)))
		turns++
		ofOrder, ofPlain = ofOrder.or(call, check.Turned(inOrder, o)), ofPlain.or(call, check.Turned(plain, o))
	}
	if ofOrder.share == 0 {
		ofOrder = ofPlain
	}
	if ofPlain.share == 0 {
		ofPlain = ofOrder
	}
	if ofOrder.share > 0 {
		all = append(all, arrangement{turned(ordered), ofOrder.call})
		if param, _, _ := strings.Cut(part.By, "."); part.By != "" && ofPlain.call.Params()[param] == nil {
			both := ofPlain.call.With(param, part.Call.Params()[param])
			if check.Narrows(plain, ask(whole(both).Anew(turned(narrowed)+": as it is"))) { // else INT-8.1.2-07 rules on the filter
				all = append(all, arrangement{turned(narrowed), both})
			}
		}
	}
	return all
}

// A turn is a request that turns a share of the pairs of a listing round; share is 0 where it is not most of them.
type turn struct {
	call  probes.Probe
	share float64
}

func (t turn) or(call probes.Probe, share float64) turn {
	if share > max(t.share, 0.5) {
		return turn{call, share}
	}
	return t
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
	return ruling.Worst(part, p.judgeInOrder(got, ordered), p.judgeInOrder(got, turned(ordered)), p.judgeInOrder(got, turned(narrowed)))
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
		for _, script := range []string{"ordered walk", "narrowed walk", turned("ordered walk"), turned("narrowed walk")} {
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
