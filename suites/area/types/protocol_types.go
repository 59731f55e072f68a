package types

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// theType is one listed type by its name.
func theType(name string) func(*model.Adapter) []model.Subject {
	return model.Only(check.EachTypeRecord, func(s model.Subject) bool { return s.Kind.Name == name })
}

// bodyOf returns the body of a type of the kind it has to be; r rules when there is
// none to judge.
func bodyOf(s model.Subject, kind, owner string) (body []probes.Value, r ruling.Ruling, ok bool) {
	shown := s.Kind.Details.At("kind")
	list := s.Kind.Details.At(bodies[kind])
	switch {
	case !slices.Contains(check.TypeKinds, shown.Text()):
		return nil, ruling.NotProven("a defined kind of "+s.Name, shown).Because("INT-3.5-02"), false
	case shown.Text() != kind:
		return nil, ruling.Violates("the kind "+kind, shown), false
	case !list.Is(probes.Array):
		return nil, ruling.NotProven("the "+bodies[kind]+" of "+s.Name, list).Because(owner), false
	}
	return list.Items(), ruling.Ruling{}, true
}

// Section 9.1.
var semanticCategoryTypeHasFiveValues = ofTypes(check.Check{
	Requirement: "AQL-9.1-01",
	On:          theType("SemanticCategory"),
	Ask:         model.TypeDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
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
			return ruling.Violates("exactly CREATE, READ, UPDATE, DELETE, EXECUTE", strings.Join(words, ", "))
		}
		return ruling.Conforms()
	},
	Fix: "list exactly the five categories in SemanticCategory",
}).WithRule(
	"A type named SemanticCategory, if introspection lists it, is an enum of exactly the five categories.",
	"Clients of every adapter sort operations into the same five; a sixth would be understood by nobody.")

// Section 9.1.
var operationResultTypeIsDefinedUnion = ofTypes(check.Check{
	Requirement: "AQL-9.1-02",
	On:          theType("OperationResult"),
	Ask:         model.TypeDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
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
			return ruling.Violates("OperationSuccess and OperationFailure as members", s.Kind.Details.At("members"))
		case len(extra) > 0:
			return ruling.Departs("no members beside OperationSuccess and OperationFailure", strings.Join(extra, ", "))
		}
		return ruling.Conforms()
	},
	Fix: "make OperationResult the union of OperationSuccess and OperationFailure",
}).WithRule(
	"A type named OperationResult, if listed, is the union of OperationSuccess and OperationFailure.",
	"An answer is a success or a failure; a type that knows only one of them describes half of what a client gets.")

// protocolTypes are the types every registry should hold, with their kinds.
var protocolTypes = [][2]string{
	{"SemanticCategory", "enum"}, {"OperationInput", "object"}, {"OperationResult", "union"},
	{"OperationSuccess", "object"}, {"OperationFailure", "object"}, {"EndpointPermissions", "object"},
}

// Introspection document, section 5.3.
var protocolTypesAreRegistered = check.Check{
	Requirement: "INT-5.3-01",
	Rule:        "The registry contains SemanticCategory, OperationInput, OperationResult, OperationSuccess, OperationFailure and EndpointPermissions.",
	Why:         "A model that can look up the request and the answer needs no other documentation.",
	On:          model.IntrospectSubject,
	Ask:         func(s model.Subject) []probes.Probe { return []probes.Probe{s.TypesListing()} },
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r := noSuchType("INT-5.3-01", got[0]); r.Verdict == ruling.NotProven("", "").Verdict {
			return r
		}
		var wrong []string
		for _, want := range protocolTypes {
			t, listed := s.Adapter.Type(want[0])
			switch {
			case !listed:
				wrong = append(wrong, "no "+want[0])
			case slices.Contains(check.TypeKinds, t.Kind) && t.Kind != want[1]:
				wrong = append(wrong, want[0]+" of the kind "+t.Kind)
			}
		}
		if len(wrong) > 0 {
			return ruling.Violates("the six protocol types", strings.Join(wrong, ", "))
		}
		return ruling.Conforms()
	},
	Fix: "register SemanticCategory, OperationInput, OperationResult, OperationSuccess, OperationFailure and EndpointPermissions",
}

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
func typed(f *model.Adapter, field probes.Value, kind string) bool {
	kinds, understood := f.Kinds(field.At("type").Text())
	return !understood || slices.Contains(kinds, kind)
}

// Introspection document, section 5.3.
var operationInputTypeMatchesRequest = ofTypes(check.Check{
	Requirement: "INT-5.3-09",
	On:          theType("OperationInput"),
	Ask:         model.TypeDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		fields, r, ok := bodyOf(s, "object", "INT-3.6-02")
		if !ok {
			return r
		}
		operation, params := fieldNamed(fields, "operation"), fieldNamed(fields, "params")
		batch := s.Protocol.At("capabilities", "batch").True() || fieldNamed(fields, "operations").Is(probes.Object)
		switch {
		case !operation.Is(probes.Object) || !typed(s.Adapter, operation, "string"):
			return ruling.Violates("operation as a string field", operation)
		case operation.At("required").False() && !batch:
			return ruling.Violates("operation as a required field", operation)
		case !params.Is(probes.Object) || !typed(s.Adapter, params, "object"):
			return ruling.Violates("params as an object field", params)
		case params.At("required").True():
			return ruling.Violates("params as an optional field", params)
		}
		return ruling.Conforms()
	},
	Fix: "document operation as a required string and params as an optional object in OperationInput",
}).WithRule(
	"OperationInput, when present, documents operation as a required string and params as an optional object.",
	"What the type says about a request has to be what a request is.")

// Introspection document, section 5.3.
var permissionTypeHasTwoBooleanFlags = ofTypes(check.Check{
	Requirement: "INT-5.3-10",
	On:          theType("EndpointPermissions"),
	Ask:         model.TypeDetails,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		fields, r, ok := bodyOf(s, "object", "INT-3.6-02")
		if !ok {
			return r
		}
		rs := []ruling.Ruling{ruling.Conforms()}
		for _, name := range []string{"readOnly", "destructive"} {
			f := fieldNamed(fields, name)
			kinds, understood := s.Kinds(f.At("type").Text())
			switch {
			case !f.Is(probes.Object), understood && slices.ContainsFunc(kinds, func(k string) bool { return k != "boolean" && k != "null" }):
				return ruling.Violates(name+" as a boolean field", f)
			case !understood:
				rs = append(rs, ruling.NotProven(name+" as a boolean field", f.At("type")))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "document readOnly and destructive as boolean fields of EndpointPermissions",
}).WithRule(
	"EndpointPermissions, when present, documents boolean readOnly and destructive.",
	"Two flags say what an operation may do; the type has to say that they are flags.")
