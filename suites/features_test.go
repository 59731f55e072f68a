package suites

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// optional lists the features that are judged, with nothing left to build.
var optional = []string{
	"pagination", "field-selection", "aggregations", "computed-fields", "relationship-queries", "confirmation", "lifecycle", "execution-safety-loop", "out-of-band-verification", "batch", "tools-list-changed", "concurrency", "etag",
}

// offered chooses them all.
func offered() string {
	return strings.Join(append([]string{"usual"}, optional...), ",")
}

// A feature that is not offered excuses its requirements: they are not applicable,
// never not proven, and nobody is accused.
func TestFeatureNotOffered(t *testing.T) {
	portion.Long(t)
	for i, feature := range optional {
		if !portion.OneOf(i, 12) {
			continue
		}
		t.Run(feature, func(t *testing.T) {
			t.Parallel()
			all := hintsFor(t, seam.Fault{Features: "all"})
			without := ",-" + feature
			if feature == "lifecycle" {
				without += ",-execution-safety-loop" // the executions of agents have a lifecycle too
			}
			r := judgedAs(t, stand.Config{Mode: "all", Features: offered() + without}, inProcess, plan.Selection{Checks: All()}, all)
			if got := r.Accused(); len(got) != 0 {
				t.Errorf("accused of %v\n%s", got, r.trace())
			}
			excused := 0
			for _, f := range r.Findings {
				row := catalogue.MustLookup(f.Requirement)
				if row.Feature == nil || *row.Feature != feature || row.State() != catalogue.Checked {
					continue
				}
				excused++
				if f.Verdict != reports.NotApplicable {
					t.Errorf("%s %s %s: want not applicable, got %s", f.Verdict, f.Requirement, f.Subject, f.Got)
				}
			}
			if excused == 0 {
				t.Error("no requirement speaks of it")
			}
		})
	}
}

// With every feature on, the adapter is clean, and what each feature promises is
// proven. A test run takes one of the modes.
func TestEveryFeatureOffered(t *testing.T) {
	portion.Long(t)
	for i, mode := range []string{"all", "semantic", "single"} {
		if !portion.OneOf(i, 3) {
			continue
		}
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			all := hintsFor(t, seam.Fault{Features: "all"})
			var open []string
			for try, again := 0, true; again && try < 3; try++ {
				r := judgedAs(t, stand.Config{Mode: mode, Features: offered()}, inProcess, plan.Selection{Checks: All()}, all)
				if got := r.Accused(); len(got) != 0 {
					t.Errorf("accused of %v\n%s", got, r.trace())
				}
				open, again = nil, false
				for _, f := range r.Findings {
					row := catalogue.MustLookup(f.Requirement)
					if row.Feature != nil && slices.Contains(optional, *row.Feature) && f.Verdict == reports.NotProven && row.Severity != "info" {
						open = append(open, fmt.Sprintf("NOT-PROVEN %s %s: want %s, got %s", f.Requirement, f.Subject, f.Want, f.Got))
						again = again || f.Got == "one by one" // a busy machine lets no two requests meet
					}
				}
			}
			for _, o := range open {
				t.Error(o)
			}
		})
	}
}
