package classification

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A READ that changes something is found by looking at what is listed before and
// after single things are read, those that exist and those that do not. A careless
// handler creates what it did not find.

// A protocol finds the answers of a script by step: an adapter may have a thousand
// operations, and each is looked for in every round.
type protocol map[string]probes.Observation

func protocolOf(got probes.Answers) protocol {
	p := protocol{}
	for _, o := range got {
		p[o.Probe.Step] = o
	}
	return p
}

// listing is the answer of a listing in a look.
func (p protocol) listing(s model.Subject, look string) (o probes.Observation, ok bool) {
	o = p[stepOf(look+": listing", s)]
	return o, o.Succeeded()
}

// answer is the answer to a request.
func (p protocol) answer(to probes.Probe) (o probes.Observation, ok bool) {
	o, ok = p[to.Step]
	return o, ok
}

// seen is the state that a look showed; empty when there was no such look.
func (p protocol) seen(f *model.Adapter, look string) state {
	st := state{}
	for _, s := range sights(f) {
		if o, ok := p.listing(s, look); ok {
			st.note(s, o.Data())
		}
	}
	return st
}

// appeared is an answer that shows what was asked for and was not there: the READ
// itself finds it the second time, or a listing holds it after the reads of a round
// and not before.
func (p protocol) appeared(f *model.Adapter, round int) (what probes.Value, o probes.Observation, ok bool) {
	places := map[string][]model.Subject{} // where to look, by noun
	for _, s := range sights(f) {
		places[f.Noun(s.Name)] = append(places[f.Noun(s.Name)], s)
	}
	for _, m := range missed(f, round) {
		first, asked := p.answer(m.request(round, 0))
		second, again := p.answer(m.request(round, 1))
		if asked && again && strings.HasPrefix(first.Code(), "NOT_FOUND") && second.Succeeded() && !second.Data().Is(probes.Null) {
			return m.value, second, true
		}
		for _, s := range places[f.Noun(m.Name)] {
			before, shown := p.listing(s, lookStep(round, 0))
			after, again := p.listing(s, lookStep(round, 2))
			if shown && again && !carries(before.Data(), m.value, m.fresh) && carries(after.Data(), m.value, m.fresh) {
				return m.value, after, true
			}
		}
	}
	return probes.Value{}, probes.Observation{}, false
}

// effects counts in how many full rounds a place differed after reads, leaving
// out places that differed after a rest. It counts too after the reads of how many of these
// rounds nothing differed.
func effects(f *model.Adapter, told protocol) (places []string, counts map[string]int, clean int) {
	counts, restless := map[string]int{}, map[string]bool{}
	for round := 1; round <= rounds; round++ {
		var st [looks]state
		for i := range looks {
			st[i] = told.seen(f, lookStep(round, i))
		}
		changed := differing(st[1], st[2])
		for place := range changed {
			counts[place]++
		}
		if len(changed) == 0 && len(st[1]) > 0 && len(st[2]) > 0 {
			clean++
		}
		for i := range 2 {
			for place := range differing(st[2*i], st[2*i+1]) {
				restless[place] = true
			}
		}
	}
	for place := range counts {
		if !restless[place] {
			places = append(places, place)
		}
	}
	slices.SortFunc(places, func(x, y string) int {
		if counts[x] != counts[y] {
			return counts[y] - counts[x]
		}
		return strings.Compare(x, y)
	})
	return places, counts, clean
}

// Section 8.1.
var readLeavesStoredStateUntouched = check.Check{
	Requirement: "AQL-8.1-02",
	Handles:     check.Movement,
	Rule:        "An operation in READ has no side effect on stored state.",
	Why:         "A model calls READ operations freely because they change nothing.",
	On: func(f *model.Adapter) []model.Subject {
		if len(model.Only(model.EachDomain, func(s model.Subject) bool { return s.Op.Category == "READ" })(f)) == 0 {
			return nil
		}
		s := model.Subject{Adapter: f, Name: "adapter"}
		if len(sights(f)) == 0 {
			s = s.WithRuling(ruling.NotProven("a READ operation that shows stored state without an identifier", "none"))
		}
		return []model.Subject{s}
	},
	Lane: probes.Sparse,
	Look: func(s model.Subject, ask model.AskFunc, together check.AskConcurrently) {
		v := &readOnlyScenario{Adapter: s.Adapter, ask: ask, together: together}
		v.round(0, false)
		told := protocolOf(v.got)
		_, _, found := told.appeared(s.Adapter, 0)
		if found || len(differing(told.seen(s.Adapter, lookStep(0, 0)), told.seen(s.Adapter, lookStep(0, 2)))) == 0 {
			return
		}
		for round := range rounds {
			v.round(round+1, true)
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		told := protocolOf(got)
		for round := range rounds + 1 {
			if what, o, found := told.appeared(s.Adapter, round); found {
				return ruling.Violates("nothing made by a READ", what.String()+", which was asked for and was not there").By(o)
			}
		}
		before, after := told.seen(s.Adapter, lookStep(0, 0)), told.seen(s.Adapter, lookStep(0, 2))
		places, counts, clean := effects(s.Adapter, told)
		last := got.Last()
		switch {
		case len(before) == 0 || len(after) == 0:
			return ruling.NotProven("stored state that a READ lists", "none").By(last)
		case len(differing(before, after)) == 0, 2*clean > rounds: // mostly the same reads changed nothing, so others made the difference
			return ruling.Conforms().By(last)
		case len(places) == 0:
			return ruling.Moved("stored state that rests, to compare", "a difference that reads alone did not make").By(last)
		case counts[places[0]] == rounds:
			return ruling.Violates("stored state as it was before the reads", places[0]+" changed each time").By(last)
		}
		return ruling.Moved("a difference that comes with reads each time or never", fmt.Sprintf("%s changed %d of %d times", places[0], counts[places[0]], rounds)).By(last)
	},
	Fix: "let READ operations change nothing that clients store",
}
