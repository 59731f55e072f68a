package introspection

import (
	"encoding/json"
	"strconv"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// dangerFaults break how the risk of an operation is shown.
var dangerFaults = []seam.Fault{
	{ID: "AQL-8.2-01", Variant: "delete-verb-in-read", Defect: "delete_export is classified READ, and only reads",
		Hooks: renamed("get_export", "delete_export")},
	{ID: "AQL-D-04", Variant: "danger-level-severe", Defect: "danger_level of delete_folder is \"severe\"",
		Hooks: seam.Record("delete_folder", seam.Set("danger_level", "severe"))},
	{ID: "INT-4.1.1-19", Variant: "danger-flag-untrue", Defect: "capabilities.dangerous_operations is true but nothing is classified",
		Hooks: seam.Capability("dangerous_operations", true)},
	{ID: "INT-4.1.1-19", Variant: "danger-levels-null", Defect: "capabilities.dangerous_operations is true and each danger_level is null",
		Hooks: seam.Both(seam.Capability("dangerous_operations", true), seam.Record("", seam.Set("danger_level", nil)))},
	{ID: "INT-4.1.1-19", Variant: "dangerous-false-everywhere", Defect: "capabilities.dangerous_operations is true and each operation has dangerous false, the removals too",
		Hooks: seam.Both(seam.Capability("dangerous_operations", true), seam.Record("", seam.Set("dangerous", false)))},
	{ID: "OPS-5.1-08", Variant: "dangerous-yes", Defect: "dangerous of delete_folder is \"yes\"",
		Hooks: seam.Record("delete_folder", seam.Set("dangerous", "yes"))},
	{ID: "OPS-6.4-01", Variant: "purge-unmarked", Defect: "purge_folder carries no danger mark",
		Hooks: seam.Both(renamed("delete_folder", "purge_folder"),
			seam.Described("delete_folder", seam.Set("description", "Purge an empty folder. Similar to delete, but it says that nothing can be restored")))},
}

// warningFaults break the warnings beside a success.
var warningFaults = []seam.Fault{
	{ID: "AQL-2.3.3-05", Variant: "warning-memory-persistent", Defect: "which warnings were issued is remembered across sessions", Transport: "http",
		Hooks: seam.Warning(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if c.Operation() != "list_notes" || !adapter.Succeeded(e) || seam.Count(c.Adapter, "warned at "+adapter.Printed(c.Body)) > 0 {
				return e
			}
			return seam.Warned(e, "LIST_MAY_CHANGE", "Notes that are created while you read page by page appear at the end")
		}})},
	{ID: "INT-4.1.1-17", Variant: "warnings-of-text", Defect: "warnings is an array of strings",
		Hooks: seam.Warning(seam.After(func(c adapter.Call, e adapter.Envelope) {
			if c.Operation() == "list_folders" && adapter.Succeeded(e) {
				e["warnings"] = []any{"Folders are listed in order of creation"}
			}
		}))},
}

// claimFaults break what the adapter claims to be.
var claimFaults = []seam.Fault{
	{ID: "AQL-10.2-01", Variant: "claim-without-level", Defect: "_protocol exists but has no conformance member",
		Hints: map[string]string{"attest.claim": "yes"},
		Hooks: seam.Protocol(seam.Drop("conformance"))},
	{ID: "AQL-10.2-03", Variant: "extension-undocumented", Defect: "a capability time_travel is announced and mentioned nowhere else",
		Hints: map[string]string{"attest.extensions": "no"},
		Hooks: seam.Capability("time_travel", true)},
	{ID: "AQL-10.2-02", Variant: "hidden-update", Defect: "update_folder is recognised but not listed",
		Hints: map[string]string{"permissions.operations.update_folder": "allow"},
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if c.Operation() != "update_folder" {
				return next(c)
			}
			e := next(seam.Exchanged(c.With("operation", "update_note"), "folder_id", "note_id"))
			return adapter.Object(seam.Swapped(seam.Swapped(e, "update_note", "update_folder"), "note_id", "folder_id"))
		}}},
	{ID: "AQL-10.2-02", Variant: "available-but-unlisted", Defect: "the error for unknown operations offers peek_notes, which works but is not listed",
		Hooks: seam.Both(
			seam.Refused("NOT_FOUND_OPERATION", seam.AnyCall, func(_ adapter.Call, _, details map[string]any) {
				details["available"] = append(adapter.Array(details["available"]), "peek_notes")
			}),
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				if c.Operation() != "peek_notes" {
					return next(c)
				}
				return adapter.Object(seam.Swapped(next(c.With("operation", "list_notes")), "list_notes", "peek_notes"))
			}})},
	{ID: "MCP-ANNOT-07", Variant: "public-api-closed-world", Defect: "openWorldHint is false, while the notes live behind a public API",
		Hints: map[string]string{"attest.open_world": "yes"},
		Hooks: seam.Starting(seam.Set("instructions", "Notes in folders of a public web service behind MCP-AQL. Start with the operation introspect."))},
	{ID: "INT-4.1.1-10", Variant: "level-2-claimed-single-mode", Defect: "level-2 is claimed by an adapter that has only single mode, whatever mode is asked for", Mode: "all",
		Hints: map[string]string{"modes": "single"},
		Hooks: adapter.Hooks{Table: func(a *adapter.Adapter) { a.Mode = "single" }}},
	{ID: "AQL-3.3-02", Variant: "single-mode-alone", Defect: "single mode is all there is, whatever mode is asked for", Mode: "all",
		Hints: map[string]string{"modes": "single"},
		Hooks: seam.Both(adapter.Hooks{Table: func(a *adapter.Adapter) { a.Mode = "single" }}, seam.Protocol(seam.Set("conformance", "level-1")))},
}

// payloadFaults deliver or store something else than the types say.
var payloadFaults = []seam.Fault{
	{ID: "INT-5.2.2-01", Variant: "price-as-string", Defect: "the type says position integer, get_folder returns text",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if data := adapter.Object(e["data"]); c.Operation() == "get_folder" && data["position"] != nil {
				data["position"] = adapter.Printed(data["position"])
			}
		})},
	{ID: "INT-5.2.2-01", Variant: "prose-result", Defect: "get_folder answers data \"Folder 1: Work\"",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			fields, _, _ := c.Value("fields")
			if whole := fields == nil || fields == "full"; c.Operation() == "get_folder" && adapter.Succeeded(e) && whole {
				data := adapter.Object(e["data"])
				e["data"] = "Folder " + adapter.Printed(data["position"]) + ": " + data["name"].(string)
			}
		})},
	{ID: "AQL-4.7.3-03", Variant: "float32-store", Defect: "integers pass through a 32-bit float",
		Hooks: seam.Both(seam.Needs("create_note", seam.Taking("import_number")), seam.Before(seam.Named("create_note", "update_note"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if n := narrowed(c.Params()["import_number"]); n != nil {
				c = c.Given("import_number", n)
			}
			if input := seam.Copied(c.Params()["input"]); narrowed(input["import_number"]) != nil {
				input["import_number"] = narrowed(input["import_number"])
				c = c.Given("input", input)
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
