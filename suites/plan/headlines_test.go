package plan

import (
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// An adapter that writes "error": null into successes and "data": null into
// failures has one serialiser to mend, not two.
func TestOneDefectIsOneHeadline(t *testing.T) {
	found := headlines([]reports.Finding{
		{Requirement: "AQL-5.1-05", Verdict: reports.Fail, Subject: "introspect"},
		{Requirement: "AQL-5.1-03", Verdict: reports.Fail, Subject: "introspect"},
		{Requirement: "AQL-5.1-03", Verdict: reports.Fail, Subject: "get_note"},
		{Requirement: "AQL-5.1-02", Verdict: reports.Pass, Subject: "introspect"},
		{Requirement: "AQL-6.2-03", Verdict: reports.Fail, Subject: "introspect"},
	})
	want := []string{"AQL-5.1-03", "", "", "", ""}
	for i, f := range found {
		if f.RootCause != want[i] {
			t.Errorf("%s on %s: root %q, want %q", f.Requirement, f.Subject, f.RootCause, want[i])
		}
	}
}
