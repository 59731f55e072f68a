package adapter

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
