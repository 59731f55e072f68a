package adapter

import (
	"encoding/json"
	"strconv"
)

// dangerFaults break how the risk of an operation is shown.
var dangerFaults = []Fault{
	{ID: "AQL-8.2-01", Variant: "delete-verb-in-read", Defect: "delete_export is classified READ, and only reads",
		hooks: renamed("get_export", "delete_export")},
	{ID: "AQL-D-04", Variant: "danger-level-severe", Defect: "danger_level of delete_folder is \"severe\"",
		hooks: record("delete_folder", set("danger_level", "severe"))},
	{ID: "INT-4.1.1-19", Variant: "danger-flag-untrue", Defect: "capabilities.dangerous_operations is true but nothing is classified",
		hooks: capability("dangerous_operations", true)},
	{ID: "OPS-5.1-08", Variant: "dangerous-yes", Defect: "dangerous of delete_folder is \"yes\"",
		hooks: record("delete_folder", set("dangerous", "yes"))},
	{ID: "OPS-6.4-01", Variant: "purge-unmarked", Defect: "purge_folder carries no danger mark",
		hooks: both(renamed("delete_folder", "purge_folder"),
			described("delete_folder", set("description", "Purge an empty folder. Similar to delete, but it says that nothing can be restored")))},
}

// warningFaults break the warnings beside a success.
var warningFaults = []Fault{
	{ID: "AQL-2.3.3-05", Variant: "warning-memory-persistent", Defect: "which warnings were issued is remembered across sessions", Transport: "http",
		hooks: warning(hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if c.operation() != "list_notes" || !succeeded(e) || c.count("warned at "+printed(c.body)) > 0 {
				return e
			}
			return warned(e, "LIST_MAY_CHANGE", "Notes that are created while you read page by page appear at the end")
		}})},
	{ID: "INT-4.1.1-17", Variant: "warnings-of-text", Defect: "warnings is an array of strings",
		hooks: warning(after(func(c call, e envelope) {
			if c.operation() == "list_folders" && succeeded(e) {
				e["warnings"] = []any{"Folders are listed in order of creation"}
			}
		}))},
}

// claimFaults break what the adapter claims to be.
var claimFaults = []Fault{
	{ID: "AQL-10.2-01", Variant: "claim-without-level", Defect: "_protocol exists but has no conformance member",
		Hints: map[string]string{"attest.claim": "yes"},
		hooks: protocol(drop("conformance"))},
	{ID: "AQL-10.2-03", Variant: "extension-undocumented", Defect: "a capability time_travel is announced and mentioned nowhere else",
		Hints: map[string]string{"attest.extensions": "no"},
		hooks: capability("time_travel", true)},
	{ID: "AQL-10.2-02", Variant: "hidden-update", Defect: "update_folder is recognised but not listed",
		Hints: map[string]string{"permissions.operations.update_folder": "allow"},
		hooks: hooks{item: func(c call, next handler) envelope {
			if c.operation() != "update_folder" {
				return next(c)
			}
			e := next(c.with("operation", "update_note").exchanged("folder_id", "note_id"))
			return object(swapped(swapped(e, "update_note", "update_folder"), "note_id", "folder_id"))
		}}},
	{ID: "AQL-10.2-02", Variant: "available-but-unlisted", Defect: "the error for unknown operations offers peek_notes, which works but is not listed",
		hooks: both(
			refused("NOT_FOUND_OPERATION", anyCall, func(_ call, _, details map[string]any) {
				details["available"] = append(array(details["available"]), "peek_notes")
			}),
			hooks{item: func(c call, next handler) envelope {
				if c.operation() != "peek_notes" {
					return next(c)
				}
				return object(swapped(next(c.with("operation", "list_notes")), "list_notes", "peek_notes"))
			}})},
	{ID: "MCP-ANNOT-07", Variant: "public-api-closed-world", Defect: "openWorldHint is false, while the notes live behind a public API",
		Hints: map[string]string{"attest.open_world": "yes"},
		hooks: starting(set("instructions", "Notes in folders of a public web service behind MCP-AQL. Start with the operation introspect."))},
	{ID: "INT-4.1.1-10", Variant: "level-2-claimed-single-mode", Defect: "level-2 is claimed by an adapter that has only single mode, whatever mode is asked for", Mode: "all",
		Hints: map[string]string{"modes": "single"},
		hooks: hooks{table: func(a *Adapter) { a.mode = "single" }}},
	{ID: "AQL-3.3-02", Variant: "single-mode-alone", Defect: "single mode is all there is, whatever mode is asked for", Mode: "all",
		Hints: map[string]string{"modes": "single"},
		hooks: both(hooks{table: func(a *Adapter) { a.mode = "single" }}, protocol(set("conformance", "level-1")))},
}

// payloadFaults deliver or store something else than the types say.
var payloadFaults = []Fault{
	{ID: "INT-5.2.2-01", Variant: "price-as-string", Defect: "the type says position integer, get_folder returns text",
		hooks: after(func(c call, e envelope) {
			if data := object(e["data"]); c.operation() == "get_folder" && data["position"] != nil {
				data["position"] = printed(data["position"])
			}
		})},
	{ID: "INT-5.2.2-01", Variant: "prose-result", Defect: "get_folder answers data \"Folder 1: Work\"",
		hooks: after(func(c call, e envelope) {
			fields, _, _ := c.value("fields")
			if whole := fields == nil || fields == "full"; c.operation() == "get_folder" && succeeded(e) && whole {
				data := object(e["data"])
				e["data"] = "Folder " + printed(data["position"]) + ": " + data["name"].(string)
			}
		})},
	{ID: "AQL-4.7.3-03", Variant: "float32-store", Defect: "integers pass through a 32-bit float",
		hooks: both(needs("create_note", taking("import_number")), before(named("create_note", "update_note"), func(c call, _ operation) call {
			if n := narrowed(c.params()["import_number"]); n != nil {
				c = c.given("import_number", n)
			}
			if input := copied(c.params()["input"]); narrowed(input["import_number"]) != nil {
				input["import_number"] = narrowed(input["import_number"])
				c = c.given("input", input)
			}
			return c
		}))},
}

// narrowed returns what a 32-bit float makes of a number, nil for anything else.
func narrowed(value any) any {
	number, ok := value.(json.Number)
	wide, err := number.Float64()
	if !ok || err != nil {
		return nil
	}
	return json.Number(strconv.FormatFloat(float64(float32(wide)), 'f', -1, 64))
}
