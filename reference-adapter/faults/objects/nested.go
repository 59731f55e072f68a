package objects

import (
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// nestedFaults are wrong for one shape of a request or of an answer alone.
var nestedFaults = []seam.Fault{
	{ID: "AQL-4.1-04", Variant: "array-params-on-reads", Defect: "READ operations take an array for params as no parameters",
		Hooks: seam.Before(seam.DomainRead, func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if _, is := c.Body["params"].([]any); is {
				return c.With("params", map[string]any{})
			}
			return c
		})},
	{ID: "AQL-4.1-04", Variant: "array-params-on-creations", Defect: "CREATE operations take the first element of an array as params",
		Hooks: seam.Before(func(op adapter.Operation) bool { return op.Category == "CREATE" }, func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if list := adapter.Array(c.Body["params"]); len(list) > 0 && adapter.Object(list[0]) != nil {
				return c.With("params", inward(c.Adapter, adapter.Object(list[0])))
			}
			return c
		})},
	{ID: "AQL-3.2-04", Variant: "null-number-crashes", Defect: "min_priority of list_notes may be left out, and null crashes",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if value, _, given := c.Value("min_priority"); c.Operation() == "list_notes" && given && value == nil {
				return adapter.Failure("INTERNAL_ERROR", "The operation failed unexpectedly; try again", nil)
			}
			return next(c)
		}}},
	{ID: "OPS-7.3-03", Variant: "unknown-operation-skipped", Defect: "an entry of a batch whose operation does not exist counts as done",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if c.Entry && seam.FailedWith("NOT_FOUND_OPERATION")(nil, e) {
				return adapter.Success(map[string]any{})
			}
			return e
		}}},
	{ID: "OPS-8.1-03", Variant: "unknown-note-other-code", Defect: "reading a note that never was is answered with code ERROR; a deleted one is not found",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			id := noteMeant(c)
			was := c.Store.Notes[id]
			e := next(c)
			switch {
			case c.Operation() == "delete_note" && adapter.Succeeded(e) && was != nil && c.Store.Notes[id] == nil:
				seam.Aside(c.Adapter).Kept[id] = adapter.Note{}
			case c.Operation() == "get_note" && seam.Aside(c.Adapter).Kept[id] == nil && seam.FailedWith("NOT_FOUND_RESOURCE")(nil, e):
				adapter.Object(e["error"])["code"] = "ERROR"
			}
			return e
		}}},
	{ID: "OPS-8.1-03", Variant: "removed-note-other-code", Defect: "reading a note that was deleted is answered with VALIDATION_INVALID_VALUE",
		Hooks: forRemoved("get_note")},
	{ID: "OPS-8.1-03", Variant: "update-of-removed-other-code", Defect: "updating a note that was deleted is answered with VALIDATION_INVALID_VALUE",
		Hooks: forRemoved("update_note")},
	{ID: "OPS-8.1-03", Variant: "update-of-removed-succeeds", Defect: "updating a note that was deleted is answered with the note as it was",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			id := noteMeant(c)
			was := c.Store.Notes[id]
			e := next(c)
			switch kept := seam.Aside(c.Adapter).Kept; {
			case c.Operation() == "delete_note" && adapter.Succeeded(e) && was != nil && c.Store.Notes[id] == nil:
				kept[id] = was
			case c.Operation() == "update_note" && kept[id] != nil && seam.FailedWith("NOT_FOUND_RESOURCE")(nil, e):
				return adapter.Success(adapter.Plain(kept[id]))
			}
			return e
		}}},
	{ID: "OPS-8.1-03", Variant: "second-removal-other-code", Defect: "deleting a note that was deleted is answered with VALIDATION_INVALID_VALUE",
		Hooks: forRemoved("delete_note")},
	{ID: "OPS-8.1-03", Variant: "second-removal-succeeds", Defect: "deleting a note that was deleted is answered as if it had been there",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			id := noteMeant(c)
			e := next(c)
			switch {
			case c.Operation() != "delete_note":
			case adapter.Succeeded(e) && c.Store.Notes[id] == nil:
				seam.Aside(c.Adapter).Kept[id] = adapter.Note{}
			case seam.Aside(c.Adapter).Kept[id] != nil && seam.FailedWith("NOT_FOUND_RESOURCE")(nil, e):
				return adapter.Success(map[string]any{"note_id": id, "deleted": true})
			}
			return e
		}}},
	{ID: "INT-5.2.2-01", Variant: "status-in-capitals", Defect: "get_note shows the status in capitals, which its type does not list",
		Hooks: shownNote(func(data map[string]any) {
			if text, ok := data["status"].(string); ok {
				data["status"] = strings.ToUpper(text)
			}
		})},
	{ID: "INT-5.2.2-01", Variant: "priority-out-of-bounds", Defect: "get_note shows a priority of up to 100, where its type documents 10 as the most",
		Hooks: shownNote(func(data map[string]any) {
			if data["priority"] != nil {
				data["priority"] = adapter.Plain(adapter.Integer(data["priority"]) * 11)
			}
		})},
}

// forRemoved answers an operation on a note that was deleted with another code.
func forRemoved(operation string) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		id := noteMeant(c)
		was := c.Store.Notes[id]
		e := next(c)
		switch {
		case c.Operation() == "delete_note" && adapter.Succeeded(e) && was != nil && c.Store.Notes[id] == nil:
			seam.Aside(c.Adapter).Kept[id] = adapter.Note{}
		case c.Operation() == operation && seam.Aside(c.Adapter).Kept[id] != nil && seam.FailedWith("NOT_FOUND_RESOURCE")(nil, e):
			adapter.Object(e["error"])["code"] = "VALIDATION_INVALID_VALUE"
		}
		return e
	}}
}

// shownNote rewrites what get_note answers.
func shownNote(rewrite func(data map[string]any)) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		if data := adapter.Object(adapter.Plain(e["data"])); c.Operation() == "get_note" && adapter.Succeeded(e) && data != nil {
			rewrite(data)
			e["data"] = data
		}
		return e
	}}
}
