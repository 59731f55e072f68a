package encoding

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
)

// A member that the specification itself calls a time has to be one. Where null became a
// text nothing is known of it, which does not pass and is accused elsewhere.
func TestDatesNamedByTheSpecification(t *testing.T) {
	watch, _ := checktest.ChecksOf(Checks, "AQL-4.7.2-01")
	for value, want := range map[string]reports.Verdict{
		`"2026-02-04T10:30:00Z"`: reports.Pass,
		`"2026-W06"`:             reports.Warn,
		`"shortly"`:              reports.Fail,
		`17`:                     reports.Fail,
		`"null"`:                 reports.NotProven,
		`"None"`:                 reports.NotProven,
		`"undefined"`:            reports.NotProven,
		`null`:                   reports.NotApplicable,
	} {
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":{"started_at":%s}}}}`, value)
		o := probes.Classify(probes.Call("main", "read", "get_note", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(answer)}})
		f := checktest.LivenessAdapter()
		if got := watch.Ambient.Watch(f, o); got.Verdict != want && want != reports.NotProven || want == reports.NotProven && got.Verdict != reports.Fail {
			t.Errorf("%s: got %s where nothing can be updated, want %s", value, got.Verdict, want)
		}
		f.May.Update = true
		f.Operations = append(f.Operations, probes.Operation{Name: "update_note", Category: "UPDATE"})
		if got := watch.Ambient.Watch(f, o); got.Verdict != want {
			t.Errorf("%s: got %s, want %s", value, got.Verdict, want)
		}
	}
}
