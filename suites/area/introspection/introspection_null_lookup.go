package introspection

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// nullLookup rules on the lookup of a name that does not exist: a success that
// holds null under the member.
func nullLookup(o probes.Observation, member string) ruling.Ruling {
	found := o.Data().At(member)
	switch {
	case o.Deferred():
		return ruling.NotProven("an answer to the lookup", o)
	case !o.Succeeded():
		return ruling.Violates("success with data."+member+" null", o)
	case found.Is(probes.Null):
		return ruling.Conforms().By(o)
	case found.Is(probes.Absent):
		return ruling.Departs("data."+member+" null", "data "+ruling.Clip(o.Data().String())).By(o)
	}
	return ruling.Violates("data."+member+" null", found).By(o)
}

func unknownLookup(s model.Subject) probes.Probe { return s.Lookup("operations", "aqlx_none_"+s.Nonce) }

// Introspection document, section 4.3.
var unknownOperationLookupYieldsNull = check.Check{
	Requirement: "INT-4.3-01",
	Rule:        "Looking up an operation name that the adapter does not have is a success whose operation member is null.",
	Why:         "Asking whether something exists is no error; null is the answer no.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{unknownLookup(s), s.Lookup("operations", sample(s.Adapter)).As("known name")}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if how, root := s.Fallback(); how != "" {
			return ruling.NotProven("a lookup of the documented form", how).Because(root)
		}
		if wholeList(got[0]) && wholeList(got.Step("known name")) {
			return ruling.NotProven("a lookup of one operation", "the whole list").Because("AQL-7.2-06")
		}
		return nullLookup(got[0], "operation")
	},
	Fix: "answer the lookup of an unknown operation with success and data.operation null",
}

// Introspection document, section 8.1.
var unknownTypeLookupYieldsNull = check.Check{
	Requirement: "INT-8.1-09",
	Rule:        "Asking for a type that does not exist succeeds and reports null for the type.",
	Why:         "As for operations, null is the answer no.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.Lookup("types", "AqlxNone"+s.Nonce), s.TypesListing().As("types")}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if types := got.Step("types"); !types.Succeeded() {
			return ruling.NotProven("a types query that succeeds", types).Because("AQL-7.2-04")
		}
		return nullLookup(got[0], "type")
	},
	Fix: "answer the lookup of an unknown type with success and data.type null",
}

// Introspection document, section 4.3.
var lookupNamesAreMatchedExactly = check.Check{
	Requirement: "INT-4.3-02",
	Rule:        "Case or whitespace variants of a listed name count as unknown in a lookup.",
	Why:         "Requests are matched exactly, so a lookup that is kinder teaches names that do not work.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{unknownLookup(s)}
		for _, o := range s.Operations {
			upper := strings.ToUpper(o.Name)
			if _, listed := s.Operation(upper); !listed {
				return append(ps, s.Lookup("operations", upper).As("name in upper case"))
			}
		}
		return ps
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		control := got[0].Data()
		o, asked := got.Find("name in upper case")
		switch {
		case !asked:
			return ruling.NotProven("an operation whose name has lower-case letters", "none")
		case !control.At("operation").Is(probes.Null) && !got[0].Refused():
			return ruling.NotProven("null for a name that does not exist", got[0]).Because("INT-4.3-01")
		case o.Data().At("operation").Is(probes.Object):
			return ruling.Violates("null for a name in upper case", "the record of "+o.Data().At("operation", "name").Text()).By(o)
		case o.Data().At("operation").Is(probes.Null), got[0].Code() == o.Code() && o.Refused():
			return ruling.Conforms().By(o)
		}
		return ruling.NotProven("null for a name in upper case", o).Because("INT-4.3-01")
	},
	Fix: "compare the name of a lookup exactly",
}
