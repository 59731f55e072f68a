package classification

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// sparing rules on what the operations of a category do to the objects of others.
func sparing(requirement, category, want, fix string) check.Check {
	return check.Check{
		Requirement: requirement,
		On: func(f *model.Adapter) []model.Subject {
			return model.Only(model.EachDomain, func(s model.Subject) bool {
				return s.Op.Category == category && !slices.Contains(model.Reserved, s.Name)
			})(f)
		},
		Lane:    probes.Serial,
		Handles: check.Blocked, // the second of two that did harm is the last
		Drive: func(s model.Subject, ask model.AskFunc) {
			check.WriteOwnObject(s, ask, 0)
			check.WriteOwnObject(s, ask, 1)
		},
		Ambient: &check.Ambient{Run: func(s model.Subject, _ probes.Answers, all probes.Record) ruling.Ruling {
			var seen []model.Incident
			measured, unrest := false, []probes.Observation(nil)
			alone := map[string][]model.Incident{} // by what changed, where others change objects too
			done := 0                              // requests that succeeded, with what changed around them
			for _, i := range s.Rules.Measured(s.Nonce, all) {
				if i.Operation != s.Name {
					continue
				}
				if i.Evidence[0].Succeeded() {
					done++
				}
				if i.Restless {
					unrest = i.Evidence
					alone[i.Alone] = append(alone[i.Alone], i)
					continue
				}
				measured = measured || i.Evidence[0].Succeeded()
				if i.What != "" {
					seen = append(seen, i)
				}
			}
			for _, what := range slices.Sorted(maps.Keys(alone)) {
				// Others may write at the same moment now and then, but not most of the times.
				if same := alone[what]; what != "" && len(same) > 1 && 2*len(same) > done {
					return ruling.Violates(want, what+", most times, and at no other time").By(same[0].Evidence...).By(same[1].Evidence...)
				}
			}
			switch {
			case len(seen) > 1:
				r := ruling.Violates(want, seen[0].What+", then "+seen[1].What)
				return r.By(seen[0].Evidence...).By(seen[1].Evidence...)
			case len(seen) == 1:
				return ruling.NotProven(want, seen[0].What+", seen once").By(seen[0].Evidence...)
			case !measured && unrest != nil:
				return ruling.NotProven(want, "objects that others change while nothing is written").By(unrest...)
			case !measured:
				return s.NotCallable("a request of "+s.Name+" with what is listed before and after it", "none that succeeded")
			}
			return ruling.Conforms()
		}},
		Fix: fix,
	}
}

// Section 8.1.
var creationChangesNoOtherObject = sparing("AQL-8.1-01", "CREATE", "no change to other objects after a creation", "add the new object and touch no other").WithReason(
	"Who adds something expects what is there to stay as it is.")

// Section 8.1.
var updateChangesNoOtherObject = sparing("AQL-8.1-05", "UPDATE", "no change to other objects after an update", "change the named resource and no other").WithReason(
	"An update is of the resource that it names. What it does to others nobody has asked for, and nobody looks for.")

// Section 8.1.
var removalChangesNoOtherObject = sparing("AQL-8.1-06", "DELETE", "no change to other objects after a removal", "remove the named resource and no other").WithReason(
	"A removal that takes others with it destroys what nobody named.")
