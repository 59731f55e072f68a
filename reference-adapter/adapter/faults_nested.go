package adapter

import (
	"strings"
)

// nestedFaults are wrong for one shape of a request or of an answer alone.
var nestedFaults = []Fault{
	{ID: "AQL-4.1-04", Variant: "array-params-on-reads", Defect: "READ operations take an array for params as no parameters",
		hooks: before(domainRead, func(c call, _ operation) call {
			if _, is := c.body["params"].([]any); is {
				return c.with("params", map[string]any{})
			}
			return c
		})},
	{ID: "AQL-4.1-04", Variant: "array-params-on-creations", Defect: "CREATE operations take the first element of an array as params",
		hooks: before(func(op operation) bool { return op.Category == "CREATE" }, func(c call, _ operation) call {
			if list := array(c.body["params"]); len(list) > 0 && object(list[0]) != nil {
				return c.with("params", c.inward(object(list[0])))
			}
			return c
		})},
	{ID: "AQL-3.2-04", Variant: "null-number-crashes", Defect: "min_priority of list_notes may be left out, and null crashes",
		hooks: hooks{item: func(c call, next handler) envelope {
			if value, _, given := c.value("min_priority"); c.operation() == "list_notes" && given && value == nil {
				return failure("INTERNAL_ERROR", "The operation failed unexpectedly; try again", nil)
			}
			return next(c)
		}}},
	{ID: "OPS-7.3-03", Variant: "unknown-operation-skipped", Defect: "an entry of a batch whose operation does not exist counts as done",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if c.entry && failedWith("NOT_FOUND_OPERATION")(nil, e) {
				return success(map[string]any{})
			}
			return e
		}}},
	{ID: "OPS-8.1-03", Variant: "unknown-note-other-code", Defect: "reading a note that never was is answered with code ERROR; a deleted one is not found",
		hooks: hooks{item: func(c call, next handler) envelope {
			id := c.noteMeant()
			was := c.store.notes[id]
			e := next(c)
			switch {
			case c.operation() == "delete_note" && succeeded(e) && was != nil && c.store.notes[id] == nil:
				c.aside().kept[id] = note{}
			case c.operation() == "get_note" && c.aside().kept[id] == nil && failedWith("NOT_FOUND_RESOURCE")(nil, e):
				object(e["error"])["code"] = "ERROR"
			}
			return e
		}}},
	{ID: "OPS-8.1-03", Variant: "removed-note-other-code", Defect: "reading a note that was deleted is answered with VALIDATION_INVALID_VALUE",
		hooks: forRemoved("get_note")},
	{ID: "OPS-8.1-03", Variant: "update-of-removed-other-code", Defect: "updating a note that was deleted is answered with VALIDATION_INVALID_VALUE",
		hooks: forRemoved("update_note")},
	{ID: "OPS-8.1-03", Variant: "second-removal-other-code", Defect: "deleting a note that was deleted is answered with VALIDATION_INVALID_VALUE",
		hooks: forRemoved("delete_note")},
	{ID: "INT-5.2.2-01", Variant: "status-in-capitals", Defect: "get_note shows the status in capitals, which its type does not list",
		hooks: shownNote(func(data map[string]any) {
			if text, ok := data["status"].(string); ok {
				data["status"] = strings.ToUpper(text)
			}
		})},
	{ID: "INT-5.2.2-01", Variant: "priority-out-of-bounds", Defect: "get_note shows a priority of up to 100, where its type documents 10 as the most",
		hooks: shownNote(func(data map[string]any) {
			if data["priority"] != nil {
				data["priority"] = plain(integer(data["priority"]) * 11)
			}
		})},
}

// forRemoved answers an operation on a note that was deleted with another code.
func forRemoved(operation string) hooks {
	return hooks{item: func(c call, next handler) envelope {
		id := c.noteMeant()
		was := c.store.notes[id]
		e := next(c)
		switch {
		case c.operation() == "delete_note" && succeeded(e) && was != nil && c.store.notes[id] == nil:
			c.aside().kept[id] = note{}
		case c.operation() == operation && c.aside().kept[id] != nil && failedWith("NOT_FOUND_RESOURCE")(nil, e):
			object(e["error"])["code"] = "VALIDATION_INVALID_VALUE"
		}
		return e
	}}
}

// shownNote rewrites what get_note answers.
func shownNote(rewrite func(data map[string]any)) hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		if data := object(plain(e["data"])); c.operation() == "get_note" && succeeded(e) && data != nil {
			rewrite(data)
			e["data"] = data
		}
		return e
	}}
}
