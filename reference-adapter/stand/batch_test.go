package stand

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// batchQuestions are asked of faults that show in batches of several kinds alone.
func batchQuestions() []string {
	listings := `{"operation":"introspect","params":{"query":"types"}},{"operation":"introspect","params":{}},{"operation":"introspect","params":{"query":"types"}}`
	return []string{
		`INTRO {"operations":[` + listings + `]}`, `INTRO {"operations":"introspect"}`, `INTRO {"operations":{}}`, `INTRO {"operations":[]}`, `INTRO {"operations":[42]}`,
		`READ {"operations":[{"operation":"get_note","params":{"note_id":"note_1"}},{"operation":"list_folders","params":{"zz_a":1}}]}`,
		`mcp_aql_read {"operations":[{"operation":"list_folders"},{"operation":"create_folder","params":{"name":"Lost"}}]}`, `READ {"operation":"list_folders"}`,
		`mcp_aql_read {"operations":[{"operation":"update_note","params":{"note_id":"note_1","input":{"title":"Strayed"}}}]}`, `mcp_aql_create {"operations":[{"operation":"list_folders"}]}`,
		`UPDATE {"operations":[{"operation":"update_note","params":{"note_id":"note_1","input":{"title":"One"}}},{"operation":"update_note","params":{"note_id":"note_1","input":{"title":"Two"}}}]}`, `READ {"operation":"get_note","params":{"note_id":"note_1"}}`,
		`DELETE {"operations":[{"operation":"delete_note","params":{"note_id":"note_99"}},{"operation":"delete_note","params":{"note_id":"note_99"}}]}`,
		`UPDATE {"operations":[{"operation":"update_note","params":{"note_id":"note_99","input":{"title":"One"}}},{"operation":"update_note","params":{"note_id":"note_99","input":{"title":"One"}}}]}`,
		`CREATE {"operations":[{"operation":"create_folder","params":{"name":"New","zz_a":1}},{"operation":"create_folder","params":{"name":"Newer","zz_a":1}}]}`,
		`INTRO {"operations":[{"operation":"peek_notes"},{"operation":"introspect","query":"types"},{"operation":"introspect","params":{"query":{"a":1}}}]}`,
		`mcp_aql {"operations":[{"operation":"create_folder","params":{"name":"New"}},{"operation":"list_folders"}]}`,
	}
}

// Without the feature a batch is a request without an operation, and nothing says
// that there are batches.
func TestBatchesCanBeLeftOut(t *testing.T) {
	a, err := New(Config{Features: "-batch"})
	if err != nil {
		t.Fatal(err)
	}
	lines := talk(t, a, settings[0].messages([]string{
		`INTRO {"operations":[{"operation":"introspect","params":{"query":"types"}}]}`,
		`INTRO {"operation":"introspect","params":{"query":"operations"}}`, `tools/list {}`,
	}))
	if e := envelopeOf(t, lines[1]); adapter.Object(e["error"])["code"] != "VALIDATION_MISSING_PARAM" {
		t.Errorf("a batch is answered %v", e)
	}
	if protocol := adapter.Object(adapter.Object(envelopeOf(t, lines[2])["data"])["_protocol"]); adapter.Object(protocol["capabilities"])["batch"] != false {
		t.Errorf("_protocol says %v", protocol)
	}
	if strings.Contains(lines[3], `"operations":`) {
		t.Errorf("a tool has a place for batches: %s", lines[3])
	}
}
