package verification

import (
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A block has to outlive a process that is killed, and not only one that ends in order.
func TestBlockOutlivesKilledProcess(t *testing.T) {
	const goesOn, stops = `{"success":true,"data":{"continue":true,"factors":[]}}`, `{"success":true,"data":{"continue":false,"stopped":true,"factors":[]}}`
	s := model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{Conn: "main"}}}
	s.Hints.Safety = fixtures.Safety{DenyHint: "rm -rf build", AutoHint: "read_file a"}
	scene := func(in check.Scenario, conn, last string) (got probes.Answers) {
		for i, step := range []struct{ conn, operation, hint, answer string }{
			{"main", "execute_agent", "", `{"success":true,"data":{}}`},
			{"main", check.ReportOperation, "read_file a", goesOn},
			{"main", check.ReportOperation, "rm -rf build", stops},
			{"main", check.ReportOperation, "read_file a", stops},
			{conn, check.ReportOperation, "read_file a", last},
		} {
			p := probes.Call(step.conn, "create", step.operation, map[string]any{"nextActionHint": step.hint})
			got = append(got, checktest.AnswerWithEnvelope(t, p.Anew(in.Agent(0)+": "+probes.Nth("request", i)), step.answer))
		}
		return got
	}
	left := probes.Classify(probes.Leave("main", true, kill), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":0,"result":{}}`)}})
	for _, c := range []struct {
		why             string
		restart, killed string // the last report of each scene; none where the scene was not played
		want            reports.Verdict
	}{
		{"kept in both", stops, stops, reports.Pass},
		{"written at the end alone", stops, goesOn, reports.Fail},
		{"kept in memory", goesOn, goesOn, reports.Fail},
		{"not ours to kill", stops, "", reports.Pass},
		{"lost, and not ours to kill", goesOn, "", reports.Fail},
	} {
		got := scene(check.RestartWhileBlockedScenario, restarted(s), c.restart)
		if c.killed != "" {
			got = append(append(got, left), scene(check.KilledWhileBlockedScenario, killed(s), c.killed)...)
		}
		if r := hardBlockSurvivesRestart.Judge(s, got); r.Verdict != c.want {
			t.Errorf("%s: %s (want %s, got %s), want %s", c.why, r.Verdict, r.Want, r.Got, c.want)
		}
	}
}
