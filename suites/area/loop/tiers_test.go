package loop

import (
	"encoding/json"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
)

// An answer may show other scores, and the risk of another action, before the one that its tier is of.
func TestScoreIsThatOfTheTier(t *testing.T) {
	for _, c := range []struct {
		data  string
		score float64
		shown bool
	}{
		{`{"continue":false,"nextStepRisk":"confirm","riskScore":45}`, 45, true},
		{`{"continue":false,"nextStepRisk":"confirm","risk":45}`, 45, true},
		{`{"previous":{"risk":10,"riskScore":10},"continue":false,"nextStepRisk":"confirm","risk_score":45}`, 45, true},
		{`{"progress":{"score":88},"continue":false,"factors":[],"nextStepRisk":"confirm"}`, 0, false},
		{`{"score":88,"continue":false,"factors":[],"nextStepRisk":"confirm"}`, 0, false},
		{`{"riskScore":45,"directive":{"continue":false,"factors":[],"nextStepRisk":"confirm"}}`, 45, true},
		{`{"continue":false,"factors":[],"nextStepRisk":"confirm","evaluation":{"tier":"confirm","score":45}}`, 45, true},
		{`{"continue":false,"factors":[],"nextStepRisk":"confirm","evaluation":{"tier":"verify","score":70}}`, 0, false},
		{`{"continue":true,"factors":[],"riskScore":12}`, 12, true},
	} {
		o := checktest.AnswerWithData(probes.Call("main", "aql", "record_execution_step", nil), json.RawMessage(c.data))
		if score, shown := scoreOf(check.StepReport{Observation: o, Directive: check.DirectiveIn(o)}); score != c.score || shown != c.shown {
			t.Errorf("%s: %v, %v, want %v, %v", c.data, score, shown, c.score, c.shown)
		}
	}
}
