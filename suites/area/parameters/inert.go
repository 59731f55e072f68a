package parameters

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// inert drives one refused creation: the control object first, a look that shows
// it, then the bad requests, then a look that must not show theirs.
func inert(s model.Subject, ask model.AskFunc, take int, bad []probes.Probe) {
	control := s.Gen.Marker("")
	ask(s.ValidCall())
	for _, v := range s.Views(control) {
		ask(v.Anew(take))
	}
	for _, p := range bad {
		ask(p)
	}
	for _, v := range s.Views(s.Mark(take)) {
		ask(v.Anew(take + 1))
	}
}

// inertRuling reads what inert asked.
func inertRuling(s model.Subject, got []probes.Observation, take, bad int) ruling.Ruling {
	n := len(s.Views(""))
	before, tried, after := got[1:1+n], got[1+n:1+n+bad], got[1+n+bad:]
	refused := slices.ContainsFunc(tried, func(o probes.Observation) bool { return o.Refused() && !o.Deferred() })
	switch {
	case !check.AnyListsMark(before, s.Gen.Marker("")):
		return ruling.NotProven("our own object in a listing", "none").By(got[0])
	case !refused:
		return ruling.NotProven("a refusal", tried[0]).By(got[0])
	case slices.ContainsFunc(tried, probes.Observation.Succeeded):
		return ruling.NotProven("a refusal of each bad request", "one that succeeded").By(tried...)
	case check.AnyListsMark(after, s.Mark(take)):
		return ruling.Violates("no effect of a refused request", "refused, but it happened").By(append(slices.Clone(tried), after[0])...)
	}
	return check.RequireCompleteListings(after).By(tried[0])
}

// Section 4.6.
var refusedUnknownParameterHasNoEffect = check.Check{
	Requirement: "AQL-4.6-07",
	Rule:        "A request refused for an unknown parameter has no effect.",
	Why:         "A name that is refused after the work is done protects nobody.",
	On:          model.EachMarked,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		inert(s, ask, 70, []probes.Probe{s.Anew(70).With(check.UnknownName(s), 1)})
	},
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling { return inertRuling(s, got, 70, 1) },
	Fix:   "validate the whole request before executing any of it",
}

// Section 3.2.
var refusedRequestsLeaveNoEffect = check.Check{
	Requirement: "OPS-5.1-02",
	Rule:        "The whole request is checked before anything is executed, so a refusal for a wrong value changes nothing.",
	Why:         "All of a request is checked before any of it runs.",
	On: func(f *model.Adapter) []model.Subject {
		return model.Only(model.EachMarked, func(s model.Subject) bool {
			_, ok := mistypedOptional(s)
			return s.Ruling != nil || ok
		})(f)
	},
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		bad, _ := mistypedOptional(s)
		inert(s, ask, 80, []probes.Probe{bad})
	},
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling { return inertRuling(s, got, 80, 1) },
	Fix:   "validate the whole request before executing any of it",
}

// mistypedOptional is a creation whose only fault is the type of an optional
// parameter.
func mistypedOptional(s model.Subject) (probes.Probe, bool) {
	for _, p := range s.Op.Parameters {
		t := model.Subject{Adapter: s.Adapter, Name: s.Name, Op: s.Op, Par: p}
		if values := check.WrongTypeValues(t); !p.Required && len(values) > 0 {
			return s.Anew(80).With(p.Name, values[0]), true
		}
	}
	return probes.Probe{}, false
}

// Section 6.2.
var misroutedOperationHasNoEffect = check.Check{
	Requirement: "AQL-6.2-04",
	Rule:        "A misrouted operation has no effect.",
	Why:         "A misrouted operation that runs and then says it did not is the worst of both.",
	On: func(f *model.Adapter) []model.Subject {
		if !model.SeveralEndpointTools(f) {
			return nil
		}
		return model.Only(model.EachMarked, func(s model.Subject) bool { return s.Ruling != nil || len(check.WrongTools(f, s.Op)) > 0 })(f)
	},
	Lane: probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		inert(s, ask, 90, misrouted(s))
	},
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling {
		r := inertRuling(s, got, 90, len(misrouted(s)))
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
		ps = append(ps, s.Anew(90).To(t))
	}
	return ps
}
