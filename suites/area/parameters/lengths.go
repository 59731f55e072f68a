package parameters

import (
	"math"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// maxProbedLength is the limit above which the row leaves a length alone.
const maxProbedLength = 1000000

// length returns a documented limit of a length.
func length(s model.Subject, name string) (int, bool) {
	n, ok := s.Par.Raw.At(name).Float()
	return int(n), ok && n == math.Trunc(n) && n >= 0 && n <= maxProbedLength
}

// Operations document, section 5.4.
var stringOutsideDocumentedLengthIsRefused = check.Check{
	Requirement: "OPS-5.4-08",
	Rule:        "Strings outside documented length limits are refused.",
	Why:         "Other systems rely on a documented limit, for example the width of a column, and fail if it is not enforced.",
	On:          crossed(check.RequireUsable(check.EachVariableParameter(check.HasLengthBounds))),
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		if least, ok := length(s, "minLength"); ok && least > 0 {
			if text, ok := ofLength(s, least-1, 30); ok {
				ps = append(ps, check.WithValue(s, 30, text))
			}
		}
		if most, ok := length(s, "maxLength"); ok {
			if text, ok := ofLength(s, most+1, 31); ok {
				ps = append(ps, check.WithValue(s, 31, text))
			}
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if high, ok := s.Par.Raw.At("maxLength").Float(); len(got) == 1 && ok && high > maxProbedLength {
			return ruling.NotApplicable("the limit is above a million characters")
		}
		rs := []ruling.Ruling{}
		for _, o := range got.Rest() {
			switch {
			case o.Succeeded() && check.HasWarnings(o):
				rs = append(rs, ruling.Departs("a refusal of a text of another length", "success with a warning").By(o, got[0]))
			case o.Code() == "VALIDATION_MISSING_PARAM" && utf8.RuneCountInString(model.ValueIn(o.Probe, s.Par.Name).Text()) == 0:
				rs = append(rs, ruling.Conforms().By(o))
			default:
				rs = append(rs, check.JudgeForbiddenValue(s, got[0], o, "a text of another length"))
			}
		}
		if len(rs) == 0 {
			return ruling.NotProven("a text of another length", s.Par.Raw)
		}
		return ruling.Worst(rs...)
	},
	Fix: "count the characters before the operation runs",
}
