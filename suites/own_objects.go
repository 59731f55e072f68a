package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// A change or removal of something that does not exist is refused for that
// reason, and whatever else is wrong with the request stays unseen. So where
// writing is allowed an object is made, the bad request is tried on it, and then
// the good one: it works only if the bad one was valid but for its one fault, and
// left the object alone.

// eachOwn is every operation of the categories that can be tried on an object of
// ours. The others are open in the checks that ask with absent identifiers.
func eachOwn(categories ...string) func(*Face) []Subject {
	return only(eachUsable, func(s Subject) bool {
		if s.settled != nil || !slices.Contains(categories, s.Op.Category) {
			return false
		}
		allowed, _ := s.Callable(s.Op)
		_, _, made := s.makerOf(s.Op)
		return allowed && made
	})
}

// ownRange is the number of takes that one operation may use of these scripts.
const ownRange = 1_000_000

// onOwn makes an object, tries the bad requests on it and then the good one. No two
// operations share an object: the first would remove it under the second.
func onOwn(s Subject, ask Asking, take int, bad func(good probes.Probe) []probes.Probe) {
	take += ownRange * slices.IndexFunc(s.Operations, func(o probes.Operation) bool { return o.Name == s.Op.Name })
	maker, paths, _ := s.makerOf(s.Op)
	good := s.ValidCall().Anew(take)
	for name, path := range paths {
		good = good.With(name, probes.From(0, path...))
	}
	ask(maker.anew(take).Anew(take))
	for _, p := range bad(good) {
		ask(p)
	}
	ask(good)
}

func withUnknown(s Subject) func(probes.Probe) []probes.Probe {
	return func(good probes.Probe) []probes.Probe { return []probes.Probe{good.With(unknownName(s), 1)} }
}

// Section 4.6. An update that drops a misspelt field changes less than it says it
// did, and a removal that drops a misspelt guard removes more.
var _ = register(Check{
	Requirement: "AQL-4.6-01",
	On:          eachOwn("UPDATE", "DELETE"),
	Lane:        probes.Serial,
	Drive:       func(s Subject, ask Asking) { onOwn(s, ask, 110, withUnknown(s)) },
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		made, bad, good := got[0], got[1], got[2]
		switch {
		case !made.Succeeded():
			return NotProven("an object of our own", made)
		case bad.Succeeded():
			return Violates("error VALIDATION_UNKNOWN_PARAM", bad)
		case bad.Code() == "VALIDATION_UNKNOWN_PARAM":
			return Conforms().By(bad)
		case !good.Succeeded() || bad.Deferred():
			return NotProven("the same request to succeed without the parameter", good).By(bad)
		case !bad.Refused() && !bad.RefusedBelow():
			return NotProven("a refusal of the unknown parameter", bad)
		}
		return Conforms().By(bad, good)
	},
	Fix: "refuse parameters that the operation does not document; list them in details.unknown_params",
})

// unharmed rules on a removal that was refused: the object must be there to be
// removed by the request without the fault.
func unharmed(got []probes.Observation, owner string) Ruling {
	made, bad, good := got[0], got[1:len(got)-1], got[len(got)-1]
	refused := func(o probes.Observation) bool { return o.Refused() && !o.Deferred() }
	switch {
	case !made.Succeeded():
		return NotProven("an object of our own", made)
	case slices.ContainsFunc(bad, probes.Observation.Succeeded):
		return NotProven("a refusal of each bad request", "one that succeeded").By(bad...).Because(owner)
	case !slices.ContainsFunc(bad, refused):
		return NotProven("a refusal", bad[0])
	case strings.HasPrefix(good.Code(), "NOT_FOUND") && good.Code() != "NOT_FOUND_OPERATION":
		return Violates("no effect of a refused request", "refused, but it happened").By(good).By(bad...)
	case !good.Succeeded():
		return NotProven("the request to succeed without the fault", good)
	}
	return Conforms().By(good).By(bad...)
}

// Section 4.6. What is removed before the refusal stays removed.
var _ = register(Check{
	Requirement: "AQL-4.6-07",
	On:          eachOwn("DELETE"),
	Lane:        probes.Serial,
	Drive:       func(s Subject, ask Asking) { onOwn(s, ask, 110, withUnknown(s)) },
	Judge:       func(_ Subject, got []probes.Observation) Ruling { return unharmed(got, "AQL-4.6-01") },
	Fix:         "validate the whole request before executing any of it",
})

// Section 6.2. A removal through an endpoint that was not granted is the harm that
// routing is there to prevent.
var _ = register(Check{
	Requirement: "AQL-6.2-04",
	On: only(eachOwn("DELETE"), func(s Subject) bool {
		return routed(s.Face) && len(wrongTools(s.Face, s.Op)) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s Subject, ask Asking) {
		onOwn(s, ask, 120, func(good probes.Probe) []probes.Probe {
			return elsewhereSent(s, good)
		})
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling { return unharmed(got, "AQL-6.2-03") },
	Fix:   "check the endpoint before executing anything",
})

// demanded are the required parameters of a change or removal that may be left out:
// none that says which objects it is about.
func demanded(s Subject) []probes.Parameter {
	scopes := strings.Fields("input filter where query scope selector all")
	return slices.DeleteFunc(slices.Clone(s.Op.Parameters), func(p probes.Parameter) bool {
		return !p.Required || probes.IsReference(s.Op, p) || slices.Contains(scopes, p.Name)
	})
}

// Operations document, section 5.4. A reason or a confirmation that is demanded on
// paper alone is not asked for when it matters.
var _ = register(Check{
	Requirement: "OPS-5.4-01",
	On:          only(eachOwn("UPDATE", "DELETE"), func(s Subject) bool { return len(demanded(s)) > 0 }),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		onOwn(s, ask, 140, func(good probes.Probe) []probes.Probe {
			var ps []probes.Probe
			for _, p := range demanded(s) {
				ps = append(ps, good.Without(p.Name))
			}
			return ps
		})
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		made, bad, good := got[0], got[1:len(got)-1], got[len(got)-1]
		if !made.Succeeded() {
			return NotProven("an object of our own", made)
		}
		var rs []Ruling
		for i, o := range bad {
			want := "a refusal of a request without " + demanded(s)[i].Name
			switch {
			case o.Succeeded():
				rs = append(rs, Violates(want, o).By(made))
			case !good.Succeeded() || o.Deferred() || !o.Refused() && !o.RefusedBelow():
				rs = append(rs, NotProven(want, o).By(good))
			case o.Code() == "NOT_FOUND_RESOURCE" || o.Code() == "INTERNAL_ERROR":
				rs = append(rs, Violates("a refusal before the handler runs", o).By(good))
			default:
				rs = append(rs, Conforms().By(o, good))
			}
		}
		return Worst(rs...)
	},
	Fix: "check that every required parameter is present before the operation runs",
})
