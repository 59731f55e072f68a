package objects

import (
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// loadFaults hide from whoever writes one thing at a time, or several times to one object.
var loadFaults = []seam.Fault{
	{ID: "AQL-4.5.1-01", Variant: "lost-under-load", Transport: "http",
		Defect: "an update holds a lock on its note, but reads, changes and writes the file of all notes, so another update meanwhile is lost",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			id, _ := c.Params()["note_id"].(string)
			if _, ok := c.Store.Notes[id]; !ok || !seam.Calling("update_note")(c) || seam.Recall(c.Adapter, "held "+id) > 0 {
				return next(c)
			}
			read := map[string]map[string]any{}
			for name, note := range c.Store.Notes {
				read[name] = adapter.Object(adapter.Plain(note))
			}
			seam.Remember(c.Adapter, "held "+id, 1)
			unguarded(c)
			seam.Remember(c.Adapter, "held "+id, 0)
			for name, note := range read {
				if _, there := c.Store.Notes[name]; there && name != id {
					c.Store.Notes[name] = note
				}
			}
			return next(c)
		}}},
}
