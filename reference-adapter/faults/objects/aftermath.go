package objects

import (
	"maps"
	"slices"
	"strconv"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// aftermathFaults answer as they should and leave something else behind.
var aftermathFaults = []seam.Fault{
	{ID: "AQL-8.1-05", Variant: "update-removes-neighbour", Defect: "updating a note removes the note that was created after it",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if id := noteMeant(c); c.Operation() == "update_note" && adapter.Succeeded(e) {
				delete(c.Store.Notes, noteNumbered(adapter.Number(id)+1))
			}
		})},
	{ID: "AQL-8.1-05", Variant: "metadata-shared", Defect: "notes created without metadata share what is later written into it",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			id := noteMeant(c)
			input := adapter.Object(c.Params()["input"])
			was, changed := c.Store.Notes[id], adapter.Object(input["metadata"])
			if c.Operation() != "update_note" || !adapter.Succeeded(e) || was == nil || len(changed) == 0 {
				return
			}
			for other, n := range c.Store.Notes {
				if other != id && n["metadata"] == nil {
					n = maps.Clone(n)
					n["metadata"] = maps.Clone(changed)
					c.Store.Notes[other] = n
				}
			}
		})},
	{ID: "AQL-8.1-01", Variant: "put-under-chosen-key", Defect: "create_note takes the identifier of the new note from the client, and replaces the note that has it",
		Hooks: chosenByClient()},
	{ID: "AQL-8.1-06", Variant: "neighbour-goes-too", Defect: "deleting a note deletes the note that was created after it",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if id := noteMeant(c); c.Operation() == "delete_note" && adapter.Succeeded(e) && c.Store.Notes[id] == nil {
				delete(c.Store.Notes, noteNumbered(adapter.Number(id)+1))
			}
		})},
	{ID: "AQL-8.1-06", Variant: "gone-but-listed", Defect: "a deleted note can no longer be read, but lists show it",
		Hooks: stillListed(seam.Calling("list_notes", "search_notes"))},
	{ID: "AQL-8.1-06", Variant: "gone-but-in-its-folder", Defect: "a deleted note can no longer be read, but the list of its folder shows it",
		Hooks: stillListed(func(c adapter.Call) bool {
			folder, _, _ := c.Value("folder_id")
			return folder != nil && c.Operation() == "list_notes"
		})},
	{ID: "AQL-8.1-06", Variant: "gone-but-with-its-status", Defect: "a deleted note can no longer be read, but the list of archived notes shows it",
		Hooks: stillListed(func(c adapter.Call) bool {
			status, _, _ := c.Value("status")
			return status == "archived" && c.Operation() == "list_notes"
		})},
	{ID: "AQL-8.1-06", Variant: "unlisted-but-there", Defect: "a deleted note leaves all lists, and can still be read",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			id := noteMeant(c)
			switch c.Operation() {
			case "delete_note":
				was := maps.Clone(c.Store.Notes[id])
				e := next(c)
				if adapter.Succeeded(e) && was != nil && c.Store.Notes[id] == nil {
					seam.Aside(c.Adapter).Kept[id] = was
				}
				return e
			case "get_note":
				if seam.Aside(c.Adapter).Kept[id] != nil {
					c.Store.Notes[id] = seam.Aside(c.Adapter).Kept[id]
					defer delete(c.Store.Notes, id)
				}
			}
			return next(c)
		}}},
	{ID: "AQL-8.1-01", Variant: "new-never-listed", Defect: "lists show the notes that were there at the start, and none that was created since",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			made := seam.Aside(c.Adapter).Kept
			switch c.Operation() {
			case "create_note":
				e := next(c)
				if id, ok := adapter.Object(e["data"])["note_id"].(string); ok && adapter.Succeeded(e) {
					made[id] = c.Store.Notes[id]
				}
				return e
			case "list_notes", "search_notes":
				hidden := map[string]adapter.Note{}
				for id := range made {
					if n := c.Store.Notes[id]; n != nil {
						hidden[id] = n
						delete(c.Store.Notes, id)
					}
				}
				defer maps.Copy(c.Store.Notes, hidden)
			}
			return next(c)
		}}},
	{ID: "AQL-8.1-01", Variant: "oldest-note-dropped", Defect: "creating a note removes the oldest one where there are more than six",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if old := seam.OldestNote(c); c.Operation() == "create_note" && adapter.Succeeded(e) && len(c.Store.Notes) > 6 {
				delete(c.Store.Notes, old["note_id"].(string))
			}
		})},
	{ID: "AQL-8.1-01", Variant: "note-of-equal-budget-replaced", Defect: "creating a note with the budget of another one puts it in its place",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			made := adapter.Object(e["data"])
			if c.Operation() != "create_note" || !adapter.Succeeded(e) || made["budget"] == nil {
				return
			}
			for id, other := range c.Store.Notes {
				if id != made["note_id"] && other["budget"] == made["budget"] && other["title"] != made["title"] {
					replaced := maps.Clone(made)
					replaced["note_id"] = id
					c.Store.Notes[id] = replaced
					delete(c.Store.Notes, made["note_id"].(string))
					return
				}
			}
		})},
	{ID: "AQL-8.1-05", Variant: "oldest-note-updated", Defect: "updating a note changes the title of the oldest note",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if old := seam.OldestNote(c); c.Operation() == "update_note" && adapter.Succeeded(e) && old != nil && old["note_id"] != noteMeant(c) {
				old["title"] = "older than " + noteMeant(c)
				c.Store.Notes[old["note_id"].(string)] = old
			}
		})},
}

// chosenByClient makes create_note take the identifier of the new note, and replace the note that has it.
func chosenByClient() adapter.Hooks {
	key := adapter.Parameter{Name: "note_id", Type: "string", Required: true, MinLength: adapter.Ref(1), MaxLength: adapter.Ref(60), Description: "Identifier that the new note gets"}
	documented := seam.Remade("create_note", func(op *adapter.Operation) {
		op.Parameters = append(slices.Clone(op.Parameters), key)
		op.Examples = slices.Clone(op.Examples)
		for i, e := range op.Examples {
			request := adapter.Object(adapter.Plain(e.Request))
			adapter.Object(request["params"])["note_id"] = "weekend-" + strconv.Itoa(i)
			op.Examples[i].Request = request
		}
	})
	return seam.Both(documented, adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		id := noteMeant(c)
		e := next(c)
		if made := adapter.Object(e["data"]); c.Operation() == "create_note" && adapter.Succeeded(e) {
			delete(c.Store.Notes, made["note_id"].(string))
			made["note_id"] = id
			c.Store.Notes[id] = adapter.Object(adapter.Plain(made))
		}
		return e
	}})
}

// noteMeant is the identifier of the note that a call names; empty for none.
func noteMeant(c adapter.Call) string {
	value, _, _ := c.Value("note_id")
	id, _ := value.(string)
	return id
}

func noteNumbered(n int) string { return "note_" + strconv.Itoa(n) }

// stillListed keeps deleted notes in some listings.
func stillListed(in func(adapter.Call) bool) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		kept := seam.Aside(c.Adapter).Kept
		switch {
		case c.Operation() == "delete_note":
			id := noteMeant(c)
			was := maps.Clone(c.Store.Notes[id])
			e := next(c)
			if adapter.Succeeded(e) && was != nil && c.Store.Notes[id] == nil {
				kept[id] = was
			}
			return e
		case in(c):
			maps.Copy(c.Store.Notes, kept)
			defer maps.DeleteFunc(c.Store.Notes, func(id string, _ adapter.Note) bool { return kept[id] != nil })
		}
		return next(c)
	}}
}
