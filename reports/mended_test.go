package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// Who mends an adapter asks for one requirement again: the report says that it passed,
// and that this is no level. A whole run lists no hundreds of names.
func TestTextSaysWhatPassedOfAFew(t *testing.T) {
	text := func(narrowed ...string) string {
		run := run()
		run.Narrowed = narrowed
		found := []reports.Finding{{Requirement: "AQL-4.6-01", Verdict: reports.Pass, Subject: "get_widget"}}
		for _, row := range rows() {
			if row.ID != "AQL-4.6-01" && row.State == "checked" {
				found = append(found, reports.Finding{Requirement: row.ID, Verdict: reports.Skipped, Subject: "adapter"})
			}
		}
		r := reports.Conclude(run, rows(), found)
		var buf bytes.Buffer
		if err := r.WriteText(&buf, reports.TextOptions{Quiet: true}); err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(buf.String()), " ")
	}
	few := text("--run AQL-4.6-01")
	for _, want := range []string{"passed AQL-4.6-01", "PASSED AQL-4.6-01 (a part of a run grants no level)"} {
		if !strings.Contains(few, want) {
			t.Errorf("no %q in %s", want, few)
		}
	}
	if whole := text(); strings.Contains(whole, "passed") || strings.Contains(whole, "of what was asked for") {
		t.Errorf("a whole run: %s", whole)
	}
}

// Success after a mend is exit code 0 and no level. It needs the subject that failed: what passes
// elsewhere, or could not be tried again, is not mended.
func TestMended(t *testing.T) {
	on := func(v reports.Verdict, subject string) reports.Finding {
		return reports.Finding{Requirement: "AQL-4.6-01", Verdict: v, Subject: subject}
	}
	for name, tc := range map[string]struct {
		run      func(*reports.Run)
		findings []reports.Finding
		code     int
	}{
		"passed":                       {func(*reports.Run) {}, []reports.Finding{on(reports.Pass, "get_widget")}, 0},
		"failed":                       {func(*reports.Run) {}, []reports.Finding{on(reports.Fail, "get_widget")}, 1},
		"not tried":                    {func(*reports.Run) {}, nil, 5},
		"passed elsewhere alone":       {func(*reports.Run) {}, []reports.Finding{on(reports.Pass, "list_widgets"), on(reports.NotProven, "get_widget")}, 5},
		"not applicable now":           {func(*reports.Run) {}, []reports.Finding{on(reports.NotApplicable, "get_widget")}, 0},
		"gone there, passed elsewhere": {func(*reports.Run) {}, []reports.Finding{on(reports.Pass, "list_widgets"), on(reports.NotApplicable, "get_widget")}, 0},
		"another one":                  {func(r *reports.Run) { r.Rechecked = append(r.Rechecked, "AQL-4.6-02 get_widget") }, []reports.Finding{on(reports.Pass, "get_widget")}, 5},
		"nothing failed before":        {func(r *reports.Run) { r.Rechecked = nil }, []reports.Finding{on(reports.Pass, "get_widget")}, 5},
		"not narrowed":                 {func(r *reports.Run) { r.Narrowed = nil }, []reports.Finding{on(reports.Pass, "get_widget")}, 5},
		"interrupted":                  {func(r *reports.Run) { r.Interrupted = true }, []reports.Finding{on(reports.Pass, "get_widget")}, 130},
		"proof required":               {func(r *reports.Run) { r.RequireProof = true }, []reports.Finding{on(reports.Pass, "get_widget")}, 5},
	} {
		run := run()
		run.Narrowed, run.Rechecked = []string{"--run AQL-4.6-01"}, []string{"AQL-4.6-01 get_widget"}
		tc.run(&run)
		r := reports.Conclude(run, rows(), tc.findings)
		if r.ExitCode != tc.code || r.ConformanceLevel != 0 {
			t.Errorf("%s: exit code %d, level %d; want %d and none", name, r.ExitCode, r.ConformanceLevel, tc.code)
		}
		var buf bytes.Buffer
		if err := r.WriteText(&buf, reports.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(buf.String(), "\nMENDED  "); told != (tc.code == 0) {
			t.Errorf("%s: told mended: %t\n%s", name, told, buf.String())
		}
		if named := strings.Contains(buf.String(), "not proven: AQL-4.6-0"); named != (tc.code == 5 && len(run.Rechecked) > 0 && len(run.Narrowed) > 0 && !run.RequireProof) {
			t.Errorf("%s: named what is open: %t\n%s", name, named, buf.String())
		}
		if claim, _ := r.Claim(); claim != "" {
			t.Errorf("%s: claims %q", name, claim)
		}
	}
}
