package adapter

import (
	"cmp"
	"slices"
	"strings"
)

var toolListFaults = []Fault{
	{ID: "MCP-LIST-01", Variant: "tools-capability-missing", Defect: "capabilities is {} while tools/list returns tools",
		hooks: starting(set("capabilities", map[string]any{}))},
	{ID: "MCP-LIST-02", Variant: "tools-list-null", Defect: "result.tools is null",
		hooks: toolList(func(*exchange, []any) any { return nil })},
	{ID: "MCP-LIST-02", Variant: "tools-list-map", Defect: "result.tools is an object keyed by tool name",
		hooks: toolList(func(_ *exchange, tools []any) any {
			byName := map[string]any{}
			for _, tool := range tools {
				byName[object(tool)["name"].(string)] = tool
			}
			return byName
		})},
	{ID: "MCP-LIST-03", Variant: "cursor-ignored", Defect: "the cursor is ignored, so the first page repeats for ever",
		hooks: paged(func(cursor string) bool { return cursor == nextPage }, func(result map[string]any, _ string) {
			result["nextCursor"] = nextPage
		})},
	{ID: "MCP-LIST-03", Variant: "cursor-ignored-and-renewed", Defect: "the cursor is ignored, and each answer has a new one",
		hooks: paged(func(cursor string) bool { return strings.HasPrefix(cursor, nextPage) }, func(result map[string]any, cursor string) {
			result["nextCursor"] = cmp.Or(cursor, nextPage) + "+"
		})},
	{ID: "MCP-LIST-04", Variant: "bogus-cursor-accepted", Defect: "tools/list is paged, and an unknown cursor is answered with the first page",
		hooks: paged(func(string) bool { return true }, func(result map[string]any, cursor string) {
			tools := array(result["tools"])
			half := (len(tools) + 1) / 2
			if cursor == nextPage {
				result["tools"] = tools[half:]
				return
			}
			result["tools"] = tools[:half]
			result["nextCursor"] = nextPage
		})},
	{ID: "MCP-LIST-05", Variant: "random-tool-order", Defect: "the order of tools changes on every call",
		hooks: toolList(func(x *exchange, tools []any) any {
			if x.count("order")%2 == 1 {
				slices.Reverse(tools)
			}
			return tools
		})},
}

const nextPage = "next-tools"

// paged pages tools/list. It takes over the cursors that it claims; all others
// meet the healthy server, which refuses what it did not issue.
func paged(claims func(cursor string) bool, page func(result map[string]any, cursor string)) hooks {
	return both(
		hooks{ask: func(x *exchange) {
			params := object(x.request["params"])
			if cursor, ok := params["cursor"].(string); ok && x.original["method"] == "tools/list" && claims(cursor) {
				delete(params, "cursor")
			}
		}},
		answering("tools/list", func(x *exchange, result map[string]any) {
			cursor, _ := object(x.original["params"])["cursor"].(string)
			page(result, cursor)
		}))
}

var toolFaults = []Fault{
	{ID: "MCP-TOOL-01", Variant: "tool-without-name", Defect: "one tool object carries only a title",
		hooks: besideTool(func(tool map[string]any) {
			delete(tool, "name")
			tool["title"] = "Help on notes"
		})},
	{ID: "MCP-TOOL-02", Variant: "tool-registered-twice", Defect: "a tool is registered twice with different schemas",
		hooks: both(
			besideTool(func(map[string]any) {}),
			besideSchema(func(schema map[string]any) { schema["properties"] = map[string]any{} }))},
	{ID: "MCP-NAME-01", Variant: "tool-name-with-spaces", Defect: "a tool is named \"notes help\"",
		hooks: besideTool(set("name", "notes help"))},
	{ID: "MCP-NAME-02", Variant: "camel-case-tool-name", Defect: "a tool is named notesHelp",
		hooks: besideTool(set("name", "notesHelp"))},
	{ID: "MCP-TOOL-03", Variant: "tool-description-array", Defect: "the description of a tool is an array of lines",
		hooks: besideTool(set("description", []string{"Explains notes", "Explains folders"}))},
	{ID: "MCP-TOOL-04", Variant: "tool-description-repeats-name", Defect: "the tool for reading is described as \"read\"",
		hooks: toolHosting("get_note", set("description", "read"))},
	{ID: "MCP-TOOL-05", Variant: "tool-meta-string", Defect: "_meta of a tool is a string",
		hooks: besideTool(set("_meta", "help"))},
}

