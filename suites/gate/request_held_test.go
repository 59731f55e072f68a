package gate

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
)

// A creation that takes the new object whole may name what is not ours, or act on others, at any
// depth of the object, documented or not.
func TestWholeObjectsReachNothingOfOthers(t *testing.T) {
	store := answering(func(p probes.Probe) probes.Observation {
		envelope := `{"success":true,"data":{"items":[{"note_id":"n1","title":"theirs"}],"has_more":false}}`
		if strings.HasPrefix(p.Operation(), "get_") {
			envelope = `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such object"}}`
		}
		return enveloped(p, envelope)
	})
	record, _ := probes.ParseValue([]byte(`{"name":"Draft","kind":"object","fields":[{"name":"title","type":"string","required":true},{"name":"place","type":"Place"},{"name":"folder_id","type":"string"},{"name":"note_id","type":"string"}]}`))
	place, _ := probes.ParseValue([]byte(`{"name":"Place","kind":"object","fields":[{"name":"shelf","type":"string"},{"name":"folder_id","type":"string"}]}`))
	a := &probes.Adapter{Conn: "main", Introspect: "mcp_aql_read", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"},
		Tools: []probes.Tool{{Name: "mcp_aql_read"}, {Name: "mcp_aql_create"}, {Name: "mcp_aql_update"}, {Name: "mcp_aql_delete"}},
		Types: []probes.Type{{Name: "Draft", Kind: "object", Details: record}, {Name: "Place", Kind: "object", Details: place}},
		Operations: []probes.Operation{
			operation("create_note", "CREATE", "input*:Draft"), operation("get_note", "READ", "note_id*:string"), operation("list_notes", "READ"),
			operation("delete_note", "DELETE", "note_id*:string"), operation("get_folder", "READ", "folder_id*:string"),
		}}
	for name, c := range map[string]struct {
		more map[string]any
		want string // part of the reason; empty where it passes
	}{
		"a title":                              {nil, ""},
		"a key of this run":                    {map[string]any{"note_id": "aqlc-k3f9x2ab-7"}, ""},
		"a documented reference":               {map[string]any{"folder_id": "f1"}, "names something that is not ours"},
		"a reference in a documented object":   {map[string]any{"place": map[string]any{"shelf": "a", "folder_id": "f1"}}, "names something that is not ours"},
		"a reference that nobody documents":    {map[string]any{"folder_ids": []any{"f1"}}, "names something that is not ours"},
		"a reference in an undocumented place": {map[string]any{"more": []any{map[string]any{"folder_id": "f1"}}}, "names something that is not ours"},
		"the key of what is there":             {map[string]any{"note_id": "n1"}, "names something that is not ours"},
		"people to tell":                       {map[string]any{"recipients": []any{"ann@example.com"}}, "may have an effect on others"},
		"people to tell, deeper":               {map[string]any{"more": map[string]any{"notify": true}}, "may have an effect on others"},
		"nobody to tell":                       {map[string]any{"more": map[string]any{"notify": false}}, ""},
		"nobody who is assigned":               {map[string]any{"more": map[string]any{"assignee": ""}}, ""},
	} {
		g := New(store, "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
		g.Learn(a)
		input := map[string]any{"title": "aqlc-k3f9x2ab"}
		for member, v := range c.more {
			input[member] = v
		}
		_, why := g.Enter(t.Context(), probes.Call("main", "mcp_aql_create", "create_note", map[string]any{"input": input}))
		if (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
	}
}
