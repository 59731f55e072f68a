package suites

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// A READ that changes something is found by looking at everything that can be
// read, twice at rest and then after reads that a careless handler answers by
// creating what it did not find.

// restTake is the take of the first round of looks.
const restTake = 54 * specimenStage

// rounds is how often a difference has to show before it counts as an effect.
const rounds = 3

// quietReads is every READ with a proven request, introspect aside.
func quietReads(f *Face) []Subject {
	return only(eachProven, func(s Subject) bool { return s.settled == nil && s.Op.Category == "READ" })(f)
}

// wide returns the request of a listing for as much as it documents to give.
func (s Subject) wide() probes.Probe {
	p := s.ValidCall()
	for _, size := range []string{"first", "limit", "page_size"} {
		i := slices.IndexFunc(s.Op.Parameters, func(q probes.Parameter) bool { return q.Name == size })
		if i < 0 {
			continue
		}
		if most, ok := s.Op.Parameters[i].Raw.At("maximum").Float(); ok && most <= 1000 {
			return p.With(size, most)
		}
	}
	return p
}

// missed are reads of things that are not there, with a name that no other request
// carries.
func missed(f *Face, round int) []probes.Probe {
	var ps []probes.Probe
	for _, s := range quietReads(f) {
		for _, p := range s.Op.Parameters {
			absent, known := f.Absent[absentKey(s.Op, p)]
			if !known || !p.Required || !probes.IsReference(s.Op, p) {
				continue
			}
			fresh := absent.Go()
			if absent.Text() == f.Gen.Marker("-absent") {
				fresh = missedName(f, round)
			}
			ps = append(ps, s.ValidCall().With(p.Name, fresh).Anew(restTake+round))
		}
	}
	return ps
}

func missedName(f *Face, round int) string { return f.Gen.Marker(fmt.Sprintf("-missed%d", round)) }

// rest asks for one round of looks at everything that can be read.
func rest(f *Face, ask Asking, round int) {
	for _, s := range quietReads(f) {
		ask(s.ValidCall().Anew(restTake + round))
		ask(s.wide().Anew(restTake + round))
	}
}

// readState is what one round of looks showed, by operation and path.
func readState(f *Face, got []probes.Observation, round int) map[string]string {
	state := map[string]string{}
	for _, s := range quietReads(f) {
		for _, p := range []probes.Probe{s.ValidCall(), s.wide()} {
			key := p.Anew(restTake + round).Key()
			i := slices.IndexFunc(got, func(o probes.Observation) bool { return o.Probe.Take == restTake+round && o.Probe.Key() == key })
			if i >= 0 {
				flatten(state, s.Name, got[i].Data())
			}
		}
	}
	return state
}

// flatten notes every scalar below v under its path.
func flatten(state map[string]string, path string, v probes.Value) {
	for _, m := range v.Members() {
		flatten(state, path+"."+m.Name, m.Value)
	}
	for i, item := range v.Items() {
		flatten(state, fmt.Sprintf("%s[%d]", path, i), item)
	}
	if v.Is(probes.Array) {
		state[path] = fmt.Sprintf("%d items", len(v.Items()))
	} else if !v.Is(probes.Object) {
		state[path] = v.Canonical(nil)
	}
}

// differing returns the paths in which two rounds differ.
func differing(x, y map[string]string) map[string]bool {
	paths := map[string]bool{}
	for path := range x {
		if x[path] != y[path] {
			paths[path] = true
		}
	}
	for path := range y {
		if _, known := x[path]; !known {
			paths[path] = true
		}
	}
	return paths
}

// effects compares the rounds: what differs at rest is masked, what differs after
// reads is counted. Even rounds follow reads, odd rounds follow nothing.
func effects(f *Face, got []probes.Observation, last int) (counts map[string]int, restless map[string]bool) {
	counts, restless = map[string]int{}, map[string]bool{}
	before := readState(f, got, 0)
	for round := 1; round <= last; round++ {
		after := readState(f, got, round)
		for path := range differing(before, after) {
			if round%2 == 1 {
				restless[path] = true
			} else {
				counts[path]++
			}
		}
		before = after
	}
	maps.DeleteFunc(counts, func(path string, _ int) bool { return restless[path] })
	return counts, restless
}

