package adapter

import (
	"bytes"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A plainCall is a call of a tool that speaks MCP-AQL, without members that a call need not have.
type plainCall struct {
	id        json.RawMessage
	tool      string
	arguments json.RawMessage
	meta      string // the _meta, which each call has in a session without a handshake
}

// plain reads a call. ok is false for other methods and tools, and for a call with further members.
func (w *stdio) plain(message []byte) (c plainCall, ok bool) {
	var m, params map[string]json.RawMessage
	var method string
	if json.Unmarshal(message, &m) != nil || len(m) != 4 || m["id"] == nil ||
		json.Unmarshal(m["method"], &method) != nil || method != "tools/call" ||
		json.Unmarshal(m["params"], &params) != nil || json.Unmarshal(params["name"], &c.tool) != nil {
		return c, false
	}
	c.id, c.arguments, c.meta = m["id"], params["arguments"], string(params["_meta"])
	members := 2
	if c.meta != "" {
		members = 3
	}
	return c, len(params) == members && isObject(c.arguments) && w.ours[c.tool]
}

func isObject(value json.RawMessage) bool { return len(value) > 0 && value[0] == '{' }

// direct answers a plain call as the MCP server would. The server decodes each message six times, each
// time into a new buffer of 32 KiB, which is more work than the call itself. direct returns nil until the
// server has completed the handshake, or has answered a call with the same _meta.
func (w *stdio) direct(c plainCall) []byte {
	if c.meta != w.accepted || c.meta == "" && !w.opened() {
		return nil
	}
	result := w.result(w.Answer(w.session, w.HeartTool(c.tool), c.arguments))
	if c.meta == "" {
		return toolResult(c.id, result)
	}
	result.Meta = mcp.Meta{"io.modelcontextprotocol/serverInfo": w.named()}
	return append(bytes.TrimSuffix(toolResult(c.id, result), []byte("}}")), completed...)
}

// completed ends each result since the first revision of MCP without sessions.
const completed = `,"resultType":"complete"}}`

// learn keeps the _meta of a call to which the server has answered with a result.
func (w *stdio) learn(c plainCall, answer []byte) {
	if c.meta != "" && bytes.HasSuffix(answer, []byte(completed)) {
		w.accepted = c.meta
	}
}

func (w *stdio) opened() bool {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	return w.session.open
}
