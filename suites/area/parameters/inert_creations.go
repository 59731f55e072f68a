package parameters

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A refusedCreation is a creation with one fault, which is refused and must have made nothing.
// Its text carries the mark of the script, so that a listing shows it if it was made.
type refusedCreation struct {
	script string
	why    string
	bad    func(s model.Subject, p probes.Parameter, good probes.Probe) (probes.Probe, bool) // good with that parameter spoilt
}

// attempt is the first creation that can be spoilt and carries the mark all the same.
func (c refusedCreation) attempt(s model.Subject) (probes.Probe, bool) {
	step := c.script + attempt
	good := s.FreshCall(step)
	for _, p := range s.Op.Parameters {
		if bad, ok := c.bad(s, p, good); ok && s.Mark(step) != "" && strings.Contains(string(bad.Arguments()), s.Mark(step)) {
			return bad, true
		}
	}
	return probes.Probe{}, false
}

func (c refusedCreation) check() check.Check {
	return check.Check{
		Requirement: "OPS-5.1-02",
		Handles:     check.Movement,
		On: model.Only(model.EachMarked, func(s model.Subject) bool {
			if s.Ruling != nil {
				return false // the check of mistyped creations says so
			}
			_, ok := c.attempt(s)
			return ok
		}),
		Lane: probes.Serial,
		Drive: func(s model.Subject, ask model.AskFunc) {
			bad, _ := c.attempt(s)
			inert(s, ask, c.script, []probes.Probe{bad})
		},
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			tried := got.Under(c.script + attempt)
			if len(tried) > 0 && !tried[0].Refused() {
				return ruling.NotApplicable("no refusal: the value is judged by the requirement that forbids it").By(tried[0])
			}
			return inertRuling(s, got, c.script)
		},
		Fix: "validate the whole request before executing any of it",
	}.WithReason(c.why)
}

// Operations document, section 5.4. All of a request is checked before it is executed.
var (
	badlyValuedCreationHasNoEffect = refusedCreation{"badly valued creation", "What is made without the value that was refused is not what was asked for, and nobody knows of it.",
		func(s model.Subject, p probes.Parameter, good probes.Probe) (probes.Probe, bool) {
			t := model.Subject{Adapter: s.Adapter, Name: s.Name, Op: s.Op, Par: p}
			if probes.IsReference(s.Op, p) || s.ClientChosen(s.Op, p) {
				return good, false
			}
			if check.HasEnum(t) {
				return good.With(p.Name, alien(t)), true
			}
			if beyond := outside(t); len(beyond) > 0 {
				return good.With(p.Name, beyond[0]), true
			}
			if patterned(t) {
				text, ok := unmatched(t)
				return good.With(p.Name, text), ok
			}
			return good, false
		}}.check()

	incompleteCreationHasNoEffect = refusedCreation{"creation without a parameter", "What is made with something in place of what was missing is an invention of the adapter.",
		func(_ model.Subject, p probes.Parameter, good probes.Probe) (probes.Probe, bool) {
			return good.Without(p.Name), p.Required
		}}.check()

	orphanedCreationHasNoEffect = refusedCreation{"creation under an absent parent", "What is made under a parent that is not there can be found by nobody who looks below its parent.",
		func(s model.Subject, p probes.Parameter, good probes.Probe) (probes.Probe, bool) {
			absent, known := s.Absent[s.AbsentKey(s.Op, p)]
			return good.With(p.Name, absent.Go()), known && probes.IsReference(s.Op, p) && !s.ClientChosen(s.Op, p) // a key of its own has to be absent
		}}.check()
)
