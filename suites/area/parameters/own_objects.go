package parameters

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A change or removal of something that does not exist is refused for that
// reason, and whatever else is wrong with the request stays unseen. So where
// writing is allowed an object is made, the bad request is tried on it, and then
// the good one: it works only if the bad one was valid but for its one fault, and
// left the object alone.

// eachOwn is every operation of the categories that can be tried on an object of
// ours. The others are open in the checks that ask with absent identifiers.
func eachOwn(categories ...string) func(*model.Adapter) []model.Subject {
	return model.Only(model.EachUsable, func(s model.Subject) bool {
		if s.Ruling != nil || !slices.Contains(categories, s.Op.Category) {
			return false
		}
		allowed, _ := s.Callable(s.Op)
		_, _, made := check.MakerOf(s.Adapter, s.Op)
		return allowed && made
	})
}

// ownStep names a step of the script on one operation. No two operations share an object,
// because the first would remove the object of the second.
func ownStep(s model.Subject, script, step string) string {
	at := slices.IndexFunc(s.Operations, func(o probes.Operation) bool { return o.Name == s.Op.Name })
	return probes.Nth(script+": operation", at) + ": " + step
}

// onOwn creates an object, tries the bad requests on it and then the good one.
func onOwn(s model.Subject, ask model.AskFunc, script string, bad func(good probes.Probe) []probes.Probe) {
	created := ownStep(s, script, "created")
	maker, paths, _ := check.MakerOf(s.Adapter, s.Op)
	good := s.ValidCall().Anew(ownStep(s, script, "faultless request"))
	for name, path := range paths {
		good = good.With(name, probes.From(0, path...))
	}
	ask(maker.FreshCall(created).Anew(created))
	attempts := bad(good)
	for i, p := range attempts {
		ask(p.Anew(probes.Nth(ownStep(s, script, "attempt"), i)))
	}
	if o := ask(good); s.Op.Category != "DELETE" || !gone(o) {
		return
	}
	again := ownStep(s, script, "created for the control")
	ask(maker.FreshCall(again).Anew(again))
	control := s.ValidCall().Anew(ownStep(s, script, "control"))
	for name, path := range paths {
		control = control.With(name, probes.From(len(attempts)+2, path...))
	}
	ask(control) // one that removes what is in the trash finds no new object either
}

// gone reports whether a removal did not find its object.
func gone(o probes.Observation) bool {
	return strings.HasPrefix(o.Code(), "NOT_FOUND") && o.Code() != "NOT_FOUND_OPERATION"
}

func withUnknown(s model.Subject) func(probes.Probe) []probes.Probe {
	return func(good probes.Probe) []probes.Probe { return []probes.Probe{good.With(check.UnknownName(s), 1)} }
}

// Section 4.6.
var unknownParameterOfAWriteIsRefused = check.Check{
	Requirement: "AQL-4.6-01",
	Why:         "An update that drops a misspelt field changes less than it says it did, and a removal that drops a misspelt guard removes more.",
	On:          eachOwn("UPDATE", "DELETE"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		onOwn(s, ask, "unknown parameter of a write", withUnknown(s))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		const script = "unknown parameter of a write"
		made, bad, good := got[0], got.Step(ownStep(s, script, "attempt 1")), got.Step(ownStep(s, script, "faultless request"))
		switch {
		case !made.Succeeded():
			return ruling.NotProven("an object of our own", made)
		case bad.Succeeded():
			return ruling.Violates("error VALIDATION_UNKNOWN_PARAM", bad)
		case bad.Code() == "VALIDATION_UNKNOWN_PARAM":
			return ruling.Conforms().By(bad)
		case !good.Succeeded() || bad.Deferred():
			return ruling.NotProven("the same request to succeed without the parameter", good).By(bad)
		case !bad.Refused() && !bad.RefusedBelow():
			return ruling.NotProven("a refusal of the unknown parameter", bad)
		}
		return ruling.Conforms().By(bad, good)
	},
	Fix: "refuse parameters that the operation does not document; list them in details.unknown_params",
}

