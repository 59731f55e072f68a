package suites

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// The first request of each operation that writes is measured: the gate compares what is
// listed before and after it. Seen once, a change may be somebody else's doing; seen on
// two objects of ours it is a defect.

// sparingTake is the take of the first of two requests on objects of our own.
const sparingTake = 45 * specimenStage

// writeOnOwn sends the valid request of an operation: a creation, or a change or removal
// of an object that is made for it and that nobody else touches. What it writes differs
// from the first time (0) to the second (1).
func (s Subject) writeOnOwn(ask Asking, time int) {
	take := sparingTake + 2*slices.IndexFunc(s.Operations, func(o probes.Operation) bool { return o.Name == s.Op.Name }) + time
	if ok, _ := s.Callable(s.Op); !ok || !s.Baseline().Usable() {
		return
	}
	if s.Op.Category == "CREATE" {
		ask(s.anew(take).Anew(take))
		return
	}
	if maker, paths, made := s.makerOf(s.Op); made {
		o := ask(maker.anew(take).Anew(take))
		good, _ := withMark(withoutMark(native(s.ValidCall().Params()), s.Gen.Marker("")), s.Gen.Marker(fmt.Sprintf("-%d", take))).(map[string]any)
		for name, path := range paths {
			good[name] = o.Data().At(path...).Go()
		}
		if o.Succeeded() {
			ask(s.Request(s.Op, good).Anew(take))
		}
	}
}

// sparing rules on what the operations of a category do to the objects of others.
func sparing(requirement, category, want, fix string) bool {
	return register(Check{
		Requirement: requirement,
		On: func(f *Face) []Subject {
			return only(eachDomain, func(s Subject) bool { return s.Op.Category == category && !slices.Contains(reserved, s.Name) })(f)
		},
		Lane: probes.Serial,
		Held: true, // the second of two that did harm is the last
		Drive: func(s Subject, ask Asking) {
			s.writeOnOwn(ask, 0)
			s.writeOnOwn(ask, 1)
		},
		Whole: func(s Subject, _ []probes.Observation, all probes.Record) Ruling {
			var seen []gate.Incident
			measured := false
			for _, i := range s.rules.Measured(s.Nonce, all) {
				if i.Operation != s.Name {
					continue
				}
				measured = measured || i.Evidence[0].Succeeded()
				if i.What != "" {
					seen = append(seen, i)
				}
			}
			switch {
			case len(seen) > 1:
				r := Violates(want, seen[0].What+", then "+seen[1].What)
				return r.By(seen[0].Evidence...).By(seen[1].Evidence...)
			case len(seen) == 1:
				return NotProven(want, seen[0].What+", seen once").By(seen[0].Evidence...)
			case !measured:
				ok, why := s.Callable(s.Op)
				if ok {
					why = "none that succeeded"
				}
				return NotProven("a request of "+s.Name+" with what is listed before and after it", gate.Reason(why)).Mend(gate.Unlock(why))
			}
			return Conforms()
		},
		Fix: fix,
	})
}

// Section 8.1. Who adds something expects what is there to stay as it is.
var _ = sparing("AQL-8.1-01", "CREATE", "no change to other objects after a creation", "add the new object and touch no other")

// Section 8.1. An update is of the resource that it names. What it does to others nobody
// has asked for, and nobody looks for.
var _ = sparing("AQL-8.1-05", "UPDATE", "no change to other objects after an update", "change the named resource and no other")

// Section 8.1. A removal that takes others with it destroys what nobody named.
var _ = sparing("AQL-8.1-06", "DELETE", "no change to other objects after a removal", "remove the named resource and no other")
