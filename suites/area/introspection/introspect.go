package introspection

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// refusing rules on a request that has to be refused for what it says, not for
// who sent it.
func refusing(o probes.Observation, what string) ruling.Ruling {
	if o.Deferred() {
		return ruling.NotProven("an answer to "+what, o)
	}
	return check.RefusedAnywhere(o, what)
}

// askable are the tools that may be asked for introspection: those that take an
// operation, else those that present themselves as readers.
func askable(f *model.Adapter) []string {
	var takes, reads []string
	for _, t := range f.Tools {
		name := strings.ToLower(t.Name)
		reader := t.Raw.At("annotations", "readOnlyHint").True() ||
			slices.ContainsFunc([]string{"aql", "introspect", "discover", "read", "query"}, func(w string) bool { return strings.Contains(name, w) })
		switch {
		case t.Name == "":
		case t.TakesOperation():
			takes = append(takes, t.Name)
		case reader:
			reads = append(reads, t.Name)
		}
	}
	if len(takes) > 0 {
		return takes
	}
	return reads
}

// Section 7.2.
var introspectIsImplemented = check.Check{
	Requirement: "AQL-7.2-01",
	Rule:        "The adapter answers introspect on at least one tool and is thereby usable in at least one endpoint mode.",
	Why:         "introspect is the one operation every adapter has: without it a model cannot learn what else there is.",
	On: func(f *model.Adapter) []model.Subject {
		s := model.Subject{Adapter: f, Name: "introspect"}
		if f.Introspect == "" && (len(askable(f)) == 0 || !slices.ContainsFunc(f.Tools, probes.Tool.TakesOperation)) {
			s = s.WithRuling(ruling.NotProven("a tool that takes operations", "none").Because("AQL-2.1-01"))
		}
		return []model.Subject{s}
	},
	Ask: func(s model.Subject) []probes.Probe {
		if s.Introspect != "" {
			return model.Listing(s)
		}
		var ps []probes.Probe
		for _, t := range askable(s.Adapter) {
			ps = append(ps, s.Listing().To(t))
		}
		return ps
	},
	Handles: check.Unanswered,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got {
			switch {
			case o.Succeeded() && check.HasListOf(o.Data(), "operations"):
				return ruling.Conforms().By(o)
			case o.Lost():
				rs = append(rs, ruling.NotProven("an answer to introspect", o).Because("AQL-3.2-03"))
			case o.Deferred():
				rs = append(rs, ruling.NotProven("an identity that may introspect", o).Mend("give the credentials the adapter asks for"))
			default:
				rs = append(rs, ruling.Violates("a list of operations", o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "implement introspect with the queries operations and types",
}

// Section 7.2.
var introspectIsClassifiedAsRead = check.Check{
	Requirement: "AQL-7.2-02",
	Rule:        "Wherever introspect is described its semantic category is READ.",
	Why:         "introspect is a READ operation wherever it is described: a client that fears effects would otherwise not dare to ask.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.Listing(), s.Lookup("operations", "introspect").As("record of introspect")}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		lookup := got.Step("record of introspect")
		entry, record := s.Op.Summary, lookup.Data().At("operation")
		if !entry.Is(probes.Object) && !record.Is(probes.Object) {
			return ruling.NotApplicable("introspect does not describe itself")
		}
		shown := 0
		for _, c := range []struct {
			category probes.Value
			answer   probes.Observation
		}{{entry.At("semantic_category"), got[0]}, {record.At("semantic_category"), lookup}} {
			switch {
			case !c.category.Is(probes.String):
			case !strings.EqualFold(c.category.Text(), "READ"):
				return ruling.Violates("the category READ for introspect", c.category).By(c.answer)
			default:
				shown++
			}
		}
		if shown == 0 {
			return ruling.NotProven("a category of introspect", "none shown").Because("AQL-6.1-01")
		}
		return ruling.Conforms().By(got...)
	},
	Fix: "list introspect with semantic_category READ",
}

// Section 7.2.
var introspectDemandsItsQueryParameter = check.Check{
	Requirement: "AQL-7.2-03",
	Rule:        "query is a required string parameter of introspect.",
	Why:         "The query says what is wanted; an adapter that guesses hides a client's mistake.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{
			s.DocumentedListing(), s.Lookup("operations", "introspect").As("record of introspect"),
			s.Query(map[string]any{}).As("without query: no parameters"),
			s.Query(nil).As("without query: no params"),
			s.Query(map[string]any{"name": "introspect"}).As("without query: only a name"),
			s.Query(map[string]any{"query": 5}).As("query of another type: number"),
			s.Query(map[string]any{"query": []any{"operations"}}).As("query of another type: array"),
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if !got[0].Succeeded() {
			return ruling.NotProven("an operations query that succeeds", got[0]).Because("AQL-7.2-04")
		}
		defaulted := false
		for _, p := range probes.ReadParameters(got.Step("record of introspect").Data().At("operation")) {
			defaulted = defaulted || p.Name == "query" && !p.Required && p.Raw.Has("default")
		}
		var rs []ruling.Ruling
		for _, o := range got.Under("without query") {
			const what = "a request without query"
			if o.Succeeded() && defaulted {
				rs = append(rs, ruling.Departs("a refusal of "+what, o).Noting("the default is documented"))
				continue
			}
			rs = append(rs, refusing(o, what))
		}
		for _, o := range got.Under("query of another type") {
			rs = append(rs, refusing(o, "a query that is no string"))
		}
		return ruling.Worst(rs...)
	},
	Fix: "refuse an introspect request whose query is missing or no string",
}

// Section 7.2.
var bothQueryKindsAreAnswered = check.Check{
	Requirement: "AQL-7.2-04",
	Rule:        "The queries operations and types both work with arguments nested in params and without a name.",
	Why:         "Operations and the types they use are both to be discovered; one without the other leaves requests that cannot be built.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.DocumentedListing().As("operations"), s.TypesListing().As("types")}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		if demandsNoQuery(s) {
			return ruling.Violates("an answer to the query operations", got[0]).Noting(
				fmt.Sprintf("without query the answer lists %d operations: %s", len(s.Operations), someNames(s)))
		}
		for _, query := range []string{"operations", "types"} {
			o := got.Step(query)
			switch {
			case o.Deferred():
				rs = append(rs, ruling.NotProven("an answer to the query "+query, o))
			case !o.Succeeded():
				rs = append(rs, ruling.Violates("an answer to the query "+query, o))
			case !check.HasListOf(o.Data(), query):
				rs = append(rs, ruling.Violates("a list of "+query, o.Data()).By(o))
			default:
				rs = append(rs, ruling.Conforms().By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer params {\"query\":\"operations\"} and {\"query\":\"types\"}, both without a name",
}

// someNames are the first operations of the listing.
func someNames(s model.Subject) string {
	var names []string
	for _, o := range s.Operations[:min(len(s.Operations), 3)] {
		names = append(names, o.Name)
	}
	return strings.Join(names, ", ")
}

// Section 7.2.
var unsupportedQueryKindIsRefused = check.Check{
	Requirement: "AQL-7.2-05",
	Rule:        "An unsupported query value is refused.",
	Why:         "A query the adapter does not know must not be answered with something else, or a client takes that for what it asked.",
	On:          model.IntrospectSubject,
	Ask: func(s model.Subject) []probes.Probe {
		query := func(q string) probes.Probe { return s.Query(map[string]any{"query": q}) }
		return append([]probes.Probe{s.DocumentedListing()},
			query("aqlx_"+s.Nonce).As("a query that does not exist"),
			query("").As("an empty query"),
			query("Operations").As("a query in another letter case"))
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if !got[0].Succeeded() {
			return ruling.NotProven("an operations query that succeeds", got[0]).Because("AQL-7.2-04")
		}
		rs := []ruling.Ruling{refusing(got.Step("a query that does not exist"), "a query that does not exist")}
		for _, what := range []string{"an empty query", "a query in another letter case"} {
			o := got.Step(what)
			r := refusing(o, what)
			if o.Succeeded() {
				r = ruling.Departs("a refusal of "+what, o)
			}
			rs = append(rs, r)
		}
		return ruling.Worst(rs...)
	},
	Fix: "refuse every query but operations, types and those you document",
}
