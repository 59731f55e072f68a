package plan

import (
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// "error": null in successes and "data": null in failures are one defect of one serializer.
func TestMarkRootCauses(t *testing.T) {
	found := markRootCauses([]reports.Finding{
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
