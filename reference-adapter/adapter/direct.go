package adapter

import (
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A plainCall is a call of a tool of ours that says no more than it has to.
type plainCall struct {
	id        json.RawMessage
	tool      string
	arguments json.RawMessage
	meta      string // what a session without a handshake says with each call
}

// plain reads a call; ok is false for other methods and tools, and for a call with further members.
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
// time into a new buffer of 32 KiB, which is more work than the call itself. It returns nil before the
// server has opened the session, or has taken a call that says the same of itself.
func (w *stdio) direct(c plainCall) []byte {
	if c.meta != w.taken || c.meta == "" && !w.opened() {
		return nil
	}
	result := w.result(w.Answer(w.session, w.HeartTool(c.tool), c.arguments))
	if c.meta == "" {
		return toolResult(c.id, result)
	}
	result.Meta = mcp.Meta{"io.modelcontextprotocol/serverInfo": w.named()}
	answer := string(toolResult(c.id, result))
	return []byte(strings.TrimSuffix(answer, "}}") + completed)
}

// completed ends an answer since the first revision without sessions.
const completed = `,"resultType":"complete"}}`

// takes notes that the server has answered a call with this result.
func (w *stdio) takes(c plainCall, answer []byte) {
	if c.meta != "" && strings.HasSuffix(string(answer), completed) {
		w.taken = c.meta
	}
}

func (w *stdio) opened() bool {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	return w.session.open
}
