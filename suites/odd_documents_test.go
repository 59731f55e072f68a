package suites

import (
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// Where a document contradicts itself, the document is at fault, and nothing else: no value fits
// the bounds that it names, so nobody can tell what the handler should take.
func TestContradictionIsOneRow(t *testing.T) {
	long(t)
	for _, pair := range [][2]string{{"minimum", "maximum"}, {"minLength", "maxLength"}} {
		t.Run(pair[0], func(t *testing.T) {
			t.Parallel()
			swapped := inFront(nil, func(_, e map[string]any) {
				eachObject(e, func(m map[string]any) {
					if low, high := m[pair[0]], m[pair[1]]; low != nil && high != nil {
						m[pair[0]], m[pair[1]] = high, low
					}
				})
			})
			r := judgedAs(t, adapter.Config{Mode: "all"}, swapped, plan.Selection{Checks: All()}, hintsFor(t, adapter.Fault{}))
			blamed := 0
			for _, f := range r.Findings {
				switch {
				case f.Verdict != reports.Fail && f.Verdict != reports.Warn:
				case f.Requirement == "INT-3.4-15":
					blamed++
				default:
					t.Errorf("%s %s %s: want %s, got %s", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got)
				}
			}
			if blamed == 0 {
				t.Error("the contradiction is not found")
			}
		})
	}
}
