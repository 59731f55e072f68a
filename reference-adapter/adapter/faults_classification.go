package adapter

import (
	"maps"
	"strconv"
)

// classificationFaults show a wrong category or flag.
var classificationFaults = []Fault{
	{ID: "AQL-6.1-01", Variant: "category-lower-case", Defect: "semantic_category is \"execute\"",
		hooks: described("cancel_export", set("semantic_category", "execute"))},
	{ID: "AQL-6.1-01", Variant: "category-missing", Defect: "semantic_category is nowhere shown",
		hooks: described("cancel_export", drop("semantic_category"))},
	{ID: "AQL-6.1-02", Variant: "delete-not-destructive", Defect: "delete_folder says destructive false",
		hooks: record("delete_folder", set("permissions", map[string]any{"readOnly": false, "destructive": false}))},
	{ID: "AQL-6.1-02", Variant: "create-read-only", Defect: "create_folder says readOnly true",
		hooks: record("create_folder", set("permissions", map[string]any{"readOnly": true, "destructive": false}))},
}

// effectFaults do something else than their category says.
var effectFaults = []Fault{
	{ID: "AQL-8.1-01", Variant: "create-is-upsert", Defect: "create_note overwrites a note of equal title",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			made := object(e["data"])
			if c.operation() != "create_note" || !succeeded(e) {
				return e
			}
			for _, old := range c.store.notesWhere(func(n note) bool { return n["title"] == made["title"] }) {
				if old["note_id"] != made["note_id"] {
					delete(c.store.notes, made["note_id"].(string))
					made["note_id"] = old["note_id"]
					c.store.notes[old["note_id"].(string)] = object(plain(made))
					break
				}
			}
			return e
		}}},
	{ID: "AQL-8.1-01", Variant: "identifiers-counted", Defect: "create_note takes the number of notes for the identifier of a new one",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			made := object(e["data"])
			if c.operation() != "create_note" || !succeeded(e) {
				return e
			}
			was, id := made["note_id"].(string), "note_"+strconv.Itoa(len(c.store.notes))
			delete(c.store.notes, was)
			made["note_id"] = id
			c.store.notes[id] = object(plain(made))
			return e
		}}},
	{ID: "AQL-8.1-02", Variant: "read-creates-item", Defect: "get_note creates a note called like the identifier that it did not find",
		hooks: after(func(c call, e envelope) {
			if id, _, _ := c.value("note_id"); c.operation() == "get_note" && failedWith("NOT_FOUND_RESOURCE")(nil, e) {
				c.store.addNote(note{"title": id, "folder_id": "folder_1"})
			}
		})},
	{ID: "AQL-8.1-02", Variant: "read-settles-draft", Defect: "get_note turns the draft that it shows into a published note",
		hooks: after(func(c call, e envelope) {
			id, _ := object(e["data"])["note_id"].(string)
			if n := c.store.notes[id]; c.operation() == "get_note" && n["status"] == "draft" {
				c.store.notes[id] = maps.Clone(n)
				c.store.notes[id]["status"] = "published"
			}
		})},
	{ID: "AQL-8.1-03", Variant: "one-shot-read", Defect: "a second get of the same folder says that it does not exist",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			id, _ := object(e["data"])["folder_id"].(string)
			if c.operation() != "get_folder" || id == "" {
				return e
			}
			if c.session.marked("read " + id) {
				return absent("folder", id)
			}
			c.session.mark("read " + id)
			return e
		}}},
	{ID: "AQL-8.1-03", Variant: "shown-once", Defect: "a second get of the same folder answers null",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			id, _ := object(e["data"])["folder_id"].(string)
			if c.operation() != "get_folder" || id == "" {
				return e
			}
			if c.session.marked("read " + id) {
				return success(nil)
			}
			c.session.mark("read " + id)
			return e
		}}},
	{ID: "AQL-8.1-04", Variant: "update-is-upsert", Defect: "updating an absent id creates it",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			id, _ := object(object(e["error"])["details"])["resource_id"].(string)
			if c.operation() != "update_note" || id == "" {
				return e
			}
			c.store.notes[id] = note{"note_id": id, "title": id, "folder_id": "folder_1", "created_at": now(), "updated_at": now()}
			return next(c)
		}}},
	{ID: "AQL-8.1-04", Variant: "update-of-nothing-succeeds", Defect: "updating an absent id answers success and changes nothing",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if c.operation() == "update_note" && object(e["error"])["code"] == "NOT_FOUND_RESOURCE" {
				return success(map[string]any{})
			}
			return e
		}}},
	{ID: "AQL-8.1-05", Variant: "update-clones", Defect: "update leaves a copy of the note behind",
		hooks: hooks{item: func(c call, next handler) envelope {
			id, _, _ := c.value("note_id")
			key, _ := id.(string)
			old := maps.Clone(c.store.notes[key])
			e := next(c)
			if c.operation() == "update_note" && succeeded(e) {
				c.store.addNote(old)
			}
			return e
		}}},
	{ID: "AQL-8.1-01", Variant: "oldest-note-retitled", Defect: "creating a note changes the title of the oldest note",
		hooks: after(func(c call, e envelope) {
			title, _ := object(e["data"])["title"].(string)
			if old := oldestNote(c); c.operation() == "create_note" && succeeded(e) && old != nil {
				old["title"] = "older than " + title
				c.store.notes[old["note_id"].(string)] = old
			}
		})},
	{ID: "AQL-8.1-05", Variant: "update-reaches-every-note", Defect: "a new title goes to all notes",
		hooks: after(func(c call, e envelope) {
			title, given := object(c.params()["input"])["title"].(string)
			if c.operation() != "update_note" || !succeeded(e) || !given {
				return
			}
			for id, other := range c.store.notes {
				changed := maps.Clone(other)
				changed["title"] = title
				c.store.notes[id] = changed
			}
		})},
	{ID: "AQL-8.1-06", Variant: "oldest-note-goes-too", Defect: "deleting a note deletes the oldest note with it",
		hooks: after(func(c call, e envelope) {
			if old := oldestNote(c); c.operation() == "delete_note" && succeeded(e) && old != nil {
				delete(c.store.notes, old["note_id"].(string))
			}
		})},
	{ID: "AQL-8.1-06", Variant: "delete-does-nothing", Defect: "delete answers success and the item stays",
		hooks: hooks{item: func(c call, next handler) envelope {
			notes, folders := maps.Clone(c.store.notes), maps.Clone(c.store.folders)
			e := next(c)
			if calling("delete_note", "delete_folder")(c) {
				c.store.notes, c.store.folders = notes, folders
			}
			return e
		}}},
}

// oldestNote is a copy of the first note there is; nil where there is none.
func oldestNote(c call) note {
	for _, n := range c.store.notesWhere(func(note) bool { return true }) {
		return maps.Clone(n)
	}
	return nil
}
