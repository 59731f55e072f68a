package lifecycle

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A member that is null has no value, and is no wrong one.
func TestUsableProgress(t *testing.T) {
	for text, want := range map[string]reports.Verdict{
		`{"percentage":null,"current":3,"total":10,"message":null}`: reports.Pass,
		`{"percentage":50,"current":null,"total":null}`:             reports.Pass,
		`{"percentage":null,"message":"writing"}`:                   reports.Pass,
		`{"percentage":null,"message":null}`:                        reports.Fail,
		`{"current":3,"total":null}`:                                reports.Fail,
		`{"percentage":"50"}`:                                       reports.Fail,
		`{"percentage":101}`:                                        reports.Fail,
		`{"message":7}`:                                             reports.Fail,
	} {
		p, err := probes.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := usableProgress(p); got.Verdict != want {
			t.Errorf("%s: %s, want %s", text, got.Verdict, want)
		}
	}
}

// A state that nothing documents may be the one that is waited for, so its finding blocks what waits.
func TestUnreachedBehindAnUndocumentedState(t *testing.T) {
	e := check.Executor{Subject: model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}}}
	for last, want := range map[string]string{"succeeded": "AQL-8.4.4-02", "running": "", "": ""} {
		if got := unreached(e, []event{{status: "pending"}, {status: last}}, "completed"); got.Verdict != reports.NotProven || got.Root != want {
			t.Errorf("%q: %s because of %q, want %q", last, got.Verdict, got.Root, want)
		}
	}
}

// The report names an execution; an object beside it may have a status of its own.
func TestStateBesideOtherObjects(t *testing.T) {
	for text, want := range map[string]string{
		`{"box":{"status":"on_shelf"},"scan":{"execution_id":"X-1","status":"pending"}}`: "pending",
		`{"status":"pending","box":{"status":"on_shelf"}}`:                               "pending",
		`{"status":"ok","scan":{"execution_id":"X-1","status":"pending"}}`:               "pending",
		`{"execution_id":"X-1","last":{"execution_id":"X-0","status":"failed"}}`:         "",
		`{"box":{"status":"on_shelf"},"scan":{"id":"X-1","status":"pending"}}`:           "pending",
		`{"id":"X-1","status":"queued","last":{"id":"X-0","status":"failed"}}`:           "queued",
		`{"box":{"status":"on_shelf"}}`:                                                  "on_shelf",
		`{"status":"queued","parent":{"execution_id":"X-0"}}`:                            "queued",
	} {
		v, err := probes.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := check.StateIn(v).At("status").Text(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Introspection may say in a sentence what a state of the adapter's own maps to.
func TestStatesThatMapToPending(t *testing.T) {
	for text, want := range map[string]bool{
		`{"description":"A scan. queued means: waits again; maps to pending."}`:          true,
		`{"description":"queued maps to the core state 'pending'"}`:                      true,
		`{"description":"queued maps to running; held maps to pending"}`:                 false,
		`{"description":"The queued scan. Another state maps to pending."}`:              false,
		`{"lifecycle":{"states":["queued","pending"],"mapping":{"queued":"pending"}}}`:   true,
		`{"lifecycle":{"states":["queued"],"mapping":{"queued":"running"}}}`:             false,
		`{"description":"queued, pending or running","lifecycle":{"states":["queued"]}}`: false,
	} {
		v, err := probes.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		o := probes.Operation{Name: "execute_scan", Details: v}
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{o}}}
		if got := mapsToPending(check.Executor{Subject: model.Subject{Adapter: f, Op: o}}, "queued"); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// A word beside the core state that it may be taken for is a state of the adapter's own.
func TestOwnStates(t *testing.T) {
	for text, want := range map[string]bool{`["completed","done"]`: true, `["done"]`: false, `["completed"]`: false} {
		states, err := probes.ParseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		e := check.Executor{Subject: model.Subject{Op: probes.Operation{Details: probes.ValueOf(map[string]any{"lifecycle": map[string]any{"states": states.Go()}})}}}
		if got := ownState(e, "completed", "done"); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
