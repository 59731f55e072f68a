package parameters

import (
	"math"
	"regexp"
	"strings"
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

// A limit of length counts characters in every schema language. An adapter that counts bytes refuses texts in most languages long
// before the documented limit. The specification names no unit, so that is a warning.

// The steps of the script on letters of two bytes.
const (
	wideText = "documented bound: letters of two bytes"
	oneWide  = "documented bound: one letter of two bytes"
)

// mostWide is the longest text of letters of two bytes that is sent.
const mostWide = 2000

// countsBytes matches a description of a limit in bytes.
var countsBytes = regexp.MustCompile(`(?i)\b(bytes?|octets?|octetos?|oktett?e?n?)\b|utf-?8|バイト`)

// askWide sends a text as long as one that was accepted, with letters of two bytes behind its first half, and where it is refused a short
// one with one such letter. A key may be kept in another form of the letters.
func askWide(s model.Subject, ask model.AskFunc, accepted string) {
	if s.ClientChosen(s.Op, s.Par) || countsBytes.MatchString(s.Par.Raw.At("description").Text()) || s.Par.Raw.Has("pattern") || s.Par.Raw.Has("format") || len(accepted) > mostWide || len(accepted) < 4 {
		return
	}
	half := max(len(accepted)/2, len(accepted)-mostWide)
	if i := strings.LastIndexByte(accepted, '-'); i >= half && i+1 < len(accepted) {
		half = i + 1 // the mark of the run stays whole
	}
	if ask(check.WithValue(s, 33, accepted[:half]+strings.Repeat("é", len(accepted)-half)).As(wideText)).Refused() {
		ask(check.WithValue(s, 33, accepted[:half]+"é").As(oneWide))
	}
}

// wide rules on the text of letters of two bytes.
func wide(s model.Subject, got probes.Answers) ruling.Ruling {
	o, one := got.Step(wideText), got.Step(oneWide)
	switch {
	case o.Succeeded():
		return ruling.Conforms().By(o)
	case o.Refused() && one.Succeeded() && check.BlamesOnlyValue(s, o) && !check.MeaningWords.MatchString(o.Message()):
		return ruling.Departs("a text with letters of two bytes accepted, as one of as many characters is", o).By(o, one)
	}
	return ruling.NotApplicable("no text with letters of two bytes that is as long as one that is accepted")
}
