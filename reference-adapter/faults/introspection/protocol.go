package introspection

import (
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

var protocolFaults = []seam.Fault{
	{ID: "AQL-9.3.3-01", Variant: "supports-etag-text", Defect: "supports_etag is \"yes\"", Hooks: seam.Protocol(seam.Set("supports_etag", "yes"))},
	{ID: "AX-R4-05", Variant: "pagination-unannounced", Defect: "cursor paging works while the pagination flag is false",
		Hooks: seam.Capability("pagination", false)},
	{ID: "INT-4.1.1-01", Variant: "protocol-missing", Defect: "the listing has no _protocol",
		Hooks: seam.Listing(func(_ adapter.Call, data map[string]any) { delete(data, "_protocol") })},
	{ID: "INT-4.1.1-01", Variant: "protocol-first-time-only", Defect: "_protocol appears only in the first listing of a session",
		Hooks: seam.Listing(func(c adapter.Call, data map[string]any) {
			if seam.Marked(c.Session, "listed") {
				delete(data, "_protocol")
			}
			seam.Mark(c.Session, "listed")
		})},
	{ID: "INT-4.1.1-02", Variant: "version-two-parts", Defect: "version is \"1.0\"", Hooks: seam.Protocol(seam.Set("version", "1.0"))},
	{ID: "INT-4.1.1-04", Variant: "conformance-full", Defect: "conformance is \"full\"", Hooks: seam.Protocol(seam.Set("conformance", "full"))},
	{ID: "INT-4.1.1-05", Variant: "mode-missing", Defect: "_protocol has no mode", Hooks: seam.Protocol(seam.Drop("mode"))},
	{ID: "INT-4.1.1-06", Variant: "mode-multi", Defect: "mode is \"multi\"", Hooks: seam.Protocol(seam.Set("mode", "multi"))},
	{ID: "INT-4.1.1-06", Variant: "mode-crude", Defect: "mode is \"crude\"", Hooks: seam.Protocol(seam.Set("mode", "crude"))},
	{ID: "INT-4.1.1-08", Variant: "capabilities-array", Defect: "capabilities is an array of names",
		Hooks: seam.Protocol(seam.Set("capabilities", []string{"batch", "field_selection", "pagination"}))},
	{ID: "INT-4.1.1-09", Variant: "mode-single-five-tools", Defect: "mode single is stated while endpoint tools are registered",
		Hooks: seam.Protocol(seam.Set("mode", "single"))},
}

var levelFaults = []seam.Fault{
	{ID: "AQL-10.1-08", Variant: "single-mode-lacks-deletes", Defect: "the single mode misses the DELETE operations", Mode: "all",
		Hooks: seam.Both(
			seam.Listing(func(c adapter.Call, data map[string]any) {
				if c.Tool == adapter.Unified {
					data["operations"] = seam.Dropped(seam.Dropped(data["operations"], "delete_note"), "delete_folder")
				}
			}),
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				if c.Tool == adapter.Unified && seam.Calling("delete_note", "delete_folder")(c) {
					return seam.UnknownAs(c, next)
				}
				return next(c)
			}})},
	{ID: "AQL-10.1-10", Variant: "no-field-selection", Defect: "no READ operation offers fields",
		Hooks: seam.Both(seam.Both(seam.Capability("field_selection", false), seam.Record("", func(op map[string]any) {
			op["parameters"] = seam.Dropped(op["parameters"], "fields")
			if op["name"] == "get_note" { // its other example selects fields
				op["examples"] = adapter.Array(op["examples"])[:1]
			}
		})), seam.UnknownParameter("fields"))},
	{ID: "AQL-10.1-11", Variant: "no-batch", Defect: "the operations shape is refused",
		Hooks: seam.Both(seam.Both(seam.Capability("batch", false), adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			return next(c.Without("operations"))
		}}), seam.ToolList(func(_ *adapter.Exchange, tools []any) any {
			for _, tool := range tools {
				schema := adapter.Object(adapter.Object(tool)["inputSchema"])
				delete(adapter.Object(schema["properties"]), "operations")
				delete(schema, "anyOf")
				schema["required"] = []any{"operation"}
			}
			return tools
		}))},
}

