package parameters

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A text that the pattern matches may be refused by another rule: there is no such day.
func TestPatternIsNotTheOnlyRule(t *testing.T) {
	judge := checktest.JudgeOf(t, Checks, "INT-3.4.1-04")
	const day = `{"name":"day","type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"}`
	p := parameterOf(t, day)
	op := probes.Operation{Name: "list_days", Category: "READ", Tool: "read", Parameters: []probes.Parameter{p}}
	plain := probes.Call("main", "read", "list_days", nil)
	f := &model.Adapter{Adapter: &probes.Adapter{Conn: "main", Introspect: "read", Operations: []probes.Operation{op}},
		KnownGood: map[string]model.KnownGood{"list_days": {State: model.Proven, Probe: plain}}}
	f.Gen = &generate.Generator{Adapter: f.Adapter}
	s := model.Subject{Adapter: f, Name: "list_days.day", Op: op, Par: p}
	refusal := func(step, value, message string) probes.Observation {
		return checktest.AnswerWithEnvelope(t, plain.With("day", value).As(step), `{"success":false,"error":{"code":"VALIDATION_INVALID_VALUE","message":"`+message+`","details":{"param_name":"day"}}}`)
	}
	listing := checktest.AnswerWithData(plain, []any{})
	for _, c := range []struct {
		name         string
		made, unlike string
		want         reports.Verdict
	}{
		{"the same rule", "'0000-00-00' não serve", "'0000-00+00' não serve", reports.Fail},
		{"another rule", "'0000-00-00' não é uma data do calendário", "'0000-00+00' não tem a forma AAAA-MM-DD", reports.NotProven},
	} {
		got := probes.Answers{listing, refusal(madeText+" 1", "0000-00-00", c.made), refusal(unlikeText, "0000-00+00", c.unlike)}
		if r := judge(s, got); r.Verdict != c.want {
			t.Errorf("%s: %s (want %s, got %s), want %s", c.name, r.Verdict, r.Want, r.Got, c.want)
		}
	}
	date := checktest.AnswerWithData(plain.With("day", "2024-05-17").As(madeText+" 1"), []any{})
	if r := judge(s, probes.Answers{listing, date}); r.Verdict != reports.Pass {
		t.Errorf("a usual form that is accepted: %s", r.Verdict)
	}
	if forms := made(s); len(forms) == 0 || forms[0].Text() != "2024-05-17" {
		t.Errorf("a date is not tried first: %v", forms)
	}
}
