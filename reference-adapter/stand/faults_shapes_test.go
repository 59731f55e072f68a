package stand

import (
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// shapeQuestions have identifiers, texts and parameters of unusual shapes, and ask for what was removed.
func shapeQuestions() []string {
	return []string{
		`FRAME {"jsonrpc":"2.0","id":"comma",,"method":"ping"}`, `FRAME aqlx is no JSON`, `READ "aqlx"`,
		`FRAME {"jsonrpc":"2.0","id":0,"method":"tools/list"}`, `FRAME {"jsonrpc":"2.0","id":"","method":"tools/list"}`, `FRAME {"jsonrpc":"2.0","id":-7,"method":"tools/list"}`,
		`FRAME {"jsonrpc":"2.0","id":9007199254740991,"method":"tools/list"}`, `FRAME {"jsonrpc":"2.0","id":"東é","method":"tools/list"}`,
		`FRAME {"jsonrpc":"2.0","id":"age","method":"tools/call","params":{"name":"mcp_aql_read","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"arguments":{"operation":"zz_none"}}}`,
		`FRAME {"jsonrpc":"2.0","id":"token","method":"tools/call","params":{"name":"mcp_aql_read","_meta":{"progressToken":0},"arguments":{"operation":"list_folders"}}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations","name":"introspect","aqlx_k3f9x2ab":"1"}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations","name":"Note"}}`, `INTRO {"operation":"introspect","params":{"query":"types","name":"get_note"}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations","name":"constructor"}}`, `INTRO {"operation":"introspect","params":{"query":"types","name":"__proto__"}}`,
		`READ {"operation":"list_notes","params":{"sort":{"order":"asc"}}}`, `READ {"operation":"list_notes","params":{"sort":{"field":"title","order":"zz"}}}`,
		`READ {"operation":"search_notes","params":{"query":"budget","filter":{"min_priority":0}}}`, `READ {"operation":"search_notes","params":{"query":"budget","filter":{"min_priority":[]}}}`,
		`READ {"operation":"search_notes","params":{"query":"` + strings.Repeat("é", 150) + `"}}`,
		`READ {"operation":"search_notes","params":{"query":"budget","filter":{"zz":1}}}`, `READ {"operation":"list_notes","params":"zz"}`, `READ {"operation":"list_notes","params":5}`,
		`READ {"operation":"search_notes","params":{"query":"budget travel","last":1}}`, `READ {"operation":"search_notes","params":{"query":"budget travel","last":1,"before":"` + adapter.Cursor("note_3") + `"}}`,
		`READ {"operation":"search_notes","params":{"query":"budget","first":5,"after":"` + adapter.Cursor("note_1") + `"}}`,
		`READ {"operation":"list_notes","params":[]}`, `CREATE {"operation":"create_folder","params":[{"name":"Listed"}]}`,
		`READ {"operation":"list_notes","params":{"min_priority":null}}`, `READ {"operation":"list_notes","params":{"tags":null}}`,
		`READ {"operation":"search_notes","params":{"query":"budget","filter":{"status":"archived"}}}`, `READ {"operation":"list_notes","params":{"status":"archived"}}`,
		"CREATE {\"operation\":\"create_note\",\"params\":{\"folder_id\":\"folder_1\",\"title\":\"e\u0301\",\"body\":\"a\U0001F6B2 e\u0301 x\u2028y\"}}",
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"title":"東"}}}`,
		`DELETE {"operation":"delete_note","params":{"note_id":"note_2"}}`, `READ {"operation":"get_note","params":{"note_id":"note_2"}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_2","input":{"title":"Gone"}}}`, `DELETE {"operation":"delete_note","params":{"note_id":"note_2"}}`,
		`READ {"operation":"list_notes","params":{"first":2,"after":"` + adapter.Cursor("note_2") + `"}}`,
		`READ {"operation":"search_notes","params":{"query":"Shopping list"}}`, // the title of the note removed above
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"Shopping list","tags":["Zq","zq","zq"]}}`,
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"Due one","due_date":"2026-01-02","priority":3}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_4","input":{"title":"Half way","priority":"x"}}}`, `READ {"operation":"get_note","params":{"note_id":"note_4"}}`,
		`UPDATE {"operations":[{"operation":"update_note","params":{"note_id":"note_4","input":{"title":"In a batch"}}},{"operation":"update_note","params":{"note_id":"zz","input":{"title":"None"}}}]}`,
		`READ {"operation":"get_note","params":{"note_id":"note_4"}}`, `READ {"operation":"list_notes","params":{"created_after":"` + time.Now().Add(-time.Hour).In(time.FixedZone("", 13*3600)).Format(time.RFC3339) + `"}}`,
		`READ {"operation":"list_notes","params":{"sort":{"field":"priority"},"first":3,"after":"` + adapter.Cursor("note_4") + `"}}`,
		`READ {"operation":"list_notes","params":{"sort":{"field":"title","order":"desc"},"fields":["note_id"]}}`,
		`DELETE {"operation":"delete_folder","params":{"folder_id":"folder_1"}}`, `READ {"operation":"list_notes"}`,
	}
}
