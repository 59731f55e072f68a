package plan

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A warning does not hide a failure from generated input, a failure becomes its root cause, and a
// breach that was not repeated explains nothing.
func TestFromGenerated(t *testing.T) {
	f := &model.Adapter{Adapter: &probes.Adapter{Conn: "main", Operations: []probes.Operation{{Name: "create_note"}, {Name: "update_note"}}}}
	seen := func(requirement string, again int) reduction {
		script := model.Script{Steps: []model.Step{{Operation: "create_note", MadeBy: model.NoObject}, {Operation: "update_note"}}}
		b := generated.Breach{Requirement: requirement, Subject: "update_note", Step: 1, Ruling: ruling.Violates("this", "that")}
		return reduction{f, script, generated.Shrunk{Script: script, Breach: b, Repeated: again}}
	}
	warned := seen("AQL-4.5.3-05", 3)
	warned.Breach.Ruling = ruling.Departs("this", "that")
	for _, c := range []struct {
		name    string
		reduced []reduction
		found   []reports.Finding
		want    []reports.Verdict
		root    string // of the last
	}{
		{"alone", []reduction{seen("AQL-4.5.1-04", 3)}, nil, []reports.Verdict{reports.Fail}, ""},
		{"beside a warning of the same kind of object", []reduction{seen("AQL-4.5.1-04", 3)},
			[]reports.Finding{{Requirement: "INT-8.2-01", Verdict: reports.Warn, Subject: "create_note"}}, []reports.Verdict{reports.Fail}, ""},
		{"beside a failure that denies no level", []reduction{seen("AQL-4.5.1-04", 3)},
			[]reports.Finding{{Requirement: "CMP-ARRAY-01", Verdict: reports.Fail, Subject: "create_note.tags"}}, []reports.Verdict{reports.Fail}, ""},
		{"beside a failure of the same weight", []reduction{seen("AQL-4.5.1-04", 3)},
			[]reports.Finding{{Requirement: "AQL-8.1-01", Verdict: reports.Fail, Subject: "create_note"}}, []reports.Verdict{reports.NotProven}, "AQL-8.1-01"},
		{"beside a refusal of metadata", []reduction{seen("AQL-4.5.1-04", 3)},
			[]reports.Finding{{Requirement: "AQL-4.6.1-04", Verdict: reports.Fail, Subject: "create_note"}}, []reports.Verdict{reports.Fail}, ""},
		{"beside an error with words of the language", []reduction{seen("AQL-4.5.1-06", 3)},
			[]reports.Finding{{Requirement: "INT-8.1.3-01", Verdict: reports.Fail, Subject: "create_note"}}, []reports.Verdict{reports.Fail}, ""},
		{"beside flags that do not fit the category", []reduction{seen("AQL-4.5.1-06", 3)},
			[]reports.Finding{{Requirement: "AQL-6.1-02", Verdict: reports.Fail, Subject: "create_note",
				Evidence: []reports.Exchange{{Asked: []byte(`read {"operation":"introspect","params":{"query":"operations","name":"create_note"}}`)}}}}, []reports.Verdict{reports.Fail}, ""},
		{"a second sign of one defect", []reduction{seen("AQL-4.5.1-04", 3), seen("AQL-4.5.1-06", 3)}, nil, []reports.Verdict{reports.Fail, reports.NotProven}, "AQL-4.5.1-04"},
		{"behind a warning of the same defect", []reduction{warned, seen("AQL-4.5.3-04", 3)}, nil, []reports.Verdict{reports.Fail, reports.NotProven}, "AQL-4.5.3-04"},
		{"after one that was not seen again", []reduction{seen("AQL-4.5.1-04", 0), seen("AQL-4.5.1-06", 3)}, nil, []reports.Verdict{reports.Fail}, ""},
	} {
		p := &Plan{Adapters: []*model.Adapter{f}, Reductions: c.reduced}
		got := p.FromGenerated(c.found)
		for i, want := range c.want {
			if i >= len(got) || got[i].Verdict != want {
				t.Errorf("%s: finding %d of %+v, want %s", c.name, i+1, got, want)
			}
		}
		if len(got) != len(c.want) || got[len(got)-1].RootCause != c.root {
			t.Errorf("%s: %d findings, the last because of %q, want %d and %q", c.name, len(got), got[len(got)-1].RootCause, len(c.want), c.root)
		}
	}
}
