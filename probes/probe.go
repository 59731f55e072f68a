// Package probes talks to an adapter and writes down what it said, byte for
// byte, without an opinion: an adapter that misbehaves is an observation, not an
// error. It knows the shape of requests, envelopes and introspection, and refuses
// to know which of them are right.
package probes

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Probe is one question: a JSON-RPC request to one connection. The zero
// Method is tools/call of Tool with the arguments Args. Probes are values; the
// methods return changed copies.
type Probe struct {
	Conn   string        // connection: a face ("main", "other"), or an extra session of one ("main/2")
	Method string        // JSON-RPC method; empty means tools/call
	Tool   string        // tool to call
	Step   string        // name of the request in its script
	Number int           // distinguishes requests of the same content that need answers of their own
	Within time.Duration // deadline when shorter than the engine's; 0 means the engine's
	AtOnce bool          // an answer that asks for patience is the answer: the question is not put again
	Stale  bool          // the version in its if_match is meant, even if the object has another one

	// Frame is sent as it stands instead of a well-formed request; the next message
	// that nobody else waits for counts as its answer. Only for the exclusive and
	// the disposable lane, where nothing else is in flight.
	Frame []byte

	args  map[string]any  // arguments of the call; a Ref stands for a value of an earlier answer
	raw   json.RawMessage // params as given, instead of Tool and args; nil with Method means no params
	told  taker           // where a probe that was sent has its params, instead of args or raw; nil before
	given bool            // those are raw

	printed []byte // the params, while the engine asks; nil otherwise
}

// CallWith returns the probe that calls a tool with the arguments as given.
func CallWith(conn, tool string, args map[string]any) Probe {
	return Probe{Conn: conn, Tool: tool, args: args}
}

// Call returns the probe that sends an operation to a tool, with params as given
// (nil: no params member). Section 4.1.
func Call(conn, tool, operation string, params map[string]any) Probe {
	args := map[string]any{"operation": operation}
	if params != nil {
		args["params"] = maps.Clone(params)
	}
	return CallWith(conn, tool, args)
}

// Request returns the probe for another MCP method; params may be nil.
func Request(conn, method string, params any) Probe {
	p := Probe{Conn: conn, Method: method}
	if params != nil {
		p.raw = ValueOf(params).Raw()
	}
	return p
}

// WithRaw returns p with the params of its method as given, instead of Tool and Args.
func (p Probe) WithRaw(params []byte) Probe {
	p = p.own()
	p.raw = params
	return p
}

// Raw returns the params as given; nil when they are made of Tool and Args, or there
// are none.
func (p Probe) Raw() json.RawMessage {
	if p.given {
		return p.told.asked()
	}
	return p.raw
}

// Args returns the arguments of the call. They are not to be changed.
func (p Probe) Args() map[string]any {
	if p.told != nil && !p.given {
		return p.told.called()
	}
	return p.args
}

// own returns p with arguments of its own, which may be changed.
func (p Probe) own() Probe {
	p.args, p.raw = maps.Clone(p.Args()), p.Raw()
	p.told, p.given, p.printed = nil, false, nil
	return p
}

// printedAs returns p with its params as they were printed, which more than one place needs while
// it is asked.
func (p Probe) printedAs(payload []byte) Probe {
	if p.Frame == nil && p.Method == "" && p.raw == nil && p.told == nil {
		p.printed = payload
	}
	return p
}

// sparing returns p without what is found on the shelf: the arguments of a plain call,
// or long params. Otherwise it returns p itself.
func (p Probe) sparing(s *shelf) Probe {
	switch {
	case p.Frame != nil:
	case len(p.raw) > maxKey:
		p.raw, p.told, p.given = nil, s, true
	case p.args != nil && p.Method == "" && p.raw == nil:
		s.operation, _ = p.args["operation"].(string)
		p.args, p.told = nil, s
	}
	return p
}

