package reports_test

import (
	"cmp"
	"fmt"
	"time"

	"github.com/aql-conform/aql-conform/reports"
)

// rows is a small catalogue: every level, severity, authority and state.
func rows() []reports.Requirement {
	row := func(id, title, area, section string, level int, edit ...func(*reports.Requirement)) reports.Requirement {
		r := reports.Requirement{
			ID: id, Title: title, Area: area, Section: "spec " + section, Authority: "normative",
			Keyword: "MUST", Severity: "fail", Level: level, State: "checked", Statement: title + ".",
		}
		for _, e := range edit {
			e(&r)
		}
		return r
	}
	core := func(r *reports.Requirement) { r.Core = true }
	should := func(r *reports.Requirement) { r.Keyword, r.Severity = "SHOULD", "warn" }
	informative := func(r *reports.Requirement) { r.Authority, r.Section = "informative", "introspection"+r.Section[4:] }
	state := func(s string) func(*reports.Requirement) { return func(r *reports.Requirement) { r.State = s } }
	return []reports.Requirement{
		row("AQL-10.1-08", "level 2 supports both endpoint modes", "levels", "10.1", 2, core),
		row("AQL-4.1-01", "request without operation is refused", "request", "4.1", 1, core),
		row("AQL-4.3-01", "parameter names are snake_case", "naming", "4.3", 1),
		row("AQL-4.6-01", "unknown parameter is refused", "parameters", "4.6", 1, core),
		row("AQL-4.7.1-05", "repaired text is not passed on", "encoding", "4.7.1", 1, state("untested")),
		row("AQL-4.8-01", "parameter types are enforced", "parameters", "4.8", 1),
		row("AQL-5.1-01", "every answer is a discriminated envelope", "response", "5.1", 1, core),
		row("AQL-6.2-03", "misrouted operation is refused", "routing", "6.2", 1, core),
		row("AQL-6.2.1-01", "refused call names the right endpoint", "routing", "6.2.1", 0, should),
		row("AQL-7.3-03", "types listing is an array of summaries", "types", "7.3", 1),
		row("AQL-7.3-04", "every listed type has details", "types", "7.3", 1),
		row("AQL-8.4.2-01", "state transitions follow the diagram", "lifecycle", "8.4.2", 0),
		row("AQL-8.6-02", "confirmation token is used once", "confirmation", "8.6", 0),
		row("AQL-8.7-01", "batch keeps the order of its items", "batch", "8.7", 0),
		row("AQL-7.3-09", "unknown query type is refused", "introspection", "7.3", 1),
		row("AQL-9.9-01", "clocks agree", "concurrency", "9.9", 1, state("excluded")),
		row("INT-3.4-05", "type fields are described", "types", "3.4", 0, should, informative),
		row("INT-4.3-01", "unknown name gives success with null", "introspection", "4.3", 1, informative),
		row("INT-8.1-01", "error text does not leak the implementation", "leaks", "8.1.3", 1, informative),
	}
}

