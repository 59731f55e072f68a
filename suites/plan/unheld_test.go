package plan

import (
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// That no operation of the kind is listed is false beside a finding on such an operation. It stays true of the
// other endpoint mode, and beside nothing.
func TestDropUnheld(t *testing.T) {
	const why = "does not hold: a CREATE, UPDATE or DELETE operation is listed"
	none := func(subject string) reports.Finding {
		return reports.Finding{Requirement: "OPS-5.1-02", Verdict: reports.NotApplicable, Subject: subject, Note: why}
	}
	on := func(v reports.Verdict, subject string) reports.Finding {
		return reports.Finding{Requirement: "OPS-5.1-02", Verdict: v, Subject: subject}
	}
	for name, c := range map[string]struct {
		found []reports.Finding
		left  int
	}{
		"alone":              {[]reports.Finding{none("adapter"), none("adapter")}, 2},
		"beside a pass":      {[]reports.Finding{none("adapter"), on(reports.Pass, "create_note")}, 1},
		"beside a failure":   {[]reports.Finding{none("adapter"), on(reports.Fail, "adapter")}, 1},
		"beside what is out": {[]reports.Finding{none("adapter"), on(reports.Skipped, "create_note")}, 2},
		"in another mode":    {[]reports.Finding{none("single: adapter"), on(reports.Pass, "create_note")}, 2},
		"in the same mode":   {[]reports.Finding{none("single: adapter"), on(reports.Pass, "single: create_note")}, 1},
		"another row":        {[]reports.Finding{none("adapter"), {Requirement: "OPS-5.4-08", Verdict: reports.Pass, Subject: "create_note"}}, 2},
	} {
		if got := dropUnheld(c.found); len(got) != c.left {
			t.Errorf("%s: %d findings left, want %d", name, len(got), c.left)
		}
	}
}