var namingFaults = []seam.Fault{
	{ID: "AQL-4.3-01", Variant: "camel-case-parameter", Defect: "search_notes documents and accepts titleOnly",
		Hooks: seam.RenamedParameter("search_notes", "title_only", "titleOnly")},
	{ID: "AQL-8.5.1-01", Variant: "make-verb", Defect: "the plain create operations are called make_note and make_folder",
		Hooks: seam.Both(renamed("create_note", "make_note"), renamed("create_folder", "make_folder"))},
	{ID: "AQL-8.5.2-01", Variant: "camel-case-operation", Defect: "an operation is called get_folderById",
		Hooks: renamed("get_folder", "get_folderById")},
	{ID: "AQL-8.5.2-02", Variant: "resource-first-name", Defect: "an operation is called folder_create",
		Hooks: renamed("create_folder", "folder_create")},
	{ID: "AQL-8.5.3-03", Variant: "unexplained-verb", Defect: "search_notes gives no reason for its verb and never mentions list",
		Hooks: seam.Described("search_notes", seam.Set("description", "Find notes by words in their text"))},
	{ID: "AQL-8.5.4-02", Variant: "execute-agent-in-create", Defect: "execute_agent is listed with category CREATE",
		Hooks: seam.Both(renamed("create_folder", "execute_agent"), seam.Capability("execution_safety_loop", "disabled"))},
	{ID: "AQL-8.5.4-02", Variant: "abort-execution-other-purpose", Defect: "abort_execution cancels an export, and no operation starts an agent",
		Hooks: seam.Both(renamed("cancel_export", "abort_execution"), seam.Capability("execution_safety_loop", "disabled"))},
	{ID: "AQL-8.5.4-02", Variant: "confirm-operation-in-update", Defect: "confirm_operation, which carries out what it confirms, is listed as UPDATE instead of EXECUTE",
		Hooks: renamed("update_note", "confirm_operation")},
	{ID: "AQL-8.5.4-03", Variant: "step-report-in-execute", Defect: "record_execution_step, which reports a step of a running execution, is listed as EXECUTE instead of CREATE",
		Hooks: seam.Both(renamed("cancel_export", "record_execution_step"), seam.Capability("execution_safety_loop", "disabled"))},
	{ID: "AQL-8.5.4-03", Variant: "step-report-other-purpose", Defect: "record_execution_step documents neither element_name nor nextActionHint",
		Hooks: seam.Both(renamed("create_folder", "record_execution_step"), seam.Capability("execution_safety_loop", "disabled"))},
	{ID: "AQL-8.5.4-07", Variant: "verify-challenge-in-execute", Defect: "verify_challenge is listed with category EXECUTE",
		Hooks: renamed("cancel_export", "verify_challenge")},
	{ID: "AX-R2-04", Variant: "mixed-read-verbs", Defect: "fetch_folder stands next to get_note",
		Hooks: renamed("get_folder", "fetch_folder")},
}

// renamed gives an operation another name, everywhere and consistently.
func renamed(old, name string) adapter.Hooks {
	swap := func(word any) any { return seam.Swapped(word, old, name) }
	return seam.Both(seam.Needs(old, nil), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		c = c.With("operation", seam.Exact(c.Body["operation"], old, name))
		if c.Operation() == "introspect" {
			wanted, inParams, present := c.Value("name")
			if wanted = seam.Exact(wanted, old, name); inParams {
				c = c.Given("name", wanted)
			} else if present {
				c = c.With("name", wanted)
			}
		}
		return adapter.Object(swap(next(c)))
	}})
}