// Operation returns the operation the call names; empty when it names none.
func (p Probe) Operation() string {
	if p.told != nil && p.told.named() != "" {
		return p.told.named()
	}
	name, _ := p.Args()["operation"].(string)
	return name
}

// Params returns the params object of the call; nil when it has none.
func (p Probe) Params() map[string]any {
	params, _ := p.Args()["params"].(map[string]any)
	return params
}

// With returns p with one parameter set inside params.
func (p Probe) With(name string, value any) Probe {
	params := maps.Clone(p.Params())
	if params == nil {
		params = map[string]any{}
	}
	params[name] = value
	return p.Top("params", params)
}

// Without returns p with one parameter left out of params.
func (p Probe) Without(name string) Probe {
	params := maps.Clone(p.Params())
	delete(params, name)
	return p.Top("params", params)
}

// Top returns p with one member of the arguments set, next to operation.
func (p Probe) Top(name string, value any) Probe {
	p = p.own()
	if p.args == nil {
		p.args = map[string]any{}
	}
	p.args[name] = value
	return p
}

// Drop returns p with one member of the arguments left out.
func (p Probe) Drop(name string) Probe {
	p = p.own()
	delete(p.args, name)
	return p
}

// To returns p sent to another tool.
func (p Probe) To(tool string) Probe {
	p = p.own()
	p.Tool = tool
	return p
}

// Over returns p sent over another connection.
func (p Probe) Over(conn string) Probe { p.Conn = conn; return p }

// Key identifies the question: equal keys are asked once.
func (p Probe) Key() string { return string(p.appendKey(nil, p.Payload())) }

// appendKey appends the key of the probe, whose payload is known.
func (p Probe) appendKey(b, payload []byte) []byte {
	b = append(append(append(append(b, p.Conn...), 0), p.method()...), 0)
	if p.Frame != nil {
		payload = append([]byte("frame "), payload...)
	}
	if len(payload) > maxKey {
		b = fmt.Appendf(b, "sha256 %x", sha256.Sum256(payload))
	} else {
		b = append(b, payload...)
	}
	return strconv.AppendInt(append(b, 0), int64(p.Number), 10)
}

// maxKey is the length above which a question is known by its digest: payload
// probes are megabytes long.
const maxKey = 4096

// String returns the question as a person would write it down.
func (p Probe) String() string {
	switch {
	case p.Frame != nil:
		return fmt.Sprintf("a frame of %d bytes", len(p.Frame))
	case p.Method != "":
		return strings.TrimSpace(p.Method + " " + string(p.Raw()))
	case p.Raw() != nil:
		return fmt.Sprintf("%s with raw params of %d bytes", p.method(), len(p.Raw()))
	}
	return fmt.Sprintf("%s %s", p.Tool, p.Arguments())
}

// Arguments returns the arguments of a tools/call as JSON, keys sorted.
func (p Probe) Arguments() json.RawMessage {
	if p.told != nil && !p.given { // the payload is what params printed, or comes from a transcript
		if rest, ours := bytes.CutPrefix(p.told.asked(), []byte(`{"arguments":`)); ours {
			if arguments, whole := bytes.CutSuffix(rest, slices.Concat([]byte(`,"name":`), printed(p.Tool), []byte("}"))); whole && json.Valid(arguments) {
				return arguments
			}
		}
	}
	return printed(p.Args())
}

func (p Probe) method() string {
	if p.Method == "" {
		return "tools/call"
	}
	return p.Method
}

// Payload returns the bytes in which an adapter finds the request: the whole
// frame where the probe is one, else the params of the method.
func (p Probe) Payload() []byte {
	if p.Frame != nil {
		return p.Frame
	}
	return p.params()
}

func (p Probe) params() []byte {
	if raw := p.Raw(); p.Method != "" || raw != nil {
		return raw
	}
	switch {
	case p.printed != nil:
		return p.printed
	case p.told != nil:
		return p.told.asked()
	}
	return printed(map[string]any{"name": p.Tool, "arguments": p.args})
}
