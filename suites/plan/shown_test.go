package plan

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A request that was not sent hides no violation that another answer shows. What hangs on it stays
// not proven.
func TestUnsentRequestHidesNoViolation(t *testing.T) {
	step := func(name string) probes.Probe {
		return probes.CallWith("main", "read", map[string]any{"operation": name}).As(name)
	}
	unsent := func(name string) probes.Observation {
		return probes.Observation{Probe: step(name), Outcome: probes.Unasked, Exit: "an earlier answer lacks a value it needs"}
	}
	control, accepted := checktest.AnswerWithData(step("control"), 1), checktest.AnswerWithData(step("faulty"), 1)
	judge := func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if !got.Step("control").Succeeded() {
			return ruling.NotProven("a control", got.Step("control"))
		}
		var rs []ruling.Ruling
		for _, o := range got.Rest() {
			if o.Succeeded() {
				rs = append(rs, ruling.Violates("a refusal", o))
			} else {
				rs = append(rs, ruling.Conforms())
			}
		}
		return ruling.Worst(rs...)
	}
	carelessly := func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if !got.Step("faulty").Refused() {
			return ruling.Violates("a refusal", got.Step("faulty"))
		}
		return ruling.Conforms()
	}
	silently := func(_ model.Subject, got probes.Answers) ruling.Ruling { return ruling.Violates("a refusal", "none") }
	for name, c := range map[string]struct {
		judge func(model.Subject, probes.Answers) ruling.Ruling
		got   probes.Answers
		want  reports.Verdict
	}{
		"another answer shows it":      {judge, probes.Answers{control, accepted, unsent("other")}, reports.Fail},
		"no answer shows it":           {judge, probes.Answers{control, unsent("faulty"), unsent("other")}, reports.NotProven},
		"the control was not sent":     {judge, probes.Answers{unsent("control"), accepted}, reports.NotProven},
		"the judge reads no outcome":   {carelessly, probes.Answers{control, unsent("faulty")}, reports.NotProven},
		"the evidence is not told":     {silently, probes.Answers{control, unsent("faulty")}, reports.NotProven},
		"everything sent is as before": {judge, probes.Answers{control, accepted}, reports.Fail},
	} {
		subject := &Case{Check: &check.Check{Judge: c.judge}, Subject: &model.Subject{Name: "get_note"}}
		subject.Keep(c.got)
		if r := subject.Judge(probes.Record{}); r.Verdict != c.want {
			t.Errorf("%s: %s, want %s: got %s", name, r.Verdict, c.want, r.Got)
		}
	}
}
