package reports_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// A badge outlives its run: it must not say more than was proven.
func TestBadge(t *testing.T) {
	all := rows()
	held := func(except ...reports.Finding) []reports.Finding {
		var fs []reports.Finding
		for _, row := range all {
			if row.State == "checked" {
				fs = append(fs, reports.Finding{Requirement: row.ID, Verdict: reports.Pass, Subject: "adapter"})
			}
		}
		return append(fs, except...)
	}
	fail := func(id string) reports.Finding {
		return reports.Finding{Requirement: id, Verdict: reports.Fail, Subject: "b"}
	}
	asked := func(edit func(*reports.Run)) reports.Run { r := run(); edit(&r); return r }
	two := asked(func(r *reports.Run) { r.Level = 2 })
	for _, tc := range []struct {
		name           string
		run            reports.Run
		findings       []reports.Finding
		message, color string
	}{
		{"all holds", two, held(), "level 2", "brightgreen"},
		{"level 2 fails", two, held(fail("AQL-10.1-08")), "level 1", "yellow"},
		{"level 1 fails", two, held(fail("AQL-4.3-01")), "not conformant", "red"},
		{"warned", run(), held(fail("INT-3.4-05")), "level 2", "brightgreen"},
		{"warned and strict", asked(func(r *reports.Run) { r.Strict = true }), held(fail("INT-3.4-05")), "level 2", "yellow"},
		{"fails in the informative text", asked(func(r *reports.Run) { r.Basis = "normative" }), held(fail("INT-8.1-01")), "level 2 (normative text)", "brightgreen"},
		{"nothing seen", two, nil, "not proven", "lightgrey"},
		{"cut short", asked(func(r *reports.Run) { r.Interrupted = true }), held(), "interrupted", "lightgrey"},
		{"not judged", asked(func(r *reports.Run) { r.Conclusion = "no adapter" }), nil, "not judged", "lightgrey"},
		{"one part", asked(func(r *reports.Run) { r.Shard = &reports.Shard{Index: 1, Of: 2} }), held(), "part 1/2", "lightgrey"},
		{"one part fails", asked(func(r *reports.Run) { r.Shard = &reports.Shard{Index: 1, Of: 2} }), held(fail("AQL-4.3-01")), "not conformant", "red"},
		{"checker fault", run(), held(fail("AQL-0-00")), "checker fault", "lightgrey"},
	} {
		var b bytes.Buffer
		if err := reports.Conclude(tc.run, all, tc.findings).WriteBadge(&b); err != nil {
			t.Fatal(err)
		}
		var got struct {
			SchemaVersion         int
			Label, Message, Color string
		}
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if got.SchemaVersion != 1 || got.Label != "MCP-AQL v1.0.0-draft" || got.Message != tc.message || got.Color != tc.color {
			t.Errorf("%s: %+v, want %s in %s", tc.name, got, tc.message, tc.color)
		}
	}
}
