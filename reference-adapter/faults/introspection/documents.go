package introspection

import (
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// parameterRecordFaults break how one parameter is documented. They choose
// optional parameters that no valid request needs.
var parameterRecordFaults = []seam.Fault{
	{ID: "INT-3.4-02", Variant: "parameter-without-type", Defect: "one parameter has no type",
		Hooks: seam.Documented("create_note", "metadata", seam.Drop("type"))},
	{ID: "INT-3.4-02", Variant: "parameter-type-array", Defect: "type is [\"object\",\"null\"]",
		Hooks: seam.Documented("create_note", "metadata", seam.Set("type", []string{"object", "null"}))},
	{ID: "INT-3.4-03", Variant: "required-omitted-when-false", Defect: "required is left out for an optional parameter",
		Hooks: seam.Documented("search_notes", "title_only", seam.Drop("required"))},
	{ID: "INT-3.4-04", Variant: "format-boolean", Defect: "format is true", Hooks: seam.Documented("list_notes", "folder_id", seam.Set("format", true))},
	{ID: "INT-3.4-04", Variant: "sensitive-string", Defect: "sensitive is \"yes\"", Hooks: seam.Documented("list_notes", "folder_id", seam.Set("sensitive", "yes"))},
	{ID: "INT-3.4-04", Variant: "parameter-description-object", Defect: "description is {}",
		Hooks: seam.Documented("list_notes", "folder_id", seam.Set("description", map[string]any{}))},
	{ID: "INT-3.4-05", Variant: "default-below-minimum", Defect: "priority documents default 0 with minimum 1",
		Hooks: seam.Both(seam.Needs("create_note", bounded("priority")), seam.Documented("create_note", "priority", seam.Set("default", 0)))},
	{ID: "INT-3.4-05", Variant: "default-wrong-type", Defect: "a number parameter documents default \"5\"",
		Hooks: seam.Documented("create_note", "priority", seam.Set("default", "5"))},
	{ID: "INT-3.4-06", Variant: "enum-as-text", Defect: "enum is the string \"markdown|json|text\"",
		Hooks: seam.Documented("execute_export", "format", seam.Set("enum", "markdown|json|text"))},
	{ID: "INT-3.4-07", Variant: "minimum-string", Defect: "minimum is the string \"1\"", Hooks: seam.Documented("list_notes", "min_priority", seam.Set("minimum", "1"))},
	{ID: "INT-3.4-07", Variant: "maximum-string", Defect: "maximum is the string \"10\"", Hooks: seam.Documented("list_notes", "min_priority", seam.Set("maximum", "10"))},
	{ID: "INT-3.4-09", Variant: "min-length-negative", Defect: "minLength is -1", Hooks: seam.Documented("list_notes", "folder_id", seam.Set("minLength", -1))},
	{ID: "INT-3.4-09", Variant: "max-length-fraction", Defect: "maxLength is 12.5", Hooks: seam.Documented("list_notes", "folder_id", seam.Set("maxLength", 12.5))},
	{ID: "INT-3.4-11", Variant: "pattern-does-not-compile", Defect: "pattern is \"^[a-z\"", Hooks: seam.Documented("list_notes", "folder_id", seam.Set("pattern", "^[a-z"))},
	{ID: "INT-3.4-13", Variant: "items-as-string", Defect: "items is the string \"string\"", Hooks: seam.Documented("create_note", "tags", seam.Set("items", "string"))},
	{ID: "INT-3.4-15", Variant: "bounds-reversed", Defect: "minimum is 10 and maximum 1",
		Hooks: seam.Both(seam.Needs("list_notes", bounded("min_priority")), seam.Documented("list_notes", "min_priority", func(p map[string]any) { p["minimum"], p["maximum"] = p["maximum"], p["minimum"] }))},
	{ID: "INT-3.4-15", Variant: "lengths-reversed", Defect: "minLength is 10 and maxLength 3",
		Hooks: seam.Documented("list_notes", "folder_id", func(p map[string]any) { p["minLength"], p["maxLength"] = adapter.Plain(10), adapter.Plain(3) })},
	{ID: "INT-3.4-15", Variant: "field-lengths-reversed", Defect: "the body of a note has a minLength of 10 and a maxLength of 3",
		Hooks: seam.TypeRecord("NoteInput", func(t map[string]any) {
			seam.InList(t["fields"], "body", func(f map[string]any) { f["minLength"], f["maxLength"] = adapter.Plain(10), adapter.Plain(3) })
		})},
	{ID: "INT-3.4-17", Variant: "length-on-integer", Defect: "an integer parameter documents minLength",
		Hooks: seam.Documented("list_notes", "min_priority", seam.Set("minLength", 1))},
	{ID: "INT-3.4-19", Variant: "required-with-default", Defect: "folder_id is required and has a default",
		Hooks: seam.Documented("execute_export", "folder_id", seam.Set("default", "folder_1"))},
	{ID: "OPS-5.2-02", Variant: "type-alias-str", Defect: "a parameter has type \"str\"", Hooks: seam.Documented("list_notes", "folder_id", seam.Set("type", "str"))},
	{ID: "AQL-9.2-01", Variant: "parameter-type-unregistered", Defect: "a parameter is typed ExportStyle without a registry entry",
		Hooks: seam.Documented("execute_export", "format", seam.Set("type", "ExportStyle"))},
	{ID: "INT-8.1-08", Variant: "type-name-case-varies", Defect: "a parameter says exportFormat while the registry says ExportFormat",
		Hooks: seam.Both(seam.NeedsType("ExportFormat"), seam.Documented("execute_export", "format", seam.Set("type", "exportFormat")))},
	{ID: "INT-8.1-08", Variant: "property-type-varies", Defect: "a property in the record of a parameter says export_format while the registry says ExportFormat",
		Hooks: seam.Both(seam.NeedsType("ExportFormat"), seam.Documented("execute_export", "format", seam.Set("properties", []any{map[string]any{"name": "kind", "type": "export_format"}})))},
	{ID: "INT-8.1-08", Variant: "returns-kind-differs", Defect: "returns.kind is union while the registry calls the type an object",
		Hooks: seam.Record("cancel_export", func(op map[string]any) { adapter.Object(op["returns"])["kind"] = "union" })},
}

// recordFaults break the details of an operation, mostly of cancel_export: few
// requirements need to call it.
var recordFaults = []seam.Fault{
	{ID: "AQL-4.3-03", Variant: "parameters-as-map", Defect: "parameters is an object keyed by parameter name",
		Hooks: seam.Record("cancel_export", func(op map[string]any) {
			byName := map[string]any{}
			for _, p := range adapter.Array(op["parameters"]) {
				byName[adapter.Object(p)["name"].(string)] = p
			}
			op["parameters"] = byName
		})},
	{ID: "AQL-4.3-03", Variant: "empty-parameters-omitted", Defect: "operations without parameters omit the member",
		Hooks: seam.Record("", func(op map[string]any) {
			if len(adapter.Array(op["parameters"])) == 0 {
				delete(op, "parameters")
			}
		})},
	{ID: "AQL-7.2-02", Variant: "introspect-listed-as-execute", Defect: "introspect is listed with category EXECUTE", Mode: "single",
		Hooks: seam.Both(seam.Described("introspect", seam.Set("semantic_category", "EXECUTE")),
			seam.Record("introspect", seam.Set("permissions", map[string]any{"readOnly": false, "destructive": true})))},
	{ID: "AQL-7.3-06", Variant: "timestamp-in-details", Defect: "operation details contain the current time",
		Hooks: seam.Record("cancel_export", func(op map[string]any) {
			op["description"] = op["description"].(string) + " (as of " + time.Now().UTC().Format(time.RFC3339Nano) + ")"
		})},
	{ID: "INT-3.3-04", Variant: "details-without-tool", Defect: "one record has no mcpTool", Hooks: seam.Record("cancel_export", seam.Drop("mcpTool"))},
	{ID: "INT-3.3-05", Variant: "details-description-array", Defect: "one record has description [\"text\"]",
		Hooks: seam.Record("cancel_export", func(op map[string]any) { op["description"] = []any{op["description"]} })},
	{ID: "INT-3.3-06", Variant: "permissions-missing", Defect: "one record has no permissions", Hooks: seam.Record("cancel_export", seam.Drop("permissions"))},
	{ID: "INT-3.3-06", Variant: "permission-flag-string", Defect: "readOnly is the string \"true\"",
		Hooks: seam.Record("get_export", seam.Set("permissions", map[string]any{"readOnly": "true", "destructive": false}))},
	{ID: "INT-3.3-08", Variant: "returns-omitted", Defect: "one record has no returns", Hooks: seam.Record("cancel_export", seam.Drop("returns"))},
	{ID: "INT-3.3-08", Variant: "returns-kind-unknown", Defect: "returns.kind is \"interface\"",
		Hooks: seam.Record("cancel_export", seam.Set("returns", map[string]any{"name": "object", "kind": "interface"}))},
	{ID: "INT-3.3-35", Variant: "parameter-documented-twice", Defect: "title_only is documented twice with different defaults",
		Hooks: seam.Both(seam.Needs("search_notes", seam.Taking("title_only")), seam.Record("search_notes", func(op map[string]any) {
			seam.InList(op["parameters"], "title_only", func(p map[string]any) {
				again := adapter.Object(adapter.Plain(p))
				again["default"] = true
				op["parameters"] = append(adapter.Array(op["parameters"]), again)
			})
		}))},
	{ID: "OPS-9.2-01", Variant: "self-description-without-name", Defect: "the details of introspect list only query",
		Hooks: seam.Both(
			seam.Record("introspect", func(op map[string]any) { op["parameters"] = seam.Dropped(op["parameters"], "name") }),
			seam.Refused("VALIDATION_UNKNOWN_PARAM", seam.Calling("introspect"), func(_ adapter.Call, _, details map[string]any) {
				details["valid_params"] = []any{"query"}
			}))},
	{ID: "OPS-9.2-01", Variant: "self-description-query-optional", Defect: "the details of introspect show query as optional although it is demanded",
		Hooks: seam.Documented("introspect", "query", seam.Set("required", false))},
}

// bounded picks operations with a parameter that documents a lower bound.
func bounded(name string) func(op adapter.Operation) bool {
	return func(op adapter.Operation) bool {
		for _, p := range op.Parameters {
			if p.Name == name && p.Minimum != nil {
				return true
			}
		}
		return false
	}
}
