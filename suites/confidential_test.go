package suites

import (
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/export"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// What the hints give to a sensitive parameter is confidential wherever it stands in
// them, and what they give to others is not.
func TestConfidential(t *testing.T) {
	h, err := fixtures.ReadHints(strings.NewReader(`
version: 1
samples:
  sign_in: {pin: [one-1, {deep: [two-2]}], user: [open-1]}
  "*": {password: three-3}
  other: {pin: open-2}
credentials: {operation: sign_in, params: {pin: four-4, user: open-3}}
confirm: {operation: sign_in, params: {pin: five-5}}
expect:
  - {operation: sign_in, params: {pin: 99887766}, success: true}
  - {operation: elsewhere, params: {pin: open-4}, success: true}
`), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	parameter := func(name, mark string) probes.Parameter {
		raw, err := probes.ParseValue([]byte(`{"name":"` + name + `"` + mark + `}`))
		if err != nil {
			t.Fatal(err)
		}
		return probes.Parameter{Name: name, Raw: raw}
	}
	a := &probes.Adapter{Operations: []probes.Operation{
		{Name: "sign_in", Parameters: []probes.Parameter{parameter("pin", `,"sensitive":true`), parameter("user", ""), parameter("password", "")}},
		{Name: "other", Parameters: []probes.Parameter{parameter("pin", "")}},
	}}
	got := export.SensitiveHints(a, h)
	slices.Sort(got)
	if want := []string{"99887766", "five-5", "four-4", "one-1", "three-3", "two-2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A code that a person was shown and a token that a confirmation wants are spent when
// the run is over; what other commands and other refusals say is not.
func TestSpent(t *testing.T) {
	answer := func(p probes.Probe, result string) probes.Observation {
		return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":0,"result":` + result + `}`)}})
	}
	refusal := func(code string) string {
		return `{"content":[{"type":"text","text":"{\"success\":false,\"error\":{\"code\":\"` + code + `\",\"message\":\"no\",\"details\":{\"confirmation_token\":\"conf_1\"}}}"}]}`
	}
	call := probes.Call("main", "mcp_aql_delete", "empty_folder", nil)
	spent := func(all ...probes.Observation) []string {
		var record probes.Record
		for _, o := range all {
			record.Observations = append(record.Observations, probes.Keep(o))
		}
		var texts []string
		for _, s := range export.Secrets((&plan.Plan{}), record) {
			texts = append(texts, s.Text)
		}
		return texts
	}
	attempt := probes.Call("main", "mcp_aql_execute", check.VerifyOperation, map[string]any{"challenge_id": "c1", "code": "B8L3"})
	for want, o := range map[string]probes.Observation{
		"A7K2":   answer(probes.Command("main", check.CodeCommand, nil), `{"output":" A7K2\n"}`),
		"conf_1": answer(call, refusal("CONFIRMATION_REQUIRED")),
		"conf_2": answer(call, `{"content":[{"type":"text","text":"{\"success\":true,\"halted_at\":{\"details\":[{\"confirmation_token\":\"conf_2\"}]}}"}]}`),
		"B8L3":   answer(attempt, `{"content":[{"type":"text","text":"{\"success\":true,\"data\":{}}"}]}`),
		"":       answer(call, `{"content":[{"type":"text","text":"{\"success\":true,\"data\":{\"next_token\":\"page_2\",\"confirmed\":true}}"}]}`),
	} {
		if got := strings.Join(spent(o, o), " "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := spent(answer(probes.Command("main", "safety.approve_cmd", nil), `{"output":"done"}`)); len(got) > 0 {
		t.Errorf("the word of an approval is hidden: %q", got)
	}
}