// Section 8.1. A model reads to find out, and would not ask if asking did something.
// Withdrawn until it tells a changing clock from a changing state: it warned of a
// conforming adapter (fixtures/odd-adapters/mixed-families).
var _ = Check{
	Requirement: "AQL-8.1-02",
	On: func(f *Face) []Subject {
		if len(only(eachDomain, func(s Subject) bool { return s.Op.Category == "READ" })(f)) == 0 {
			return nil
		}
		s := Subject{Face: f, Name: "adapter"}
		if len(quietReads(f)) == 0 {
			s = s.settle(NotProven("a READ operation with a proven request", "none"))
		}
		return []Subject{s}
	},
	Lane: probes.Serial,
	Drive: func(s Subject, ask Asking) {
		var got []probes.Observation
		noting := func(p probes.Probe) probes.Observation {
			o := ask(p)
			got = append(got, o)
			return o
		}
		rest(s.Face, noting, 0)
		for n := range rounds {
			rest(s.Face, noting, 2*n+1)
			for _, p := range missed(s.Face, n) {
				noting(p)
			}
			rest(s.Face, noting, 2*n+2)
			if counts, _ := effects(s.Face, got, 2*n+2); len(counts) == 0 {
				return
			}
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		last := 0
		for _, o := range got {
			last = max(last, o.Probe.Take-restTake)
		}
		counts, restless := effects(s.Face, got, last)
		for _, o := range got {
			for round := range rounds {
				if slices.ContainsFunc(o.Data().Scalars(), func(t string) bool { return t == missedName(s.Face, round) }) && !asksFor(o.Probe, missedName(s.Face, round)) {
					return Violates("nothing made by a READ", "an object named "+missedName(s.Face, round)).By(o)
				}
			}
		}
		paths := slices.SortedFunc(maps.Keys(counts), func(x, y string) int {
			if counts[x] != counts[y] {
				return counts[y] - counts[x]
			}
			return strings.Compare(x, y)
		})
		switch {
		case len(paths) > 0 && counts[paths[0]] == rounds:
			return Violates("stored state as it was before the reads", paths[0]+" changed each time")
		case len(paths) > 0:
			return Departs("stored state as it was before the reads", paths[0]+" changed once")
		case len(restless) > 0 && len(restless) == len(readState(s.Face, got, 0)):
			return NotProven("state that rests", "answers that change by themselves")
		}
		return Conforms()
	},
	Fix: "let READ operations change nothing",
}

// asksFor reports whether a request carries a value; its echo proves nothing.
func asksFor(p probes.Probe, value string) bool {
	return slices.Contains(probes.ValueOf(p.Args).Scalars(), value)
}

// Section 8.1. A client repeats a read whenever an answer was lost.
var _ = register(Check{
	Requirement: "AQL-8.1-03",
	On:          only(eachProven, func(s Subject) bool { return s.Op.Category == "READ" }),
	Lane:        probes.Serial,
	Ask: func(s Subject) []probes.Probe {
		p := s.ValidCall()
		return []probes.Probe{p, p.Anew(restTake), p.Anew(restTake + 1)}
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		for i, o := range got[1:] {
			switch {
			case o.Deferred():
				return NotProven("an answer that can be compared", o)
			case !o.Succeeded():
				return Violates("success each time", o).By(got[i])
			}
		}
		if items(got[1].Data()) != items(got[2].Data()) {
			return Violates("the same items each time", "others").By(got[2], got[1])
		}
		return Conforms().By(got[2], got[1])
	},
	Fix: "answer equal reads equally as long as nothing is written",
})

// identity matches no more than what tells one item from another.
var identity = strings.Fields("id uuid key slug name title")

// items writes which items an answer holds, in no order.
func items(v probes.Value) string {
	var parts []string
	for _, item := range v.Items() {
		part := "item"
		for _, m := range item.Members() {
			if slices.Contains(identity, m.Name) || strings.HasSuffix(m.Name, "_id") {
				part += "," + m.Name + "=" + m.Value.Canonical(nil)
			}
		}
		parts = append(parts, part)
	}
	for _, m := range v.Members() {
		if m.Value.Is(probes.Array) || m.Value.Is(probes.Object) {
			parts = append(parts, m.Name+":"+items(m.Value))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, ";")
}
