package gate

import (
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// A change of what no read finds cannot have been done before its error was answered. So the refusal of the second request counts.
func TestWhatChangesNothingIsNoWriteAgain(t *testing.T) {
	answer := func(p probes.Probe, envelope string) probes.Observation {
		return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Seq: 2, Dir: wire.Received,
			Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":` + envelope + `}}`)}})
	}
	gone := answering(func(p probes.Probe) probes.Observation {
		return answer(p, `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"m"}}`)
	})
	notes := []probes.Operation{operation("get_note", "READ", "note_id*:string"), operation("update_note", "UPDATE", "note_id*:string", "input*:object"), operation("delete_note", "DELETE", "note_id*:string")}
	change := probes.Call("main", "mcp_aql_update", "update_note", map[string]any{"note_id": "aqlc-k3f9x2ab-absent", "input": map[string]any{}})
	for name, c := range map[string]struct {
		may  Permissions
		want bool
	}{
		"a change of what is not there":          {everything, false},
		"a change that may reach others as well": {Permissions{Named: []string{"update:update_note"}}, true},
	} {
		g := New(gone, "main", "k3f9x2ab", c.may, fixtures.Hints{}, nil)
		g.Learn(&probes.Adapter{Conn: "main", AQL: []string{"mcp_aql_read", "mcp_aql_update", "mcp_aql_delete"}, Operations: notes})
		leave, why := g.Enter(t.Context(), change)
		if why != "" {
			t.Fatalf("%s: %s", name, why)
		}
		first := answer(change, `{"success":false,"error":{"code":"RATE_LIMITED","message":"m"}}`)
		leave(first)
		if may, writes := g.Again(first); !may || writes != c.want {
			t.Errorf("%s: may %v, writes %v", name, may, writes)
		}
	}
}
