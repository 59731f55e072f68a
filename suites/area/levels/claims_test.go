package levels

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A capability that an adapter says it does not have is no extension.
func TestExtensions(t *testing.T) {
	for capabilities, want := range map[string]string{
		`{"batch":true,"execution_safety_loop":"disabled"}`:  "",
		`{"execution_safety_loop":"enforcing","magic":true}`: "execution_safety_loop magic",
		`{"magic":false}`: "",
	} {
		frame := wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":"1","result":{"structuredContent":{"success":true,"data":{"_protocol":{"capabilities":` + capabilities + `}}}}}`)}
		_, got := extensions(probes.Classify(probes.Call("main", "aql", "introspect", nil), wire.Reply{Class: wire.Answered, Received: frame}))
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", capabilities, got, want)
		}
	}
}

// A level is a number. A claim without one is no level, and INT-4.1.1-04 rules on what stands there.
func TestStatedLevels(t *testing.T) {
	judge := checktest.JudgeOf(t, Checks, "AQL-10.2-01")
	for _, c := range []struct {
		told, attested string
		want           reports.Verdict
	}{
		{`{"conformance":"level-1"}`, "", reports.Pass},
		{`{"conformance":"MCP-AQL level 2"}`, "", reports.Pass},
		{`{"conformance":""}`, "", reports.NotProven},
		{`{"conformance":"yes"}`, "", reports.NotProven},
		{`{"conformance":"1.0.0-draft"}`, "", reports.NotProven},
		{`{"conformance":"1"}`, "", reports.Pass},
		{`{}`, "Level 1", reports.Pass},
		{`{}`, "level-2", reports.Pass},
		{`{}`, "conforms", reports.Fail},
	} {
		f := &model.Adapter{Adapter: &probes.Adapter{}, Hints: fixtures.Hints{Attest: fixtures.Attestations{Claim: c.attested}}}
		got := probes.Answers{checktest.AnswerWithEnvelope(t, probes.Call("main", "aql", "introspect", nil), `{"success":true,"data":{"_protocol":`+c.told+`}}`)}
		if r := judge(model.Subject{Adapter: f}, got); r.Verdict != c.want {
			t.Errorf("%s, attested %q: %s", c.told, c.attested, r.Verdict)
		}
	}
}
