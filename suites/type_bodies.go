package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// bodies names the member that holds the body of each kind of type.
var bodies = map[string]string{"enum": "values", "object": "fields", "union": "members"}

// Introspection document, section 3.6. An enum without its values is a promise to
// refuse something unsaid.
var _ = register(ofTypes(Check{
	Requirement: "INT-3.6-01",
	On:          eachRecordOf("enum"),
	Ask:         typeDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		values := s.Kind.Details.At("values")
		alien := slices.IndexFunc(values.Items(), func(v probes.Value) bool { return !v.Is(probes.String) })
		switch {
		case !values.Is(probes.Array):
			return Violates("an array values", values)
		case len(values.Items()) == 0:
			return Departs("at least one value", values)
		case alien >= 0:
			return Departs("values that are strings", values.Items()[alien])
		case distinct(values.Items()) < len(values.Items()):
			return Departs("distinct values", values)
		}
		return Conforms()
	},
	Fix: "list the allowed strings of each enum type in values",
}))

// Introspection document, section 3.6. An object is built from its fields; each
// needs a name and a type as a parameter does.
var _ = register(ofTypes(Check{
	Requirement: "INT-3.6-02",
	On:          eachRecordOf("object"),
	Ask:         typeDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		fields := s.Kind.Details.At("fields")
		if !fields.Is(probes.Array) {
			return Violates("an array fields", fields)
		}
		rs := []Ruling{Conforms()}
		for i, f := range fields.Items() {
			at := fmt.Sprintf("fields[%d]", i)
			for _, name := range []string{"name", "type"} {
				if v := f.At(name); !v.Is(probes.String) || v.Text() == "" {
					rs = append(rs, Violates("a "+name+" in "+at, f))
				}
			}
			if !f.At("required").Is(probes.Boolean) {
				rs = append(rs, Departs("a boolean required in "+at, f.At("required")))
			}
		}
		return Worst(rs...)
	},
	Fix: "document the fields of each object type as parameter records",
}))

// Introspection document, section 3.6. The members are names to look up; what has
// no name cannot be referred to again.
var _ = register(ofTypes(Check{
	Requirement: "INT-3.6-03",
	On:          eachRecordOf("union"),
	Ask:         typeDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		members := s.Kind.Details.At("members")
		if !members.Is(probes.Array) {
			return Violates("an array members", members)
		}
		for _, m := range members.Items() {
			if !m.Is(probes.String) {
				return Violates("members that are names of types", m)
			}
		}
		if len(members.Items()) == 0 {
			return Departs("at least one member", members)
		}
		return Conforms()
	},
	Fix: "list the names of the alternatives of each union type in members",
}))

// Introspection document, section 3.6. Two bodies are two answers to the question
// what the type is.
var _ = register(ofTypes(Check{
	Requirement: "INT-3.6-05",
	On:          eachRecord,
	Ask:         typeDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		if !slices.Contains(typeKinds, s.Kind.Kind) {
			return NotProven("a defined kind", s.Kind.Kind).Because("INT-3.5-02")
		}
		r := Conforms()
		for _, kind := range []string{"enum", "object", "union"} {
			body := s.Kind.Details.At(bodies[kind])
			switch {
			case kind == s.Kind.Kind || body.Is(probes.Absent):
			case len(body.Items())+len(body.Members()) > 0 || body.Is(probes.String):
				return Violates("no "+bodies[kind]+" on the kind "+s.Kind.Kind, body)
			default:
				r = r.Noting("an empty " + bodies[kind] + " on the kind " + s.Kind.Kind)
			}
		}
		return r
	},
	Fix: "leave out the bodies of other kinds",
}))

// Operations document, section 9.6. A listing may show bodies; then they are the
// bodies.
var _ = register(ofTypes(Check{
	Requirement: "OPS-9.6-02",
	On: only(eachRecord, func(s Subject) bool {
		return s.Kind.Summary.At("values").Is(probes.Array) || s.Kind.Summary.At("fields").Is(probes.Array)
	}),
	Ask: bothTypes,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		for _, name := range []string{"values", "fields"} {
			listed, found := s.Kind.Summary.At(name), s.Kind.Details.At(name)
			if !listed.Is(probes.Array) {
				continue
			}
			if !found.Is(probes.Array) {
				return NotProven("the "+name+" of the record", found).Because(map[string]string{"values": "INT-3.6-01", "fields": "INT-3.6-02"}[name])
			}
			if odd := disagreement(listed.Items(), found.Items()); odd != "" {
				return Violates("the "+name+" of the record", odd)
			}
		}
		return Conforms()
	},
	Fix: "show the same values and fields in the listing and in the record, or none in the listing",
}))

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

// index maps values, or the names of fields, to the types they show.
func index(body []probes.Value) map[string]string {
	types := map[string]string{}
	for _, v := range body {
		if v.Is(probes.Object) {
			types[v.At("name").Text()] = v.At("type").Text()
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
