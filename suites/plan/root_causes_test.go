package plan

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// "error": null in successes and "data": null in failures are one defect of one serializer. Two members that
// one record lacks are two defects, and so are two limits and two lookups, although they share a group.
func TestMarkRootCauses(t *testing.T) {
	for _, c := range []struct{ requirement, subject, root string }{
		{"AQL-5.1-05", "introspect", "AQL-5.1-03"},
		{"AQL-5.1-03", "introspect", ""},
		{"AQL-5.1-03", "get_note", ""},
		{"AQL-6.2-03", "introspect", ""},
		{"AQL-5.1-05", "list_notes", ""},
		{"INT-3.3-06", "get_note", ""},
		{"INT-3.3-08", "get_note", ""},
		{"INT-4.3-01", "introspect", ""},
		{"INT-8.1-09", "introspect", ""},
		{"AQL-4.7.5-01", "create_note", ""},
		{"AQL-4.7.5-04", "create_note", ""},
		{"AQL-4.7.5-05", "create_note", ""},
		{"AQL-4.5.3-04", "update_note", ""},
		{"AQL-4.5.3-08", "update_note", ""},
		{"MCP-RPC-05", "introspect", ""},
		{"MCP-RPC-06", "introspect", ""},
		{"AQL-4.5.1-06", "update_note", ""},
		{"AQL-4.5.1-07", "update_note", "AQL-4.5.1-06"},
	} {
		all := []string{"AQL-5.1-03 get_note", "AQL-5.1-03 introspect", "INT-3.3-06 get_note", "INT-4.3-01 introspect", "AQL-4.7.5-01 create_note",
			"AQL-4.7.5-04 create_note", "AQL-4.5.3-04 update_note", "MCP-RPC-05 introspect", "AQL-4.5.1-06 update_note"}
		found := []reports.Finding{{Requirement: c.requirement, Verdict: reports.Fail, Subject: c.subject}}
		for _, other := range all {
			id, subject, _ := strings.Cut(other, " ")
			if id != c.requirement {
				found = append(found, reports.Finding{Requirement: id, Verdict: reports.Fail, Subject: subject})
			}
		}
		if got := markRootCauses(found)[0].RootCause; got != c.root {
			t.Errorf("%s on %s: root %q, want %q", c.requirement, c.subject, got, c.root)
		}
	}
	passed := markRootCauses([]reports.Finding{{Requirement: "AQL-5.1-05", Verdict: reports.Pass}, {Requirement: "AQL-5.1-03", Verdict: reports.Fail}})
	if passed[0].RootCause != "" {
		t.Error("a pass has a root cause")
	}
	for id, root := range oneMend {
		if _, ok := catalogue.Lookup(id); !ok {
			t.Errorf("no requirement %s", id)
		}
		if _, ok := catalogue.Lookup(root); !ok || oneMend[root] != "" {
			t.Errorf("%s is no requirement, or has a root of its own", root)
		}
	}
}
