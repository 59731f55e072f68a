package suites

import (
	"slices"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reports"
)

// The ambient checks come to the same whether they look at the replies of a run when it
// is over or at some of them before, in whatever order.
func TestALookoutMayComeEarly(t *testing.T) {
	r := judged(t, adapter.Config{Mode: "all", Fault: "INT-8.1.3-02.stack-in-details"}, inProcess, Selection{})
	all := func(l *lookout) []reports.Finding {
		var found []reports.Finding
		made := l.findings(r.record)
		for _, c := range r.plan.Cases {
			if findings := made[c]; findings != nil {
				found = append(found, findings()...)
			}
		}
		return found
	}
	want := all(r.plan.newLookout())
	if !slices.ContainsFunc(want, func(f reports.Finding) bool { return f.Verdict == reports.Fail }) {
		t.Fatal("no ambient check accuses anybody")
	}
	early := r.plan.newLookout()
	n := len(r.record.Keys)
	for _, part := range [][2]int{{n / 2, n}, {n / 4, n * 2 / 3}, {0, 1}} {
		some := probes.Record{Keys: r.record.Keys[part[0]:part[1]], Observations: r.record.Observations[part[0]:part[1]]}
		early.show(some, 3)
	}
	if d := diff.Diff(want, all(early)); d != "" {
		t.Errorf("late (-) and early (+):\n%s", d)
	}
}

// What goes wrong while the lookout reads the record is kept for whoever wants the findings,
// and nothing of it goes on once it has settled.
func TestALookoutKeepsItsTrouble(t *testing.T) {
	l := (&Plan{}).newLookout()
	l.glance(func() probes.Record { panic("the record is closed") })
	l.settle()
	defer func() {
		if r := recover(); r != "the record is closed" {
			t.Errorf("the findings say %v", r)
		}
	}()
	l.findings(probes.Record{})
}
