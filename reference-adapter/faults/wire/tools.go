package wire

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

var toolListFaults = []seam.Fault{
	{ID: "MCP-LIST-01", Variant: "tools-capability-missing", Defect: "capabilities is {} while tools/list returns tools",
		Hooks: seam.Starting(seam.Set("capabilities", map[string]any{}))},
	{ID: "MCP-LIST-02", Variant: "tools-list-null", Defect: "result.tools is null",
		Hooks: seam.ToolList(func(*adapter.Exchange, []any) any { return nil })},
	{ID: "MCP-LIST-02", Variant: "tools-list-map", Defect: "result.tools is an object keyed by tool name",
		Hooks: seam.ToolList(func(_ *adapter.Exchange, tools []any) any {
			byName := map[string]any{}
			for _, tool := range tools {
				byName[adapter.Object(tool)["name"].(string)] = tool
			}
			return byName
		})},
	{ID: "MCP-LIST-03", Variant: "cursor-ignored", Defect: "the cursor is ignored, so the first page repeats for ever",
		Hooks: paged(func(cursor string) bool { return cursor == nextPage }, func(result map[string]any, _ string) {
			result["nextCursor"] = nextPage
		})},
	{ID: "MCP-LIST-03", Variant: "cursor-ignored-and-renewed", Defect: "the cursor is ignored, and each answer has a new one",
		Hooks: paged(func(cursor string) bool { return strings.HasPrefix(cursor, nextPage) }, func(result map[string]any, cursor string) {
			result["nextCursor"] = cmp.Or(cursor, nextPage) + "+"
		})},
	{ID: "MCP-LIST-04", Variant: "bogus-cursor-accepted", Defect: "tools/list is paged, and an unknown cursor is answered with the first page",
		Hooks: paged(func(string) bool { return true }, func(result map[string]any, cursor string) {
			tools := adapter.Array(result["tools"])
			half := (len(tools) + 1) / 2
			if cursor == nextPage {
				result["tools"] = tools[half:]
				return
			}
			result["tools"] = tools[:half]
			result["nextCursor"] = nextPage
		})},
	{ID: "MCP-LIST-04", Variant: "any-offset-accepted", Defect: "tools/list is paged, the cursor is an offset, and any number is taken",
		Hooks: paged(func(cursor string) bool {
			return !strings.ContainsFunc(cursor, func(r rune) bool { return r < '0' || r > '9' })
		}, func(result map[string]any, cursor string) {
			tools := adapter.Array(result["tools"])
			half := (len(tools) + 1) / 2
			if from, err := strconv.Atoi(cursor); err == nil {
				result["tools"] = tools[min(from, len(tools)):]
				return
			}
			result["tools"] = tools[:half]
			result["nextCursor"] = strconv.Itoa(half)
		})},
	{ID: "MCP-LIST-05", Variant: "random-tool-order", Defect: "the order of tools changes on every call",
		Hooks: seam.ToolList(func(x *adapter.Exchange, tools []any) any {
			if seam.Count(x.Adapter, "order")%2 == 1 {
				slices.Reverse(tools)
			}
			return tools
		})},
}

const nextPage = "next-tools"

// paged pages tools/list. It takes over the cursors that it claims; all others
// meet the healthy server, which refuses what it did not issue.
func paged(claims func(cursor string) bool, page func(result map[string]any, cursor string)) adapter.Hooks {
	return seam.Both(
		adapter.Hooks{Ask: func(x *adapter.Exchange) {
			params := adapter.Object(x.Request["params"])
			if cursor, ok := params["cursor"].(string); ok && x.Original["method"] == "tools/list" && claims(cursor) {
				delete(params, "cursor")
			}
		}},
		seam.Answering("tools/list", func(x *adapter.Exchange, result map[string]any) {
			cursor, _ := adapter.Object(x.Original["params"])["cursor"].(string)
			page(result, cursor)
		}))
}

var toolFaults = []seam.Fault{
	{ID: "MCP-TOOL-01", Variant: "tool-without-name", Defect: "one tool object carries only a title",
		Hooks: besideTool(func(tool map[string]any) {
			delete(tool, "name")
			tool["title"] = "Help on notes"
		})},
	{ID: "MCP-TOOL-02", Variant: "tool-registered-twice", Defect: "a tool is registered twice with different schemas",
		Hooks: seam.Both(
			besideTool(func(map[string]any) {}),
			besideSchema(func(schema map[string]any) { schema["properties"] = map[string]any{} }))},
	{ID: "MCP-NAME-01", Variant: "tool-name-with-spaces", Defect: "a tool is named \"notes help\"",
		Hooks: besideTool(seam.Set("name", "notes help"))},
	{ID: "MCP-NAME-02", Variant: "camel-case-tool-name", Defect: "a tool is named notesHelp",
		Hooks: besideTool(seam.Set("name", "notesHelp"))},
	{ID: "MCP-TOOL-03", Variant: "tool-description-array", Defect: "the description of a tool is an array of lines",
		Hooks: besideTool(seam.Set("description", []string{"Explains notes", "Explains folders"}))},
	{ID: "MCP-TOOL-04", Variant: "tool-description-repeats-name", Defect: "the tool for reading is described as \"read\"",
		Hooks: seam.ToolHosting("get_note", seam.Set("description", "read"))},
	{ID: "MCP-TOOL-05", Variant: "tool-meta-string", Defect: "_meta of a tool is a string",
		Hooks: besideTool(seam.Set("_meta", "help"))},
}

