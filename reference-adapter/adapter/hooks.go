package adapter

import "io"

// hooks are the places where a fault or a habit can reach in; where they are nil, the adapter
// is as it should be.
type hooks struct {
	call   func(c call, next handler) envelope // around a whole tools/call
	item   func(c call, next handler) envelope // around one operation, alone or in a batch
	ask    func(x *exchange)                   // before the MCP server reads the message
	answer func(x *exchange)                   // before the answer is sent

	table func(a *Adapter) // on what the adapter runs on, before it serves

	notified  func(x *exchange)                        // on a message that wants no answer
	arguments func(raw []byte) []byte                  // on the bytes of a call, before they are scanned
	sent      func(message []byte) []byte              // on the bytes of an answer
	limits    func(l *limits)                          // on what is enforced, not on what is advertised
	input     func(a *Adapter, in io.Reader) io.Reader // on the messages of a stdio session
	silent    bool                                     // on the notification that tools have changed
	fatal     func(message, answer []byte) bool        // whether the process ends unanswered: asked before and with the answer
}

func (h hooks) wrapCall(next handler) handler { return wrapped(h.call, next) }
func (h hooks) wrapItem(next handler) handler { return wrapped(h.item, next) }

func wrapped(hook func(call, handler) envelope, next handler) handler {
	if hook == nil {
		return next
	}
	return func(c call) envelope { return hook(c, next) }
}

// What a hook reads of a call, and how it hands on another one.

func (c call) operation() string { name, _ := c.body["operation"].(string); return name }
func (c call) params() map[string]any {
	return object(c.body["params"])
}

// with returns the call with one member of its request object replaced.
func (c call) with(name string, value any) call {
	body := object(plain(c.body))
	body[name] = value
	c.body = body
	return c
}

// without returns the call without one member of its request object.
func (c call) without(name string) call {
	c = c.with(name, nil)
	delete(c.body, name)
	return c
}

// given returns the call with one parameter set in params, or taken out of
// params for a nil value.
func (c call) given(name string, value any) call {
	params := map[string]any{}
	for key, old := range c.params() {
		params[key] = old
	}
	params[name] = value
	if value == nil {
		delete(params, name)
	}
	return c.with("params", params)
}

// value returns a parameter from where the adapter would take it.
func (c call) value(name string) (value any, inParams, present bool) {
	if value, ok := c.params()[name]; ok {
		return value, true, true
	}
	value, ok := c.body[name]
	if !ok && name == "note_id" && c.about != "" {
		return c.about, true, true
	}
	return value, false, ok
}

// manner is what habits set that is no hook.
type manner struct {
	results []func(e envelope, c *carried) // change how an envelope is carried
	order   []string                       // of the steps of validation
	speaks  string                         // language of messages; empty for the heart's own
	limits  *limits
	tools   string // what stands in place of mcp_aql in the names of tools
	called  string // in the handshake
	about   string
}

// carried is what a tool result holds.
type carried struct {
	texts      []string
	structured bool
	failed     bool
}
