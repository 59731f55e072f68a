package adapter

import (
	"io"
	"net/http"
)

// Hooks are the places where a fault or a habit can reach in; where they are nil, the adapter
// is as it should be.
type Hooks struct {
	Call   func(c Call, next Handler) Envelope // around a whole tools/call
	Item   func(c Call, next Handler) Envelope // around one operation, alone or in a batch
	Ask    func(x *Exchange)                   // before the MCP server reads the message
	Answer func(x *Exchange)                   // before the answer is sent

	Table func(a *Adapter) // on what the adapter runs on, before it serves

	Notified  func(x *Exchange)                        // on a message that wants no answer
	Arguments func(raw []byte) []byte                  // on the bytes of a call, before they are scanned
	Sent      func(message []byte) []byte              // on the bytes of an answer
	Audited   func(entry map[string]any) bool          // on an entry of the audit trail; false leaves it out
	Limits    func(l *Limits)                          // on what is enforced, not on what is advertised
	Input     func(a *Adapter, in io.Reader) io.Reader // on the messages of a stdio session
	Served    func(healthy http.Handler) http.Handler  // around all that is served over HTTP
	Silent    bool                                     // on the notification that tools have changed
	Fatal     func(message, answer []byte) bool        // whether the process ends unanswered: asked before and with the answer
}

func (h Hooks) wrapCall(next Handler) Handler { return wrapped(h.Call, next) }
func (h Hooks) wrapItem(next Handler) Handler { return wrapped(h.Item, next) }

func wrapped(hook func(Call, Handler) Envelope, next Handler) Handler {
	if hook == nil {
		return next
	}
	return func(c Call) Envelope { return hook(c, next) }
}

// What a hook reads of a call, and how it hands on another one.

func (c Call) Operation() string { name, _ := c.Body["operation"].(string); return name }
func (c Call) Params() map[string]any {
	return Object(c.Body["params"])
}

// With returns the call with one member of its request object replaced.
func (c Call) With(name string, value any) Call {
	body := Object(Plain(c.Body))
	body[name] = value
	c.Body = body
	return c
}

// Without returns the call without one member of its request object.
func (c Call) Without(name string) Call {
	c = c.With(name, nil)
	delete(c.Body, name)
	return c
}

// Given returns the call with one parameter set in params, or taken out of
// params for a nil value.
func (c Call) Given(name string, value any) Call {
	params := map[string]any{}
	for key, old := range c.Params() {
		params[key] = old
	}
	params[name] = value
	if value == nil {
		delete(params, name)
	}
	return c.With("params", params)
}

// Value returns a parameter from where the adapter would take it.
func (c Call) Value(name string) (value any, inParams, present bool) {
	if value, ok := c.Params()[name]; ok {
		return value, true, true
	}
	value, ok := c.Body[name]
	if !ok && name == "note_id" && c.About != "" {
		return c.About, true, true
	}
	return value, false, ok
}

// Manner is what habits set that is no hook.
type Manner struct {
	Results []func(e Envelope, c *Carried) // change how an envelope is carried
	Order   []string                       // of the steps of validation
	Speaks  string                         // language of messages; empty for the heart's own
	Limits  *Limits
	Tools   string // what stands in place of mcp_aql in the names of tools
	Called  string // in the handshake
	About   string
}

// Carried is what a tool result holds.
type Carried struct {
	Texts      []string
	Structured bool
	Failed     bool
}
