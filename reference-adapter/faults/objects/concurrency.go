package objects

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"time"

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

// concurrencyFaults break what is promised about requests that come at once.
var concurrencyFaults = []seam.Fault{
	{ID: "AQL-9.3-01", Variant: "shared-buffer", Defect: "concurrent handlers overwrite a shared buffer", Transport: "http",
		Hooks: crowded(func(x *adapter.Exchange, reply adapter.Frame) {
			x.Mu.Lock()
			defer x.Mu.Unlock()
			own := adapter.Object(reply["result"])
			if other := seam.Aside(x.Adapter).Kept["buffer"]; other != nil {
				reply["result"] = other
			}
			seam.Aside(x.Adapter).Kept["buffer"] = own
		})},
	{ID: "AQL-9.3-01", Variant: "answer-lost-in-crowd", Defect: "some of many concurrent requests are answered with an internal error", Transport: "http",
		Hooks: crowded(func(x *adapter.Exchange, reply adapter.Frame) {
			if seam.Count(x.Adapter, "crowded answers")%7 == 3 {
				delete(reply, "result")
				reply["error"] = map[string]any{"code": -32603, "message": "internal error"}
			}
		})},
	{ID: "AQL-9.3-01", Variant: "busy-in-crowd", Defect: "some of many concurrent requests are answered with RATE_LIMIT_EXCEEDED", Transport: "http",
		Hooks: crowded(func(x *adapter.Exchange, reply adapter.Frame) {
			if seam.Count(x.Adapter, "crowded answers")%7 == 3 {
				e := adapter.Failure("RATE_LIMIT_EXCEEDED", "Too many requests at once; wait and try again", map[string]any{"retry_after_seconds": 0})
				reply["result"] = adapter.Plain(map[string]any{"content": []any{map[string]any{"type": "text", "text": adapter.Printed(e)}}, "structuredContent": e, "isError": true})
			}
		})},
	{ID: "AQL-9.3-01", Variant: "answered-twice-in-crowd", Defect: "some of many concurrent requests are answered twice", Transport: "http",
		Hooks: crowded(func(x *adapter.Exchange, reply adapter.Frame) {
			if seam.Count(x.Adapter, "crowded answers")%7 == 3 {
				x.Replies = []adapter.Frame{reply, reply}
			}
		})},
	{ID: "AQL-9.3.1-01", Variant: "concurrency-undocumented", Defect: "neither introspection nor documentation names the behaviour; serialized are notes alone",
		Hints: map[string]string{"attest.concurrency": "no"}, Hooks: seam.Both(seam.Protocol(seam.Drop("concurrency")), seam.Described("get_note", seam.Set("description", "Get one note by its identifier, serialized as JSON")))},
	{ID: "AQL-9.3.1-02", Variant: "concurrency-parallel", Defect: "concurrency is \"parallel\"", Hooks: seam.Protocol(seam.Set("concurrency", "parallel"))},
	{ID: "AQL-9.3.1-03", Variant: "serialized-with-thread-pool", Defect: "a pool works off updates that wait, the last first", Transport: "stdio",
		Hooks: pooled("update_note")},
	{ID: "AQL-9.3.1-03", Variant: "serialized-answers-shuffled", Defect: "a pool answers listings that wait, the last first", Transport: "stdio",
		Hooks: pooled("introspect")},
	{ID: "AQL-9.3.1-04", Variant: "lost-update", Defect: "optimistic concurrency is declared, but updates read, modify and write without a lock, so one of two is lost", Features: adapter.Concurrency, Transport: "http",
		Hooks: losing(func(adapter.Call) (unlock func()) { return func() {} })},
	{ID: "AQL-9.3.1-04", Variant: "lock-of-a-session", Defect: "each session has a lock of its own for updates, so that one of two in different sessions is lost", Transport: "http",
		Hooks: seam.Both(onlyWithSessions, losing(func(c adapter.Call) (unlock func()) {
			for seam.Marked(c.Session, "locked") {
				unguarded(c)
			}
			seam.Mark(c.Session, "locked")
			return func() { seam.Jot(c.Session, "locked", "") }
		}))},
}

// crowd is how many calls of introspect make a crowd: more than a careful client has
// in flight.
const crowd = 10

// crowded lets a fault rewrite the answers to calls of introspect that came in a
// crowd.
func crowded(rewrite func(x *adapter.Exchange, reply adapter.Frame)) adapter.Hooks {
	introspects := func(x *adapter.Exchange) bool {
		arguments := seam.Arguments(x)
		return x.Original["method"] == "tools/call" && arguments["operation"] == "introspect"
	}
	return adapter.Hooks{
		Ask: func(x *adapter.Exchange) {
			if !introspects(x) {
				return
			}
			n := inFlight(x.Adapter, 1)
			if n >= crowd {
				seam.Remember(x.Adapter, "crowded", 1)
			}
			if n > 2 { // others may be on their way
				time.Sleep(10 * time.Millisecond)
			}
		},
		Answer: func(x *adapter.Exchange) {
			if !introspects(x) {
				return
			}
			if seam.Recall(x.Adapter, "crowded") == 1 {
				rewrite(x, x.Replies[0])
			}
			if inFlight(x.Adapter, -1) == 0 {
				seam.Remember(x.Adapter, "crowded", 0)
			}
		},
	}
}

// inFlight counts calls in and out and returns how many there are.
func inFlight(a *adapter.Adapter, more int) int {
	m := seam.Aside(a)
	m.Log.Lock()
	defer m.Log.Unlock()
	m.Counts["in flight"] += more
	return m.Counts["in flight"]
}

// pooled works off calls of an operation that wait for their turn in the order that a
// pool may choose as well: the last first.
func pooled(operation string) adapter.Hooks {
	return adapter.Hooks{Input: func(a *adapter.Adapter, in io.Reader) io.Reader {
		word := []byte(`"operation":"` + outward(a, operation) + `"`)
		out, lines := io.Pipe()
		go func() { lines.CloseWithError(lastFirstOf(in, lines, word)) }()
		return out
	}}
}

func lastFirstOf(in io.Reader, out io.Writer, word []byte) error {
	arrived, ended := make(chan []byte), make(chan error, 1)
	go func() {
		reader := bufio.NewReader(in)
		for {
			line, err := reader.ReadBytes('\n')
			if len(line) > 0 {
				arrived <- line
			}
			if err != nil {
				ended <- err
				return
			}
		}
	}()
	var waiting [][]byte
	flush := func() error {
		slices.Reverse(waiting)
		_, err := out.Write(bytes.Join(waiting, nil))
		waiting = nil
		return err
	}
	for {
		var quiet <-chan time.Time
		if len(waiting) > 0 {
			quiet = time.After(3 * time.Millisecond)
		}
		select {
		case line := <-arrived:
			if bytes.Contains(line, word) {
				waiting = append(waiting, line)
				continue
			}
			waiting = append([][]byte{line}, waiting...) // it goes last: who sent it did not wait for the others
			if err := flush(); err != nil {
				return err
			}
		case <-quiet:
			if err := flush(); err != nil {
				return err
			}
		case err := <-ended:
			_ = flush()
			return err
		}
	}
}

// outward is the name on the wire of an operation of the heart.
func outward(a *adapter.Adapter, operation string) string {
	if w := seam.Aside(a).Words; w != nil {
		return w.ToWire(operation)
	}
	return operation
}

// unconditional leaves the precondition out of a record.
func unconditional(op map[string]any) { op["parameters"] = seam.Dropped(op["parameters"], "if_match") }
