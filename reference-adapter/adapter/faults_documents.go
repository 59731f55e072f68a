package adapter

import "time"

// parameterRecordFaults break how one parameter is documented. They choose
// optional parameters that no valid request needs.
var parameterRecordFaults = []Fault{
	{ID: "INT-3.4-02", Variant: "parameter-without-type", Defect: "one parameter has no type",
		hooks: documented("create_note", "metadata", drop("type"))},
	{ID: "INT-3.4-02", Variant: "parameter-type-array", Defect: "type is [\"object\",\"null\"]",
		hooks: documented("create_note", "metadata", set("type", []string{"object", "null"}))},
	{ID: "INT-3.4-03", Variant: "required-omitted-when-false", Defect: "required is left out for an optional parameter",
		hooks: documented("search_notes", "title_only", drop("required"))},
	{ID: "INT-3.4-04", Variant: "format-boolean", Defect: "format is true", hooks: documented("list_notes", "folder_id", set("format", true))},
	{ID: "INT-3.4-04", Variant: "sensitive-string", Defect: "sensitive is \"yes\"", hooks: documented("list_notes", "folder_id", set("sensitive", "yes"))},
	{ID: "INT-3.4-04", Variant: "parameter-description-object", Defect: "description is {}",
		hooks: documented("list_notes", "folder_id", set("description", map[string]any{}))},
	{ID: "INT-3.4-05", Variant: "default-below-minimum", Defect: "priority documents default 0 with minimum 1",
		hooks: both(needs("create_note", bounded("priority")), documented("create_note", "priority", set("default", 0)))},
	{ID: "INT-3.4-05", Variant: "default-wrong-type", Defect: "a number parameter documents default \"5\"",
		hooks: documented("create_note", "priority", set("default", "5"))},
	{ID: "INT-3.4-06", Variant: "enum-as-text", Defect: "enum is the string \"markdown|json|text\"",
		hooks: documented("execute_export", "format", set("enum", "markdown|json|text"))},
	{ID: "INT-3.4-07", Variant: "minimum-string", Defect: "minimum is the string \"1\"", hooks: documented("list_notes", "min_priority", set("minimum", "1"))},
	{ID: "INT-3.4-07", Variant: "maximum-string", Defect: "maximum is the string \"10\"", hooks: documented("list_notes", "min_priority", set("maximum", "10"))},
	{ID: "INT-3.4-09", Variant: "min-length-negative", Defect: "minLength is -1", hooks: documented("list_notes", "folder_id", set("minLength", -1))},
	{ID: "INT-3.4-09", Variant: "max-length-fraction", Defect: "maxLength is 12.5", hooks: documented("list_notes", "folder_id", set("maxLength", 12.5))},
	{ID: "INT-3.4-11", Variant: "pattern-does-not-compile", Defect: "pattern is \"^[a-z\"", hooks: documented("list_notes", "folder_id", set("pattern", "^[a-z"))},
	{ID: "INT-3.4-13", Variant: "items-as-string", Defect: "items is the string \"string\"", hooks: documented("create_note", "tags", set("items", "string"))},
	{ID: "INT-3.4-15", Variant: "bounds-reversed", Defect: "minimum is 10 and maximum 1",
		hooks: both(needs("list_notes", bounded("min_priority")), documented("list_notes", "min_priority", func(p map[string]any) { p["minimum"], p["maximum"] = p["maximum"], p["minimum"] }))},
	{ID: "INT-3.4-15", Variant: "lengths-reversed", Defect: "minLength is 10 and maxLength 3",
		hooks: documented("list_notes", "folder_id", func(p map[string]any) { p["minLength"], p["maxLength"] = plain(10), plain(3) })},
	{ID: "INT-3.4-15", Variant: "field-lengths-reversed", Defect: "the body of a note has a minLength of 10 and a maxLength of 3",
		hooks: typeRecord("NoteInput", func(t map[string]any) {
			inList(t["fields"], "body", func(f map[string]any) { f["minLength"], f["maxLength"] = plain(10), plain(3) })
		})},
	{ID: "INT-3.4-17", Variant: "length-on-integer", Defect: "an integer parameter documents minLength",
		hooks: documented("list_notes", "min_priority", set("minLength", 1))},
	{ID: "INT-3.4-19", Variant: "required-with-default", Defect: "folder_id is required and has a default",
		hooks: documented("execute_export", "folder_id", set("default", "folder_1"))},
	{ID: "OPS-5.2-02", Variant: "type-alias-str", Defect: "a parameter has type \"str\"", hooks: documented("list_notes", "folder_id", set("type", "str"))},
	{ID: "AQL-9.2-01", Variant: "parameter-type-unregistered", Defect: "a parameter is typed ExportStyle without a registry entry",
		hooks: documented("execute_export", "format", set("type", "ExportStyle"))},
	{ID: "INT-8.1-08", Variant: "type-name-case-varies", Defect: "a parameter says exportFormat while the registry says ExportFormat",
		hooks: both(needsType("ExportFormat"), documented("execute_export", "format", set("type", "exportFormat")))},
	{ID: "INT-8.1-08", Variant: "returns-kind-differs", Defect: "returns.kind is union while the registry calls the type an object",
		hooks: record("cancel_export", func(op map[string]any) { object(op["returns"])["kind"] = "union" })},
}

