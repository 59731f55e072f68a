package suites

import (
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/habits"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// Habits that were accused once: none of these requirements is a FAIL or WARN, and each is
// judged as the table says where it says so.
func TestHabitsAreJudgedFairly(t *testing.T) {
	for _, c := range []struct {
		axis, habit, run string
		want             reports.Verdict // of one finding at least; empty if any will do
	}{
		{"made before", "the draft of the library is answered", "OPS-5.4-09 INT-8.2-03", reports.NotProven},
		{"made before", "the note of that title is answered", "OPS-5.4-09 INT-8.2-03", reports.Pass},
		{"create answers", "identifier", "OPS-5.4-09 INT-8.2-03", reports.Pass},
		{"code of a wrong endpoint", "a permission", "AQL-6.2-03 AQL-6.2-04 AQL-6.2-06 AQL-3.2-02", reports.Pass},
	} {
		t.Run(c.axis+"/"+c.habit, func(t *testing.T) {
			t.Parallel()
			served := stand.Config{Mode: "all", Description: habits.Described(0, map[string]string{c.axis: c.habit})}
			r := judgedAs(t, served, inProcess, plan.Selection{Checks: All(), Run: strings.Fields(c.run)}, hintsFor(t, seam.Fault{}))
			met := c.want == ""
			for _, f := range r.Findings {
				if !slices.Contains(strings.Fields(c.run), f.Requirement) {
					continue
				}
				if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
					t.Errorf("%s %s %s: want %s, got %s", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
				}
				met = met || f.Verdict == c.want
			}
			if !met {
				t.Errorf("nothing is %s", c.want)
			}
		})
	}
}