// findings is a run in which everything a report can show happens once. The
// adapter writes escapes, direction overrides and broken UTF-8 wherever it can.
func findings() []reports.Finding {
	fs := []reports.Finding{
		{Requirement: "AQL-5.1-01", Verdict: reports.Pass, Subject: "create_widget", Elapsed: 3 * time.Millisecond},
		{Requirement: "AQL-5.1-01", Verdict: reports.Pass, Subject: "introspect", Elapsed: 2 * time.Millisecond, Note: "isError is set on failures"},
		{Requirement: "AQL-4.1-01", Verdict: reports.Pass, Subject: "adapter", Elapsed: 4 * time.Millisecond},
		{Requirement: "AQL-6.2-03", Verdict: reports.Pass, Subject: "get_widget", Elapsed: 2 * time.Millisecond},
		{Requirement: "AQL-6.2-03", Verdict: reports.NotProven, Subject: "run_report", Got: "operation not called",
			Want: "a refusal by another endpoint", Fix: "permission to call EXECUTE operations: --allow execute"},
		{Requirement: "AQL-10.1-08", Verdict: reports.NotProven, Subject: "adapter", Want: "an answer in single mode",
			Got: "one endpoint mode only", Fix: "the adapter in its other endpoint mode: --also-cmd"},
		{Requirement: "AQL-8.4.2-01", Verdict: reports.NotProven, Subject: "run_report", Want: "a lifecycle to watch",
			Got: "operation not called", Fix: "permission to call EXECUTE operations: --allow execute"},
		{Requirement: "AQL-8.6-02", Verdict: reports.NotApplicable, Subject: "adapter", Want: "a confirmation token", Got: "no operation asks for confirmation"},
		{Requirement: "AQL-4.3-01", Verdict: reports.Skipped, Subject: "adapter", Want: "names in snake_case", Got: "skipped by --skip AQL-4.3-01"},
		{Requirement: "INT-4.3-01", Verdict: reports.Fail, Subject: "introspect", Want: "success with data null", Got: "failure NOT_FOUND_OPERATION",
			Fix: "answer an unknown name with success and null", Note: "read as MUST by introspection 4.3; the normative text is silent",
			Again: "aql-conform --cmd './my-adapter --mode all' --run INT-4.3-01 --seed 41", Elapsed: 5 * time.Millisecond,
			Evidence: []reports.Exchange{{Frames: []int{14, 15}, Conn: "main", Outcome: "failure NOT_FOUND_OPERATION", Elapsed: 1500 * time.Microsecond,
				Sent:  []byte(`{"operation":"introspect","params":{"query":"operations","name":"aqlc_k3f9"}}`),
				Reply: []byte(`{"success":false,"error":{"code":"NOT_FOUND_OPERATION","message":"no operation aqlc_k3f9; there are create_widget, get_widget, list_widgets, delete_widget"}}`)}}},
		{Requirement: "AQL-7.3-03", Verdict: reports.Fail, Subject: "introspect", Want: "an array", Got: "an object",
			Fix: "answer query types with an array of {name, kind}", Elapsed: time.Millisecond,
			Again: "aql-conform --cmd './my-adapter --mode all' --run AQL-7.3-03 --subject introspect --seed 41",
			Evidence: []reports.Exchange{{Frames: []int{20, 21}, Conn: "main", Outcome: "garbled", Elapsed: 900 * time.Microsecond,
				Sent:  []byte(`{"operation":"introspect","params":{"query":"types"}}`),
				Reply: []byte("{\"success\":true,\"data\":{\"types\":\"\x1b[2J\xff\xfe\u202e\"}}")}}},
		{Requirement: "AQL-7.3-04", Verdict: reports.NotProven, Subject: "introspect", Want: "a listed type", Got: "no types could be read",
			Fix: "a types listing", RootCause: "AQL-7.3-03"},
		{Requirement: "AQL-7.3-09", Verdict: reports.Fail, Subject: "introspect", Want: "a refusal", Got: "an object",
			Fix: "see the types listing", RootCause: "AQL-7.3-03", Elapsed: time.Millisecond},
		{Requirement: "AQL-8.7-01", Verdict: reports.Fail, Subject: "adapter", Want: "results in the order of the items", Got: "results by operation name",
			Fix: "answer item by item", Elapsed: 3 * time.Millisecond,
			Evidence: []reports.Exchange{
				{Frames: []int{90, 91}, Conn: "main", Outcome: "success", Sent: []byte(`{"operation":"batch"}`), Reply: []byte(`{"success":true,"data":1}`)},
				{Frames: []int{92, 93}, Conn: "main", Outcome: "success", Sent: []byte(`{"operation":"batch"}`), Reply: []byte(`{"success":true,"data":2}`)},
				{Frames: []int{94, 95}, Conn: "main", Outcome: "success", Sent: []byte(`{"operation":"batch"}`), Reply: []byte{}}}},
		{Requirement: "AQL-4.8-01", Verdict: reports.NotProven, Subject: "create_widget", Want: "a valid call to vary",
			Got: "no valid value for owner_id", Fix: "a value for create_widget.owner_id in the hints file"},
		{Requirement: "INT-8.1-01", Verdict: reports.Fail, Subject: "find_\x1b[31mwidget\u202e", Want: "a message for the caller",
			Got:   "a stack trace: \"TypeError: Cannot read properties of undefined (reading 'x')\n    at Object.find (widgets.js:12:9)\x1b[0m\"",
			Fix:   "answer INTERNAL_ERROR with a sentence, and log the rest",
			Again: "aql-conform --cmd './my-adapter --mode all' --run INT-8.1-01 --seed 41", Elapsed: 7 * time.Millisecond,
			Evidence: []reports.Exchange{{Frames: []int{30}, Conn: "main", Outcome: "silent", Elapsed: 10 * time.Second, Sent: []byte(`{"operation":"find_widget"}`)}}},
		{Requirement: "INT-3.4-05", Verdict: reports.Warn, Subject: "Widget", Want: "a description of each field",
			Got: "no description on size, colour", Fix: "describe each field", Elapsed: time.Millisecond},
		{Requirement: "AQL-6.2.1-01", Verdict: reports.Fail, Subject: "get_widget", Want: "code VALIDATION_ENDPOINT_MISMATCH",
			Got: "code VALIDATION_ERROR", Fix: "use the code that tells the caller to change the tool"},
	}
	for i := range 10 {
		fs = append(fs, reports.Finding{
			Requirement: "AQL-4.6-01", Verdict: reports.Fail, Subject: fmt.Sprintf("list_widgets_%02d", i),
			Want: "error VALIDATION_UNKNOWN_PARAM", Got: "success", Elapsed: 2 * time.Millisecond,
			Fix:   "refuse parameters that the operation does not document; list them in details.unknown_params",
			Again: fmt.Sprintf("aql-conform --cmd './my-adapter --mode all' --run AQL-4.6-01 --subject list_widgets_%02d --seed 41", i),
			Evidence: []reports.Exchange{
				{Frames: []int{40 + 4*i, 41 + 4*i}, Conn: "main", Outcome: "success", Elapsed: 1200 * time.Microsecond,
					Sent: []byte(`{"operation":"list_widgets"}`), Reply: []byte(`{"success":true,"data":[]}`)},
				{Frames: []int{42 + 4*i, 43 + 4*i}, Conn: "main", Outcome: "success", Elapsed: 1100 * time.Microsecond,
					Sent: []byte(`{"operation":"list_widgets","params":{"aqlc_k3f9":true}}`), Reply: []byte(`{"success":true,"data":[]}`)}},
		})
	}
	return fs
}

