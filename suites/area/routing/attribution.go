package routing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// both asks for the two places an operation is described in.
func both(s model.Subject) []probes.Probe {
	return []probes.Probe{s.Listing(), s.Lookup("operations", s.Op.Name)}
}

var categories = []string{"CREATE", "READ", "UPDATE", "DELETE", "EXECUTE"}

// Section 6.1.
var semanticCategoryIsOneOfFive = check.Check{
	Requirement: "AQL-6.1-01",
	Rule:        "Only the five standard categories, in upper case, are used as semantic category.",
	Why:         "Five categories, so that a host can reason about an adapter it has never seen.",
	On:          model.EachListed,
	Ask:         both,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		listed, detailed := s.Op.Summary.At("semantic_category"), s.Op.Details.At("semantic_category")
		if !s.Op.Summary.Is(probes.Object) {
			return ruling.NotProven("a summary object", s.Op.Summary).Because("AQL-7.3-01")
		}
		if listed.Is(probes.Absent) && detailed.Is(probes.Absent) {
			r := ruling.Violates("a semantic_category", "none in list or details")
			if slices.Contains(categories, strings.ToUpper(s.Op.Endpoint)) {
				r = r.Noting("endpoint holds the category, as an older draft had it")
			}
			return r
		}
		for _, v := range []probes.Value{listed, detailed} {
			if v.Is(probes.Array) {
				return ruling.NotProven("one category", v).Because("AQL-6.2-01")
			}
			if !v.Is(probes.Absent) && !slices.Contains(categories, v.Text()) {
				return ruling.Violates("CREATE, READ, UPDATE, DELETE or EXECUTE", "semantic_category "+v.String())
			}
		}
		if listed.Is(probes.Absent) || detailed.Is(probes.Absent) && s.Op.Details.Is(probes.Object) {
			return ruling.Departs("a semantic_category in list and details", "one in only one of them")
		}
		return ruling.Conforms()
	},
	Fix: "classify every operation with one of the five categories, in upper case",
}

// flags are readOnly and destructive by category. Section 6.1.
var flags = map[string][2]bool{"CREATE": {false, false}, "READ": {true, false}, "UPDATE": {false, true}, "DELETE": {false, true}, "EXECUTE": {false, true}}

// Section 6.1.
var permissionFlagsFitCategory = check.Check{
	Requirement: "AQL-6.1-02",
	Rule:        "The read-only and destructive flags shown for an operation fit its category.",
	Why:         "The flags repeat what the category means, for a client that asks before it lets a model act.",
	On: model.Only(model.EachDetailed, func(s model.Subject) bool {
		p := s.Op.Details.At("permissions")
		return p.At("readOnly").Is(probes.Boolean) && p.At("destructive").Is(probes.Boolean)
	}),
	Ask: model.Details,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		want, known := flags[s.Op.Category]
		if !known {
			return ruling.NotProven("a standard category", s.Op.Category).Because("AQL-6.1-01")
		}
		p := s.Op.Details.At("permissions")
		readOnly, destructive := p.At("readOnly").True(), p.At("destructive").True()
		if [2]bool{readOnly, destructive} == want {
			return ruling.Conforms()
		}
		mild := readOnly == want[0] && (s.Op.Category == "CREATE" || s.Op.Category == "UPDATE" || s.Op.Category == "EXECUTE")
		wanted := fmt.Sprintf("the flags of category %s: readOnly %v, destructive %v", s.Op.Category, want[0], want[1])
		if mild {
			return ruling.Departs(wanted, p).By(got[0])
		}
		return ruling.Violates(wanted, p).By(got[0])
	},
	Fix: "derive the permission flags from the category",
}

// Section 6.2.
var eachOperationHasExactlyOneCategory = check.Check{
	Requirement: "AQL-6.2-01",
	Rule:        "An operation has exactly one category, the same in the list and in the details.",
	Why:         "One category: two would let a model choose the milder one.",
	On:          model.EachListed,
	Ask:         both,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var seen []string
		for _, e := range entriesNamed(got[0], s.Name) {
			seen = append(seen, "list: "+e.At("semantic_category").String())
			if e.At("semantic_category").Is(probes.Array) {
				return ruling.Violates("one category", e.At("semantic_category"))
			}
		}
		category := s.Op.Details.At("semantic_category")
		if category.Is(probes.Array) {
			return ruling.Violates("one category", category)
		}
		values := map[string]bool{}
		for _, e := range append(entriesNamed(got[0], s.Name), s.Op.Details) {
			if c := e.At("semantic_category"); c.Is(probes.String) {
				values[c.Text()] = true
			}
		}
		if len(values) > 1 {
			return ruling.Violates("one category in list and details", strings.Join(append(seen, "details: "+category.String()), ", ")).By(got...)
		}
		return ruling.Conforms()
	},
	Fix: "keep the category in one place and show it from there",
}

// entriesNamed returns the entries of a listing with that name.
func entriesNamed(listing probes.Observation, name string) []probes.Value {
	var found []probes.Value
	for _, e := range listing.Data().At("operations").Items() {
		if e.At("name").Text() == name {
			found = append(found, e)
		}
	}
	return found
}
