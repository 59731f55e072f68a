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
	for message, want := range map[string]reports.Verdict{"'0000-00+00' não serve": reports.Warn, "há outra razão": reports.Pass} {
		got := probes.Answers{listing, date, refusal(variedText+" 1", "2024-A5-17", "'2024-A5-17' não serve"), refusal(unlikeText, "0000-00+00", message)}
		if r := judge(s, got); r.Verdict != want {
			t.Errorf("a letter of another kind, %s: %s, want %s", message, r.Verdict, want)
		}
	}
	if forms := made(s); len(forms) == 0 || forms[0].Text() != "2024-05-17" {
		t.Errorf("a date is not tried first: %v", forms)
	}
}

// A text of one letter that is accepted shows that any will do. One with a letter of another kind that the pattern takes there
// shows a narrower rule. Dates and codes have no such text.
func TestLettersOfOtherKinds(t *testing.T) {
	for pattern, want := range map[string]string{
		"^[A-Za-z0-9_-]{3,60}$":  "aaa aAa a0a a_a a-a",
		`^\\d{4}-\\d{2}-\\d{2}$`: "0000-00-00",
		"^[A-Z]{3}$":             "AAA",
	} {
		p := parameterOf(t, `{"name":"motto","type":"string","pattern":"`+pattern+`"}`)
		s := model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, Op: probes.Operation{Parameters: []probes.Parameter{p}}, Par: p}
		plain, others := varied(s)
		got := plain.Text()
		for _, v := range others {
			got += " " + v.Text()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
}

// One of ten ends of a number has the right check digit. A pattern cannot tell of it.
func TestCheckDigits(t *testing.T) {
	p := parameterOf(t, `{"name":"isbn","type":"string","pattern":"^97[89][0-9]{10}$"}`)
	s := model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, Op: probes.Operation{Parameters: []probes.Parameter{p}}, Par: p}
	if all := otherEnds(s, probes.ValueOf("9780000000000")); len(all) != 9 {
		t.Errorf("%d other ends", len(all))
	}
	if all := otherEnds(s, probes.Value{}); len(all) != 0 {
		t.Errorf("%d other ends of nothing", len(all))
	}
}
