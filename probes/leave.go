package probes

import (
	"fmt"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// leaveMethod marks a probe that ends a connection.
const leaveMethod = "$leave"

// Leave returns the probe that ends a connection, for scripts about what a session
// leaves behind: in the orderly way of its transport, or abruptly as a client that
// crashes. Over HTTP a server cannot see the abrupt end before it loses patience.
// The next probe over the connection opens it anew. The result has a member kept
// where the server did not let the session end.
func Leave(conn string, abrupt bool, step string) Probe {
	return Request(conn, leaveMethod, map[string]any{"abrupt": abrupt}).Anew(step)
}

func (e *Engine) leave(p Probe) Observation {
	e.mu.Lock()
	c := e.conns[p.Conn]
	e.mu.Unlock()
	if c == nil {
		return Observation{Probe: p, Outcome: Unasked, Exit: fmt.Sprintf("no connection %s", p.Conn)}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil || !c.conn.Alive() {
		return Observation{Probe: p, Outcome: Unasked, Exit: "the connection had ended already"}
	}
	asked, _ := ParseValue(p.Raw())
	said := map[string]any{}
	if asked.At("abrupt").True() {
		c.conn.Abort()
	} else if err := c.conn.Close(); err != nil {
		said["kept"] = err.Error()
	}
	c.opened-- // it did not die
	answer := ValueOf(map[string]any{"jsonrpc": "2.0", "id": 0, "result": said})
	return Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: answer.Raw()}})
}
