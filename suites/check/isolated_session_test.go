package check

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
)

// A call that is refused after a trial accuses only where the same call worked before it.
func TestTrialNeedsACallThatWorkedBefore(t *testing.T) {
	answer := func(step, said string) probes.Observation {
		p := probes.Call("main/isolated", "t", "introspect", map[string]any{}).As(step)
		return probes.Classify(p, wire.Reply{Class: wire.Answered, Sent: wire.Frame{Seq: 2, Dir: wire.Sent}, Received: wire.Frame{
			Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":` + said + `}}`)}})
	}
	const works, fails = `{"success":true,"data":{}}`, `{"success":false,"error":{"code":"VALIDATION_UNKNOWN_PARAM","message":"unknown"}}`
	for _, c := range []struct {
		first, next string
		want        reports.Verdict
	}{{works, fails, reports.Fail}, {fails, fails, reports.NotProven}} {
		got := probes.Answers{answer(firstCall+"frames", c.first), answer(isolated+"broken", fails), answer(afterwards+"broken", c.next)}
		if r := RiskyRequestNamed(got, "broken").Survived(); r.Verdict != c.want {
			t.Errorf("first %s, next %s: %s, want %s", c.first, c.next, r.Verdict, c.want)
		}
	}
}
