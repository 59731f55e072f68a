package suites

import (
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// What counts seconds may stand still between two reads and go on over the refused update behind them, which did nothing to it.
func TestClocksGoOnByThemselves(t *testing.T) {
	left := 3600
	answered := func(call, e map[string]any) {
		data, _ := objectAt(e, "data")
		refused, _ := objectAt(e, "error")
		if refused["code"] == "CONFLICT_VERSION_MISMATCH" || call["operation"] == "get_note" && left < 3600 {
			left--
		}
		if call["operation"] == "get_note" && data["note_id"] != nil {
			data["expires_in"] = left
		}
	}
	served := stand.Config{Mode: "all", Features: "usual," + adapter.Etags}
	r := judgedAs(t, served, inFront(nil, answered), plan.Selection{Checks: All(), Run: []string{"AQL-9.3.2-05"}}, hintsFor(t, seam.Fault{}))
	passed := false
	for _, f := range r.Findings {
		passed = passed || f.Requirement == "AQL-9.3.2-05" && f.Verdict == reports.Pass
		if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
			t.Errorf("%s %s %s: %s", f.Verdict, f.Requirement, f.Subject, f.Got)
		}
	}
	if !passed || left == 3600 {
		t.Error("the refused update was not judged")
	}
}
