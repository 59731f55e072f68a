package adapter

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"time"
)

// etagFaults break optimistic concurrency control.
var etagFaults = []Fault{
	{ID: "AQL-9.3.2-01", Variant: "no-versioning", Defect: "concurrent changes are declared, but nothing carries a version",
		hooks: protocol(set("concurrency", "fully-concurrent"))},
	{ID: "AQL-9.3.2-02", Variant: "tag-missing-on-read", Defect: "get_note omits the tag although updates use it", Features: etags,
		hooks: after(func(c call, e envelope) {
			if calling("get_note")(c) {
				delete(object(e["data"]), "_etag")
			}
		})},
	{ID: "AQL-9.3.2-03", Variant: "if-match-unknown", Defect: "notes carry a tag, but if_match is refused as unknown", Features: etags,
		hooks: both(both(protocol(drop("supports_etag")), record("update_note", func(op map[string]any) {
			op["parameters"] = dropped(op["parameters"], "if_match")
		})), unknownParameter("if_match"))},
	{ID: "AQL-9.3.2-03", Variant: "current-tag-refused", Defect: "the current tag is refused as stale", Features: etags,
		hooks: hooks{item: func(c call, next handler) envelope {
			if tag, ok := c.params()["if_match"].(string); ok && calling("update_note")(c) {
				c = c.given("if_match", tag+"-")
			}
			return next(c)
		}}},
	{ID: "AQL-9.3.2-04", Variant: "stale-tag-other-code", Defect: "a stale tag is refused with VALIDATION_INVALID_TYPE", Features: etags,
		hooks: refused("CONFLICT_VERSION_MISMATCH", anyCall, code("VALIDATION_INVALID_TYPE"))},
	{ID: "AQL-9.3.2-05", Variant: "constant-tag", Defect: "the tag of a note stays the same after a visible change", Features: etags,
		hooks: hooks{item: func(c call, next handler) envelope {
			const tag = `W/"1"`
			if c.params()["if_match"] == tag {
				c = c.given("if_match", nil)
			}
			e := next(c)
			for _, shown := range append(array(object(e["data"])["items"]), e["data"]) {
				if note := object(shown); note["_etag"] != nil {
					note["_etag"] = tag
				}
			}
			return e
		}}},
	{ID: "AQL-9.3.2-05", Variant: "stale-update-applied", Defect: "a refused stale update changes the note all the same", Features: etags,
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if failedWith("CONFLICT_VERSION_MISMATCH")(nil, e) {
				next(c.given("if_match", nil))
			}
			return e
		}}},
	{ID: "AQL-9.3.2-06", Variant: "check-then-write", Defect: "checking the tag and writing are not atomic", Features: etags, Transport: "http",
		hooks: hooks{item: func(c call, next handler) envelope {
			wanted, conditional := c.params()["if_match"].(string)
			id, _ := c.params()["note_id"].(string)
			if note, ok := c.store.notes[id]; !ok || !conditional || !calling("update_note")(c) || tagOf(note) != wanted {
				return next(c)
			}
			c.unguarded()
			return next(c.given("if_match", nil))
		}}},
	{ID: "AQL-9.3.2-06", Variant: "nobody-wins", Defect: "of two updates with the same tag both are refused", Features: etags, Transport: "http",
		hooks: hooks{item: func(c call, next handler) envelope {
			tag, conditional := c.params()["if_match"].(string)
			if !conditional || !calling("update_note")(c) {
				return next(c)
			}
			c.remember("asked for "+tag, c.recall("asked for "+tag)+1)
			c.unguarded()
			if c.recall("asked for "+tag) > 1 {
				c = c.given("if_match", tag+"-")
			}
			return next(c)
		}}},
	{ID: "AQL-9.3.3-02", Variant: "etag-advertised-only", Defect: "supports_etag is true but if_match is ignored", Features: etags,
		hooks: before(named("update_note"), func(c call, _ operation) call { return c.given("if_match", nil) })},
	{ID: "AQL-9.3.3-02", Variant: "advertised-but-absent", Defect: "supports_etag is true, but no note carries a tag and no update takes one", Features: concurrency,
		hooks: protocol(set("supports_etag", true))},
}

