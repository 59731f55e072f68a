package objects

import (
	"io"
	"net/http"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// onlyWithSessions refuses the MCP revisions without sessions, as servers do that are older.
var onlyWithSessions = adapter.Hooks{Served: func(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") > "2025-11-25" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Unsupported protocol version"}}`)
			return
		}
		next.ServeHTTP(w, r)
	})
}}

// losing has update_note read and write under no other lock than the given one.
func losing(lock func(c adapter.Call) (unlock func())) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if !seam.Calling("update_note")(c) {
			return next(c)
		}
		defer lock(c)()
		id, _ := c.Params()["note_id"].(string)
		if note, ok := c.Store.Notes[id]; ok {
			read := adapter.Object(adapter.Plain(note))
			unguarded(c)
			c.Store.Notes[id] = read
		}
		return next(c)
	}}
}

// unguarded lets others work while this call has read and not yet written.
func unguarded(c adapter.Call) {
	c.Mu.Unlock()
	defer c.Mu.Lock()
	time.Sleep(5 * time.Millisecond)
}

// takesNewTags carries updates of notes out with tags that were shown to nobody.
func takesNewTags() adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		for _, shown := range append(adapter.Array(adapter.Object(e["data"])["items"]), e["data"]) {
			if tag, ok := adapter.Object(shown)["_etag"].(string); ok {
				seam.Remember(c.Adapter, "tag "+tag, 1)
			}
		}
		if tag, ok := c.Params()["if_match"].(string); ok && seam.Calling("update_note")(c) && seam.FailedWith("CONFLICT_VERSION_MISMATCH")(nil, e) && seam.Recall(c.Adapter, "tag "+tag) == 0 {
			return next(c.Given("if_match", nil))
		}
		return e
	}}
}

// takesNoteOfOthers lets the reads of a crowd share the variable that holds the identifier of the note.
func takesNoteOfOthers() adapter.Hooks {
	return seam.Both(crowded(func(*adapter.Exchange, adapter.Frame) {}), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if !seam.Calling("get_note")(c) || seam.Recall(c.Adapter, "crowded") == 0 {
			return next(c)
		}
		kept := seam.Aside(c.Adapter).Kept
		kept["asked for"] = adapter.Note{"note_id": c.Params()["note_id"]}
		unguarded(c)
		return next(c.Given("note_id", kept["asked for"]["note_id"]))
	}})
}
