package verification

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/check"
)

// A block that another process has lost is told apart from one that the agent came round
// by itself: over HTTP all connections lead to one process, whatever became of an answer.
func TestAnotherProcessHadAPart(t *testing.T) {
	const went, fell = `{"continue":true}`, `{"continue":false,"stopped":true}`
	report := func(conn, sent string, status int, directive string) check.TraceStep {
		class := wire.Answered
		if directive == "" {
			class = wire.Silent
		}
		o := probes.Classify(probes.Call(conn, "execute", check.ReportOperation, nil), wire.Reply{Class: class, Status: status, Sent: wire.Frame{Seq: 1, Note: sent}})
		said, _ := probes.ParseValue([]byte(directive))
		return check.TraceStep{StepReport: check.StepReport{Observation: o, Directive: said}, Operation: check.ReportOperation}
	}
	own := func(conn, directive string) check.TraceStep { return report(conn, "", 0, directive) }
	web := func(conn string, status int, directive string) check.TraceStep {
		return report(conn, "POST /mcp", status, directive)
	}
	for _, c := range []struct {
		why   string
		block check.TraceStep
		acts  []check.TraceStep
		want  bool
	}{
		{"stdio, the same process", own("main", fell), []check.TraceStep{own("main", fell), own("main", went)}, false},
		{"stdio, another process lets it pass", own("main", fell), []check.TraceStep{own("main/again", went)}, true},
		{"stdio, another process before", own("main", fell), []check.TraceStep{own("main/again", fell), own("main", went)}, true},
		{"stdio, another process afterwards", own("main", fell), []check.TraceStep{own("main", went), own("main/again", went)}, false},
		{"HTTP, another connection", web("main", 200, fell), []check.TraceStep{web("main/again", 200, went)}, false},
		{"HTTP, an answer ahead of its status", web("main", 0, fell), []check.TraceStep{web("main/again", 202, went)}, false},
		{"HTTP, another connection whose answer is lost", web("main", 200, fell), []check.TraceStep{web("main/again", 0, ""), web("main", 200, went)}, false},
		{"nothing else", own("main", fell), nil, false},
	} {
		if got := outside((check.Trace{Steps: c.acts}), c.block); got != c.want {
			t.Errorf("%s: got %v, want %v", c.why, got, c.want)
		}
	}
}
