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
		r := reports.Conclude(run, rows(), []reports.Finding{{Requirement: "AQL-4.6-01", Verdict: reports.Pass, Subject: "get_widget"}})
		var buf bytes.Buffer
		if err := r.WriteText(&buf, reports.TextOptions{Quiet: true}); err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(buf.String()), " ")
	}
	few := text("--run AQL-4.6-01")
	for _, want := range []string{"passed AQL-4.6-01", "nothing failed of what was asked for, but only a whole run grants a level; level reached: none"} {
		if !strings.Contains(few, want) {
			t.Errorf("no %q in %s", want, few)
		}
	}
	if whole := text(); strings.Contains(whole, "passed") || strings.Contains(whole, "of what was asked for") {
		t.Errorf("a whole run: %s", whole)
	}
}
