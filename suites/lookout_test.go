package suites

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
	diff "github.com/google/go-cmp/cmp"
)

// The ambient checks come to the same whether they look at the replies of a run when it
// is over or at some of them before, in whatever order.
func TestALookoutMayComeEarly(t *testing.T) {
	portion.Long(t)
	r := judged(t, stand.Config{Mode: "all", Fault: "INT-8.1.3-02.stack-in-details"}, inProcess, plan.Selection{Checks: All()})
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
	want := all(r.Plan.NewAmbientMonitor(func(n int) []*probes.Kept { return r.Record.Observations[n:] }))
	if !slices.ContainsFunc(want, func(f reports.Finding) bool { return f.Verdict == reports.Fail }) {
		t.Fatal("no ambient check accuses anybody")
	}
	shuffled, come := slices.Clone(r.Record.Observations), 0
	rand.New(rand.NewPCG(7, 7)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	early := r.Plan.NewAmbientMonitor(func(n int) []*probes.Kept {
		come = min(come+len(shuffled)/3, len(shuffled))
		return shuffled[n:come]
	})
	for range 2 {
		early.Poll()
		early.Wait()
	}
	come = len(shuffled)
	if d := diff.Diff(want, all(early)); d != "" {
		t.Errorf("late (-) and early (+):\n%s", d)
	}
}

// What goes wrong while the lookout reads the record is kept for whoever wants the findings,
// and nothing of it goes on once it has settled.
func TestALookoutKeepsItsTrouble(t *testing.T) {
	l := (&plan.Plan{}).NewAmbientMonitor(func(int) []*probes.Kept { panic("the record is closed") })
	l.Poll()
	l.Wait()
	defer func() {
		if r := recover(); r != "the record is closed" {
			t.Errorf("the findings say %v", r)
		}
	}()
	l.Findings(probes.Record{})
}