var schemaFaults = []seam.Fault{
	{ID: "MCP-SCHEMA-01", Variant: "boolean-input-schema", Defect: "inputSchema is true",
		Hooks: besideTool(seam.Set("inputSchema", true))},
	{ID: "MCP-SCHEMA-02", Variant: "schema-root-without-type", Defect: "inputSchema has properties but no type",
		Hooks: besideSchema(seam.Drop("type"))},
	{ID: "MCP-SCHEMA-03", Variant: "output-schema-string", Defect: "outputSchema is the string \"object\"",
		Hooks: besideTool(seam.Set("outputSchema", "object"))},
	{ID: "MCP-SCHEMA-04", Variant: "schema-required-string", Defect: "required is a string inside a schema",
		Hooks: besideSchema(topic(map[string]any{"type": "object", "required": "title"}))},
	{ID: "MCP-SCHEMA-04", Variant: "schema-misspelt-type", Defect: "a property has type \"strng\"",
		Hooks: besideSchema(topic(map[string]any{"type": "strng"}))},
	{ID: "MCP-SCHEMA-05", Variant: "dangling-schema-ref", Defect: "inputSchema refers to #/$defs/Topic but has no $defs",
		Hooks: besideSchema(topic(map[string]any{"$ref": "#/$defs/Topic"}))},
	{ID: "MCP-SCHEMA-06", Variant: "schema-required-undefined", Defect: "required lists a property that properties does not define",
		Hooks: besideSchema(seam.Set("required", []string{"chapter"}))},
}

// topic gives the one property of the tool beside the others another schema.
func topic(schema map[string]any) func(map[string]any) {
	return seam.Set("properties", map[string]any{"topic": schema})
}

var annotationFaults = []seam.Fault{
	{ID: "MCP-ANNOT-01", Variant: "hint-as-string", Defect: "readOnlyHint is the string \"true\"",
		Hooks: besideTool(annotations(seam.Set("readOnlyHint", "true")))},
	{ID: "MCP-ANNOT-02", Variant: "delete-tool-marked-read-only", Defect: "the tool for deleting has readOnlyHint true",
		Hooks: seam.ToolHosting("delete_note", annotations(func(hints map[string]any) {
			hints["readOnlyHint"] = true
			delete(hints, "destructiveHint") // both hints together would be a contradiction of its own
		}))},
	{ID: "MCP-ANNOT-03", Variant: "read-tool-without-hint", Defect: "the tool for reading has no annotations",
		Hooks: seam.ToolHosting("get_note", seam.Drop("annotations"))},
	{ID: "MCP-ANNOT-04", Variant: "delete-tool-marked-harmless", Defect: "the tool for deleting has destructiveHint false",
		Hooks: seam.ToolHosting("delete_note", annotations(seam.Set("destructiveHint", false)))},
	{ID: "MCP-ANNOT-04", Variant: "update-tool-marked-harmless", Defect: "the tool for updating has destructiveHint false, and the record of update_note says destructive true",
		Hooks: seam.ToolHosting("update_note", annotations(seam.Set("destructiveHint", false)))},
	{ID: "MCP-ANNOT-05", Variant: "read-only-and-destructive", Defect: "the tool for reading has readOnlyHint and destructiveHint both true",
		Hooks: seam.ToolHosting("get_note", annotations(func(hints map[string]any) {
			hints["readOnlyHint"] = true
			hints["destructiveHint"] = true
		}))},
	{ID: "MCP-ANNOT-06", Variant: "execute-tool-idempotent", Defect: "the tool for executing has idempotentHint true",
		Hooks: seam.ToolHosting("execute_export", annotations(seam.Set("idempotentHint", true)))},
}

// forAdmins refuses cancel_exports unless the arguments claim the role of an administrator.
var forAdmins = seam.Both(seam.Needs("cancel_exports", nil), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
	if c.Operation() == "cancel_exports" && adapter.Object(c.Body["_meta"])["role"] != "admin" {
		return adapter.Failure("PERMISSION_DENIED", "Only administrators may run cancel_exports", map[string]any{"operation": "cancel_exports"})
	}
	return next(c)
}})
