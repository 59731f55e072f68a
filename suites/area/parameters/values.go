package parameters

import (
	"fmt"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/schemas"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// fair rules on the answer to a value that the documentation allows; broken says
// whether the refusal is of the kind the row is about.
func fair(s model.Subject, control, o probes.Observation, broken func(probes.Observation) bool) ruling.Ruling {
	value := model.ValueIn(o.Probe, s.Par.Name)
	want := fmt.Sprintf("the documented value %s of %s accepted", check.BriefValue(value), check.Quoted(s.Par.Name))
	kinds, _ := s.Kinds(s.Par.Type)
	switch {
	case o.Succeeded(), strings.HasPrefix(o.Code(), "CONFLICT_"):
		return ruling.Conforms().By(o)
	case check.BlamedKnownName(s, o) == s.Par.Name:
		return ruling.NotProven(want, o).Because(check.NameRequirement(s.Par))
	case o.Deferred(), control.Refused() && control.Code() == o.Code():
		return ruling.NotProven(want, o)
	case check.DemandedPath(s.Op, s.Par.Name, o) != "":
		return ruling.NotProven(want, o).Because("INT-8.2.2-02")
	case check.WantsOtherType(kinds, s.Par.Name, o):
		return ruling.NotProven(want, o).Because("INT-8.1.1-02")
	case check.BlamesOnlyValue(s, o) && broken(o):
		return ruling.Violates(want, o).By(control)
	}
	return ruling.NotProven(want, o)
}

// ofLength makes a text of exactly n characters that fits the parameter's pattern if it
// has one. The text of a creation has a mark if there is room, so that no two objects of
// the run share it. index is that of the value among those of the parameter.
func ofLength(s model.Subject, n, index int) (string, bool) {
	if pattern := s.Par.Raw.At("pattern").Text(); pattern != "" {
		text, ok := generate.MatchFor(pattern, n, n)
		return text, ok
	}
	mark := s.Gen.Marker(fmt.Sprintf("-%d-", index))
	if s.Op.Category != "CREATE" || len(mark) > n {
		mark = ""
	}
	return mark + strings.Repeat("a", n-len(mark)), true
}

// misses reports whether the pattern, in any dialect, finds nothing in the text, nor in what an adapter may make of it first:
// a text without the blanks around it, or in one case.
func misses(pattern, text string) bool {
	p, err := schemas.CompilePattern(pattern)
	if err != nil {
		return false
	}
	upper, lower := strings.ToUpper(text), strings.ToLower(text)
	for _, form := range []string{text, upper, lower, strings.TrimSpace(text), strings.TrimSpace(upper), strings.TrimSpace(lower)} {
		if found, err := p.Match(form); err != nil || found {
			return false
		}
	}
	return true
}
