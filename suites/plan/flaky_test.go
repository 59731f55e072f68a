package plan

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An accusation that rests on a request which is sent once, and met an error of a kind that passed
// elsewhere in the run, is taken back. Whether errors pass is asked for that alone, because the
// answer waits for the end of the run.
func TestPassingErrorsAccuseNobody(t *testing.T) {
	probe := probes.CallWith("main", "other_tool", map[string]any{"operation": "get_note"}).As("misrouted request")
	failed := checktest.AnswerWithEnvelope(t, probe, `{"success":false,"error":{"code":"INTERNAL_ERROR","message":"busy"}}`)
	refused := checktest.AnswerWithEnvelope(t, probe, `{"success":false,"error":{"code":"VALIDATION_UNKNOWN_PARAM","message":"no"}}`)
	accuse := func(_ model.Subject, got probes.Answers) ruling.Ruling {
		return ruling.Violates("another code", got[0])
	}
	praise := func(_ model.Subject, got probes.Answers) ruling.Ruling { return ruling.Conforms().By(got[0]) }
	pass, none := func() bool { return true }, func() bool { return false }
	unasked := func() bool { t.Error("asked for nothing"); return true }
	for name, c := range map[string]struct {
		judge func(model.Subject, probes.Answers) ruling.Ruling
		got   probes.Observation
		flaky func() bool
		want  reports.Verdict
	}{
		"errors pass":                 {accuse, failed, pass, reports.NotProven},
		"no error passed":             {accuse, failed, none, reports.Warn},
		"an error that does not pass": {accuse, refused, unasked, reports.Warn},
		"nobody is accused":           {praise, failed, unasked, reports.Pass},
	} {
		one := &Case{Check: &check.Check{Requirement: "OPS-6.3-03", Judge: c.judge}, Subject: &model.Subject{Name: "get_note", Adapter: &model.Adapter{Adapter: &probes.Adapter{}}}}
		one.Keep(probes.Answers{c.got})
		p := &Plan{flaky: c.flaky}
		if f := p.JudgeCase(one, probes.Record{}); f[0].Verdict != c.want {
			t.Errorf("%s: %s, want %s", name, f[0].Verdict, c.want)
		}
	}
}

// The specs of a run know whether errors pass, as Judge does: a transcript was judged otherwise
// than the run that wrote it.
func TestSpecsKnowWhetherErrorsPass(t *testing.T) {
	p := &Plan{}
	p.RunSpecs(t.Context(), probes.NewEngine(wire.NewRecorder(), 0, 1), nil)
	if p.flaky == nil || p.flaky() {
		t.Error("the specs of an empty run do not know that no error passed")
	}
}
