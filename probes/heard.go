package probes

import "github.com/aql-conform/aql-conform/probes/wire"

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
