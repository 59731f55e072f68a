package loop

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A directive that lets nobody go on starts no execution.
func TestDirectiveWithoutExecution(t *testing.T) {
	report := func(step, data string) probes.Observation {
		return checktest.AnswerWithEnvelope(t, probes.Call("main", "t", "record_execution_step", map[string]any{"nextActionHint": "a"}).Anew(step), `{"success":true,"data":`+data+`}`)
	}
	for data, want := range map[string]reports.Verdict{
		`{"element_name":"a","directive":{"continue":false,"reason":"not started"}}`:           reports.Pass,
		`{"element_name":"a","directive":{"continue":false,"stepsRemaining":9}}`:               reports.Warn,
		`{"element_name":"a","execution_id":"e1","directive":{"continue":false,"reason":"x"}}`: reports.Warn,
		`{"element_name":"a","directive":{"continue":true}}`:                                   reports.Warn,
	} {
		got := probes.Answers{report("agent 0: report", `{"directive":{"continue":true}}`), report("agent never started: report", data)}
		if r := checktest.JudgeOf(t, Checks, "AQL-8.6.1-03")(model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{Conn: "main"}}, Name: "adapter"}, got); r.Verdict != want {
			t.Errorf("%s: ruled %s (%s, %s), want %s", data, r.Verdict, r.Want, r.Got, want)
		}
	}
}
