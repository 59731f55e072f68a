package gate

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// The read of a check proves an object as a read of the gate does, until something is sent that may have changed
// what its identifier names. At the end of a run the gate reads for itself.
func TestReadsOfChecksAreProofs(t *testing.T) {
	read := probes.Call("main", "mcp_aql_read", "get_note", map[string]any{"note_id": "n7"})
	remove := probes.Call("main", "mcp_aql_delete", "delete_note", map[string]any{"note_id": "n7"})
	refused := probes.Call("main", "mcp_aql_update", "update_note", map[string]any{"note_id": "n7", "aqlx_k3f9x2ab": 1})
	for name, c := range map[string]struct {
		then  func(g *Gate, send func(probes.Probe))
		looks int
	}{
		"nothing else":          {func(*Gate, func(probes.Probe)) {}, 0},
		"a write about another": {func(_ *Gate, send func(probes.Probe)) { send(remove.With("note_id", "aqlc-k3f9x2ab-absent")) }, 0},
		"an operation nobody knows": {func(_ *Gate, send func(probes.Probe)) {
			send(probes.Call("main", "mcp_aql_update", "aqlx_k3f9x2ab", nil))
		}, 0},
		"a refused update":     {func(g *Gate, send func(probes.Probe)) { send(refused) }, 0},
		"a refused removal":    {func(_ *Gate, send func(probes.Probe)) { send(remove.With("aqlx_k3f9x2ab", 1)) }, 1},
		"an update on its way": {func(g *Gate, _ func(probes.Probe)) { g.sights.begun(slotsIn(probes.ValueOf("n7"))) }, 1},
		"a removal of another": {func(g *Gate, _ func(probes.Probe)) {
			o, _ := g.known().Operation("delete_note")
			at := touched(&request{calls: []*asked{{op: o, listed: true, object: &object{}}}}, g.known())
			g.sights.begun(at)
			g.sights.ended(at, true)
		}, 1},
		"a while": {func(g *Gate, _ func(probes.Probe)) {
			for key, seen := range g.sights.answers {
				seen.at = seen.at.Add(-shortly)
				g.sights.answers[key] = seen
			}
		}, 1},
		"the end of the adapter": {func(g *Gate, _ func(probes.Probe)) { g.doubt("main") }, 1},
		"the end of the run":     {func(g *Gate, _ func(probes.Probe)) { g.ending = true }, 1},
	} {
		looks := 0
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"VALIDATION_UNKNOWN_PARAM","message":"no"}}`
			switch {
			case p.Operation() == "list_notes":
				envelope = `{"success":true,"data":{"items":[],"has_more":false}}`
			case p.Operation() == "create_note", strings.Contains(p.String(), `"note_id":"n7"`) && p.Operation() == "get_note":
				envelope = `{"success":true,"data":{"note_id":"n7","title":"aqlc-k3f9x2ab"}}`
			case p.Operation() == "get_note":
				envelope = `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such note"}}`
			}
			if p.Number < 0 && strings.Contains(p.String(), `"note_id":"n7"`) && p.Operation() == "get_note" {
				looks++
			}
			return enveloped(p, envelope)
		})
		g := learned(store, operation("create_note", "CREATE", "title*:string"), operation("get_note", "READ", "note_id*:string"), operation("list_notes", "READ"),
			operation("update_note", "UPDATE", "note_id*:string", "input:object"), operation("delete_note", "DELETE", "note_id*:string"))
		send := func(p probes.Probe) {
			pass(t, g, store, p)
		}
		send(probes.Call("main", "mcp_aql_create", "create_note", map[string]any{"title": "aqlc-k3f9x2ab"}))
		send(read)
		c.then(g, send)
		before := looks
		if o := g.known(); o == nil || !g.shown(t.Context(), "main", g.made.all[0], []probes.Value{probes.ValueOf("n7")}) {
			t.Error(name, "is not shown as ours")
		}
		if looks-before != c.looks {
			t.Errorf("%s: %d looks, want %d", name, looks-before, c.looks)
		}
	}
}
