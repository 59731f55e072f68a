package objects

import (
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// negativeFaults wait for a request with one thing wrong, and another thing about
// it that makes the check look away.
var negativeFaults = []seam.Fault{
	{ID: "AQL-4.6-06", Variant: "slip-dropped", Defect: "list_notes drops names that are one slip away from created_after",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, op adapter.Operation) adapter.Call {
			return seam.DropUnknown(c, op, func(name string) bool { return near(name, "created_after") })
		})},
	{ID: "AQL-4.6-07", Variant: "deleted-though-refused", Defect: "with dry_run false given, delete_note refuses an unknown parameter and deletes the note",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if op, _ := c.OperationNamed("delete_note"); c.Operation() == "delete_note" && c.Params()["dry_run"] == false && seam.FailedWith(seam.UnknownParam)(nil, e) {
				next(seam.DropUnknown(c, op, func(string) bool { return true }))
			}
			return e
		}}},
	{ID: "AQL-4.5.3-06", Variant: "unknown-field-dropped-beside-tags", Defect: "with tags given, unknown fields of input are dropped silently",
		Hooks: updating(func(c adapter.Call, input map[string]any) adapter.Call {
			if input["tags"] == nil {
				return c
			}
			for name := range input {
				if !isNoteInput(c.Adapter, name) && !identifies(name) {
					delete(input, name)
				}
			}
			return c.Given("input", input)
		})},
	{ID: "AQL-4.5.3-09", Variant: "partial-update-of-values-kept", Defect: "update_note refuses a status for its value and applies the other fields",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if c.Operation() == "update_note" && seam.FailedWith("VALIDATION_INVALID_VALUE")(nil, e) && adapter.Object(c.Params()["input"])["status"] != nil {
				next(c.Given("input", fitting(c)))
			}
			return e
		}}},
	{ID: "OPS-5.1-02", Variant: "created-without-owner", Defect: "create_folder refuses an owner that is no e-mail address and creates the folder without",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			about := adapter.Object(adapter.Object(e["error"])["details"])["param_name"]
			if c.Operation() == "create_folder" && seam.FailedWith("VALIDATION_INVALID_VALUE")(nil, e) && about == "owner" {
				next(c.Given("owner", nil))
			}
			return e
		}}},
	{ID: "OPS-5.4-01", Variant: "filter-instead-of-query", Defect: "query is documented as required, search_notes succeeds without it if a filter is given",
		Hooks: seam.Before(seam.Named("search_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if query, _, _ := c.Value("query"); query == nil && adapter.Object(c.Params()["filter"]) != nil {
				return c.Given("query", "a")
			}
			return c
		})},
}
