package objects

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// readFaults are READs that change what they show, or what they list.
var readFaults = []seam.Fault{
	{ID: "AQL-9.3-01", Variant: "note-of-another-call", Transport: "http", Hooks: takesNoteOfOthers(),
		Defect: "concurrent reads of notes share the variable that holds the identifier"},
	{ID: "AQL-8.1-02", Variant: "fields-prune-note", Defect: "get_note with a list in fields takes body and metadata from the stored note",
		Hooks: afterRead(func(c adapter.Call, e adapter.Envelope) bool {
			return adapter.Succeeded(e) && len(adapter.Array(c.Params()["fields"])) > 0
		}, func(n adapter.Note) {
			delete(n, "body")
			delete(n, "metadata")
		})},
	{ID: "AQL-8.1-02", Variant: "option-prunes-note", Defect: "get_note with layout: short takes the body from the stored note",
		Hooks: seam.Both(
			seam.Added("get_note", adapter.Parameter{Name: "layout", Type: "string", Enum: []string{"short", "full"}, Description: "How the note will be laid out by the caller; has no influence on the answer"},
				func(adapter.Task) adapter.Envelope { return nil }),
			afterRead(func(c adapter.Call, e adapter.Envelope) bool {
				return adapter.Succeeded(e) && c.Params()["layout"] == "short"
			}, func(n adapter.Note) { delete(n, "body") }))},
	{ID: "AQL-8.1-02", Variant: "read-raises-version", Defect: "get_note gives the note another version each time", Features: adapter.Etags,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if tag, ok := c.Params()["if_match"].(string); ok {
				tag, _, _ = strings.Cut(tag, " read ")
				c = c.Given("if_match", tag)
			}
			e := next(c)
			if data := adapter.Object(e["data"]); c.Operation() == "get_note" && data["_etag"] != nil {
				id, _, _ := c.Value("note_id")
				key := fmt.Sprint("reads of ", id)
				seam.Jot(c.Session, key, c.Session.Marks[key]+"I")
				data["_etag"] = data["_etag"].(string) + " read " + c.Session.Marks[key]
			}
			return e
		}}},
	{ID: "AQL-8.1-02", Variant: "sorted-in-place", Defect: "list_notes with an order sorts the notes for all later listings of the session",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if sort, ok := c.Params()["sort"].(map[string]any); ok {
				field, _ := sort["field"].(string)
				order, _ := sort["order"].(string)
				seam.Jot(c.Session, "sorted by", field)
				seam.Jot(c.Session, "sorted in", order)
				return c
			}
			if _, object := c.Body["params"].(map[string]any); !object {
				return c
			}
			given := maps.Clone(c.Params())
			maps.DeleteFunc(given, func(_ string, v any) bool { return v == nil })
			if by := c.Session.Marks["sorted by"]; by != "" && len(given) == 0 {
				sort := map[string]any{"field": by}
				if in := c.Session.Marks["sorted in"]; in != "" {
					sort["order"] = in
				}
				return c.Given("sort", sort)
			}
			return c
		})},
	{ID: "AQL-8.1-02", Variant: "refused-read-changes", Defect: "get_note refuses an unknown parameter and changes the title of the note",
		Hooks: afterRead(func(_ adapter.Call, e adapter.Envelope) bool { return seam.FailedWith(seam.UnknownParam)(nil, e) }, func(n adapter.Note) { n["title"] = "seen" })},
	{ID: "AQL-8.1-02", Variant: "read-marks-change", Defect: "get_note sets the time of the last change",
		Hooks: afterRead(func(_ adapter.Call, e adapter.Envelope) bool { return adapter.Succeeded(e) },
			func(n adapter.Note) { n["updated_at"] = time.Now().UTC().Format(time.RFC3339Nano) })},
	{ID: "AQL-8.1-02", Variant: "read-changes-tag", Defect: "get_note counts itself in an archived note, so that its tag changes", Features: adapter.Etags,
		Hooks: afterRead(ofArchived,
			func(n adapter.Note) { n["shown"] = adapter.Plain(adapter.Integer(n["shown"]) + 1) })},
	{ID: "AQL-8.1-02", Variant: "read-of-archived-stars-title", Defect: "get_note of an archived note adds a star to its title",
		Hooks: afterRead(ofArchived, func(n adapter.Note) { n["title"] = fmt.Sprint(n["title"], "*") })},
	{ID: "AQL-8.1-02", Variant: "listing-publishes-drafts", Defect: "list_notes publishes every draft that carries tags",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if c.Operation() != "list_notes" || !adapter.Succeeded(e) {
				return
			}
			for id, n := range c.Store.Notes {
				if n["status"] == "draft" && n["tags"] != nil {
					n = maps.Clone(n)
					n["status"] = "published"
					c.Store.Notes[id] = n
				}
			}
		})},
	{ID: "AQL-8.1-02", Variant: "notes-of-folder-rename-it", Defect: "list_notes of a folder without notes gives the folder another name",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			id, _ := c.Params()["folder_id"].(string)
			folder := c.Store.Folders[id]
			if c.Operation() != "list_notes" || !adapter.Succeeded(e) || folder == nil {
				return
			}
			for _, n := range c.Store.Notes {
				if n["folder_id"] == id {
					return
				}
			}
			folder = maps.Clone(folder)
			folder["name"] = "empty " + id
			c.Store.Folders[id] = folder
		})},
}

// ofArchived reports whether a read shows an archived note.
func ofArchived(_ adapter.Call, e adapter.Envelope) bool {
	return adapter.Succeeded(e) && adapter.Object(e["data"])["status"] == "archived"
}

// afterRead changes the note that get_note was asked for.
func afterRead(when func(c adapter.Call, e adapter.Envelope) bool, change func(n adapter.Note)) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		value, _, _ := c.Value("note_id")
		id, _ := value.(string)
		if n := c.Store.Notes[id]; c.Operation() == "get_note" && n != nil && when(c, e) {
			n = maps.Clone(n)
			change(n)
			c.Store.Notes[id] = n
		}
		return e
	}}
}
