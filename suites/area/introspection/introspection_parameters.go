package introspection

import (
	"math"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// eachHaving is every parameter and every field of a type whose record has one of the members.
func eachHaving(members ...string) func(*model.Adapter) []model.Subject {
	return check.RequireDetails(func(f *model.Adapter) []model.Subject {
		return slices.DeleteFunc(eachRecord(f), func(s model.Subject) bool { return !slices.ContainsFunc(members, s.Par.Raw.Has) })
	})
}

// optionalMember rules on one member of a parameter record that may be left out;
// null comes from serialisers and is a lesser fault.
func optionalMember(s model.Subject, name, want string, fits func(probes.Value) bool) ruling.Ruling {
	v := s.Par.Raw.At(name)
	switch {
	case v.Is(probes.Absent):
		return ruling.NotApplicable("the record has no " + name)
	case v.Is(probes.Null):
		return ruling.Departs(want+" in "+name, v)
	case !fits(v):
		return ruling.Violates(want+" in "+name, v)
	}
	return ruling.Conforms()
}

func is(k probes.Kind) func(probes.Value) bool { return func(v probes.Value) bool { return v.Is(k) } }

// Introspection document, section 3.4.
var everyParameterStatesItsType = check.Check{
	Requirement: "INT-3.4-02",
	Rule:        "ParameterInfo.type is a non-empty string and always present.",
	Why:         "Without the type a model can only guess from the name what to send.",
	On:          check.RequireDetails(check.EachParameterRecord),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		if t := s.Par.Raw.At("type"); !t.Is(probes.String) || strings.TrimSpace(t.Text()) == "" {
			return ruling.Violates("the name of a type", t)
		}
		return ruling.Conforms()
	},
	Fix: "document the type of each parameter as one string",
}

// Introspection document, section 3.4.
var everyParameterStatesItsRequiredFlag = check.Check{
	Requirement: "INT-3.4-03",
	Rule:        "Each parameter record carries a boolean required, also when it is false.",
	Why:         "Clients read a missing flag both ways, so it is written out also when it is false.",
	On:          check.RequireDetails(check.EachParameterRecord),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		if required := s.Par.Raw.At("required"); !required.Is(probes.Boolean) {
			return ruling.Violates("a boolean required", required)
		}
		return ruling.Conforms()
	},
	Fix: "write required: true or required: false into each parameter record",
}

// Introspection document, section 3.4.
var optionalParameterNotesHaveRightTypes = check.Check{
	Requirement: "INT-3.4-04",
	Rule:        "Where present, a parameter's description and format are strings and sensitive is boolean.",
	Why:         "Notes that are not text cannot be shown to a model, and a flag that is not a boolean does not protect a secret.",
	On:          eachHaving("description", "format", "sensitive"),
	Ask:         recordOf,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		return ruling.Worst(
			optionalMember(s, "description", "a string", is(probes.String)),
			optionalMember(s, "format", "a string", is(probes.String)),
			optionalMember(s, "sensitive", "a boolean", is(probes.Boolean)))
	},
	Fix: "make description and format strings and sensitive a boolean",
}

// Introspection document, section 3.4.
var documentedEnumIsNonEmptyArray = check.Check{
	Requirement: "INT-3.4-06",
	Rule:        "ParameterInfo.enum, whenever present, is a non-empty array of distinct values of the declared type.",
	Why:         "The enum spares a model all guessing, if it is a list of values of the parameter's own type.",
	On:          eachHaving("enum"),
	Ask:         recordOf,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		r := optionalMember(s, "enum", "an array", is(probes.Array))
		enum := s.Par.Raw.At("enum")
		if !enum.Is(probes.Array) {
			return r
		}
		values := enum.Items()
		kinds, understood := s.Kinds(s.Par.Type)
		nullable := s.Par.Raw.At("nullable").True() // as JSON Schema has it, null is one of the values then
		alien := slices.IndexFunc(values, func(v probes.Value) bool {
			return understood && !check.MatchesKind(kinds, v) && !(nullable && v.Is(probes.Null))
		})
		switch {
		case len(values) == 0:
			return ruling.Departs("at least one value in enum", enum)
		case check.CountDistinct(values) < len(values):
			return ruling.Departs("distinct values in enum", enum)
		case alien >= 0:
			return ruling.Departs("values of the type "+s.Par.Type+" in enum", values[alien])
		}
		return r
	},
	Fix: "list the allowed values in enum as an array, each once",
}

// Introspection document, section 3.4.
var documentedNumericBoundsAreNumbers = check.Check{
	Requirement: "INT-3.4-07",
	Rule:        "Where present, minimum and maximum are JSON numbers.",
	Why:         "A bound written as text cannot be compared with a number.",
	On:          eachHaving("minimum", "maximum"),
	Ask:         recordOf,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		return ruling.Worst(
			optionalMember(s, "minimum", "a number", is(probes.Number)),
			optionalMember(s, "maximum", "a number", is(probes.Number)))
	},
	Fix: "write minimum and maximum as JSON numbers",
}

// Introspection document, section 3.4.
var documentedLengthLimitsAreWholeNumbers = check.Check{
	Requirement: "INT-3.4-09",
	Rule:        "Where present, minLength and maxLength are non-negative integers.",
	Why:         "A length is a count, so it is a whole number from 0 up.",
	On:          eachHaving("minLength", "maxLength"),
	Ask:         recordOf,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		count := func(v probes.Value) bool {
			n, ok := v.Float()
			return ok && n >= 0 && n == math.Trunc(n)
		}
		return ruling.Worst(
			optionalMember(s, "minLength", "a whole number from 0", count),
			optionalMember(s, "maxLength", "a whole number from 0", count))
	},
	Fix: "write minLength and maxLength as whole numbers, 0 or more",
}

// Introspection document, section 3.4.
var documentedPatternIsRegularExpression = check.Check{
	Requirement: "INT-3.4-11",
	Rule:        "ParameterInfo.pattern is a string that compiles as a regular expression whenever it is present.",
	Why:         "A pattern that no engine reads can neither be followed nor checked.",
	On:          eachHaving("pattern"),
	Ask:         recordOf,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		r := optionalMember(s, "pattern", "a regular expression", is(probes.String))
		pattern := s.Par.Raw.At("pattern")
		if !pattern.Is(probes.String) {
			return r
		}
		return readPattern(pattern.Text())
	},
	Fix: "correct the regular expression in pattern",
}

// Introspection document, section 3.4.
var documentedItemsDescribeArrayElement = check.Check{
	Requirement: "INT-3.4-13",
	Rule:        "ParameterInfo.items is an object describing the element (at least a string type) whenever it is present.",
	Why:         "A client needs the type of the elements to build or read an array.",
	On:          eachHaving("items"),
	Ask:         recordOf,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		r := optionalMember(s, "items", "an object", is(probes.Object))
		items := s.Par.Raw.At("items")
		if items.Is(probes.Object) && items.At("type").Text() == "" {
			return ruling.Departs("a string type in items", items)
		}
		return r
	},
	Fix: "describe the array element in items as an object with a type",
}
