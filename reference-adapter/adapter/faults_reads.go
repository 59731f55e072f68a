package adapter

import "maps"

// readFaults are READs that change what they show, or what they list.
var readFaults = []Fault{
	{ID: "AQL-8.1-02", Variant: "fields-prune-note", Defect: "get_note with a list in fields takes body and metadata from the stored note",
		hooks: afterRead(func(c call, e envelope) bool { return succeeded(e) && len(array(c.params()["fields"])) > 0 }, func(n note) {
			delete(n, "body")
			delete(n, "metadata")
		})},
	{ID: "AQL-8.1-02", Variant: "refused-read-changes", Defect: "get_note refuses an unknown parameter and changes the title of the note",
		hooks: afterRead(func(_ call, e envelope) bool { return failedWith(unknownParam)(nil, e) }, func(n note) { n["title"] = "seen" })},
	{ID: "AQL-8.1-02", Variant: "listing-publishes-drafts", Defect: "list_notes publishes every draft that carries tags",
		hooks: after(func(c call, e envelope) {
			if c.operation() != "list_notes" || !succeeded(e) {
				return
			}
			for id, n := range c.store.notes {
				if n["status"] == "draft" && n["tags"] != nil {
					n = maps.Clone(n)
					n["status"] = "published"
					c.store.notes[id] = n
				}
			}
		})},
}

// afterRead changes the note that get_note was asked for.
func afterRead(when func(c call, e envelope) bool, change func(n note)) hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		value, _, _ := c.value("note_id")
		id, _ := value.(string)
		if n := c.store.notes[id]; c.operation() == "get_note" && n != nil && when(c, e) {
			n = maps.Clone(n)
			change(n)
			c.store.notes[id] = n
		}
		return e
	}}
}