// recordFaults break the details of an operation, mostly of cancel_export: few
// requirements need to call it.
var recordFaults = []Fault{
	{ID: "AQL-4.3-03", Variant: "parameters-as-map", Defect: "parameters is an object keyed by parameter name",
		hooks: record("cancel_export", func(op map[string]any) {
			byName := map[string]any{}
			for _, p := range array(op["parameters"]) {
				byName[object(p)["name"].(string)] = p
			}
			op["parameters"] = byName
		})},
	{ID: "AQL-4.3-03", Variant: "empty-parameters-omitted", Defect: "operations without parameters omit the member",
		hooks: record("", func(op map[string]any) {
			if len(array(op["parameters"])) == 0 {
				delete(op, "parameters")
			}
		})},
	{ID: "AQL-7.2-02", Variant: "introspect-listed-as-execute", Defect: "introspect is listed with category EXECUTE", Mode: "single",
		hooks: both(described("introspect", set("semantic_category", "EXECUTE")),
			record("introspect", set("permissions", map[string]any{"readOnly": false, "destructive": true})))},
	{ID: "AQL-7.3-06", Variant: "timestamp-in-details", Defect: "operation details contain the current time",
		hooks: record("cancel_export", func(op map[string]any) {
			op["description"] = op["description"].(string) + " (as of " + time.Now().UTC().Format(time.RFC3339Nano) + ")"
		})},
	{ID: "INT-3.3-04", Variant: "details-without-tool", Defect: "one record has no mcpTool", hooks: record("cancel_export", drop("mcpTool"))},
	{ID: "INT-3.3-05", Variant: "details-description-array", Defect: "one record has description [\"text\"]",
		hooks: record("cancel_export", func(op map[string]any) { op["description"] = []any{op["description"]} })},
	{ID: "INT-3.3-06", Variant: "permissions-missing", Defect: "one record has no permissions", hooks: record("cancel_export", drop("permissions"))},
	{ID: "INT-3.3-06", Variant: "permission-flag-string", Defect: "readOnly is the string \"true\"",
		hooks: record("get_export", set("permissions", map[string]any{"readOnly": "true", "destructive": false}))},
	{ID: "INT-3.3-08", Variant: "returns-omitted", Defect: "one record has no returns", hooks: record("cancel_export", drop("returns"))},
	{ID: "INT-3.3-08", Variant: "returns-kind-unknown", Defect: "returns.kind is \"interface\"",
		hooks: record("cancel_export", set("returns", map[string]any{"name": "object", "kind": "interface"}))},
	{ID: "INT-3.3-35", Variant: "parameter-documented-twice", Defect: "title_only is documented twice with different defaults",
		hooks: both(needs("search_notes", taking("title_only")), record("search_notes", func(op map[string]any) {
			inList(op["parameters"], "title_only", func(p map[string]any) {
				again := object(plain(p))
				again["default"] = true
				op["parameters"] = append(array(op["parameters"]), again)
			})
		}))},
	{ID: "OPS-9.2-01", Variant: "self-description-without-name", Defect: "the details of introspect list only query",
		hooks: both(
			record("introspect", func(op map[string]any) { op["parameters"] = dropped(op["parameters"], "name") }),
			refused("VALIDATION_UNKNOWN_PARAM", calling("introspect"), func(_ call, _, details map[string]any) {
				details["valid_params"] = []any{"query"}
			}))},
	{ID: "OPS-9.2-01", Variant: "self-description-query-optional", Defect: "the details of introspect show query as optional although it is demanded",
		hooks: documented("introspect", "query", set("required", false))},
}
