package suites

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// A block that another process has lost is told apart from one that the agent came round
// by itself: over HTTP all connections lead to one process, whatever became of an answer.
func TestAnotherProcessHadAPart(t *testing.T) {
	const went, fell = `{"continue":true}`, `{"continue":false,"stopped":true}`
	report := func(conn string, status int, directive string) act {
		class := wire.Answered
		if status == 0 && directive == "" {
			class = wire.Silent
		}
		o := probes.Classify(probes.Call(conn, "execute", reported, nil), wire.Reply{Class: class, Status: status})
		said, _ := probes.ParseValue([]byte(directive))
		return act{stepReport: stepReport{o: o, directive: said}, what: reported}
	}
	for _, c := range []struct {
		why   string
		block act
		acts  []act
		want  bool
	}{
		{"stdio, the same process", report("main", 0, fell), []act{report("main", 0, fell), report("main", 0, went)}, false},
		{"stdio, another process lets it pass", report("main", 0, fell), []act{report("main/again", 0, went)}, true},
		{"stdio, another process before", report("main", 0, fell), []act{report("main/again", 0, fell), report("main", 0, went)}, true},
		{"stdio, another process afterwards", report("main", 0, fell), []act{report("main", 0, went), report("main/again", 0, went)}, false},
		{"HTTP, another connection", report("main", 200, fell), []act{report("main/again", 200, went)}, false},
		{"HTTP, another connection whose answer is lost", report("main", 200, fell), []act{report("main/again", 0, ""), report("main", 200, went)}, false},
		{"nothing else", report("main", 0, fell), nil, false},
	} {
		if got := (story{acts: c.acts}).outside(c.block); got != c.want {
			t.Errorf("%s: got %v, want %v", c.why, got, c.want)
		}
	}
}
