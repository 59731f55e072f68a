package introspection

import (
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// exampleFaults break the examples of an operation. Those of EXECUTE operations
// are read by many and run by few.
var exampleFaults = []seam.Fault{
	{ID: "INT-3.3-09", Variant: "examples-object", Defect: "examples of cancel_export is a single object",
		Hooks: seam.ExampleShown("cancel_export", func(op, first map[string]any) { op["examples"] = first })},
	{ID: "INT-3.3-17", Variant: "example-request-text", Defect: "request is the text of a request",
		Hooks: seam.ExampleShown("cancel_export", func(_, first map[string]any) { first["request"] = adapter.Printed(first["request"]) })},
	{ID: "INT-3.3-17", Variant: "example-description-number", Defect: "description of an example is 42",
		Hooks: seam.ExampleShown("cancel_export", func(_, first map[string]any) { first["description"] = adapter.Plain(42) })},
	{ID: "INT-8.2-01", Variant: "examples-empty", Defect: "delete_folder has examples []",
		Hooks: seam.Record("delete_folder", seam.Set("examples", []any{}))},
	{ID: "INT-8.2-09", Variant: "example-lacks-required", Defect: "the example of cancel_export omits execution_id",
		Hooks: seam.ExampleShown("cancel_export", func(op, first map[string]any) {
			for _, p := range adapter.Array(op["parameters"]) {
				if adapter.Object(p)["required"] == true {
					delete(adapter.Object(adapter.Object(first["request"])["params"]), adapter.Object(p)["name"].(string))
				}
			}
		})},
	{ID: "INT-8.2-09", Variant: "example-other-operation", Defect: "the example of cancel_export calls cancel_exports",
		Hooks: seam.ExampleShown("cancel_export", func(_, first map[string]any) {
			first["request"] = adapter.Plain(adapter.Request("cancel_exports", map[string]any{}))
		})},
	{ID: "INT-8.2-10", Variant: "example-enum-refused", Defect: "an example uses match all, which the handler refuses beside title_only",
		Hooks: seam.Both(
			seam.Both(seam.Needs("search_notes", seam.Taking("title_only")), seam.Exampled("search_notes", func(params map[string]any) { params["match"], params["title_only"] = "all", true })),
			seam.Remade("search_notes", func(op *adapter.Operation) {
				seam.First(op, func(t adapter.Task) adapter.Envelope {
					if t.Text("match") == "all" && t.Params["title_only"] == true {
						return adapter.Misvalued("search_notes", "match", []string{"any"})
					}
					return nil
				})
			}))},
}

// depthFaults tell too much or too little at one level of introspection.
var depthFaults = []seam.Fault{
	{ID: "INT-1.2-03", Variant: "listing-inlines-parameters", Defect: "the listing of operations contains the full parameter tables",
		Hooks: seam.Listing(func(c adapter.Call, data map[string]any) {
			for _, shown := range adapter.Array(data["operations"]) {
				op, _ := c.OperationNamed(adapter.Object(shown)["name"].(string))
				adapter.Object(shown)["parameters"] = adapter.Plain(append([]adapter.Parameter{}, op.Parameters...))
			}
		})},
	{ID: "INT-1.2-03", Variant: "listing-inlines-schema", Defect: "the listing of operations contains the parameter tables as input_schema",
		Hooks: seam.Listing(func(c adapter.Call, data map[string]any) {
			for _, shown := range adapter.Array(data["operations"]) {
				op, _ := c.OperationNamed(adapter.Object(shown)["name"].(string))
				adapter.Object(shown)["input_schema"] = adapter.Plain(append([]adapter.Parameter{}, op.Parameters...))
			}
		})},
	{ID: "INT-7.1-01", Variant: "tool-descriptions-repeat-tables", Defect: "tool descriptions repeat every parameter table",
		Hooks: seam.ToolList(func(x *adapter.Exchange, tools []any) any {
			var tables strings.Builder
			for _, op := range x.Operations {
				tables.WriteString("\n" + op.Name + ": " + adapter.Printed(op.Parameters) + " returns " + adapter.Printed(op.Returns) + ", for example " + adapter.Printed(op.Examples))
			}
			for _, tool := range tools {
				adapter.Object(tool)["description"] = adapter.Object(tool)["description"].(string) + tables.String()
			}
			return tools
		})},
	{ID: "AX-R1-01", Variant: "introspect-never-mentioned", Defect: "no tool description mentions introspect, and the server gives no instructions",
		Hooks: seam.Both(
			seam.Starting(seam.Drop("instructions")),
			seam.ToolList(func(_ *adapter.Exchange, tools []any) any {
				for _, tool := range tools {
					first, _, _ := strings.Cut(adapter.Object(tool)["description"].(string), ". ")
					adapter.Object(tool)["description"] = first + "."
				}
				return tools
			}))},
	{ID: "AX-R5-09", Variant: "opaque-input", Defect: "input of update_note is an object without any field information",
		Hooks: seam.Documented("update_note", "input", func(p map[string]any) {
			p["type"], p["description"] = "object", "What to change"
		})},
	{ID: "AX-R5-12", Variant: "status-enum-pasted", Defect: "the same eight-value enum is pasted into all operations that read notes and folders",
		Hooks: seam.Both(seam.Both(pasted("get_note"), seam.Both(pasted("list_notes"), pasted("search_notes"))),
			seam.Both(pasted("list_folders"), seam.Both(pasted("get_folder"), pasted("get_export"))))},
}

func pasted(to string) adapter.Hooks {
	return seam.Added(to, adapter.Parameter{Name: "language", Type: "string", Enum: []string{"de", "en", "es", "fr", "it", "ja", "pt", "zh"},
		Description: "Language that the caller prefers; all texts are English for now"}, func(adapter.Task) adapter.Envelope { return nil })
}

// descriptionFaults break what descriptions tell.
var descriptionFaults = []seam.Fault{
	{ID: "INT-8.2-02", Variant: "parameter-description-todo", Defect: "a parameter is described as \"TODO\"",
		Hooks: seam.Documented("list_notes", "min_priority", seam.Set("description", "TODO"))},
	{ID: "AX-R3-02", Variant: "summary-2kb", Defect: "the summary of cancel_exports is 2 kB long",
		Hooks: seam.Described("cancel_exports", func(op map[string]any) {
			op["description"] = op["description"].(string) + ". " + strings.Repeat("Whatever has not begun will not begin, and what has begun is given up. ", 28)
		})},
	{ID: "AX-R3-03", Variant: "details-shorter", Defect: "the detail description of create_note is one word, the summary a sentence",
		Hooks: seam.Record("create_note", seam.Set("description", "Creates"))},
	{ID: "AX-R3-04", Variant: "copied-description", Defect: "cancel_exports and cancel_export share one description",
		Hooks: seam.Described("cancel_exports", seam.Set("description", "Cancel an export that is pending or running"))},
	{ID: "AX-R3-06", Variant: "timeout-without-unit", Defect: "timeout is described as \"Timeout of the export\"",
		Hooks: seam.Added("execute_export", adapter.Parameter{Name: "timeout", Type: "integer", Minimum: adapter.Ref(1), Description: "Timeout of the export"},
			func(adapter.Task) adapter.Envelope { return nil })},
	{ID: "AX-R4-06", Variant: "prose-only-pagination", Defect: "list_folders says that it supports pagination, no paging parameter exists",
		Hooks: seam.Described("list_folders", seam.Set("description", "List folders, all of them unless a condition is given. Supports pagination"))},
}
