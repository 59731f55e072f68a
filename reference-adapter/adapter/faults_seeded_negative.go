package adapter

// negativeFaults wait for a request with one thing wrong, and another thing about
// it that makes the check look away.
var negativeFaults = []Fault{
	{ID: "AQL-4.6-06", Variant: "slip-dropped", Defect: "list_notes drops names that are one slip away from created_after",
		hooks: before(named("list_notes"), func(c call, op operation) call {
			return c.dropUnknown(op, func(name string) bool { return near(name, "created_after") })
		})},
	{ID: "AQL-4.6-07", Variant: "deleted-though-refused", Defect: "with dry_run false given, delete_note refuses an unknown parameter and deletes the note",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if op, _ := c.operationNamed("delete_note"); c.operation() == "delete_note" && c.params()["dry_run"] == false && failedWith(unknownParam)(nil, e) {
				next(c.dropUnknown(op, func(string) bool { return true }))
			}
			return e
		}}},
	{ID: "AQL-4.5.3-06", Variant: "unknown-field-dropped-beside-tags", Defect: "with tags given, unknown fields of input are dropped silently",
		hooks: updating(func(c call, input map[string]any) call {
			if input["tags"] == nil {
				return c
			}
			for name := range input {
				if !c.isNoteInput(name) && !identifies(name) {
					delete(input, name)
				}
			}
			return c.given("input", input)
		})},
	{ID: "AQL-4.5.3-09", Variant: "partial-update-of-values-kept", Defect: "update_note refuses a status for its value and applies the other fields",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if c.operation() == "update_note" && failedWith("VALIDATION_INVALID_VALUE")(nil, e) && object(c.params()["input"])["status"] != nil {
				next(c.given("input", c.fitting()))
			}
			return e
		}}},
	{ID: "OPS-5.1-02", Variant: "created-without-owner", Defect: "create_folder refuses an owner that is no e-mail address and creates the folder without",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			about := object(object(e["error"])["details"])["param_name"]
			if c.operation() == "create_folder" && failedWith("VALIDATION_INVALID_VALUE")(nil, e) && about == "owner" {
				next(c.given("owner", nil))
			}
			return e
		}}},
	{ID: "OPS-5.4-01", Variant: "filter-instead-of-query", Defect: "query is documented as required, search_notes succeeds without it if a filter is given",
		hooks: before(named("search_notes"), func(c call, _ operation) call {
			if query, _, _ := c.value("query"); query == nil && object(c.params()["filter"]) != nil {
				return c.given("query", "a")
			}
			return c
		})},
}
