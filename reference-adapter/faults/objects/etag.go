package objects

import (
	"maps"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// etagFaults break optimistic concurrency control.
var etagFaults = []seam.Fault{
	{ID: "AQL-9.3.2-01", Variant: "no-versioning", Defect: "concurrent changes are declared, but nothing carries a version",
		Hooks: seam.Protocol(seam.Set("concurrency", "fully-concurrent"))},
	{ID: "AQL-9.3.2-02", Variant: "tag-missing-on-read", Defect: "get_note omits the tag although updates use it", Features: adapter.Etags,
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if seam.Calling("get_note")(c) {
				delete(adapter.Object(e["data"]), "_etag")
			}
		})},
	{ID: "AQL-9.3.2-03", Variant: "if-match-unknown", Defect: "notes carry a tag, but if_match is refused as unknown", Features: adapter.Etags,
		Hooks: seam.Both(seam.Both(seam.Protocol(seam.Drop("supports_etag")), seam.Both(seam.Record("update_note", unconditional), seam.Record("delete_note", unconditional))),
			seam.UnknownParameter("if_match"))},
	{ID: "AQL-9.3.2-03", Variant: "current-tag-refused", Defect: "the current tag is refused as stale", Features: adapter.Etags,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if tag, ok := c.Params()["if_match"].(string); ok && seam.Calling("update_note")(c) {
				c = c.Given("if_match", tag+"-")
			}
			return next(c)
		}}},
	{ID: "AQL-9.3.2-04", Variant: "stale-tag-other-code", Defect: "a stale tag is refused with VALIDATION_INVALID_TYPE", Features: adapter.Etags,
		Hooks: seam.Refused("CONFLICT_VERSION_MISMATCH", seam.AnyCall, seam.Code("VALIDATION_INVALID_TYPE"))},
	{ID: "AQL-9.3.2-04", Variant: "stale-tag-of-list-taken", Defect: "if_match is overlooked where input has tags alone", Features: adapter.Etags,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			given, _, _ := c.Value("input")
			if input := adapter.Object(given); c.Operation() == "update_note" && len(input) == 1 && input["tags"] != nil {
				c = c.Given("if_match", nil)
			}
			return next(c)
		}}},
	{ID: "AQL-9.3.2-04", Variant: "tag-never-given-taken", Defect: "a tag that no note was given is taken for the current one", Features: adapter.Etags,
		Hooks: takesNewTags()},
	{ID: "AQL-9.3.2-04", Variant: "stale-tag-removes", Defect: "delete_note overlooks if_match", Features: adapter.Etags,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if c.Operation() == "delete_note" {
				c = c.Given("if_match", nil)
			}
			return next(c)
		}}},
	{ID: "AQL-9.3.2-05", Variant: "constant-tag", Defect: "the tag of a note stays the same after a visible change", Features: adapter.Etags,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			const tag = `W/"1"`
			if c.Params()["if_match"] == tag {
				c = c.Given("if_match", nil)
			}
			e := next(c)
			for _, shown := range append(adapter.Array(adapter.Object(e["data"])["items"]), e["data"]) {
				if note := adapter.Object(shown); note["_etag"] != nil {
					note["_etag"] = tag
				}
			}
			return e
		}}},
	{ID: "AQL-9.3.2-05", Variant: "free-update-keeps-tag", Defect: "an update without if_match leaves the tag of the note as it was", Features: adapter.Etags,
		Hooks: adapter.Hooks{Item: keepingTag}},
	{ID: "AQL-9.3.2-05", Variant: "tag-without-inner-fields", Defect: "the tag of a note does not change with its tags or its metadata", Features: adapter.Etags,
		Hooks: adapter.Hooks{Item: tagOfPlainFields}},
	{ID: "AQL-9.3.2-05", Variant: "stale-update-applied", Defect: "a refused stale update changes the note all the same", Features: adapter.Etags,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if seam.FailedWith("CONFLICT_VERSION_MISMATCH")(nil, e) {
				next(c.Given("if_match", nil))
			}
			return e
		}}},
	{ID: "AQL-9.3.2-05", Variant: "stale-update-half-applied", Defect: "a refused stale update pins the note", Features: adapter.Etags,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if seam.FailedWith("CONFLICT_VERSION_MISMATCH")(nil, e) {
				next(c.Given("if_match", nil).Given("input", map[string]any{"pinned": true}))
			}
			return e
		}}},
	{ID: "AQL-9.3.2-06", Variant: "check-then-write", Defect: "checking the tag and writing are not atomic", Features: adapter.Etags, Transport: "http",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			wanted, conditional := c.Params()["if_match"].(string)
			id, _ := c.Params()["note_id"].(string)
			if note, ok := c.Store.Notes[id]; !ok || !conditional || !seam.Calling("update_note")(c) || adapter.TagOf(note) != wanted {
				return next(c)
			}
			unguarded(c)
			return next(c.Given("if_match", nil))
		}}},
	{ID: "AQL-9.3.2-06", Variant: "loser-written", Defect: "of two updates with the same tag the second is written and refused afterwards", Features: adapter.Etags, Transport: "http",
		Hooks: beaten(func(c adapter.Call, _ adapter.Note, next adapter.Handler) adapter.Envelope {
			next(c.Given("if_match", nil))
			return next(c)
		})},
	{ID: "AQL-9.3.2-06", Variant: "winner-undone", Defect: "of two updates with the same tag the second is refused and restores the note as it read it", Features: adapter.Etags, Transport: "http",
		Hooks: beaten(func(c adapter.Call, was adapter.Note, next adapter.Handler) adapter.Envelope {
			e := next(c)
			c.Store.Notes[c.Params()["note_id"].(string)] = was
			return e
		})},
	{ID: "AQL-9.3.2-06", Variant: "nobody-wins", Defect: "of two updates with the same tag both are refused", Features: adapter.Etags, Transport: "http",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			tag, conditional := c.Params()["if_match"].(string)
			if !conditional || !seam.Calling("update_note")(c) {
				return next(c)
			}
			seam.Remember(c.Adapter, "asked for "+tag, seam.Recall(c.Adapter, "asked for "+tag)+1)
			unguarded(c)
			if seam.Recall(c.Adapter, "asked for "+tag) > 1 {
				c = c.Given("if_match", tag+"-")
			}
			return next(c)
		}}},
	{ID: "AQL-9.3.3-02", Variant: "etag-advertised-only", Defect: "supports_etag is true but if_match is ignored", Features: adapter.Etags,
		Hooks: seam.Before(seam.Named("update_note"), func(c adapter.Call, _ adapter.Operation) adapter.Call { return c.Given("if_match", nil) })},
	{ID: "AQL-9.3.3-02", Variant: "advertised-but-absent", Defect: "supports_etag is true, but no note carries a tag and no update takes one", Features: adapter.Concurrency,
		Hooks: seam.Protocol(seam.Set("supports_etag", true))},
}

