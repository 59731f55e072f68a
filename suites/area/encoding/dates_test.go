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

// A date as it is written for people is seen in a member that the types declare as a plain text,
// unless a client may have written it.
func TestLocalDates(t *testing.T) {
	watch, _ := checktest.ChecksOf(Checks, "AQL-4.7.2-01")
	for _, c := range []struct {
		name, value string
		want        reports.Verdict
	}{
		{"created_at", "26/11/2026, 09:35:16", reports.Warn},
		{"created_at", "11/26/2026, 9:35:16 AM", reports.Warn},
		{"created_at", "26.11.2026", reports.Warn},
		{"createdAt", "Nov 26, 2026", reports.Warn},
		{"updated_on", "26 November 2026", reports.Warn},
		{"created", "Thu Nov 26 2026 09:35:16 GMT+0100 (Central European Standard Time)", reports.Warn},
		{"created_at", "2026-11-26T09:35:16Z", reports.Pass},
		{"created_at", "some day in May", reports.NotApplicable},
		{"remark", "26/11/2026, 09:35:16", reports.NotApplicable},
		{"cooking_time", "10:30", reports.NotApplicable},
		{"depends_on", "11/26", reports.NotApplicable},
		{"release_date", "2026", reports.NotApplicable},
		{"best_by_date", "26/11/2026", reports.NotApplicable}, // which a client writes
	} {
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":{%q:%q}}}}`, c.name, c.value)
		o := probes.Classify(probes.Call("main", "read", "get_note", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(answer)}})
		f := checktest.LivenessAdapter()
		f.Types = []probes.Type{{Name: "Note", Details: probes.ValueOf(map[string]any{"fields": []any{map[string]any{"name": c.name, "type": "string"}}})}}
		f.Operations = append(f.Operations, probes.Operation{Name: "create_note", Category: "CREATE", Parameters: []probes.Parameter{
			{Name: "best_by_date", Type: "string", Raw: probes.ValueOf(map[string]any{"name": "best_by_date", "type": "string"})}}})
		if got := watch.Ambient.Watch(f, o); got.Verdict != c.want {
			t.Errorf("%s %s: got %s, want %s", c.name, c.value, got.Verdict, c.want)
		}
	}
}