// concurrencyFaults break what is promised about requests that come at once.
var concurrencyFaults = []Fault{
	{ID: "AQL-9.3-01", Variant: "shared-buffer", Defect: "concurrent handlers overwrite a shared buffer", Transport: "http",
		hooks: crowded(func(x *exchange, reply frame) {
			x.mu.Lock()
			defer x.mu.Unlock()
			own := object(reply["result"])
			if other := x.aside().kept["buffer"]; other != nil {
				reply["result"] = other
			}
			x.aside().kept["buffer"] = own
		})},
	{ID: "AQL-9.3-01", Variant: "answer-lost-in-crowd", Defect: "some of many concurrent requests are answered with an internal error", Transport: "http",
		hooks: crowded(func(x *exchange, reply frame) {
			if x.count("crowded answers")%7 == 3 {
				delete(reply, "result")
				reply["error"] = map[string]any{"code": -32603, "message": "internal error"}
			}
		})},
	{ID: "AQL-9.3-01", Variant: "busy-in-crowd", Defect: "some of many concurrent requests are answered with RATE_LIMIT_EXCEEDED", Transport: "http",
		hooks: crowded(func(x *exchange, reply frame) {
			if x.count("crowded answers")%7 == 3 {
				e := failure("RATE_LIMIT_EXCEEDED", "Too many requests at once; wait and try again", map[string]any{"retry_after_seconds": 0})
				reply["result"] = plain(map[string]any{"content": []any{map[string]any{"type": "text", "text": printed(e)}}, "structuredContent": e, "isError": true})
			}
		})},
	{ID: "AQL-9.3-01", Variant: "answered-twice-in-crowd", Defect: "some of many concurrent requests are answered twice", Transport: "http",
		hooks: crowded(func(x *exchange, reply frame) {
			if x.count("crowded answers")%7 == 3 {
				x.replies = []frame{reply, reply}
			}
		})},
	{ID: "AQL-9.3.1-01", Variant: "concurrency-undocumented", Defect: "neither introspection nor documentation names the behaviour; serialized are notes alone",
		Hints: map[string]string{"attest.concurrency": "no"}, hooks: both(protocol(drop("concurrency")), described("get_note", set("description", "Get one note by its identifier, serialized as JSON")))},
	{ID: "AQL-9.3.1-02", Variant: "concurrency-parallel", Defect: "concurrency is \"parallel\"", hooks: protocol(set("concurrency", "parallel"))},
	{ID: "AQL-9.3.1-03", Variant: "serialized-with-thread-pool", Defect: "a pool works off updates that wait, the last first", Transport: "stdio",
		hooks: pooled("update_note")},
	{ID: "AQL-9.3.1-03", Variant: "serialized-answers-shuffled", Defect: "a pool answers listings that wait, the last first", Transport: "stdio",
		hooks: pooled("introspect")},
	{ID: "AQL-9.3.1-04", Variant: "lost-update", Defect: "updates read, modify and write without a lock", Features: concurrency, Transport: "http",
		hooks: hooks{item: func(c call, next handler) envelope {
			id, _ := c.params()["note_id"].(string)
			note, ok := c.store.notes[id]
			if !ok || !calling("update_note")(c) {
				return next(c)
			}
			read := object(plain(note))
			c.unguarded()
			c.store.notes[id] = read
			return next(c)
		}}},
}

// unguarded lets others work while this call has read and not yet written.
func (c call) unguarded() {
	c.mu.Unlock()
	defer c.mu.Lock()
	time.Sleep(5 * time.Millisecond)
}

// crowd is how many calls of introspect make a crowd: more than a careful client has
// in flight.
const crowd = 10

// crowded lets a fault rewrite the answers to calls of introspect that came in a
// crowd.
func crowded(rewrite func(x *exchange, reply frame)) hooks {
	introspects := func(x *exchange) bool {
		arguments := x.arguments()
		return x.original["method"] == "tools/call" && arguments["operation"] == "introspect"
	}
	return hooks{
		ask: func(x *exchange) {
			if !introspects(x) {
				return
			}
			n := x.inFlight(1)
			if n >= crowd {
				x.remember("crowded", 1)
			}
			if n > 2 { // others may be on their way
				time.Sleep(10 * time.Millisecond)
			}
		},
		answer: func(x *exchange) {
			if !introspects(x) {
				return
			}
			if x.recall("crowded") == 1 {
				rewrite(x, x.replies[0])
			}
			if x.inFlight(-1) == 0 {
				x.remember("crowded", 0)
			}
		},
	}
}

// inFlight counts calls in and out and returns how many there are.
func (a *Adapter) inFlight(more int) int {
	m := a.aside()
	m.log.Lock()
	defer m.log.Unlock()
	m.counts["in flight"] += more
	return m.counts["in flight"]
}

// pooled works off calls of an operation that wait for their turn in the order that a
// pool may choose as well: the last first.
func pooled(operation string) hooks {
	return hooks{input: func(a *Adapter, in io.Reader) io.Reader {
		word := []byte(`"operation":"` + a.outward(operation) + `"`)
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
