package introspection

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// sample is the operation that stands for all when the way of looking up itself
// is judged: introspect where it is listed.
func sample(f *model.Adapter) string {
	if _, listed := f.Operation("introspect"); listed || len(f.Operations) == 0 {
		return "introspect"
	}
	return f.Operations[0].Name
}

// wholeList reports whether a lookup was answered with the list instead of one
// item.
func wholeList(o probes.Observation) bool {
	data := o.Data()
	return !data.Has("operation") && !data.Has("parameters") && data.At("operations").Is(probes.Array)
}

// Section 7.2.
var nameSelectsExactlyOneItem = check.Check{
	Requirement: "AQL-7.2-06",
	Rule:        "The optional string name turns the list query into a lookup of one item.",
	Why:         "The name turns the list into a lookup: a model reads one record instead of paying for all of them.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.Lookup("operations", sample(s.Adapter))}
		for i, v := range []any{5, []any{sample(s.Adapter)}, 0, false} { // the last two count as no name where names are only tested for being there
			ps = append(ps, s.Query(map[string]any{"query": "operations", "name": v}).As(probes.Nth("name of another type", i)))
		}
		for _, o := range s.Operations {
			if o.Name != sample(s.Adapter) {
				return append(ps, s.Lookup("operations", o.Name).As("another operation"))
			}
		}
		return ps
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got {
			switch mistyped := o.Probe.Under("name of another type"); {
			case !mistyped && wholeList(o):
				rs = append(rs, ruling.Violates("one operation", "the whole list").By(o))
			case !mistyped && !o.Succeeded():
				rs = append(rs, ruling.NotProven("a lookup that succeeds", o).Because("AQL-7.3-02"))
			case mistyped && o.Data().At("operation").Is(probes.Object):
				rs = append(rs, ruling.Violates("no operation for a name that is no string", o).By(o))
			case mistyped && wholeList(o):
				rs = append(rs, ruling.Violates("a refusal of a name that is no string", "the whole list").By(o))
			default:
				rs = append(rs, ruling.Conforms().By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "return data.operation for the one operation that name asks for",
}

// Introspection document, section 2.1.
var introspectSitsOnReadOrientedFamily = check.Check{
	Requirement: "INT-2.1-03",
	Rule:        "With several semantic endpoints, introspect is reachable on a read-oriented family that introspection itself documents.",
	Why:         "Clients look for introspect on the read endpoint. On another endpoint, a client would need write permission only to discover operations.",
	On:          model.Given(model.SeveralEndpointTools, model.IntrospectSubject),
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.Lookup("operations", "introspect")}
		for i, t := range s.Semantic() {
			ps = append(ps, s.Listing().To(t).As(probes.Nth("listing of tool", i)))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		documented := got[0].Data().At("operation", "mcpTool").Text()
		if !slices.Contains(s.Semantic(), documented) {
			documented = s.Op.Tool
		}
		reads, answered, unknown := false, false, false
		for i, o := range got.Under("listing of tool") {
			if o.Succeeded() {
				hosted := hostedBeside(s.Adapter, s.Semantic()[i])
				reads = reads || len(hosted) == 0 || slices.Contains(hosted, "READ")
				answered, unknown = true, unknown || slices.Contains(hosted, "")
			}
		}
		at := slices.Index(s.Semantic(), documented)
		listing := got.Step(probes.Nth("listing of tool", at))
		switch {
		case !reads && (unknown || !answered):
			return ruling.NotProven("a tool that lists operations of known categories", "none").Because("AQL-6.1-01").By(got...)
		case !reads:
			return ruling.Violates("introspect on a family that reads", "introspect only where nothing is read: "+s.Introspect).By(got...)
		case !got[0].Data().Has("operation") && s.Op.Details.Is(probes.Object):
			return ruling.NotProven("a record under data.operation", "one in another place").By(got[0]).Because("AQL-7.3-02")
		case !got[0].Data().At("operation").Is(probes.Object):
			return ruling.Departs("a record of introspect that names its tool", got[0].Data()).By(got[0])
		case at < 0:
			return ruling.NotProven("a documented tool of introspect that is listed", documented).Because("INT-3.3-32")
		case listing.Deferred():
			return ruling.NotProven("an answer from "+documented, listing)
		case !listing.Succeeded():
			return ruling.Violates("an answer from "+documented+", the documented tool", listing)
		}
		if hosted := hostedBeside(s.Adapter, documented); len(hosted) > 1 {
			return ruling.Departs("introspect on a family that only reads", "one that hosts "+strings.Join(hosted, ", ")).By(listing)
		}
		return ruling.Conforms().By(listing)
	},
	Fix: "serve introspect on the family that hosts the READ operations, and document that tool",
}

// hostedBeside returns the categories of the tool's operations but introspect.
func hostedBeside(f *model.Adapter, tool string) []string {
	var categories []string
	for _, o := range f.Operations {
		if o.Tool == tool && o.Name != "introspect" {
			categories = append(categories, o.Category)
		}
	}
	slices.Sort(categories)
	return slices.Compact(categories)
}

// Operations document, section 9.2.
var introspectDocumentsItsOwnParameters = check.Check{
	Requirement: "OPS-9.2-01",
	Rule:        "The record of introspect shows query as required string covering both kinds and name as optional string.",
	Why:         "introspect is the first record a model reads; if it is wrong about itself, nothing else is found.",
	On:          model.IntrospectSubject,
	Ask:         func(s model.Subject) []probes.Probe { return []probes.Probe{s.Lookup("operations", "introspect")} },
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		record := got[0].Data().At("operation")
		if !record.Is(probes.Object) {
			return ruling.NotApplicable("introspect does not describe itself")
		}
		var query, name *probes.Parameter
		for _, p := range probes.ReadParameters(record) {
			switch p.Name {
			case "query":
				query = &p
			case "name":
				name = &p
			}
		}
		switch {
		case query == nil && !record.At("parameters").Is(probes.Array):
			return ruling.NotProven("parameters of introspect", record.At("parameters")).Because("AQL-4.3-03")
		case query == nil && demandsNoQuery(s):
			return ruling.NotProven("introspect with a query", "a record without query").Because("AQL-7.2-04")
		case query == nil:
			return ruling.Violates("the parameter query", documentedInstead(record))
		case name == nil:
			return ruling.Violates("the parameter name", documentedInstead(record))
		case name.Required:
			return ruling.Violates("an optional name", "a required one")
		}
		return queryRecord(s.Adapter, *query)
	},
	Fix: "document query as a required string with the enum operations, types, and name as an optional string",
}

// documentedInstead says what the record documents where a parameter is missed, and under which
// member, so that a reader sees a name or a place that differs.
func documentedInstead(record probes.Value) string {
	for _, m := range record.Members() {
		var names []string
		for _, p := range probes.ReadParameters(probes.ValueOf(map[string]any{"parameters": m.Value.Go()})) {
			names = append(names, p.Name)
		}
		if (m.Value.Is(probes.Array) || m.Value.At("properties").Is(probes.Object)) && len(names) > 0 && m.Name != "examples" {
			return m.Name + " with " + strings.Join(names, ", ")
		}
	}
	return "none"
}

// demandsNoQuery reports whether introspect lists the operations only without a query.
func demandsNoQuery(s model.Subject) bool {
	_, root := s.Fallback()
	return root == "AQL-7.2-04"
}

// queryRecord rules on the record of the parameter query.
func queryRecord(f *model.Adapter, query probes.Parameter) ruling.Ruling {
	kinds, understood := f.Kinds(query.Type)
	enum := f.EnumOf(query)
	holds := func(kind string) bool {
		return slices.ContainsFunc(enum, func(v probes.Value) bool { return v.Text() == kind })
	}
	switch {
	case understood && !slices.Contains(kinds, "string"):
		return ruling.Violates("query as a string", query.Type)
	case query.Raw.At("required").False() && !query.Raw.Has("default"):
		return ruling.Violates("a required query", "an optional one without a default")
	case query.Raw.Has("enum") && !query.Raw.At("enum").Is(probes.Array):
		return ruling.NotProven("an enum of query that can be read", query.Raw.At("enum")).Because("INT-3.4-06")
	case len(enum) == 0:
		return ruling.Departs("the kinds of query in an enum", "none")
	case !holds("operations") || !holds("types"):
		return ruling.Violates("operations and types among the values of query", query.Raw.At("enum"))
	case query.Raw.At("required").False():
		return ruling.Departs("a required query", "an optional one with a default")
	}
	return ruling.Conforms()
}

// Introspection document, section 8.2.
var introspectListsItself = check.Check{
	Requirement: "INT-8.2-07",
	Rule:        "introspect appears in its own listing.",
	Why:         "A client that has read only the listing must learn from it how to request details.",
	On:          model.IntrospectSubject,
	Ask:         model.Listing,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		switch {
		case s.Op.Name != "":
			return ruling.Conforms()
		case len(s.Operations) == 0:
			return ruling.NotProven("a listing of operations", got[0]).Because("AQL-7.3-01")
		}
		return ruling.Violates("introspect in its own listing", "a listing without it")
	},
	Fix: "list introspect like any other operation",
}
