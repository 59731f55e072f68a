package adapter

import (
	"maps"
	"strconv"
)

// aftermathFaults answer as they should and leave something else behind.
var aftermathFaults = []Fault{
	{ID: "AQL-8.1-05", Variant: "update-removes-neighbour", Defect: "updating a note removes the note that was created after it",
		hooks: after(func(c call, e envelope) {
			if id := c.noteMeant(); c.operation() == "update_note" && succeeded(e) {
				delete(c.store.notes, noteNumbered(number(id)+1))
			}
		})},
	{ID: "AQL-8.1-05", Variant: "metadata-shared", Defect: "notes created without metadata share what is later written into it",
		hooks: after(func(c call, e envelope) {
			id := c.noteMeant()
			input := object(c.params()["input"])
			was, changed := c.store.notes[id], object(input["metadata"])
			if c.operation() != "update_note" || !succeeded(e) || was == nil || len(changed) == 0 {
				return
			}
			for other, n := range c.store.notes {
				if other != id && n["metadata"] == nil {
					n = maps.Clone(n)
					n["metadata"] = maps.Clone(changed)
					c.store.notes[other] = n
				}
			}
		})},
	{ID: "AQL-8.1-06", Variant: "neighbour-goes-too", Defect: "deleting a note deletes the note that was created after it",
		hooks: after(func(c call, e envelope) {
			if id := c.noteMeant(); c.operation() == "delete_note" && succeeded(e) && c.store.notes[id] == nil {
				delete(c.store.notes, noteNumbered(number(id)+1))
			}
		})},
	{ID: "AQL-8.1-06", Variant: "gone-but-listed", Defect: "a deleted note can no longer be read, but lists show it",
		hooks: hooks{item: func(c call, next handler) envelope {
			switch c.operation() {
			case "delete_note":
				id := c.noteMeant()
				was := maps.Clone(c.store.notes[id])
				e := next(c)
				if succeeded(e) && was != nil && c.store.notes[id] == nil {
					c.aside().kept[id] = was
				}
				return e
			case "list_notes", "search_notes":
				maps.Copy(c.store.notes, c.aside().kept)
				defer maps.DeleteFunc(c.store.notes, func(id string, _ note) bool { return c.aside().kept[id] != nil })
			}
			return next(c)
		}}},
	{ID: "AQL-8.1-06", Variant: "unlisted-but-there", Defect: "a deleted note leaves all lists, and can still be read",
		hooks: hooks{item: func(c call, next handler) envelope {
			id := c.noteMeant()
			switch c.operation() {
			case "delete_note":
				was := maps.Clone(c.store.notes[id])
				e := next(c)
				if succeeded(e) && was != nil && c.store.notes[id] == nil {
					c.aside().kept[id] = was
				}
				return e
			case "get_note":
				if c.aside().kept[id] != nil {
					c.store.notes[id] = c.aside().kept[id]
					defer delete(c.store.notes, id)
				}
			}
			return next(c)
		}}},
	{ID: "AQL-8.1-05", Variant: "oldest-note-updated", Defect: "updating a note changes the title of the oldest note",
		hooks: after(func(c call, e envelope) {
			if old := oldestNote(c); c.operation() == "update_note" && succeeded(e) && old != nil && old["note_id"] != c.noteMeant() {
				old["title"] = "older than " + c.noteMeant()
				c.store.notes[old["note_id"].(string)] = old
			}
		})},
}

// noteMeant is the identifier of the note that a call names; empty for none.
func (c call) noteMeant() string {
	value, _, _ := c.value("note_id")
	id, _ := value.(string)
	return id
}

func noteNumbered(n int) string { return "note_" + strconv.Itoa(n) }
