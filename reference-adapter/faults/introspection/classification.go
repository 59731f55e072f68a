package introspection

import (
	"maps"
	"slices"
	"strconv"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// classificationFaults show a wrong category or flag.
var classificationFaults = []seam.Fault{
	{ID: "AQL-6.1-01", Variant: "category-lower-case", Defect: "semantic_category is \"execute\"",
		Hooks: seam.Described("cancel_export", seam.Set("semantic_category", "execute"))},
	{ID: "AQL-6.1-01", Variant: "category-missing", Defect: "semantic_category is nowhere shown",
		Hooks: seam.Described("cancel_export", seam.Drop("semantic_category"))},
	{ID: "AQL-6.1-02", Variant: "delete-not-destructive", Defect: "delete_folder says destructive false",
		Hooks: seam.Record("delete_folder", seam.Set("permissions", map[string]any{"readOnly": false, "destructive": false}))},
	{ID: "AQL-6.1-02", Variant: "create-read-only", Defect: "create_folder says readOnly true",
		Hooks: seam.Record("create_folder", seam.Set("permissions", map[string]any{"readOnly": true, "destructive": false}))},
}

// effectFaults do something else than their category says.
var effectFaults = []seam.Fault{
	{ID: "AQL-8.1-01", Variant: "create-is-upsert", Defect: "create_note overwrites a note of equal title",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			made := adapter.Object(e["data"])
			if c.Operation() != "create_note" || !adapter.Succeeded(e) {
				return e
			}
			for _, old := range c.Store.NotesWhere(func(n adapter.Note) bool { return n["title"] == made["title"] }) {
				if old["note_id"] != made["note_id"] {
					delete(c.Store.Notes, made["note_id"].(string))
					made["note_id"] = old["note_id"]
					c.Store.Notes[old["note_id"].(string)] = adapter.Object(adapter.Plain(made))
					break
				}
			}
			return e
		}}},
	{ID: "AQL-8.1-01", Variant: "identifiers-counted", Defect: "create_note takes the number of notes for the identifier of a new one",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			made := adapter.Object(e["data"])
			if c.Operation() != "create_note" || !adapter.Succeeded(e) {
				return e
			}
			was, id := made["note_id"].(string), "note_"+strconv.Itoa(len(c.Store.Notes))
			delete(c.Store.Notes, was)
			made["note_id"] = id
			c.Store.Notes[id] = adapter.Object(adapter.Plain(made))
			return e
		}}},
	{ID: "AQL-8.1-02", Variant: "read-creates-item", Defect: "get_note creates a note called like the identifier that it did not find",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if id, _, _ := c.Value("note_id"); c.Operation() == "get_note" && seam.FailedWith("NOT_FOUND_RESOURCE")(nil, e) {
				c.Store.AddNote(adapter.Note{"title": id, "folder_id": "folder_1"})
			}
		})},
	{ID: "AQL-8.1-02", Variant: "read-settles-draft", Defect: "get_note turns the draft that it shows into a published note",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			id, _ := adapter.Object(e["data"])["note_id"].(string)
			if n := c.Store.Notes[id]; c.Operation() == "get_note" && n["status"] == "draft" {
				c.Store.Notes[id] = maps.Clone(n)
				c.Store.Notes[id]["status"] = "published"
			}
		})},
	{ID: "AQL-8.1-03", Variant: "one-shot-read", Defect: "a second get of the same folder says that it does not exist",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			id, _ := adapter.Object(e["data"])["folder_id"].(string)
			if c.Operation() != "get_folder" || id == "" {
				return e
			}
			if seam.Marked(c.Session, "read "+id) {
				return adapter.Absent("folder", id)
			}
			seam.Mark(c.Session, "read "+id)
			return e
		}}},
	{ID: "AQL-8.1-03", Variant: "other-items-each-time", Defect: "list_notes without parameters leaves out another note each time",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			data := adapter.Object(e["data"])
			if items, _ := data["items"].([]any); c.Operation() == "list_notes" && len(c.Params()) == 0 && len(items) > 1 {
				out := seam.Count(c.Adapter, "listings") % len(items)
				data["items"] = slices.Concat(items[:out], items[out+1:])
			}
		})},
	{ID: "AQL-8.1-03", Variant: "shown-once", Defect: "a second get of the same folder answers null",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			id, _ := adapter.Object(e["data"])["folder_id"].(string)
			if c.Operation() != "get_folder" || id == "" {
				return e
			}
			if seam.Marked(c.Session, "read "+id) {
				return adapter.Success(nil)
			}
			seam.Mark(c.Session, "read "+id)
			return e
		}}},
	{ID: "AQL-8.1-04", Variant: "update-is-upsert", Defect: "updating an absent id creates it",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			id, _ := adapter.Object(adapter.Object(e["error"])["details"])["resource_id"].(string)
			if c.Operation() != "update_note" || id == "" {
				return e
			}
			c.Store.Notes[id] = adapter.Note{"note_id": id, "title": id, "folder_id": "folder_1", "created_at": adapter.Now(), "updated_at": adapter.Now()}
			return next(c)
		}}},
	{ID: "AQL-8.1-04", Variant: "update-of-nothing-succeeds", Defect: "updating an absent id answers success and changes nothing",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if c.Operation() == "update_note" && adapter.Object(e["error"])["code"] == "NOT_FOUND_RESOURCE" {
				return adapter.Success(map[string]any{})
			}
			return e
		}}},
	{ID: "AQL-8.1-05", Variant: "update-clones", Defect: "update leaves a copy of the note behind",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			id, _, _ := c.Value("note_id")
			key, _ := id.(string)
			old := maps.Clone(c.Store.Notes[key])
			e := next(c)
			if c.Operation() == "update_note" && adapter.Succeeded(e) {
				c.Store.AddNote(old)
			}
			return e
		}}},
	{ID: "AQL-8.1-01", Variant: "oldest-note-retitled", Defect: "creating a note changes the title of the oldest note",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			title, _ := adapter.Object(e["data"])["title"].(string)
			if old := seam.OldestNote(c); c.Operation() == "create_note" && adapter.Succeeded(e) && old != nil {
				old["title"] = "older than " + title
				c.Store.Notes[old["note_id"].(string)] = old
			}
		})},
	{ID: "AQL-8.1-05", Variant: "update-reaches-every-note", Defect: "a new title goes to all notes",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			title, given := adapter.Object(c.Params()["input"])["title"].(string)
			if c.Operation() != "update_note" || !adapter.Succeeded(e) || !given {
				return
			}
			for id, other := range c.Store.Notes {
				changed := maps.Clone(other)
				changed["title"] = title
				c.Store.Notes[id] = changed
			}
		})},
	{ID: "AQL-8.1-06", Variant: "oldest-note-goes-too", Defect: "deleting a note deletes the oldest note with it",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if old := seam.OldestNote(c); c.Operation() == "delete_note" && adapter.Succeeded(e) && old != nil {
				delete(c.Store.Notes, old["note_id"].(string))
			}
		})},
	{ID: "AQL-8.1-06", Variant: "delete-does-nothing", Defect: "delete answers success and the item stays",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			notes, folders := maps.Clone(c.Store.Notes), maps.Clone(c.Store.Folders)
			e := next(c)
			if seam.Calling("delete_note", "delete_folder")(c) {
				c.Store.Notes, c.Store.Folders = notes, folders
			}
			return e
		}}},
}
