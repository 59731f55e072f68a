package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// theType is one listed type by its name.
func theType(name string) func(*Face) []Subject {
	return only(eachRecord, func(s Subject) bool { return s.Kind.Name == name })
}

// bodyOf returns the body of a type of the kind it has to be; r rules when there is
// none to judge.
func bodyOf(s Subject, kind, owner string) (body []probes.Value, r Ruling, ok bool) {
	shown := s.Kind.Details.At("kind")
	list := s.Kind.Details.At(bodies[kind])
	switch {
	case !slices.Contains(typeKinds, shown.Text()):
		return nil, NotProven("a defined kind of "+s.Name, shown).Because("INT-3.5-02"), false
	case shown.Text() != kind:
		return nil, Violates("the kind "+kind, shown), false
	case !list.Is(probes.Array):
		return nil, NotProven("the "+bodies[kind]+" of "+s.Name, list).Because(owner), false
	}
	return list.Items(), Ruling{}, true
}

// Section 9.1. Clients of every adapter sort operations into the same five; a
// sixth would be understood by nobody.
var _ = register(ofTypes(Check{
	Requirement: "AQL-9.1-01",
	On:          theType("SemanticCategory"),
	Ask:         typeDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		values, r, ok := bodyOf(s, "enum", "INT-3.6-01")
		if !ok {
			return r
		}
		var words []string
		for _, v := range values {
			words = append(words, v.Text())
		}
		slices.Sort(words)
		if five := []string{"CREATE", "DELETE", "EXECUTE", "READ", "UPDATE"}; !slices.Equal(slices.Compact(words), five) {
			return Violates("exactly CREATE, READ, UPDATE, DELETE, EXECUTE", strings.Join(words, ", "))
		}
		return Conforms()
	},
	Fix: "list exactly the five categories in SemanticCategory",
}))

// Section 9.1. An answer is a success or a failure; a type that knows only one of
// them describes half of what a client gets.
var _ = register(ofTypes(Check{
	Requirement: "AQL-9.1-02",
	On:          theType("OperationResult"),
	Ask:         typeDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		members, r, ok := bodyOf(s, "union", "INT-3.6-03")
		if !ok {
			return r
		}
		var extra []string
		missing := map[string]bool{"OperationSuccess": true, "OperationFailure": true}
		for _, m := range members {
			if !missing[m.Text()] && !strings.Contains(m.Text(), "Batch") {
				extra = append(extra, m.String())
			}
			delete(missing, m.Text())
		}
		switch {
		case len(missing) > 0:
			return Violates("OperationSuccess and OperationFailure as members", s.Kind.Details.At("members"))
		case len(extra) > 0:
			return Departs("no members beside OperationSuccess and OperationFailure", strings.Join(extra, ", "))
		}
		return Conforms()
	},
	Fix: "make OperationResult the union of OperationSuccess and OperationFailure",
}))

// protocolTypes are the types every registry should hold, with their kinds.
var protocolTypes = [][2]string{
	{"SemanticCategory", "enum"}, {"OperationInput", "object"}, {"OperationResult", "union"},
	{"OperationSuccess", "object"}, {"OperationFailure", "object"}, {"EndpointPermissions", "object"},
}

// Introspection document, section 5.3. A model that can look up the request and
// the answer needs no other documentation.
var _ = register(Check{
	Requirement: "INT-5.3-01",
	On:          introspecting,
	Ask:         func(s Subject) []probes.Probe { return []probes.Probe{s.TypesListing()} },
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r := noSuchType("INT-5.3-01", got[0]); r.verdict == NotProven("", "").verdict {
			return r
		}
		var wrong []string
		for _, want := range protocolTypes {
			t, listed := s.Face.Type(want[0])
			switch {
			case !listed:
				wrong = append(wrong, "no "+want[0])
			case slices.Contains(typeKinds, t.Kind) && t.Kind != want[1]:
				wrong = append(wrong, want[0]+" of the kind "+t.Kind)
			}
		}
		if len(wrong) > 0 {
			return Violates("the six protocol types", strings.Join(wrong, ", "))
		}
		return Conforms()
	},
	Fix: "register SemanticCategory, OperationInput, OperationResult, OperationSuccess, OperationFailure and EndpointPermissions",
})

// fieldNamed returns the record of one field.
func fieldNamed(fields []probes.Value, name string) probes.Value {
	i := slices.IndexFunc(fields, func(f probes.Value) bool { return f.At("name").Text() == name })
	if i < 0 {
		return probes.Value{}
	}
	return fields[i]
}

// typed reports whether a field can be of the kind; types that are not understood
// contradict nothing.
func typed(f *Face, field probes.Value, kind string) bool {
	kinds, understood := f.Kinds(field.At("type").Text())
	return !understood || slices.Contains(kinds, kind)
}

// Introspection document, section 5.3. What the type says about a request has to be
// what a request is.
var _ = register(ofTypes(Check{
	Requirement: "INT-5.3-09",
	On:          theType("OperationInput"),
	Ask:         typeDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		fields, r, ok := bodyOf(s, "object", "INT-3.6-02")
		if !ok {
			return r
		}
		operation, params := fieldNamed(fields, "operation"), fieldNamed(fields, "params")
		batch := s.Protocol.At("capabilities", "batch").True() || fieldNamed(fields, "operations").Is(probes.Object)
		switch {
		case !operation.Is(probes.Object) || !typed(s.Face, operation, "string"):
			return Violates("operation as a string field", operation)
		case operation.At("required").False() && !batch:
			return Violates("operation as a required field", operation)
		case !params.Is(probes.Object) || !typed(s.Face, params, "object"):
			return Violates("params as an object field", params)
		case params.At("required").True():
			return Violates("params as an optional field", params)
		}
		return Conforms()
	},
	Fix: "document operation as a required string and params as an optional object in OperationInput",
}))

// Introspection document, section 5.3. Two flags say what an operation may do; the
// type has to say that they are flags.
var _ = register(ofTypes(Check{
	Requirement: "INT-5.3-10",
	On:          theType("EndpointPermissions"),
	Ask:         typeDetails,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		fields, r, ok := bodyOf(s, "object", "INT-3.6-02")
		if !ok {
			return r
		}
		for _, name := range []string{"readOnly", "destructive"} {
			if f := fieldNamed(fields, name); !f.Is(probes.Object) || !typed(s.Face, f, "boolean") {
				return Violates(name+" as a boolean field", f)
			}
		}
		return Conforms()
	},
	Fix: "document readOnly and destructive as boolean fields of EndpointPermissions",
}))
