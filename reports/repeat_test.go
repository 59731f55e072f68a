package reports_test

import (
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// A requirement that one run of three saw broken is flaky: it fails, and says so; what
// every run saw broken is not flaky; what none did passes.
func TestTogether(t *testing.T) {
	finding := func(id string, v reports.Verdict) reports.Finding {
		return reports.Finding{Requirement: id, Subject: "get_note", Verdict: v}
	}
	all := reports.Together([][]reports.Finding{
		{finding("A", reports.Pass), finding("B", reports.Fail), finding("C", reports.Pass), finding("D", reports.NotProven)},
		{finding("A", reports.Fail), finding("B", reports.Fail), finding("C", reports.Pass), finding("D", reports.Pass)},
		{finding("A", reports.Pass), finding("B", reports.Fail), finding("C", reports.Pass)},
	})
	want := map[string]struct {
		verdict reports.Verdict
		broken  int
		flaky   bool
	}{"A": {reports.Fail, 1, true}, "B": {reports.Fail, 3, false}, "C": {reports.Pass, 0, false}, "D": {reports.Pass, 0, false}}
	if len(all) != len(want) {
		t.Fatalf("%d findings, want %d", len(all), len(want))
	}
	for _, f := range all {
		if w := want[f.Requirement]; f.Verdict != w.verdict || f.Broken != w.broken || f.Flaky() != w.flaky {
			t.Errorf("%s: got %s, broken in %d, flaky %t; want %+v", f.Requirement, f.Verdict, f.Broken, f.Flaky(), w)
		}
	}
	one := []reports.Finding{finding("A", reports.Fail)}
	if got := reports.Together([][]reports.Finding{one}); got[0].Runs != 0 {
		t.Errorf("one run is counted: %+v", got[0])
	}
}

// A place of which one run found two things keeps the same of them, whichever came first.
func TestTogetherKnowsNoOrderOfArrival(t *testing.T) {
	one := reports.Finding{Requirement: "A", Subject: "get_note", Verdict: reports.Fail, Got: "a crash"}
	other := one
	other.Got = "silence"
	for _, run := range [][]reports.Finding{{one, other}, {other, one}} {
		if got := reports.Together([][]reports.Finding{run, nil}); len(got) != 1 || got[0].Got != one.Got {
			t.Errorf("got %+v, want %q alone", got, one.Got)
		}
	}
}
