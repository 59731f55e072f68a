package adapter

import "strings"

// exampleFaults break the examples of an operation. Those of EXECUTE operations
// are read by many and run by few.
var exampleFaults = []Fault{
	{ID: "INT-3.3-09", Variant: "examples-object", Defect: "examples of cancel_export is a single object",
		hooks: exampleShown("cancel_export", func(op, first map[string]any) { op["examples"] = first })},
	{ID: "INT-3.3-17", Variant: "example-request-text", Defect: "request is the text of a request",
		hooks: exampleShown("cancel_export", func(_, first map[string]any) { first["request"] = printed(first["request"]) })},
	{ID: "INT-3.3-17", Variant: "example-description-number", Defect: "description of an example is 42",
		hooks: exampleShown("cancel_export", func(_, first map[string]any) { first["description"] = plain(42) })},
	{ID: "INT-8.2-01", Variant: "examples-empty", Defect: "delete_folder has examples []",
		hooks: record("delete_folder", set("examples", []any{}))},
	{ID: "INT-8.2-09", Variant: "example-lacks-required", Defect: "the example of cancel_export omits execution_id",
		hooks: exampleShown("cancel_export", func(op, first map[string]any) {
			for _, p := range array(op["parameters"]) {
				if object(p)["required"] == true {
					delete(object(object(first["request"])["params"]), object(p)["name"].(string))
				}
			}
		})},
	{ID: "INT-8.2-09", Variant: "example-other-operation", Defect: "the example of cancel_export calls cancel_exports",
		hooks: exampleShown("cancel_export", func(_, first map[string]any) {
			first["request"] = plain(request("cancel_exports", map[string]any{}))
		})},
	{ID: "INT-8.2-10", Variant: "example-enum-refused", Defect: "an example uses match all, which the handler refuses beside title_only",
		hooks: both(
			both(needs("search_notes", taking("title_only")), exampled("search_notes", func(params map[string]any) { params["match"], params["title_only"] = "all", true })),
			remade("search_notes", func(op *operation) {
				op.first(func(t task) envelope {
					if t.text("match") == "all" && t.params["title_only"] == true {
						return misvalued("search_notes", "match", []string{"any"})
					}
					return nil
				})
			}))},
}

// depthFaults tell too much or too little at one level of introspection.
var depthFaults = []Fault{
	{ID: "INT-1.2-03", Variant: "listing-inlines-parameters", Defect: "the listing of operations contains the full parameter tables",
		hooks: listing(func(c call, data map[string]any) {
			for _, shown := range array(data["operations"]) {
				op, _ := c.operationNamed(object(shown)["name"].(string))
				object(shown)["parameters"] = plain(append([]parameter{}, op.Parameters...))
			}
		})},
	{ID: "INT-1.2-03", Variant: "listing-inlines-schema", Defect: "the listing of operations contains the parameter tables as input_schema",
		hooks: listing(func(c call, data map[string]any) {
			for _, shown := range array(data["operations"]) {
				op, _ := c.operationNamed(object(shown)["name"].(string))
				object(shown)["input_schema"] = plain(append([]parameter{}, op.Parameters...))
			}
		})},
	{ID: "INT-7.1-01", Variant: "tool-descriptions-repeat-tables", Defect: "tool descriptions repeat every parameter table",
		hooks: toolList(func(x *exchange, tools []any) any {
			var tables strings.Builder
			for _, op := range x.operations {
				tables.WriteString("\n" + op.Name + ": " + printed(op.Parameters) + " returns " + printed(op.Returns) + ", for example " + printed(op.Examples))
			}
			for _, tool := range tools {
				object(tool)["description"] = object(tool)["description"].(string) + tables.String()
			}
			return tools
		})},
	{ID: "AX-R1-01", Variant: "introspect-never-mentioned", Defect: "no tool description mentions introspect, and the server gives no instructions",
		hooks: both(
			starting(drop("instructions")),
			toolList(func(_ *exchange, tools []any) any {
				for _, tool := range tools {
					first, _, _ := strings.Cut(object(tool)["description"].(string), ". ")
					object(tool)["description"] = first + "."
				}
				return tools
			}))},
	{ID: "AX-R5-09", Variant: "opaque-input", Defect: "input of update_note is an object without any field information",
		hooks: documented("update_note", "input", func(p map[string]any) {
			p["type"], p["description"] = "object", "What to change"
		})},
	{ID: "AX-R5-12", Variant: "status-enum-pasted", Defect: "the same eight-value enum is pasted into all operations that read notes and folders",
		hooks: both(both(pasted("get_note"), both(pasted("list_notes"), pasted("search_notes"))),
			both(pasted("list_folders"), both(pasted("get_folder"), pasted("get_export"))))},
}

func pasted(to string) hooks {
	return added(to, parameter{Name: "language", Type: "string", Enum: []string{"de", "en", "es", "fr", "it", "ja", "pt", "zh"},
		Description: "Language that the caller prefers; all texts are English for now"}, func(task) envelope { return nil })
}

// descriptionFaults break what descriptions tell.
var descriptionFaults = []Fault{
	{ID: "INT-8.2-02", Variant: "parameter-description-todo", Defect: "a parameter is described as \"TODO\"",
		hooks: documented("list_notes", "min_priority", set("description", "TODO"))},
	{ID: "AX-R3-02", Variant: "summary-2kb", Defect: "the summary of cancel_exports is 2 kB long",
		hooks: described("cancel_exports", func(op map[string]any) {
			op["description"] = op["description"].(string) + ". " + strings.Repeat("Whatever has not begun will not begin, and what has begun is given up. ", 28)
		})},
	{ID: "AX-R3-03", Variant: "details-shorter", Defect: "the detail description of create_note is one word, the summary a sentence",
		hooks: record("create_note", set("description", "Creates"))},
	{ID: "AX-R3-04", Variant: "copied-description", Defect: "cancel_exports and cancel_export share one description",
		hooks: described("cancel_exports", set("description", "Cancel an export that is pending or running"))},
	{ID: "AX-R3-06", Variant: "timeout-without-unit", Defect: "timeout is described as \"Timeout of the export\"",
		hooks: added("execute_export", parameter{Name: "timeout", Type: "integer", Minimum: ref(1), Description: "Timeout of the export"},
			func(task) envelope { return nil })},
	{ID: "AX-R4-06", Variant: "prose-only-pagination", Defect: "list_folders says that it supports pagination, no paging parameter exists",
		hooks: described("list_folders", set("description", "List folders, all of them unless a condition is given. Supports pagination"))},
}
