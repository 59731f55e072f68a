package suites

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
	diff "github.com/google/go-cmp/cmp"
)

// The ambient checks come to the same whether they look at the replies of a run when it
// is over or at some of them before, in whatever order.
func TestALookoutMayComeEarly(t *testing.T) {
	long(t)
	r := judged(t, adapter.Config{Mode: "all", Fault: "INT-8.1.3-02.stack-in-details"}, inProcess, plan.Selection{Checks: All()})
	all := func(l *plan.AmbientMonitor) []reports.Finding {
		var found []reports.Finding
		made := l.Findings(r.Record)
		for _, c := range r.Plan.Cases {
			if findings := made[c]; findings != nil {
				found = append(found, findings()...)
			}
		}
		return found
	}
	want := all(r.Plan.NewAmbientMonitor())
	if !slices.ContainsFunc(want, func(f reports.Finding) bool { return f.Verdict == reports.Fail }) {
		t.Fatal("no ambient check accuses anybody")
	}
	early := r.Plan.NewAmbientMonitor()
	n := len(r.Record.Keys)
	for _, part := range [][2]int{{n / 2, n}, {n / 4, n * 2 / 3}, {0, 1}} {
		some := probes.Record{Keys: r.Record.Keys[part[0]:part[1]], Observations: r.Record.Observations[part[0]:part[1]]}
		early.Update(some, 3)
	}
	if d := diff.Diff(want, all(early)); d != "" {
		t.Errorf("late (-) and early (+):\n%s", d)
	}
}

// What goes wrong while the lookout reads the record is kept for whoever wants the findings,
// and nothing of it goes on once it has settled.
func TestALookoutKeepsItsTrouble(t *testing.T) {
	l := (&plan.Plan{}).NewAmbientMonitor()
	l.Poll(func() probes.Record { panic("the record is closed") })
	l.Wait()
	defer func() {
		if r := recover(); r != "the record is closed" {
			t.Errorf("the findings say %v", r)
		}
	}()
	l.Findings(probes.Record{})
}
