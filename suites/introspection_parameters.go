package suites

import (
	"math"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// whereDocumented keeps a check about parts of records from being excused when
// there are none because records are missing.
func whereDocumented(on func(*Face) []Subject) func(*Face) []Subject {
	return func(f *Face) []Subject {
		if all := on(f); len(all) > 0 {
			return all
		}
		return slices.DeleteFunc(eachDetailed(f), func(s Subject) bool { return s.settled == nil })
	}
}

// eachRecorded is every parameter whose record is an object; the others are the
// concern of AQL-4.3-03.
func eachRecorded(f *Face) []Subject {
	all := eachParameter(f)
	for i, s := range all {
		if !s.Par.Raw.Is(probes.Object) {
			all[i] = s.settle(NotProven("a record of "+s.Name, s.Par.Raw).Because("AQL-4.3-03"))
		}
	}
	return all
}

// eachHaving is every parameter whose record has one of the members.
func eachHaving(members ...string) func(*Face) []Subject {
	return whereDocumented(eachWith(members...))
}

// optionalMember rules on one member of a parameter record that may be left out;
// null comes from serialisers and is a lesser fault.
func optionalMember(s Subject, name, want string, fits func(probes.Value) bool) Ruling {
	v := s.Par.Raw.At(name)
	switch {
	case v.Is(probes.Absent):
		return NotApplicable("the record has no " + name)
	case v.Is(probes.Null):
		return Departs(want+" in "+name, v)
	case !fits(v):
		return Violates(want+" in "+name, v)
	}
	return Conforms()
}

func is(k probes.Kind) func(probes.Value) bool { return func(v probes.Value) bool { return v.Is(k) } }

// Introspection document, section 3.4. Without the type a model can only guess
// from the name what to send.
var _ = register(Check{
	Requirement: "INT-3.4-02",
	On:          whereDocumented(eachRecorded),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if t := s.Par.Raw.At("type"); !t.Is(probes.String) || strings.TrimSpace(t.Text()) == "" {
			return Violates("the name of a type", t)
		}
		return Conforms()
	},
	Fix: "document the type of each parameter as one string",
})

// Introspection document, section 3.4. Clients read a missing flag both ways, so
// it is written out also when it is false.
var _ = register(Check{
	Requirement: "INT-3.4-03",
	On:          whereDocumented(eachRecorded),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if required := s.Par.Raw.At("required"); !required.Is(probes.Boolean) {
			return Violates("a boolean required", required)
		}
		return Conforms()
	},
	Fix: "write required: true or required: false into each parameter record",
})

// Introspection document, section 3.4. Notes that are not text cannot be shown to
// a model, and a flag that is no boolean protects no secret.
var _ = register(Check{
	Requirement: "INT-3.4-04",
	On:          eachHaving("description", "format", "sensitive"),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		return Worst(
			optionalMember(s, "description", "a string", is(probes.String)),
			optionalMember(s, "format", "a string", is(probes.String)),
			optionalMember(s, "sensitive", "a boolean", is(probes.Boolean)))
	},
	Fix: "make description and format strings and sensitive a boolean",
})

// Introspection document, section 3.4. The enum spares a model all guessing, if
// it is a list of values of the parameter's own type.
var _ = register(Check{
	Requirement: "INT-3.4-06",
	On:          eachHaving("enum"),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		r := optionalMember(s, "enum", "an array", is(probes.Array))
		enum := s.Par.Raw.At("enum")
		if !enum.Is(probes.Array) {
			return r
		}
		values := enum.Items()
		kinds, understood := s.Kinds(s.Par.Type)
		alien := slices.IndexFunc(values, func(v probes.Value) bool { return understood && !fitsOne(kinds, v) })
		switch {
		case len(values) == 0:
			return Departs("at least one value in enum", enum)
		case distinct(values) < len(values):
			return Departs("distinct values in enum", enum)
		case alien >= 0:
			return Departs("values of the type "+s.Par.Type+" in enum", values[alien])
		}
		return r
	},
	Fix: "list the allowed values in enum as an array, each once",
})

// fitsOne reports whether a value is of one of the kinds of a type.
func fitsOne(kinds []string, v probes.Value) bool {
	return slices.ContainsFunc(kinds, func(k string) bool {
		return k == string(v.Kind()) || k == "integer" && v.Whole()
	})
}

// Introspection document, section 3.4. A bound written as text cannot be compared
// with a number.
var _ = register(Check{
	Requirement: "INT-3.4-07",
	On:          eachHaving("minimum", "maximum"),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		return Worst(
			optionalMember(s, "minimum", "a number", is(probes.Number)),
			optionalMember(s, "maximum", "a number", is(probes.Number)))
	},
	Fix: "write minimum and maximum as JSON numbers",
})

// Introspection document, section 3.4. Lengths are counted; there is no half
// character and none below zero.
var _ = register(Check{
	Requirement: "INT-3.4-09",
	On:          eachHaving("minLength", "maxLength"),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		count := func(v probes.Value) bool {
			n, ok := v.Float()
			return ok && n >= 0 && n == math.Trunc(n)
		}
		return Worst(
			optionalMember(s, "minLength", "a whole number from 0", count),
			optionalMember(s, "maxLength", "a whole number from 0", count))
	},
	Fix: "write minLength and maxLength as whole numbers, 0 or more",
})

// Introspection document, section 3.4. A pattern that no engine reads can neither
// be followed nor checked.
var _ = register(Check{
	Requirement: "INT-3.4-11",
	On:          eachHaving("pattern"),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		r := optionalMember(s, "pattern", "a regular expression", is(probes.String))
		pattern := s.Par.Raw.At("pattern")
		if !pattern.Is(probes.String) {
			return r
		}
		return readPattern(pattern.Text())
	},
	Fix: "correct the regular expression in pattern",
})

// Introspection document, section 3.4. An array is known when its elements are.
var _ = register(Check{
	Requirement: "INT-3.4-13",
	On:          eachHaving("items"),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		r := optionalMember(s, "items", "an object", is(probes.Object))
		items := s.Par.Raw.At("items")
		if items.Is(probes.Object) && items.At("type").Text() == "" {
			return Departs("a string type in items", items)
		}
		return r
	},
	Fix: "describe the array element in items as an object with a type",
})
