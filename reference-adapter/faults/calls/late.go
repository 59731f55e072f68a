package calls

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// lateFaults change or remove first and refuse then, or never ask for what the
// documentation demands of a change or removal.
var lateFaults = []seam.Fault{
	{ID: "AQL-4.6-07", Variant: "changed-then-refused", Defect: "the unknown name is reported after the resource was changed",
		Hooks: doneAndRefused("UPDATE", seam.UnknownParam, func(c adapter.Call, op adapter.Operation) adapter.Call {
			return seam.DropUnknown(c, op, func(string) bool { return true })
		})},
	{ID: "AQL-6.2-04", Variant: "changed-then-mismatch", Defect: "a misrouted UPDATE operation is executed and then answered with a mismatch error",
		Hooks: misrouted(func(c adapter.Call, op adapter.Operation, next adapter.Handler, refusal adapter.Envelope) adapter.Envelope {
			if op.Category == "UPDATE" {
				c.Tool = rightTool(c, op)
				next(c)
			}
			return refusal
		})},
	{ID: "OPS-5.1-02", Variant: "changed-then-validated", Defect: "update_note changes the note and then answers an error for an optional flag",
		Hooks: seam.Both(
			seam.Added("update_note", adapter.Parameter{Name: "silent", Type: "boolean", Default: false, Description: "Leave the change out of the history of the note"},
				func(adapter.Task) adapter.Envelope { return nil }),
			doneAndRefused("UPDATE", "VALIDATION_INVALID_TYPE", func(c adapter.Call, _ adapter.Operation) adapter.Call { return c.Given("silent", nil) }))},
	{ID: "OPS-5.1-02", Variant: "changed-up-to-the-mistyped", Defect: "update_note stores the fields of input one after the other, and refuses the first one of a wrong type",
		Hooks: doneAndRefused("UPDATE", "VALIDATION_INVALID_TYPE", func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if title := adapter.Object(c.Params()["input"])["title"]; title != nil {
				return c.Given("input", map[string]any{"title": title})
			}
			return c
		})},
	{ID: "OPS-5.1-02", Variant: "removed-then-validated", Defect: "delete_note refuses a wrong type of an optional flag, and deletes the note all the same",
		Hooks: doneAndRefused("DELETE", "VALIDATION_INVALID_TYPE", func(c adapter.Call, _ adapter.Operation) adapter.Call { return c.Given("dry_run", nil) })},
	{ID: "OPS-5.1-02", Variant: "made-with-other-value", Defect: "create_note refuses a value of an optional field and makes the note without it",
		Hooks: doneAndRefused("CREATE", "VALIDATION_INVALID_VALUE", func(c adapter.Call, op adapter.Operation) adapter.Call {
			for _, p := range op.Parameters {
				if value := c.Params()[p.Name]; value != nil && p.Format == "" && c.CheckValue(op.Name, p.Name, p, value) != nil {
					c = c.Given(p.Name, nil)
				}
			}
			return c
		})},
	{ID: "OPS-5.1-02", Variant: "made-beside-unmatched-text", Defect: "create_note refuses a text that does not match its pattern and makes the note without it",
		Hooks: doneAndRefused("CREATE", "VALIDATION_INVALID_VALUE", func(c adapter.Call, op adapter.Operation) adapter.Call {
			for _, p := range op.Parameters {
				if p.Pattern != "" {
					c = c.Given(p.Name, nil)
				}
			}
			return c
		})},
	{ID: "OPS-5.1-02", Variant: "made-in-default-folder", Defect: "create_note demands folder_id and makes the note in the first folder without it",
		Hooks: doneAndRefused("CREATE", "VALIDATION_MISSING_PARAM", func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if c.Params()["folder_id"] == nil {
				return c.Given("folder_id", "folder_1")
			}
			return c
		})},
	{ID: "OPS-5.1-02", Variant: "changed-beside-unknown-tag", Defect: "update_note takes only tags that a note has, and changes the rest of the note before it says that one is not found",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			input := adapter.Object(c.Params()["input"])
			for _, tag := range adapter.Array(input["tags"]) {
				if text, isText := tag.(string); c.Operation() == "update_note" && isText && strings.Contains(text, "-") && !tagged(c.Store, text) {
					rest := maps.Clone(input)
					delete(rest, "tags")
					if e := next(c.Given("input", rest)); !adapter.Succeeded(e) {
						return e
					}
					return adapter.Failure("NOT_FOUND_RESOURCE", "No note has the tag "+text+"; take one that is in use", nil)
				}
			}
			return next(c)
		}}},
	{ID: "OPS-5.1-02", Variant: "made-without-parent", Defect: "create_note says that the folder is not found and makes the note in another one",
		Hooks: doneAndRefused("CREATE", "NOT_FOUND_RESOURCE", func(c adapter.Call, _ adapter.Operation) adapter.Call { return c.Given("folder_id", "folder_1") })},
	{ID: "AQL-4.5.3-09", Variant: "refused-value-stored", Defect: "update_note refuses a number out of bounds and stores it",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			value, _, _ := c.Value("note_id")
			id, _ := value.(string)
			priority := adapter.Object(c.Params()["input"])["priority"]
			if n := c.Store.Notes[id]; c.Operation() == "update_note" && n != nil && priority != nil && seam.FailedWith("VALIDATION_INVALID_VALUE")(nil, e) {
				n = maps.Clone(n)
				n["priority"] = priority
				c.Store.Notes[id] = n
			}
			return e
		}}},
	{ID: "OPS-5.4-01", Variant: "removal-without-reason", Defect: "delete_note documents reason as required and deletes without it",
		Hooks: seam.Both(
			seam.Both(
				seam.Added("delete_note", adapter.Parameter{Name: "reason", Type: "string", Description: "Why the note is deleted, for the journal"}, func(adapter.Task) adapter.Envelope { return nil }),
				seam.Documented("delete_note", "reason", seam.Set("required", true))),
			seam.Exampled("delete_note", seam.Set("reason", "It is out of date")))},
}

// doneAndRefused lets an operation of the category run on what is left after repair,
// and answers the refusal that it got before.
func doneAndRefused(category, refusal string, repair func(c adapter.Call, op adapter.Operation) adapter.Call) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		if op, ok := c.OperationNamed(c.Operation()); ok && op.Category == category && seam.FailedWith(refusal)(nil, e) {
			next(repair(c, op))
		}
		return e
	}}
}

// tagged reports whether a note has a tag.
func tagged(store *adapter.Store, tag string) bool {
	for _, note := range store.Notes {
		if slices.Contains(adapter.Array(adapter.Plain(note["tags"])), any(tag)) {
			return true
		}
	}
	return false
}