// beaten does something for an update whose tag was right when it came, and no longer is when it writes.
func beaten(do func(c adapter.Call, was adapter.Note, next adapter.Handler) adapter.Envelope) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		wanted, _ := c.Params()["if_match"].(string)
		id, _ := c.Params()["note_id"].(string)
		note, ok := c.Store.Notes[id]
		if !ok || !seam.Calling("update_note")(c) || adapter.TagOf(note) != wanted {
			return next(c)
		}
		was := maps.Clone(note)
		unguarded(c)
		if now, ok := c.Store.Notes[id]; ok && adapter.TagOf(now) != wanted {
			return do(c, was, next)
		}
		return next(c)
	}}
}

// keepingTag shows the tag from before each update that came without one.
func keepingTag(c adapter.Call, next adapter.Handler) adapter.Envelope {
	id, _ := c.Params()["note_id"].(string)
	was, real := c.Store.Notes[id], seam.Aside(c.Adapter).Keys
	free := seam.Calling("update_note")(c) && c.Params()["if_match"] == nil && was != nil
	if tag, _ := c.Params()["if_match"].(string); was != nil && tag != "" && tag == real["tag "+adapter.TagOf(was)] {
		c = c.Given("if_match", adapter.TagOf(was))
	}
	before := adapter.TagOf(was)
	e := next(c)
	if now := c.Store.Notes[id]; free && now != nil {
		real["tag "+adapter.TagOf(now)] = before
	}
	for _, shown := range append(adapter.Array(adapter.Object(e["data"])["items"]), e["data"]) {
		if tag, _ := adapter.Object(shown)["_etag"].(string); real["tag "+tag] != "" {
			adapter.Object(shown)["_etag"] = real["tag "+tag]
		}
	}
	return e
}

// tagOfPlainFields tells the version of a note by its scalar fields alone.
func tagOfPlainFields(c adapter.Call, next adapter.Handler) adapter.Envelope {
	plain := func(n adapter.Note) string {
		held := maps.Clone(n)
		delete(held, "tags")
		delete(held, "metadata")
		return adapter.TagOf(held)
	}
	id := noteMeant(c)
	if note := c.Store.Notes[id]; note != nil && c.Params()["if_match"] == plain(note) {
		c = c.Given("if_match", adapter.TagOf(note))
	}
	e := next(c)
	for _, shown := range append(adapter.Array(adapter.Object(e["data"])["items"]), e["data"]) {
		note := adapter.Object(shown)
		id, _ := note["note_id"].(string)
		if kept := c.Store.Notes[id]; kept != nil && note["_etag"] != nil {
			note["_etag"] = plain(kept)
		}
	}
	return e
}
