package plan

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An answer that is too large to be kept is no silence. A check that judges silences learns nothing from it.
func TestCutAnswerIsNoSilence(t *testing.T) {
	head := []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{'success': ,`)
	judge := func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if got[0].Lost() {
			return ruling.Violates("an answer", got[0])
		}
		return ruling.Conforms()
	}
	for size, want := range map[int]reports.Verdict{len(head): reports.Fail, 1 << 20: reports.NotProven} {
		o := probes.Classify(probes.CallWith("main", "read", map[string]any{"operation": "get_note"}), wire.Reply{
			Class: wire.Garbled, Received: wire.Frame{Seq: 2, Dir: wire.Received, Data: head, Size: size}})
		c := &Case{Check: &check.Check{Handles: check.Unanswered, Judge: judge}, Subject: &model.Subject{Name: "get_note"}}
		c.Keep(probes.Answers{o})
		if r := c.Judge(probes.Record{}); r.Verdict != want {
			t.Errorf("an answer of %d bytes: %s, want %s: got %s", size, r.Verdict, want, r.Got)
		}
	}
}
