package errors

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The codes below answer conditions that only the author can bring about: an identity
// without rights, a fault inside.
var conditions = []struct{ id, rule, why, hint, what, code, family, fix string }{
	{"OPS-8.1-05", "The error code for a refused permission is PERMISSION_DENIED.", "A client that is told of missing rights asks a person for them; told of anything else it tries again.", "credentials", "a call that the supplied identity must not make", "PERMISSION_DENIED", "PERMISSION_", "answer a refused permission with PERMISSION_DENIED"},
	{"OPS-8.1-07", "The error code for an internal fault is INTERNAL_ERROR.", "A fault of the adapter has to look like one, or the client searches for the mistake in its own call.", "fault_trigger", "a call that ends in a fault inside", "INTERNAL_ERROR", "INTERNAL_", "answer a fault inside with INTERNAL_ERROR"},
}

// Operations document, section 8.1. The code decides what a client does next: ask a
// person, wait, or give up.
var conditionChecks = func() []check.Check {
	var all []check.Check
	for _, p := range conditions {
		all = append(all, check.Check{
			Requirement: p.id,
			Rule:        p.rule,
			Why:         p.why,
			On: func(f *model.Adapter) []model.Subject {
				s := model.IntrospectSubject(f)[0]
				word, hinted := f.Hint(p.hint)
				call, listed := f.HintedCall(word)
				switch {
				case s.Ruling != nil:
				case !hinted:
					s = s.WithRuling(model.HintMissing(p.hint, p.what))
				case !listed:
					s = s.WithRuling(ruling.NotProven("a listed operation in the hint "+p.hint, word))
				default:
					s.Name = call.Operation()
					s.Op, _ = f.Operation(s.Name)
				}
				return []model.Subject{s}
			},
			Lane: probes.Serial,
			Ask: func(s model.Subject) []probes.Probe {
				word, _ := s.Hint(p.hint)
				call, _ := s.HintedCall(word)
				return []probes.Probe{call}
			},
			Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
				return conditionCode(p.id, p.code, p.family, got[0])
			},
			Fix: p.fix,
		})
	}
	return all
}()

// conditionCode rules on the code of the author's condition.
func conditionCode(id, code, family string, o probes.Observation) ruling.Ruling {
	near := strings.HasPrefix(o.Code(), family) || id == "OPS-8.1-05" && o.Code() == "NOT_FOUND_RESOURCE" ||
		id == "OPS-8.1-07" && (strings.HasPrefix(o.Code(), "TRANSPORT_") || strings.HasPrefix(o.Code(), "SERIALIZATION_"))
	switch {
	case o.Code() == code:
		return ruling.Conforms().By(o)
	case !o.Refused(), strings.HasPrefix(o.Code(), "VALIDATION_"), unreached(id, o): // the request may lack something
		return ruling.NotProven("the condition of the hint", o)
	case near:
		return ruling.Departs("error "+code, o)
	}
	return ruling.Violates("error "+code, o)
}

// unreached reports whether the answer of an internal fault comes from something before the fault: a
// confirmation is still due (operations document, section 7.5.5), a limit is exceeded, or the object of the hint is gone.
func unreached(id string, o probes.Observation) bool {
	return id == "OPS-8.1-07" && (strings.HasPrefix(o.Code(), "CONFIRMATION_") || strings.HasPrefix(o.Code(), "RATE_LIMIT_") || strings.HasPrefix(o.Code(), "NOT_FOUND_"))
}
