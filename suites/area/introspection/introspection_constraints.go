package introspection

import (
	"errors"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/schemas"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// readPattern rules on a documented regular expression. The specification names
// no dialect, so only what every dialect refuses is broken.
func readPattern(pattern string) ruling.Ruling {
	compiled, err := schemas.CompilePattern(pattern)
	switch {
	case errors.Is(err, schemas.ErrBadPattern):
		return ruling.Violates("a pattern that some dialect reads", pattern)
	case errors.Is(err, schemas.ErrPatternUnsupported):
		return ruling.Departs("a pattern that RE2 or ECMA-262 reads", pattern)
	case err != nil:
		return ruling.NotProven("a pattern of reasonable size", err.Error())
	case !compiled.RE2():
		return ruling.Conforms().Noting("not readable as RE2: no value can be made for it")
	}
	return ruling.Conforms()
}

// withBothBounds is every parameter and every field of a type that documents a pair of bounds.
func withBothBounds(f *model.Adapter) []model.Subject {
	return slices.DeleteFunc(eachRecord(f), func(s model.Subject) bool {
		r := s.Par.Raw
		return !(r.Has("minimum") && r.Has("maximum") || r.Has("minLength") && r.Has("maxLength"))
	})
}

// eachRecord is every parameter and every field of a type, and what stands in them: all have records of one form.
func eachRecord(f *model.Adapter) []model.Subject {
	all := model.EachParameter(f)
	for _, t := range model.EachType(f) {
		for _, field := range t.Kind.Details.At("fields").Items() {
			s := t
			s.Par = probes.Parameter{Name: field.At("name").Text(), Type: field.At("type").Text(), Raw: field}
			s.Name += "." + s.Par.Name
			all = append(all, s)
		}
	}
	for i := 0; i < len(all); i++ {
		all = append(append(all, elementOf(all[i])...), membersOf(all[i])...)
	}
	return all
}

// elementOf is the record of the elements of a list, which is a record of its own. Lists in lists end somewhere.
func elementOf(s model.Subject) []model.Subject {
	items := s.Par.Raw.At("items")
	if !items.Is(probes.Object) || strings.Count(s.Name, element) == deepestElement {
		return nil
	}
	s.Par = probes.Parameter{Name: s.Par.Name, Type: items.At("type").Text(), Raw: items}
	s.Name += element
	return []model.Subject{s}
}

// membersOf are the records of the members of an object that the record itself lists, such as the fields in input.
func membersOf(s model.Subject) (all []model.Subject) {
	if strings.Count(s.Name, ".") > deepestElement {
		return nil
	}
	for _, m := range s.Fields(probes.Parameter{Raw: s.Par.Raw}) {
		if inner := s; m.Raw.Is(probes.Object) {
			inner.Par = m
			inner.Name += "." + m.Name
			all = append(all, inner)
		}
	}
	return all
}

const (
	element        = "[]"
	deepestElement = 4
)

// recordOf asks for the record that a parameter or a field stands in.
func recordOf(s model.Subject) []probes.Probe {
	if s.Kind.Name != "" {
		return model.TypeDetails(s)
	}
	return model.Details(s)
}

// Introspection document, section 3.4.
var documentedBoundsAreOrdered = check.Check{
	Requirement: "INT-3.4-15",
	Rule:        "minimum does not exceed maximum and minLength does not exceed maxLength.",
	Why:         "If the minimum exceeds the maximum, no value is accepted.",
	On:          check.RequireDetails(withBothBounds),
	Ask:         recordOf,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		_, _, values := check.Bounds(s, "minimum", "maximum")
		_, _, lengths := check.Bounds(s, "minLength", "maxLength")
		pair, wrong := check.ReversedBounds(s)
		switch {
		case wrong:
			return ruling.Violates("a lower limit not above the upper one", pair)
		case !values && !lengths:
			return ruling.NotProven("limits that are numbers", s.Par.Raw).Because("INT-3.4-07")
		}
		return ruling.Conforms()
	},
	Fix: "swap the two limits",
}

// Introspection document, section 3.4.
var documentedDefaultIsLegalValue = check.Check{
	Requirement: "INT-3.4-05",
	Rule:        "ParameterInfo.default, when present, is a value the parameter itself would accept.",
	Why:         "The default is what the adapter takes when nothing is sent; a value it would refuse cannot be that.",
	On:          eachHaving("default"),
	Ask:         recordOf,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		v := s.Par.Raw.At("default")
		if pair, wrong := check.ReversedBounds(s); wrong {
			return ruling.NotProven("limits that some value fits", pair).Because("INT-3.4-15")
		}
		kinds, understood := s.Kinds(s.Par.Type)
		misfit, word := check.ValueMismatch(s, v), v.Is(probes.String) && slices.Contains(check.SymbolicDefaults, strings.ToLower(v.Text()))
		switch {
		case v.Is(probes.Null) && understood && !slices.Contains(kinds, "null"):
			return ruling.Departs("a default of the type "+s.Par.Type, v)
		case v.Is(probes.Null):
			return ruling.Conforms()
		case word && (misfit != "" || s.Par.Raw.Has("format")):
			return ruling.Departs("a default that can be sent", v).Noting("a word that stands for a computed value")
		case misfit != "":
			return ruling.Violates("a default that fits its own record", v.String()+", "+misfit)
		}
		return ruling.Conforms()
	},
	Fix: "document a default that the parameter itself would accept",
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

// Introspection document, section 3.4.1.
var constraintsFitParameterType = check.Check{
	Requirement: "INT-3.4-17",
	Rule:        "Constraint members are used only on the kinds of parameter they apply to (bounds on numeric, lengths and pattern on strings, items on arrays).",
	Why:         "A constraint that cannot apply to the type makes the model doubt its reading of the type.",
	On:          eachHaving("minimum", "maximum", "minLength", "maxLength", "pattern", "items"),
	Ask:         recordOf,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		kinds, understood := s.Kinds(s.Par.Type)
		if !understood {
			return ruling.NotProven("a type whose values are known", s.Par.Raw.At("type"))
		}
		for _, a := range applies {
			fits := slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(a.kinds, k) })
			if v := s.Par.Raw.At(a.member); !fits && !v.Is(probes.Absent) && !v.Is(probes.Null) {
				return ruling.Violates(a.member+" on "+strings.Join(a.kinds, " or ")+" only", a.member+" on "+s.Par.Type)
			}
		}
		return ruling.Conforms()
	},
	Fix: "drop the constraint or correct the type",
}

// Introspection document, section 3.4.
var requiredParametersAdvertiseNoDefault = check.Check{
	Requirement: "INT-3.4-19",
	Rule:        "A parameter marked required does not also advertise a default.",
	Why:         "A default says that the parameter may be left out, required says that it may not; one of the two is wrong.",
	On:          check.RequireDetails(model.EachParameterWith("default")), // a field that answers always have may be one that requests may leave out
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		if s.Par.Required && !s.Par.Raw.At("default").Is(probes.Null) {
			return ruling.Violates("no default on a required parameter", s.Par.Raw.At("default"))
		}
		return ruling.Conforms()
	},
	Fix: "drop the default, or mark the parameter as optional",
}
