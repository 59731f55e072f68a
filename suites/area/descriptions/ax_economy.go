package descriptions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// few is the number of operations below which sizes say nothing.
const few = 5

// Introspection document, section 1.2.
var listingsStayAtSummaryDepth = check.Check{
	Requirement: "INT-1.2-03",
	Rule:        "Listings stay at summary depth; parameter tables and type bodies appear only in the lookup answer.",
	Why:         "The listing is read at the beginning of every session; what belongs into the details makes all of them pay.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.Listing(), s.TypesListing().As("summary depth: listing of types")}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		for _, e := range got[0].Data().At("operations").Items() {
			if member := detailIn(e); member != "" {
				return ruling.Violates("summaries in the listing", member+" of "+e.At("name").Text()).By(got[0])
			}
		}
		for _, e := range got.Step("summary depth: listing of types").Data().At("types").Items() {
			if e.Has("values") || e.Has("fields") || e.Has("members") {
				return ruling.Conforms().Noting("the listing of types holds bodies, as the operations document shows it")
			}
		}
		return ruling.Conforms()
	},
	Fix: "move parameters, examples and returns into the details",
}

// inlines reports whether the listing holds what belongs into the details.
func inlines(f *model.Adapter) bool {
	return slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { return detailIn(o.Summary) != "" })
}

// detailIn returns the member of a listed operation that belongs into the details: examples, what
// it returns, or a table of parameters under any name. The names of the parameters alone are no table.
func detailIn(entry probes.Value) string {
	for _, m := range entry.Members() {
		filled := len(m.Value.Items()) > 0 || len(m.Value.Members()) > 0
		if filled && (m.Name == "examples" || m.Name == "returns") || isTable(m.Value) {
			return m.Name
		}
	}
	return ""
}

// isTable reports whether a value describes parameters: records with a name and a type, or
// types by name, or a JSON Schema with properties.
func isTable(v probes.Value) bool {
	typed := func(v probes.Value) bool { return v.Is(probes.Object) && v.Has("type") }
	return slices.ContainsFunc(v.Items(), func(v probes.Value) bool { return typed(v) && v.Has("name") }) ||
		slices.ContainsFunc(v.Members(), func(m probes.Member) bool { return typed(m.Value) }) ||
		len(v.At("properties").Members()) > 0
}

// allRecords asks for the tool list, the listing and the details of each operation.
func allRecords(s model.Subject) []probes.Probe {
	var ps []probes.Probe
	for i, page := range s.Pages {
		ps = append(ps, page.As(probes.Nth("all records: page of tools", i)))
	}
	ps = append(ps, s.Listing().As("all records: listing"))
	for _, o := range s.Operations {
		ps = append(ps, s.Lookup("operations", o.Name).As("all records: details: "+o.Name))
	}
	return ps
}

// Introspection document, section 7.1.
var discoveryStaysCheap = check.Check{
	Requirement: "INT-7.1-01",
	Rule:        "The operations listing is far smaller than all details together, and details stay small.",
	Why:         "Discovery in two steps saves tokens only if the first answer is small.",
	On: func(f *model.Adapter) []model.Subject {
		if n := len(f.Operations); n > 0 && n < few {
			return []model.Subject{(model.Subject{Adapter: f, Name: "introspect"}).WithRuling(ruling.NotApplicable("fewer than five operations: sizes say nothing"))}
		}
		return model.IntrospectSubject(f)
	},
	Ask: allRecords,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		details := got.Under("all records: details")
		tools, list, records := 0, check.ByteSize(got.Step("all records: listing").Data()), 0
		pages, repeated := map[string]bool{}, false
		for _, o := range got.Under("all records: page of tools") {
			tools += check.ByteSize(o.Result())
			page := o.Result().At("tools").Canonical(nil)
			repeated = repeated || pages[page]
			pages[page] = true
		}
		for _, o := range details {
			records += check.ByteSize(o.Data())
		}
		note := fmt.Sprintf("tools/list %d bytes, listing %d, all details %d", tools, list, records)
		switch n := len(details); {
		case n == 0 || records == 0:
			return ruling.NotProven("details of the operations", "none")
		case list > records && inlines(s.Adapter):
			return ruling.NotProven("a listing of summaries", note).Because("INT-1.2-03")
		case list > records:
			return ruling.Violates("a listing smaller than all details together", note)
		case records/n > 2000*check.BytesPerToken:
			return ruling.Violates("details of at most 2000 tokens on average", note)
		case tools > records && repeated:
			return ruling.NotProven("a tool list with each tool once", note).Because("MCP-LIST-03")
		case tools > records:
			return ruling.Violates("a tool list smaller than all details together", note)
		}
		return ruling.Conforms().Noting(note)
	},
	Fix: "keep tool descriptions and summaries short; the details are one question away",
}

// AX rule R5.
var repeatedStructuresAreDefinedOnce = check.Check{
	Requirement: "AX-R5-12",
	Rule:        "The same structure is defined once and referred to by name.",
	Why:         "A list that is repeated in every operation is soon out of date in some of them.",
	On:          model.Given(func(f *model.Adapter) bool { return len(f.Operations) >= few }, model.IntrospectSubject),
	Ask:         allRecords,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		where := map[string][]string{}
		for _, u := range model.EachParameter(s.Adapter) {
			values := u.Par.Raw.At("enum").Items()
			t, named := s.Adapter.Type(u.Par.Type)
			if len(values) < 3 || named && t.Kind == "enum" || check.CrossCutting[u.Par.Name] != "" || u.Op.Name == "introspect" {
				continue
			}
			key := check.CanonicalUnordered(u.Par.Raw.At("enum"))
			if !slices.Contains(where[key], u.Op.Name) {
				where[key] = append(where[key], u.Op.Name)
			}
		}
		for _, key := range check.SortedKeys(where) {
			if names := where[key]; len(names) >= 3 {
				return ruling.Violates("a named type for a list of values that several operations use", "the same enum in "+strings.Join(names, ", "))
			}
		}
		return ruling.Conforms()
	},
	Fix: "register an enum type and name it as the type of the parameters",
}
