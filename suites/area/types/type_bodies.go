package types

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// bodies names the member that holds the body of each kind of type.
var bodies = map[string]string{"enum": "values", "object": "fields", "union": "members"}

// Introspection document, section 3.6.
var enumTypesListTheirValues = ofTypes(check.Check{
	Requirement: "INT-3.6-01",
	On:          check.EachTypeRecordOf("enum"),
	Ask:         model.TypeDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		values := s.Kind.Details.At("values")
		alien := slices.IndexFunc(values.Items(), func(v probes.Value) bool { return !v.Is(probes.String) })
		switch {
		case !values.Is(probes.Array):
			return ruling.Violates("an array values", values)
		case len(values.Items()) == 0:
			return ruling.Departs("at least one value", values)
		case alien >= 0:
			return ruling.Departs("values that are strings", values.Items()[alien])
		case check.CountDistinct(values.Items()) < len(values.Items()):
			return ruling.Departs("distinct values", values)
		}
		return ruling.Conforms()
	},
	Fix: "list the allowed strings of each enum type in values",
}).WithRule(
	"A type of kind enum lists its permitted strings in values.",
	"An enum without its values is a promise to refuse something unsaid.")

// Introspection document, section 3.6.
var objectTypesListTheirFields = ofTypes(check.Check{
	Requirement: "INT-3.6-02",
	On:          check.EachTypeRecordOf("object"),
	Ask:         model.TypeDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		fields := s.Kind.Details.At("fields")
		// The keys of a map may be free. What an operation returns has members that can be told.
		returned := slices.ContainsFunc(s.Operations, func(o probes.Operation) bool { return o.Details.At("returns", "name").Text() == s.Kind.Name })
		if fields.Is(probes.Absent) && !returned && s.Kind.Details.At("description").Text() != "" {
			return ruling.Departs("an array fields, empty where the keys are free", fields)
		}
		if !fields.Is(probes.Array) {
			return ruling.Violates("an array fields", fields)
		}
		rs := []ruling.Ruling{ruling.Conforms()}
		for i, f := range fields.Items() {
			if first := slices.IndexFunc(fields.Items(), func(v probes.Value) bool { return v.At("name").Equal(f.At("name")) }); first < i && f.At("name").Is(probes.String) {
				judge := ruling.Violates
				if fields.Items()[first].Equal(f) {
					judge = ruling.Departs
				}
				rs = append(rs, judge("one record for the field "+f.At("name").Text(), "several"))
			}
			at := fmt.Sprintf("fields[%d]", i)
			for _, name := range []string{"name", "type"} {
				if v := f.At(name); !v.Is(probes.String) || v.Text() == "" {
					rs = append(rs, ruling.Violates("a "+name+" in "+at, f))
				}
			}
			if !f.At("required").Is(probes.Boolean) {
				rs = append(rs, ruling.Departs("a boolean required in "+at, f.At("required")))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "document the fields of each object type as parameter records",
}).WithRule(
	"A type of kind object lists its members in fields, each following ParameterInfo.",
	"An object is built from its fields; each needs a name and a type as a parameter does.")

// Introspection document, section 3.6.
var unionTypesListTheirMembers = ofTypes(check.Check{
	Requirement: "INT-3.6-03",
	On:          check.EachTypeRecordOf("union"),
	Ask:         model.TypeDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		members := s.Kind.Details.At("members")
		if !members.Is(probes.Array) {
			return ruling.Violates("an array members", members)
		}
		for _, m := range members.Items() {
			if !m.Is(probes.String) {
				return ruling.Violates("members that are names of types", m)
			}
		}
		switch {
		case len(members.Items()) == 0:
			return ruling.Departs("at least one member", members)
		case check.CountDistinct(members.Items()) < len(members.Items()):
			return ruling.Departs("distinct members", members)
		}
		return ruling.Conforms()
	},
	Fix: "list the names of the alternatives of each union type in members",
}).WithRule(
	"A type of kind union lists the names of its alternatives in members.",
	"The members are names to look up; what has no name cannot be referred to again.")

// Introspection document, section 3.6.
var typeRecordsCarryOnlyTheirOwn = ofTypes(check.Check{
	Requirement: "INT-3.6-05",
	On:          check.EachTypeRecord,
	Ask:         model.TypeDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		if !slices.Contains(check.TypeKinds, s.Kind.Kind) {
			return ruling.NotProven("a defined kind", s.Kind.Kind).Because("INT-3.5-02")
		}
		r := ruling.Conforms()
		for _, kind := range []string{"enum", "object", "union"} {
			body := s.Kind.Details.At(bodies[kind])
			switch {
			case kind == s.Kind.Kind || body.Is(probes.Absent):
			case len(body.Items())+len(body.Members()) > 0 || body.Is(probes.String):
				return ruling.Violates("no "+bodies[kind]+" on the kind "+s.Kind.Kind, body)
			default:
				r = r.Noting("an empty " + bodies[kind] + " on the kind " + s.Kind.Kind)
			}
		}
		return r
	},
	Fix: "leave out the bodies of other kinds",
}).WithRule(
	"A type record carries only the body member of its own kind (values, fields and members do not mix).",
	"Two bodies are two answers to the question what the type is.")

// Operations document, section 9.6.
var typeBodiesAgreeInListAnd = ofTypes(check.Check{
	Requirement: "OPS-9.6-02",
	On: model.Only(check.EachTypeRecord, func(s model.Subject) bool {
		return s.Kind.Summary.At("values").Is(probes.Array) || s.Kind.Summary.At("fields").Is(probes.Array)
	}),
	Ask: bothTypes,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		for _, name := range []string{"values", "fields"} {
			listed, found := s.Kind.Summary.At(name), s.Kind.Details.At(name)
			if !listed.Is(probes.Array) {
				continue
			}
			if !found.Is(probes.Array) {
				return ruling.NotProven("the "+name+" of the record", found).Because(map[string]string{"values": "INT-3.6-01", "fields": "INT-3.6-02"}[name])
			}
			if odd := disagreement(listed.Items(), found.Items()); odd != "" {
				return ruling.Violates("the "+name+" of the record", odd)
			}
		}
		return ruling.Conforms()
	},
	Fix: "show the same values and fields in the listing and in the record, or none in the listing",
}).WithRule(
	"Values or fields shown in a listing agree with the lookup of the same type.",
	"A listing may show bodies; then they are the bodies.")

// disagreement names the first value or field that only one of two bodies has, or
// that has two types.
func disagreement(listed, found []probes.Value) string {
	shown, known := index(listed), index(found)
	for _, name := range sortedNames(shown, known) {
		x, inList := shown[name]
		y, inRecord := known[name]
		switch {
		case !inList:
			return "a listing without " + name
		case !inRecord:
			return "a record without " + name
		case x != "" && y != "" && x != y:
			return name + " of the type " + x + " in the listing, " + y + " in the record"
		}
	}
	return ""
}

// index maps values, or the names of fields, to the types they show. A listing may show the names alone.
func index(body []probes.Value) map[string]string {
	types := map[string]string{}
	for _, v := range body {
		if v.Is(probes.Object) {
			types[v.At("name").Canonical(nil)] = v.At("type").Text()
		} else {
			types[v.Canonical(nil)] = ""
		}
	}
	return types
}

func sortedNames(maps ...map[string]string) []string {
	var all []string
	for _, m := range maps {
		for name := range m {
			all = append(all, name)
		}
	}
	slices.SortFunc(all, strings.Compare)
	return slices.Compact(all)
}
