package suites

import (
	"cmp"
	"os"
	"strconv"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// seeds are the seeds each seeded defect is looked for with; AQL_CONFORM_SEEDS asks
// for more than the one that a plain test run has time for.
func seeds() int {
	n, err := strconv.Atoi(os.Getenv("AQL_CONFORM_SEEDS"))
	if err != nil {
		return 1
	}
	return n
}

// Every seeded defect is found by generated input, under its own requirement and
// no other, and cut down to what a person can read.
func TestGeneratedInputFindsTheSeeded(t *testing.T) {
	portion.InTurn(t)
	ran := 0
	for _, fault := range faults.All() {
		if fault.Phase == "" || fault.Phase == "load" {
			continue
		}
		if ran++; sampled() && ran%20 != 1 || !sampled() && !portion.OneOf(ran, 20) {
			continue
		}
		name := fault.ID + "." + fault.Variant
		t.Run(fault.Phase+"/"+name, func(t *testing.T) {
			t.Parallel()
			for seed := range seeds() {
				effort := fullEffort
				effort.Seed = uint64(41 + seed)
				p := played(t, stand.Config{Mode: cmp.Or(fault.Mode, "all"), Profile: fault.Profile, Fault: name}, effort)
				found := false
				for _, r := range p.Reductions {
					found = found || r.Breach.Requirement == fault.ID && r.Repeated == generated.Repeats
				}
				if !found {
					t.Errorf("seed %d: %s: not found", effort.Seed, fault.Defect)
				}
				modest(p, t, fault)
			}
		})
	}
	if ran != 38 {
		t.Errorf("%d defects are seeded, want 38", ran)
	}
}

// modest fails where another requirement is accused as well, or where the script
// that is printed is longer than its defect needs.
func modest(p *plan.Plan, t *testing.T, fault seam.Fault) {
	t.Helper()
	for _, f := range p.FromGenerated(nil) {
		if f.Requirement != fault.ID && (f.Verdict == reports.Fail || f.Verdict == reports.Warn) {
			t.Errorf("%s also accuses %s of %s: want %s, got %s", fault.Defect, f.Requirement, f.Subject, f.Want, f.Got)
		}
	}
	for _, r := range p.Reductions {
		if r.Breach.Requirement != fault.ID {
			continue
		}
		calls, parameters := len(r.Script.Steps), 0
		for _, st := range r.Script.Steps {
			parameters = max(parameters, len(st.Params))
		}
		t.Logf("%s: %d calls, %d parameters, from %d calls: %v", fault.ID+"."+fault.Variant, calls, parameters, len(r.From.Steps), r.Script.Steps)
		if calls > 4 || parameters > 3 {
			t.Errorf("%s is shown by %d calls of up to %d parameters, which no reader takes in at once", fault.Defect, calls, parameters)
		}
	}
}
