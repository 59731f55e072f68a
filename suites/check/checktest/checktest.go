// Package checktest has helpers for tests of judges: hand-made answers and adapters.
package checktest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// AnswerWithData returns a successful answer with the data.
func AnswerWithData(p probes.Probe, data any) probes.Observation {
	text := string(probes.ValueOf(map[string]any{"success": true, "data": data}).Raw())
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":%s}]}}`, probes.ValueOf(text).Raw())
	return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(message)}})
}

// JudgeOf returns the judge of the only check of a requirement.
func JudgeOf(t *testing.T, checks []check.Check, id string) func(model.Subject, probes.Answers) ruling.Ruling {
	t.Helper()
	i := slices.IndexFunc(checks, func(c check.Check) bool { return c.Requirement == id })
	if i < 0 {
		t.Fatalf("no check of %s", id)
	}
	return checks[i].Judge
}

// AnswerWithEnvelope returns an answer with the envelope.
func AnswerWithEnvelope(t *testing.T, p probes.Probe, envelope string) probes.Observation {
	t.Helper()
	return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{
		Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":` + envelope + `}}`)}})
}

// ChecksOf returns the ambient and the active check of a requirement.
func ChecksOf(checks []check.Check, id string) (watch, drive *check.Check) {
	for i := range checks {
		c := &checks[i]
		switch {
		case c.Requirement != id:
		case c.Watches():
			watch = c
		default:
			drive = c
		}
	}
	return watch, drive
}

// LivenessAdapter returns an adapter with get_note, which has a known-good request, and slow_note,
// which has none.
func LivenessAdapter() *model.Adapter {
	get := probes.Operation{Name: "get_note", Category: "READ", Tool: "read", Parameters: []probes.Parameter{{Name: "note_id", Type: "string", Required: true}}}
	return &model.Adapter{
		Adapter: &probes.Adapter{Conn: "main", Introspect: "read", AQL: []string{"read"}, Operations: []probes.Operation{get, {Name: "slow_note", Tool: "read"}}},
		Nonce:   "k3f9x2ab",
		KnownGood: map[string]model.KnownGood{
			"get_note":  {State: model.Proven, Probe: probes.Call("main", "read", "get_note", map[string]any{"note_id": "n1"})},
			"slow_note": {State: model.NoneKnown},
		},
		Absent: map[string]probes.Value{"note_id": probes.ValueOf("n0")},
	}
}
