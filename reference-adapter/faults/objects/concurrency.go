package objects

import (
	"bufio"
	"bytes"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

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
	{ID: "AQL-9.3-01", Variant: "one-identifier-for-two", Defect: "calls of create_note at once take one identifier, and the last note replaces the others", Transport: "http",
		Hooks: createdAtOnce(func(c adapter.Call, first, id string, data map[string]any) {
			note := maps.Clone(c.Store.Notes[id])
			delete(c.Store.Notes, id)
			note["note_id"], data["note_id"] = first, first
			c.Store.Notes[first] = note
		})},
	{ID: "AQL-9.3-01", Variant: "creations-lost-at-once", Defect: "of calls of create_note at once one note is stored, and all are answered with one", Transport: "http",
		Hooks: createdAtOnce(func(c adapter.Call, _, id string, _ map[string]any) { delete(c.Store.Notes, id) })},
}

// createdAtOnce lets a fault do something to each note but the first that calls of create_note at once make, and to its answer.
func createdAtOnce(spoil func(c adapter.Call, first, id string, data map[string]any)) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if c.Operation() != "create_note" {
			return next(c)
		}
		const running = "creations at once"
		seam.Remember(c.Adapter, running, seam.Recall(c.Adapter, running)+1)
		unguarded(c)
		several := seam.Recall(c.Adapter, running) > 1
		e := next(c)
		seam.Remember(c.Adapter, running, seam.Recall(c.Adapter, running)-1)
		kept, data := seam.Aside(c.Adapter).Kept, adapter.Object(e["data"])
		id, made := data["note_id"].(string)
		if !several || !made {
			return e
		}
		if first := kept[running]; first == nil {
			kept[running] = adapter.Note{"note_id": id}
		} else {
			spoil(c, first["note_id"].(string), id, data)
		}
		if seam.Recall(c.Adapter, running) == 0 {
			delete(kept, running)
		}
		return e
	}}
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