func run() reports.Run {
	return reports.Run{
		Tool: "aql-conform 0.1.0", Adapter: "./my-adapter --mode all", Implementation: "widgets", Version: "1.4.2",
		Revision: "2025-11-25", Modes: []string{"semantic", "all"}, Profile: "crude", SpecVersion: "v1.0.0-draft",
		Seed: 41, Level: 1, Basis: "all", Started: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC),
		Elapsed: 1234 * time.Millisecond, Asked: 312,
		Routing: &reports.Routing{
			Endpoints: []string{"mcp_aql_create", "mcp_aql_read"},
			Rows: []reports.Route{
				{Operation: "create_widget", Cells: []reports.Cell{reports.Own, reports.Executed}},
				{Operation: "get_widget", Cells: []reports.Cell{reports.Refused, reports.Own}},
				{Operation: "list_widgets", Cells: []reports.Cell{reports.Refused, reports.Own}},
				{Operation: "search_widgets", Cells: []reports.Cell{reports.Otherly, reports.Unknown}},
			},
		},
		Remarks: []string{"introspect was found through mcp_aql_read", "could not remove widget aqlc-k3f9 (delete refused)"},
	}
}

// conclude is the report of the fixed run.
func conclude() *reports.Report {
	r := reports.Conclude(run(), rows(), findings())
	r.Run.Reach = reach()
	return r
}

// reach is how far the fixed run came; the names are those of a hostile adapter.
func reach() *reports.Reach {
	return &reports.Reach{
		Operations: 17, NotReached: []string{"archive_widget", "get_\x1b[31mpart", "merge_<b>widgets"}, NotAllowed: []string{"purge_widgets", "run_report"},
		Kinds: 3, NotLived: []reports.Unlived{{
			Kind: "part", Documented: []string{"create", "read", "list", "delete"}, Missing: []string{"list", "delete"},
		}},
	}
}

// concluded is a run in which nothing could be judged.
func concluded() *reports.Report {
	r := run()
	r.Implementation, r.Version, r.Revision, r.Modes, r.Profile, r.Asked = "", "", "", nil, "", 0
	r.Conclusion = `the adapter ended before it answered initialize (exit status 1)`
	r.Detail = []string{"Error: Cannot find module 'express'", "\x1b[31mNode.js v20.1.0\x1b[0m"}
	r.Remarks = nil
	return reports.Conclude(r, rows(), nil)
}

// accepted is the run held against a baseline from which it departs in every way; the
// words of its entries are as hostile as those of the adapter.
func accepted() *reports.Report {
	r := conclude()
	reason := map[string]string{}
	for _, f := range r.Findings {
		reason[f.Requirement] = cmp.Or(reason[f.Requirement], f.Reason)
	}
	r.Accept(reports.Baseline{File: "known.yaml", Entries: []reports.Known{
		{Line: 3, Requirement: "AQL-4.6-01", Operation: "list_widgets_0*", Reason: reason["AQL-4.6-01"], Owner: "\x1b[31mwidgets", Note: "<b>later</b> @team [x](y) | `z`", Expires: "2026-12-31"},
		{Line: 7, Requirement: "AQL-7.3-03", Operation: "introspect", Reason: "0123456789abcdef", Owner: "types"},
		{Line: 11, Requirement: "AQL-4.1-01", Operation: "adapter", Reason: "0123456789abcdef", Note: "::error::no"},
		{Line: 14, Requirement: "INT-4.3-01", Operation: "introspect", Reason: reason["INT-4.3-01"], Expires: "2026-02-28"},
		{Line: 18, Requirement: "INT-8.1-01", Operation: "get_*", Reason: "0123456789abcdef"},
	}})
	return r
}
