package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// A READ that changes something is found by looking at what is listed before and
// after single things are read, those that exist and those that do not. A careless
// handler creates what it did not find.

// seen is the state that a look showed; empty when it was not taken.
func seen(f *Face, got []probes.Observation, take int) state {
	st := state{}
	for _, s := range sights(f) {
		if o, ok := listingAt(s, got, take); ok {
			st.note(s, o.Data())
		}
	}
	return st
}

// listingAt is the answer of a listing in a look.
func listingAt(s Subject, got []probes.Observation, take int) (probes.Observation, bool) {
	i := slices.IndexFunc(got, func(o probes.Observation) bool {
		return o.Probe.Take == take && o.Probe.Operation() == s.Name && o.Succeeded()
	})
	if i < 0 {
		return probes.Observation{}, false
	}
	return got[i], true
}

// appeared is an answer that shows what was asked for and was not there: the READ
// itself finds it the second time, or a listing holds it after the reads of a round
// and not before.
func appeared(f *Face, got []probes.Observation, round int) (what probes.Value, o probes.Observation, ok bool) {
	for _, m := range missed(f, round) {
		first, asked := answerTo(got, m.request(round, 0))
		second, again := answerTo(got, m.request(round, 1))
		if asked && again && strings.HasPrefix(first.Code(), "NOT_FOUND") && second.Succeeded() && !second.Data().Is(probes.Null) {
			return m.value, second, true
		}
		for _, s := range sights(f) {
			before, shown := listingAt(s, got, lookTake(round, 0))
			after, again := listingAt(s, got, lookTake(round, 2))
			if Noun(s.Name) == Noun(m.Name) && shown && again && !carries(before.Data(), m.value, m.fresh) && carries(after.Data(), m.value, m.fresh) {
				return m.value, after, true
			}
		}
	}
	return probes.Value{}, probes.Observation{}, false
}

// answerTo is the answer to a request.
func answerTo(got []probes.Observation, p probes.Probe) (probes.Observation, bool) {
	i := slices.IndexFunc(got, func(o probes.Observation) bool { return o.Probe.Take == p.Take && o.Probe.Key() == p.Key() })
	if i < 0 {
		return probes.Observation{}, false
	}
	return got[i], true
}

// effects counts in how many full rounds a place differed after reads, leaving
// out places that differed after a rest.
func effects(f *Face, got []probes.Observation) (places []string, counts map[string]int) {
	counts, restless := map[string]int{}, map[string]bool{}
	for round := 1; round <= rounds; round++ {
		var st [looks]state
		for i := range looks {
			st[i] = seen(f, got, lookTake(round, i))
		}
		for place := range differing(st[1], st[2]) {
			counts[place]++
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
	return places, counts
}

// Section 8.1. A model reads to find out, and would not ask if asking did something.
var _ = register(Check{
	Requirement: "AQL-8.1-02",
	On: func(f *Face) []Subject {
		if len(only(eachDomain, func(s Subject) bool { return s.Op.Category == "READ" })(f)) == 0 {
			return nil
		}
		s := Subject{Face: f, Name: "adapter"}
		if len(sights(f)) == 0 {
			s = s.settle(NotProven("a READ operation that shows stored state without an identifier", "none"))
		}
		return []Subject{s}
	},
	Lane: probes.Serial,
	Drive: func(s Subject, ask Asking) {
		v := &vigil{Face: s.Face, ask: ask}
		v.round(0, false)
		_, _, found := appeared(s.Face, v.got, 0)
		if found || len(differing(seen(s.Face, v.got, lookTake(0, 0)), seen(s.Face, v.got, lookTake(0, 2)))) == 0 {
			return
		}
		for round := range rounds {
			v.round(round+1, true)
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		for round := range rounds + 1 {
			if what, o, found := appeared(s.Face, got, round); found {
				return Violates("nothing made by a READ", what.String()+", which was asked for and was not there").By(o)
			}
		}
		before, after := seen(s.Face, got, lookTake(0, 0)), seen(s.Face, got, lookTake(0, 2))
		places, counts := effects(s.Face, got)
		last := got[len(got)-1]
		switch {
		case len(before) == 0 || len(after) == 0:
			return NotProven("stored state that a READ lists", "none").By(last)
		case len(differing(before, after)) == 0:
			return Conforms().By(last)
		case len(places) == 0:
			return NotProven("stored state that rests, to compare", "a difference that reads alone did not make").By(last)
		case counts[places[0]] == rounds:
			return Violates("stored state as it was before the reads", places[0]+" changed each time").By(last)
		}
		return NotProven("a difference that comes with reads each time or never", fmt.Sprintf("%s changed %d of %d times", places[0], counts[places[0]], rounds)).By(last)
	},
	Fix: "let READ operations change nothing that clients store",
})
