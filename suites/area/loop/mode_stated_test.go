package loop

import (
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A loop that is on by configuration enforces without execute_agent. A loop that nothing starts and that takes no
// report does not.
func TestEnforcingLoopWithoutStart(t *testing.T) {
	const goesOn, pauses = `{"success":true,"data":{"continue":true,"factors":[]}}`, `{"success":true,"data":{"continue":false,"factors":["step limit"]}}`
	const refused, invalid = `{"success":false,"error":{"code":"CONFLICT_STATE","message":"The agent does not execute"}}`, `{"success":false,"error":{"code":"VALIDATION_MISSING_PARAM","message":"x"}}`
	for _, c := range []struct {
		description string
		reports     []string
		want        reports.Verdict
	}{
		{"Reports.", []string{goesOn, goesOn, pauses}, reports.Pass},
		{"Reports.", []string{goesOn, goesOn, goesOn}, reports.Fail},
		{"Reports.", []string{goesOn}, reports.NotProven},
		{"Reports.", []string{refused}, reports.Fail},
		{"Reports.", []string{invalid}, reports.NotProven},
		{"The loop is always on.", []string{refused}, reports.NotProven},
	} {
		listing := checktest.AnswerWithData(probes.Call("main", "aql", "introspect", nil), map[string]any{"capabilities": map[string]any{"execution_safety_loop": "enforcing"}})
		details := probes.ValueOf(map[string]any{"description": c.description})
		f := &model.Adapter{Adapter: &probes.Adapter{Listed: listing, Operations: []probes.Operation{{Name: check.ReportOperation, Details: details}}}}
		f.Hints.Safety = fixtures.Safety{StepLimit: 1}
		f.May.Execute = true
		f.Hints.Safety.Agent.Names = []string{"planner"}
		subjects := introspectionTellsWhetherEnforcementIsActive.On(f)
		if len(subjects) != 1 || subjects[0].Ruling != nil {
			t.Fatalf("%+v: asked of %+v", c, subjects)
		}
		var got probes.Answers
		for i, envelope := range c.reports {
			p := probes.Call("main", "create", check.ReportOperation, map[string]any{"nextActionHint": "reading README.md"}).Anew(check.StepLimitScenario.Agent(0) + ": " + probes.Nth("request", i))
			got = append(got, checktest.AnswerWithEnvelope(t, p, envelope))
		}
		got = append(got, checktest.AnswerWithData(listing.Probe.Anew(listingAfterEnforcement), map[string]any{"capabilities": map[string]any{"execution_safety_loop": "enforcing"}}))
		if got := introspectionTellsWhetherEnforcementIsActive.Judge(subjects[0], got); got.Verdict != c.want {
			t.Errorf("%+v: %s (want %s, got %s)", c, got.Verdict, got.Want, got.Got)
		}
	}
}