var schemaFaults = []Fault{
	{ID: "MCP-SCHEMA-01", Variant: "boolean-input-schema", Defect: "inputSchema is true",
		hooks: besideTool(set("inputSchema", true))},
	{ID: "MCP-SCHEMA-02", Variant: "schema-root-without-type", Defect: "inputSchema has properties but no type",
		hooks: besideSchema(drop("type"))},
	{ID: "MCP-SCHEMA-03", Variant: "output-schema-string", Defect: "outputSchema is the string \"object\"",
		hooks: besideTool(set("outputSchema", "object"))},
	{ID: "MCP-SCHEMA-04", Variant: "schema-required-string", Defect: "required is a string inside a schema",
		hooks: besideSchema(topic(map[string]any{"type": "object", "required": "title"}))},
	{ID: "MCP-SCHEMA-04", Variant: "schema-misspelt-type", Defect: "a property has type \"strng\"",
		hooks: besideSchema(topic(map[string]any{"type": "strng"}))},
	{ID: "MCP-SCHEMA-05", Variant: "dangling-schema-ref", Defect: "inputSchema refers to #/$defs/Topic but has no $defs",
		hooks: besideSchema(topic(map[string]any{"$ref": "#/$defs/Topic"}))},
	{ID: "MCP-SCHEMA-06", Variant: "schema-required-undefined", Defect: "required lists a property that properties does not define",
		hooks: besideSchema(set("required", []string{"chapter"}))},
}

// topic gives the one property of the tool beside the others another schema.
func topic(schema map[string]any) func(map[string]any) {
	return set("properties", map[string]any{"topic": schema})
}

var annotationFaults = []Fault{
	{ID: "MCP-ANNOT-01", Variant: "hint-as-string", Defect: "readOnlyHint is the string \"true\"",
		hooks: besideTool(annotations(set("readOnlyHint", "true")))},
	{ID: "MCP-ANNOT-02", Variant: "delete-tool-marked-read-only", Defect: "the tool for deleting has readOnlyHint true",
		hooks: toolHosting("delete_note", annotations(func(hints map[string]any) {
			hints["readOnlyHint"] = true
			delete(hints, "destructiveHint") // both hints together would be a contradiction of its own
		}))},
	{ID: "MCP-ANNOT-03", Variant: "read-tool-without-hint", Defect: "the tool for reading has no annotations",
		hooks: toolHosting("get_note", drop("annotations"))},
	{ID: "MCP-ANNOT-04", Variant: "delete-tool-marked-harmless", Defect: "the tool for deleting has destructiveHint false",
		hooks: toolHosting("delete_note", annotations(set("destructiveHint", false)))},
	{ID: "MCP-ANNOT-04", Variant: "update-tool-marked-harmless", Defect: "the tool for updating has destructiveHint false, and the record of update_note says destructive true",
		hooks: toolHosting("update_note", annotations(set("destructiveHint", false)))},
	{ID: "MCP-ANNOT-05", Variant: "read-only-and-destructive", Defect: "the tool for reading has readOnlyHint and destructiveHint both true",
		hooks: toolHosting("get_note", annotations(func(hints map[string]any) {
			hints["readOnlyHint"] = true
			hints["destructiveHint"] = true
		}))},
	{ID: "MCP-ANNOT-06", Variant: "execute-tool-idempotent", Defect: "the tool for executing has idempotentHint true",
		hooks: toolHosting("execute_export", annotations(set("idempotentHint", true)))},
}
