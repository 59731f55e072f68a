package suites

import (
	"errors"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/schemas"
)

// readPattern rules on a documented regular expression. The specification names
// no dialect, so only what every dialect refuses is broken.
func readPattern(pattern string) Ruling {
	compiled, err := schemas.CompilePattern(pattern)
	switch {
	case errors.Is(err, schemas.ErrBadPattern):
		return Violates("a pattern that some dialect reads", pattern)
	case errors.Is(err, schemas.ErrPatternUnsupported):
		return Departs("a pattern that RE2 or ECMA-262 reads", pattern)
	case err != nil:
		return NotProven("a pattern of reasonable size", err.Error())
	case !compiled.RE2():
		return Conforms().Noting("not readable as RE2: no value can be made for it")
	}
	return Conforms()
}

// bounds returns a pair of limits of a parameter record, when both are numbers.
func bounds(s Subject, low, high string) (least, most float64, ok bool) {
	least, hasLow := s.Par.Raw.At(low).Float()
	most, hasHigh := s.Par.Raw.At(high).Float()
	return least, most, hasLow && hasHigh
}

func reversed(s Subject) (pair string, ok bool) {
	for _, p := range [][2]string{{"minimum", "maximum"}, {"minLength", "maxLength"}} {
		if least, most, both := bounds(s, p[0], p[1]); both && least > most {
			return p[0] + " above " + p[1], true
		}
	}
	return "", false
}

// Introspection document, section 3.4. Reversed bounds leave no value that would
// be accepted.
var _ = register(Check{
	Requirement: "INT-3.4-15",
	On: whereDocumented(only(eachParameter, func(s Subject) bool {
		r := s.Par.Raw
		return r.Has("minimum") && r.Has("maximum") || r.Has("minLength") && r.Has("maxLength")
	})),
	Ask: details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		_, _, values := bounds(s, "minimum", "maximum")
		_, _, lengths := bounds(s, "minLength", "maxLength")
		pair, wrong := reversed(s)
		switch {
		case wrong:
			return Violates("a lower limit not above the upper one", pair)
		case !values && !lengths:
			return NotProven("limits that are numbers", s.Par.Raw).Because("INT-3.4-07")
		}
		return Conforms()
	},
	Fix: "swap the two limits",
})

// symbolic are defaults that stand for something computed.
var symbolic = strings.Fields("now today auto none unlimited")

// Introspection document, section 3.4. The default is what the adapter takes when
// nothing is sent; a value it would refuse cannot be that.
var _ = register(Check{
	Requirement: "INT-3.4-05",
	On:          eachHaving("default"),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		v := s.Par.Raw.At("default")
		if pair, wrong := reversed(s); wrong {
			return NotProven("limits that some value fits", pair).Because("INT-3.4-15")
		}
		kinds, understood := s.Kinds(s.Par.Type)
		misfit, word := unfit(s, v), v.Is(probes.String) && slices.Contains(symbolic, strings.ToLower(v.Text()))
		switch {
		case v.Is(probes.Null) && understood && !slices.Contains(kinds, "null"):
			return Departs("a default of the type "+s.Par.Type, v)
		case v.Is(probes.Null):
			return Conforms()
		case word && (misfit != "" || s.Par.Raw.Has("format")):
			return Departs("a default that can be sent", v).Noting("a word that stands for a computed value")
		case misfit != "":
			return Violates("a default that fits its own record", v.String()+", "+misfit)
		}
		return Conforms()
	},
	Fix: "document a default that the parameter itself would accept",
})

// unfit says why a value does not fit the parameter's record, or "". Beside what
// generators need it knows enums of other kinds and patterns of other dialects.
func unfit(s Subject, v probes.Value) string {
	if why := s.Misfit(s.Par, v); why != "" {
		return why
	}
	if enum := s.Par.Raw.At("enum").Items(); len(enum) > 0 && (v.Is(probes.Number) || v.Is(probes.Boolean)) {
		if distinct(append(slices.Clone(enum), v)) > distinct(enum) {
			return "outside the enum"
		}
	}
	if p, err := schemas.CompilePattern(s.Par.Raw.At("pattern").Text()); err == nil && v.Is(probes.String) && s.Par.Raw.Has("pattern") {
		if matches, err := p.Match(v.Text()); err == nil && !matches {
			return "not matching the pattern"
		}
	}
	return ""
}

// applies maps constraint members to the kinds they speak of. Lengths of arrays
// are counted by some, so they pass.
var applies = []struct {
	member string
	kinds  []string
}{
	{"minimum", []string{"number", "integer"}}, {"maximum", []string{"number", "integer"}},
	{"minLength", []string{"string", "array"}}, {"maxLength", []string{"string", "array"}},
	{"pattern", []string{"string", "array"}}, {"items", []string{"array"}},
}

// Introspection document, section 3.4.1. A constraint that cannot apply tells a
// model that it misread the type.
var _ = register(Check{
	Requirement: "INT-3.4-17",
	On:          eachHaving("minimum", "maximum", "minLength", "maxLength", "pattern", "items"),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		kinds, understood := s.Kinds(s.Par.Type)
		if !understood {
			return NotProven("a type whose values are known", s.Par.Raw.At("type"))
		}
		for _, a := range applies {
			fits := slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(a.kinds, k) })
			if v := s.Par.Raw.At(a.member); !fits && !v.Is(probes.Absent) && !v.Is(probes.Null) {
				return Violates(a.member+" on "+strings.Join(a.kinds, " or ")+" only", a.member+" on "+s.Par.Type)
			}
		}
		return Conforms()
	},
	Fix: "drop the constraint or correct the type",
})

// Introspection document, section 3.4. A default says that the parameter may be
// left out, required says that it may not; one of the two is wrong.
var _ = register(Check{
	Requirement: "INT-3.4-19",
	On:          eachHaving("default"),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if s.Par.Required && !s.Par.Raw.At("default").Is(probes.Null) {
			return Violates("no default on a required parameter", s.Par.Raw.At("default"))
		}
		return Conforms()
	},
	Fix: "drop the default, or mark the parameter as optional",
})
