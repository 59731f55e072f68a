package suites

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// The codes below answer conditions that only the author can bring about: an identity
// without rights, a fault inside.
var conditions = []struct{ id, hint, what, code, family, fix string }{
	// A client that is told of missing rights asks a person for them; told of anything else it tries again.
	{"OPS-8.1-05", "credentials", "a call that the supplied identity must not make", "PERMISSION_DENIED", "PERMISSION_", "answer a refused permission with PERMISSION_DENIED"},
	// A fault of the adapter has to look like one, or the client searches for the mistake in its own call.
	{"OPS-8.1-07", "fault_trigger", "a call that ends in a fault inside", "INTERNAL_ERROR", "INTERNAL_", "answer a fault inside with INTERNAL_ERROR"},
}

// Operations document, section 8.1. The code decides what a client does next: ask a
// person, wait, or give up.
var _ = func() bool {
	for _, p := range conditions {
		register(Check{
			Requirement: p.id,
			On: func(f *Face) []Subject {
				s := introspecting(f)[0]
				word, hinted := f.Hint(p.hint)
				call, listed := f.hinted(word)
				switch {
				case s.settled != nil:
				case !hinted:
					s = s.settle(unhinted(p.hint, p.what))
				case !listed:
					s = s.settle(NotProven("a listed operation in the hint "+p.hint, word))
				default:
					s.Name = call.Operation()
					s.Op, _ = f.Operation(s.Name)
				}
				return []Subject{s}
			},
			Lane: probes.Serial,
			Ask: func(s Subject) []probes.Probe {
				word, _ := s.Hint(p.hint)
				call, _ := s.hinted(word)
				return []probes.Probe{call}
			},
			Judge: func(_ Subject, got []probes.Observation) Ruling { return conditionCode(p.id, p.code, p.family, got[0]) },
			Fix:   p.fix,
		})
	}
	return true
}()

// conditionCode rules on the code of the author's condition.
func conditionCode(id, code, family string, o probes.Observation) Ruling {
	near := strings.HasPrefix(o.Code(), family) || id == "OPS-8.1-05" && o.Code() == "NOT_FOUND_RESOURCE" ||
		id == "OPS-8.1-07" && (strings.HasPrefix(o.Code(), "TRANSPORT_") || strings.HasPrefix(o.Code(), "SERIALIZATION_"))
	switch {
	case o.Code() == code:
		return Conforms().By(o)
	case !o.Refused(), strings.HasPrefix(o.Code(), "VALIDATION_"): // the request may lack something
		return NotProven("the condition of the hint", o)
	case near:
		return Departs("error "+code, o)
	}
	return Violates("error "+code, o)
}
