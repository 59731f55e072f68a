package probes

import (
	"context"
	"fmt"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// pauseMethod marks a probe that waits and asks nothing.
const pauseMethod = "$pause"

// Pause returns the probe that lets time pass before a script goes on: until
// something has expired, or before a state is looked at once more.
func Pause(conn string, d time.Duration, step string) Probe {
	return Request(conn, pauseMethod, map[string]any{"milliseconds": d.Milliseconds()}).Anew(step)
}

// Waits says how pauses are made: none longer than most, and each by wait, which
// returns when the time has passed or ctx has ended.
func (e *Engine) Waits(most time.Duration, wait func(ctx context.Context, d time.Duration)) {
	e.longest, e.wait = most, wait
}

// Sleep is how time passes outside of tests.
func Sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

func (e *Engine) pause(ctx context.Context, p Probe) Observation {
	asked, _ := ParseValue(p.Raw())
	ms, _ := asked.At("milliseconds").Float()
	d := time.Duration(ms) * time.Millisecond
	if d > e.longest {
		return Observation{Probe: p, Outcome: Unasked, Exit: fmt.Sprintf("a wait of %s, longer than %s", d, e.longest)}
	}
	e.wait(ctx, d)
	return Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":0,"result":{}}`)}, Elapsed: d})
}

// Beside reports whether the probe asks the adapter nothing: it is a pause, the end
// of a connection, a command of the author, a request beside the MCP sessions, or it listens.
func (p Probe) Beside() bool {
	return p.Method == webMethod || p.Method == pauseMethod || p.Method == leaveMethod || p.Method == heardMethod || p.CommandName() != ""
}

// heardMethod marks a probe that asks nothing and listens.
const heardMethod = "$heard"

// Heard returns the probe that writes down what the adapter has said unasked over a
// connection so far: its notifications, requests of its own, and answers to nothing.
func Heard(conn, step string) Probe { return Request(conn, heardMethod, nil).Anew(step) }

// Messages returns the notifications and requests that were heard, in the order they
// came; nil for any other probe.
func (o Observation) Messages() []Value { return o.heardAs("news") }

// Strays returns the answers to nothing that were heard, in the order they came; nil
// for any other probe. What is no JSON is left out.
func (o Observation) Strays() []Value { return o.heardAs("strays") }

func (o Observation) heardAs(what string) []Value {
	var all []Value
	for _, text := range o.Result().At(what).Items() {
		if message, err := ParseValue([]byte(text.Text())); err == nil {
			all = append(all, message)
		}
	}
	return all
}

func (e *Engine) heard(p Probe) Observation {
	e.mu.Lock()
	c := e.conns[p.Conn]
	e.mu.Unlock()
	said := map[string][]string{"news": {}, "strays": {}}
	if c != nil {
		c.mu.Lock()
		if c.conn != nil {
			said["news"], said["strays"] = texts(c.conn.News()), texts(c.conn.Strays())
		}
		c.mu.Unlock()
	}
	answer := ValueOf(map[string]any{"jsonrpc": "2.0", "id": 0, "result": said})
	return Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: answer.Raw()}})
}

// maxHeard bounds the messages of one kind that one answer repeats, in bytes: an answer
// stands on one line of a transcript. Those that fit no more are left out whole.
const maxHeard = 4 << 20

func texts(frames []Frame) []string {
	all, room := []string{}, maxHeard
	for _, frame := range frames {
		if len(frame.Data) <= room {
			room -= len(frame.Data)
			all = append(all, string(frame.Data))
		}
	}
	return all
}
