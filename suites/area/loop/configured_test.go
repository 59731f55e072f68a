package loop

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A report of an agent that was never started is answered with a directive. Only the statement that the loop is on by
// configuration permits that. Other words about configuration do not.
func TestLoopIsOnByConfiguration(t *testing.T) {
	known := checktest.AnswerWithData(probes.Call("main", "create", "record_execution_step", nil), map[string]any{"continue": true, "factors": []any{}})
	for _, c := range []struct {
		operation, description string
		want                   reports.Verdict
	}{
		{"record_execution_step", "The configuration of this server enables the safety loop for every agent.", reports.Pass},
		{"record_execution_step", "Safety-loop mode is switched on by configuration, so a report needs no execute_agent.", reports.Pass},
		{"record_execution_step", "Reports the next action. The loop is always active.", reports.Pass},
		{"execute_agent", "The server is configured to monitor every agent, started or not.", reports.Pass},
		{"introspect", "Monitored execution is activated in the server configuration.", reports.Pass},
		{"list_shelves", "List shelves, in the order configured by the owner.", reports.Warn},
		{"list_shelves", "The lamp of a shelf is switched on by configuration.", reports.Warn},
		{"record_execution_step", "Reports the next action. The step limit is configured by the operator.", reports.Warn},
		{"execute_agent", "Starts an agent and activates the safety loop with the configured limits.", reports.Warn},
		{"execute_agent", "Always call this first to activate the safety loop.", reports.Warn},
		{"execute_agent", "Monitoring is not enabled by configuration: it starts here.", reports.Warn},
	} {
		details := probes.ValueOf(map[string]any{"name": c.operation, "description": c.description})
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{{Name: c.operation, Details: details}}}}
		if got := checktest.JudgeOf(t, Checks, "AQL-8.6.1-03")(model.Subject{Adapter: f, Name: check.ReportOperation}, probes.Answers{known}); got.Verdict != c.want {
			t.Errorf("%s, %q: %s (want %s, got %s), want %s", c.operation, c.description, got.Verdict, got.Want, got.Got, c.want)
		}
	}
}
