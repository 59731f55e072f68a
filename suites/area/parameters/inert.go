package parameters

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// attempt ends the names of the steps in which a script asks for what has to be refused.
const attempt = ": attempt"

// inert sends the script of one refused creation: the control object, the listings that show it, the
// attempts, and the listings that must not show their objects.
func inert(s model.Subject, ask model.AskFunc, script string, tried []probes.Probe) {
	ask(s.ValidCall())
	for i, v := range s.Views(s.Gen.Marker("")) {
		ask(v.Anew(probes.Nth(script+": listing before", i)))
	}
	for i, p := range tried {
		ask(p.As(probes.Nth(script+attempt, i)))
	}
	var after []probes.Observation
	for i, v := range s.Views(s.Mark(script + attempt)) {
		after = append(after, ask(v.Anew(probes.Nth(script+": listing after", i))))
	}
	check.ShowWhole(s, ask, script, after)
}

// inertRuling judges the script that inert sent.
func inertRuling(s model.Subject, got probes.Answers, script string) ruling.Ruling {
	return madeNothing(s, got, script, script)
}

// madeNothing rules on the attempts of a script between listings before and after them, which several
// scripts may share.
func madeNothing(s model.Subject, got probes.Answers, script, shared string) ruling.Ruling {
	control, tried := got[0], got.Under(script+attempt)
	before, after := got.Under(shared+": listing before"), got.Under(shared+": listing after")
	refused := slices.ContainsFunc(tried, check.RefusedByRule)
	switch {
	case !check.AnyListsMark(before, s.Marked(s.Gen.Marker(""))):
		return ruling.NotProven("our own object in a listing", "none").By(control)
	case !refused:
		return ruling.NotProven("a refusal", tried[0]).By(control)
	case slices.ContainsFunc(tried, probes.Observation.Succeeded):
		return ruling.NotProven("a refusal of each bad request", "one that succeeded").By(tried...)
	case check.AnyListsMark(after, s.Mark(script+attempt)):
		return ruling.Violates("no effect of a refused request", "refused, but it happened").By(append(slices.Clone(tried), after[0])...)
	}
	return check.RequireCompleteListings(after, check.Grown(got, shared)).By(tried[0])
}

// Section 4.6.
var refusedUnknownParameterHasNoEffect = check.Check{
	Requirement: "AQL-4.6-07",
	Rule:        "A request refused for an unknown parameter has no effect.",
	Why:         "The name must be rejected before the operation runs, not afterwards.",
	On:          model.EachMarked,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		inert(s, ask, "unknown parameter of a creation", []probes.Probe{s.FreshCall("unknown parameter of a creation: attempt").With(check.UnknownName(s), 1)})
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return inertRuling(s, got, "unknown parameter of a creation")
	},
	Fix: "validate the whole request before executing any of it",
}

// Section 6.2.
var misroutedOperationHasNoEffect = check.Check{
	Requirement: "AQL-6.2-04",
	Rule:        "A misrouted operation has no effect.",
	Why:         "A misrouted operation must not run and then report that it did not run.",
	On: func(f *model.Adapter) []model.Subject {
		if !model.SeveralEndpointTools(f) {
			return nil
		}
		return model.Only(model.EachMarked, func(s model.Subject) bool { return s.Ruling != nil || len(check.WrongTools(f, s.Op)) > 0 })(f)
	},
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		inert(s, ask, "misrouted creation", misrouted(s))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		r := inertRuling(s, got, "misrouted creation")
		if r.Verdict == ruling.NotProven("", "").Verdict {
			return r.Because("AQL-6.2-03")
		}
		return r
	},
	Fix: "check the endpoint before executing anything",
}

func misrouted(s model.Subject) []probes.Probe {
	var ps []probes.Probe
	for _, t := range check.WrongTools(s.Adapter, s.Op) {
		ps = append(ps, s.FreshCall("misrouted creation: attempt").To(t))
	}
	return ps
}
