package errors

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The limit may count the operations of the domain alone. What passes by itself is no limit.
func TestLimitsOfTheDomain(t *testing.T) {
	hinted := &model.Adapter{Adapter: &probes.Adapter{Conn: "main"}}
	hinted.Hints.Launch.LowRate = "./run"
	listing, read := probes.Call("main", "t", "introspect", nil), probes.Call("main", "t", "list_boxes", nil)
	yes := func(p probes.Probe) probes.Observation {
		return checktest.AnswerWithEnvelope(t, p, `{"success":true,"data":{}}`)
	}
	no := func(p probes.Probe) probes.Observation {
		return checktest.AnswerWithEnvelope(t, p, `{"success":false,"error":{"code":"ERROR","message":"slow down"}}`)
	}
	call := func(p probes.Probe, n int) probes.Probe { return p.Anew(probes.Nth("rate limit: call", n)) }
	for want, next := range map[reports.Verdict]probes.Observation{reports.Fail: no(read.Anew(limitAgain)), reports.NotProven: yes(read.Anew(limitAgain))} {
		got := probes.Answers{yes(listing), yes(call(listing, 0)), yes(call(listing, 1)), yes(read), yes(call(read, 2)), no(call(read, 3)), next}
		if r := checktest.JudgeOf(t, Checks, "OPS-8.1-06")(model.Subject{Adapter: hinted, Name: "introspect"}, got); r.Verdict != want {
			t.Errorf("ruled %s (%s, %s), want %s", r.Verdict, r.Want, r.Got, want)
		}
	}
	if r := checktest.JudgeOf(t, Checks, "OPS-8.1-06")(model.Subject{Adapter: hinted, Name: "introspect"}, probes.Answers{yes(listing)}); r.Verdict != reports.NotProven {
		t.Errorf("without a call: ruled %s", r.Verdict)
	}
}