// unharmed rules on a removal that was refused: the object must be there to be
// removed by the request without the fault.
func unharmed(s model.Subject, got probes.Answers, script, owner string) ruling.Ruling {
	made, bad, good := got[0], got.Under(ownStep(s, script, "attempt")), got.Step(ownStep(s, script, "faultless request"))
	switch {
	case !made.Succeeded():
		return ruling.NotProven("an object of our own", made)
	case slices.ContainsFunc(bad, probes.Observation.Succeeded):
		return ruling.NotProven("a refusal of each bad request", "one that succeeded").By(bad...).Because(owner)
	case !slices.ContainsFunc(bad, check.RefusedByRule):
		return ruling.NotProven("a refusal", bad[0])
	case gone(good):
		if control, sent := got.Find(ownStep(s, script, "control")); sent && !control.Succeeded() {
			return ruling.NotProven("the request to succeed on a new object", control).By(good)
		}
		return ruling.Violates("no effect of a refused request", "refused, but it happened").By(good).By(bad...)
	case !good.Succeeded():
		return ruling.NotProven("the request to succeed without the fault", good)
	}
	return ruling.Conforms().By(good).By(bad...)
}

// Section 4.6.
var removalWithUnknownParameterHasNoEffect = check.Check{
	Requirement: "AQL-4.6-07",
	Why:         "The request must be rejected before anything is removed.",
	On:          eachOwn("DELETE"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		onOwn(s, ask, "unknown parameter of a write", withUnknown(s))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return unharmed(s, got, "unknown parameter of a write", "AQL-4.6-01")
	},
	Fix: "validate the whole request before executing any of it",
}

// Section 6.2.
var misroutedRemovalHasNoEffect = check.Check{
	Requirement: "AQL-6.2-04",
	Why:         "Routing exists to prevent removals through an endpoint that was not granted.",
	On: model.Only(eachOwn("DELETE"), func(s model.Subject) bool {
		return model.SeveralEndpointTools(s.Adapter) && len(check.WrongTools(s.Adapter, s.Op)) > 0
	}),
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		onOwn(s, ask, "misrouted removal", func(good probes.Probe) []probes.Probe {
			return elsewhereSent(s, good)
		})
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return unharmed(s, got, "misrouted removal", "AQL-6.2-03")
	},
	Fix: "check the endpoint before executing anything",
}

// demanded are the required parameters of a change or removal that may be left out:
// none that says which objects it is about.
func demanded(s model.Subject) []probes.Parameter {
	scopes := strings.Fields("input filter where query scope selector all")
	return slices.DeleteFunc(slices.Clone(s.Op.Parameters), func(p probes.Parameter) bool {
		return !p.Required || probes.IsReference(s.Op, p) || slices.Contains(scopes, p.Name)
	})
}

// Operations document, section 5.4.
var missingRequiredParameterIsRefused = check.Check{
	Requirement: "OPS-5.4-01",
	Why:         "If a reason or a confirmation is documented as required, the adapter must enforce it.",
	On:          model.Only(eachOwn("UPDATE", "DELETE"), func(s model.Subject) bool { return len(demanded(s)) > 0 }),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		onOwn(s, ask, "write without a required parameter", func(good probes.Probe) []probes.Probe {
			var ps []probes.Probe
			for _, p := range demanded(s) {
				ps = append(ps, good.Without(p.Name))
			}
			return ps
		})
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		const script = "write without a required parameter"
		made, bad, good := got[0], got.Under(ownStep(s, script, "attempt")), got.Step(ownStep(s, script, "faultless request"))
		if !made.Succeeded() {
			return ruling.NotProven("an object of our own", made)
		}
		var rs []ruling.Ruling
		for i, o := range bad {
			want := "a refusal of a request without " + demanded(s)[i].Name
			switch {
			case o.Succeeded():
				rs = append(rs, ruling.Violates(want, o).By(made))
			case !good.Succeeded() || o.Deferred() || !o.Refused() && !o.RefusedBelow():
				rs = append(rs, ruling.NotProven(want, o).By(good))
			case o.Code() == "NOT_FOUND_RESOURCE" || o.Code() == "INTERNAL_ERROR":
				rs = append(rs, ruling.Violates("a refusal before the handler runs", o).By(good))
			default:
				rs = append(rs, ruling.Conforms().By(o, good))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "check that every required parameter is present before the operation runs",
}
