package adapter

import "maps"

// lateFaults change or remove first and refuse then, or never ask for what the
// documentation demands of a change or removal.
var lateFaults = []Fault{
	{ID: "AQL-4.6-07", Variant: "changed-then-refused", Defect: "the unknown name is reported after the resource was changed",
		hooks: doneAndRefused("UPDATE", unknownParam, func(c call, op operation) call { return c.dropUnknown(op, func(string) bool { return true }) })},
	{ID: "AQL-6.2-04", Variant: "changed-then-mismatch", Defect: "a misrouted UPDATE operation is executed and then answered with a mismatch error",
		hooks: misrouted(func(c call, op operation, next handler, refusal envelope) envelope {
			if op.Category == "UPDATE" {
				c.tool = c.rightTool(op)
				next(c)
			}
			return refusal
		})},
	{ID: "OPS-5.1-02", Variant: "changed-then-validated", Defect: "update_note changes the note and then answers an error for an optional flag",
		hooks: both(
			added("update_note", parameter{Name: "notify", Type: "boolean", Default: false, Description: "Tell the author of the note that it changed"},
				func(task) envelope { return nil }),
			doneAndRefused("UPDATE", "VALIDATION_INVALID_TYPE", func(c call, _ operation) call { return c.given("notify", nil) }))},
	{ID: "OPS-5.1-02", Variant: "removed-then-validated", Defect: "delete_note deletes the note and then answers an error for an optional flag",
		hooks: doneAndRefused("DELETE", "VALIDATION_INVALID_TYPE", func(c call, _ operation) call { return c.given("dry_run", nil) })},
	{ID: "OPS-5.1-02", Variant: "made-with-other-value", Defect: "create_note refuses a value of an optional field and makes the note without it",
		hooks: doneAndRefused("CREATE", "VALIDATION_INVALID_VALUE", func(c call, op operation) call {
			for _, p := range op.Parameters {
				if value := c.params()[p.Name]; value != nil && p.Format == "" && c.checkValue(op.Name, p.Name, p, value) != nil {
					c = c.given(p.Name, nil)
				}
			}
			return c
		})},
	{ID: "OPS-5.1-02", Variant: "made-in-default-folder", Defect: "create_note demands folder_id and makes the note in the first folder without it",
		hooks: doneAndRefused("CREATE", "VALIDATION_MISSING_PARAM", func(c call, _ operation) call {
			if c.params()["folder_id"] == nil {
				return c.given("folder_id", "folder_1")
			}
			return c
		})},
	{ID: "OPS-5.1-02", Variant: "made-without-parent", Defect: "create_note says that the folder is not found and makes the note in another one",
		hooks: doneAndRefused("CREATE", "NOT_FOUND_RESOURCE", func(c call, _ operation) call { return c.given("folder_id", "folder_1") })},
	{ID: "AQL-4.5.3-09", Variant: "refused-value-stored", Defect: "update_note refuses a number out of bounds and stores it",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			value, _, _ := c.value("note_id")
			id, _ := value.(string)
			priority := object(c.params()["input"])["priority"]
			if n := c.store.notes[id]; c.operation() == "update_note" && n != nil && priority != nil && failedWith("VALIDATION_INVALID_VALUE")(nil, e) {
				n = maps.Clone(n)
				n["priority"] = priority
				c.store.notes[id] = n
			}
			return e
		}}},
	{ID: "OPS-5.4-01", Variant: "removal-without-reason", Defect: "delete_note documents reason as required and deletes without it",
		hooks: both(
			both(
				added("delete_note", parameter{Name: "reason", Type: "string", Description: "Why the note is deleted, for the journal"}, func(task) envelope { return nil }),
				documented("delete_note", "reason", set("required", true))),
			exampled("delete_note", set("reason", "It is out of date")))},
}

// doneAndRefused lets an operation of the category run on what is left after repair,
// and answers the refusal that it got before.
func doneAndRefused(category, refusal string, repair func(c call, op operation) call) hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		if op, ok := c.operationNamed(c.operation()); ok && op.Category == category && failedWith(refusal)(nil, e) {
			next(repair(c, op))
		}
		return e
	}}
}
