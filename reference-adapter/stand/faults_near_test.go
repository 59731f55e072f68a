package stand

// nearQuestions are asked of faults that find too much, or do what they refuse.
func nearQuestions() []string {
	return []string{
		`READ {"operation":"search_not","params":{"query":"budget"}}`, `READ {"operation":"list-folders","params":{}}`, `READ {"operation":" list_folders","params":{}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations","name":"get_no"}}`, `INTRO {"operation":"introspect","params":{"query":"operations","name":"et_no"}}`,
		`INTRO {"operation":"introspect","params":{"query":"operations","name":" get_note"}}`,
		`INTRO {"operation":"introspect","params":{"query":"types","name":"NOTE"}}`, `INTRO {"operation":"introspect","params":{"query":"types","name":"NoteFil"}}`,
		`READ {"operation":"get_note","params":{"note_id":"note_"}}`, `READ {"operation":"get_note","params":{"note_id":"ote_"}}`,
		`READ {"operation":"get_note","params":{"note_id":"%"}}`, `READ {"operation":"get_note","params":{"note_id":"note_1x"}}`, `READ {"operation":"get_note","params":{"note_id":"constructor"}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"NOTE_1","input":{"title":"Near"}}}`, `UPDATE {"operation":"update_note","params":{"note_id":" note_1","input":{"title":"Near"}}}`,
		`DELETE {"operation":"delete_note","params":{"note_id":"NOTE_2"}}`, `READ {"operation":"list_folders","params":{"name_prefix":"Work!"}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"metadata":{"review":{"open":null}}}}}`, `UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"metadata":{"review":2}}}}`, `READ {"operation":"get_note","params":{"note_id":"note_1"}}`,
		`READ {"operation":"search_notes","params":{"query":"budget travel","title_only":true,"first":1}}`, `READ {"operation":"search_notes","params":{"query":"budget travel","title_only":true,"first":1,"after":"bm90ZV8xLvhXPU_oGQ"}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_4","input":{"body":"Agenda","metadata":{"author":"ann"}}}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_4","input":{"title":"Near","body":null,"metadata":{"author":null,"reviewer":"bob"}}}}`, `READ {"operation":"get_note","params":{"note_id":"note_4"}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_4","input":{"title":"Near","tags":["no-such-tag"]}}}`, `READ {"operation":"get_note","params":{"note_id":"note_4"}}`,
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"Far","priority":11}}`, `CREATE {"operation":"create_note","params":{"title":"Loose"}}`,
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"Free","budget":"none"}}`,
		`CREATE {"operation":"create_folder","params":{"Name":"Cased"}}`, `READ {"operation":"get_folder","params":{"Folder_id":"folder_1"}}`, `CREATE {"operation":"create_folder","params":{"name":"Beside"},"zz_beside":1}`, `CREATE {"operation":"create_folder","params":{"name":"Opened","owner":"ann@example.com","opens_at":"2026-02-04T09:00:00+05:30"}}`, `CREATE {"operation":"create_folder","params":{"name":"Summer","owner":"ann@example.com","opens_on":"2026-07-15"}}`, `CREATE {"operation":"create_note","params":{"folder_id":"zz","title":"Lost"}}`, `UPDATE {"operation":"update_note","params":{"note_id":"note_4","input":{"priority":11}}}`,
		`READ {"operation":"list_notes","params":{}}`, `READ {"operation":"list_notes","params":{"first":2,"x":1}}`,
		`READ {"operation":"get_note","params":{"note_id":"note_1","fields":["title"]}}`, `READ {"operation":"get_note","params":{"note_id":"note_1","zz_a":1}}`,
		`READ {"operation":"get_note","params":{"note_id":"note_1"}}`, `READ {"operation":"list_notes","params":{}}`,
		`READ {"operation":"list_folders","params":{"fields":["name"]}}`, `READ {"operation":"list_folders","params":{"fields":["name","position"]}}`, `READ {"operation":"list_notes","params":{"created_after":"2026-02-30T10:30:00Z"}}`,
		`READ {"operation":"list_notes","params":{"sort":{"field":"title"},"first":2,"after":"bm90ZV8xLvhXPU_oGQ"}}`, `READ {"operation":"list_notes","params":{}}`,
		`READ {"operation":"list_notes","params":{"sort":{"field":"title","order":"desc"},"first":2,"after":"bm90ZV8xLvhXPU_oGQ"}}`,
		`UPDATE {"operation":"update_note","params":{"note_id":"note_1","input":{"due_date":"yesterday"}}}`,
		`READ {"operation":"list_notes","params":{"status":"draft","min_priority":5}}`,
		`READ {"operation":"list_notes","min_priority":9}`, `READ {"operation":"list_folders","zz_beside":1}`, `READ {"operation":"list_notes","params":{"first":2},"zz_beside":1}`, `READ {"operation":"list_notes","params":{"first":2},"first":1}`,
		`CREATE {"operation":"create_note","params":{"folder_id":"folder_1","title":"Zebra","pinned":true}}`, `READ {"operation":"list_notes","params":{"status":"draft","sort":{"field":"title"}}}`, `READ {"operation":"search_notes","params":{"query":"budget ("}}`,
		`READ {"operation":"search_notes","params":{"query":"zebra","filter":{"pinned":false}}}`,
		`READ {"operations":[{"operation":"get_note","params":{"note_id":"zz"}},{"operation":"zz_none","params":{}}]}`,
		`READ {"operations":[{"operation":"get_note","params":{"note_id":"zz"}},{"operation":"list_folders","params":{}}]}`,
		`READ {"operations":[{"operation":"zz_none","params":{}},{"operation":"list_folders","params":{}}]}`,
		frameOf("tools/call", `{"name":"mcp_aql_read_zz","arguments":{"operation":"introspect"}}`), `READ {"operation":"list_notes","params":{"folder_id":"folder_3"}}`, `READ {"operation":"get_folder","params":{"folder_id":"folder_3"}}`,
		frameOf("tools/call", `{"name":"zz_mcp_aql_read","arguments":{"operation":"introspect"}}`), `FRAME 42`, `ping {}`,
	}
}
