package suites

import (
	"math"
	"slices"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
)

// maxProbedLength is the limit above which the row leaves a length alone.
const maxProbedLength = 1000000

// measured reports whether the parameter documents the length of a free text.
func measured(s Subject) bool {
	kinds, ok := s.Kinds(s.Par.Type)
	limited := s.Par.Raw.At("minLength").Is(probes.Number) || s.Par.Raw.At("maxLength").Is(probes.Number)
	return ok && slices.Equal(kinds, []string{"string"}) && limited && !s.Par.Raw.Has("format") && len(s.EnumOf(s.Par)) == 0
}

// length returns a documented limit of a length.
func (s Subject) length(name string) (int, bool) {
	n, ok := s.Par.Raw.At(name).Float()
	return int(n), ok && n == math.Trunc(n) && n >= 0 && n <= maxProbedLength
}

// Operations document, section 5.4. A limit that is not kept is found by whoever
// relies on it: the column, the screen, the bill.
var _ = register(Check{
	Requirement: "OPS-5.4-08",
	On:          crossed(usable(eachValued(measured))),
	Ask: func(s Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		if least, ok := s.length("minLength"); ok && least > 0 {
			if text, ok := s.ofLength(least-1, 30); ok {
				ps = append(ps, s.varied(30, text))
			}
		}
		if most, ok := s.length("maxLength"); ok {
			if text, ok := s.ofLength(most+1, 31); ok {
				ps = append(ps, s.varied(31, text))
			}
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if high, ok := s.Par.Raw.At("maxLength").Float(); len(got) == 1 && ok && high > maxProbedLength {
			return NotApplicable("the limit is above a million characters")
		}
		rs := []Ruling{}
		for _, o := range got[1:] {
			switch {
			case o.Succeeded() && warned(o):
				rs = append(rs, Departs("a refusal of a text of another length", "success with a warning").By(o, got[0]))
			case o.Code() == "VALIDATION_MISSING_PARAM" && utf8.RuneCountInString(valueIn(o.Probe, s.Par.Name).Text()) == 0:
				rs = append(rs, Conforms().By(o))
			default:
				rs = append(rs, barred(s, got[0], o, "a text of another length"))
			}
		}
		if len(rs) == 0 {
			return NotProven("a text of another length", s.Par.Raw)
		}
		return Worst(rs...)
	},
	Fix: "count the characters before the operation runs",
})
