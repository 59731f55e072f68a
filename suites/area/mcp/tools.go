package mcp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 2.1.
var serverOffersToolsThatTakeOperations = check.Check{
	Requirement: "AQL-2.1-01",
	Rule:        "The adapter is an MCP server on which at least one tool accepts the operation request.",
	Why:         "MCP-AQL is spoken through tools: without one that takes an operation there is nothing a request could be sent to.",
	On:          model.WholeAdapter,
	Drive: func(s model.Subject, ask model.AskFunc) {
		for _, page := range s.Pages {
			ask(page)
		}
		switch {
		case s.Introspect != "":
			ask(s.Listing().As("listing"))
			return
		case len(s.Tools) == 0:
			ask(s.Pages[0].Anew("late tools: second tool list")) // an adapter may add its tools after the start
			ask(check.Handshake(s).As("late tools: handshake"))
		}
		takes, reads := approachable(s.Adapter)
		for _, tool := range takes {
			ask(probes.Call(s.Conn, tool, "introspect", map[string]any{"query": "operations"}))
			ask(check.UnknownOperation(s.Adapter, tool))
		}
		for _, tool := range reads {
			ask(probes.Call(s.Conn, tool, "introspect", map[string]any{"query": "operations"}))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		const want = "a tool that takes operation"
		page := got[0]
		takes, reads := approachable(s.Adapter)
		calls := slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Method != "" })
		answered := slices.IndexFunc(calls, func(o probes.Observation) bool {
			return (o.Succeeded() || o.Refused()) && slices.Contains(takes, o.Probe.Tool)
		})
		deferred := func(o probes.Observation) bool { return o.Deferred() }
		none := s.Introspect == "" && len(s.Tools) == 0
		switch {
		case s.Introspect != "":
			return ruling.Conforms().By(page, got.Step("listing"))
		case page.Deferred():
			return ruling.NotProven(want, page).Mend("supply the credentials the server asks for")
		case len(calls) > 0 && !slices.ContainsFunc(calls, func(o probes.Observation) bool { return !deferred(o) }):
			return ruling.NotProven(want, calls[0]).Mend("supply the credentials the server asks for")
		case page.RefusedBelow():
			return ruling.Violates("a list of tools", page)
		case !page.Result().At("tools").Is(probes.Array):
			return ruling.NotProven(want, "no array of tools").Because("MCP-LIST-02").By(page)
		case none && len(got.Step("late tools: second tool list").Result().At("tools").Items()) > 0:
			return ruling.NotProven("the tools from the start", "tools that came later").Mend("run again once the tools are there")
		case none && check.ListChangedFlag(got.Step("late tools: handshake")).True():
			return ruling.NotProven(want, "a list that is empty and may change").By(page).Mend("run again once the tools are there")
		case none:
			return ruling.Violates(want, "an empty list of tools").By(page)
		case answered >= 0:
			return ruling.Conforms().By(page, calls[answered])
		case len(takes) > 0:
			return ruling.NotProven(want+" and answers in the envelope", calls[0]).Because("AQL-7.2-01")
		case len(reads) < len(s.Tools):
			return ruling.NotProven(want, fmt.Sprintf("%d tools that take none and may not be tried", len(s.Tools)-len(reads)))
		}
		return ruling.Violates(want, "tools that take none: "+strings.Join(reads, ", ")).By(page, calls[0])
	},
	Fix: "expose a tool whose inputSchema has the property operation",
}

// approachable returns the tools that take an operation and those that present
// themselves as readers; no other tool may be tried without permission.
func approachable(f *model.Adapter) (takes, reads []string) {
	reader := regexp.MustCompile(`(?i)aql|introspect|discover|read|query`)
	for _, t := range f.Tools {
		switch {
		case t.Name == "":
		case t.TakesOperation():
			takes = append(takes, t.Name)
		case t.Raw.At("annotations", "readOnlyHint").True(), reader.MatchString(t.Name):
			reads = append(reads, t.Name)
		}
	}
	return takes, reads
}
