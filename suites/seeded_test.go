package suites

import (
	"cmp"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// The seeded defects escape the checks that ask about each parameter once or
// twice: what finds them is generated input, and nothing else. A test run
// looks at one in six.
func TestSeededDefectsEscapeTheChecks(t *testing.T) {
	portion.Long(t)
	met := map[string]int{}
	for _, fault := range faults.All() {
		if fault.Phase == "" {
			continue
		}
		met[fault.Phase]++
		if n := met["coverage"] + met["negative"] + met["stateful"] + met["random"]; fault.Phase != "load" && (sampled() && n%20 != 1 || !sampled() && !portion.OneOf(n, 24)) {
			continue
		}
		name := fault.ID + "." + fault.Variant
		t.Run(fault.Phase+"/"+name, func(t *testing.T) {
			t.Parallel()
			target := inProcess
			if fault.Transport == "http" {
				target = overHTTP(t)
			}
			if row, known := catalogue.Lookup(fault.ID); !known || row.State() != catalogue.Checked {
				t.Errorf("%s is no checked requirement", fault.ID)
			}
			r := judged(t, stand.Config{Mode: cmp.Or(fault.Mode, "all"), Profile: fault.Profile, Fault: name}, target, plan.Selection{Checks: All()})
			if !slices.ContainsFunc(r.Findings, func(f reports.Finding) bool { return f.Requirement == fault.ID }) {
				t.Errorf("%s was not looked at", fault.ID)
			}
			if got := r.Accused(); len(got) != 0 {
				t.Errorf("%s\nis found without generated input: accused of %v\n%s", fault.Defect, got, r.trace())
			}
		})
	}
	for _, phase := range []string{"coverage", "negative", "stateful", "random"} {
		if met[phase] < 2 {
			t.Errorf("%d seeded defects wait for %s input, want two or more", met[phase], phase)
		}
		delete(met, phase)
	}
	delete(met, "load") // which TestLoadFindsWhatWaitsForIt looks for
	if len(met) != 0 {
		t.Errorf("phases that no input has: %v", met)
	}
}
