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
