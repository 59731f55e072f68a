package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// frameLimit is the depth from which the JSON decoder of the MCP server gives up
// and ends the connection. What is deeper is answered before it gets there.
const frameLimit = 500

// What the MCP server is given. Anything else would end a session over stdio, or
// be refused over HTTP without a JSON-RPC answer.
var (
	methods       = []string{"initialize", "ping", "server/discover", "tools/list", "tools/call", "subscriptions/listen"}
	notifications = []string{"notifications/initialized", "notifications/cancelled"}
)

// guard keeps from the MCP server what it would not survive, so that one broken
// message never ends a session. What does not pass gets the answer returned,
// which is nil for what wants none.
func (a *Adapter) guard(message []byte) (answer []byte, passes bool) {
	var m map[string]json.RawMessage
	var broken *json.SyntaxError
	problem := json.Unmarshal(message, &m)
	if errors.As(problem, &broken) {
		return rpcError(nil, -32700, "the message is not JSON"), false
	}
	if problem != nil || m == nil {
		return rpcError(nil, -32600, "send one JSON object at a time"), false
	}
	if m["method"] == nil && (m["result"] != nil || m["error"] != nil) {
		return nil, false // this server asks nothing, so nothing is an answer to it
	}
	id, wantsAnswer := m["id"]
	if wantsAnswer && !validID(id) {
		return rpcError(nil, -32600, "the id must be a string or an integer"), false
	}
	var method string
	switch problem := json.Unmarshal(m["method"], &method); {
	case string(m["jsonrpc"]) != `"2.0"`:
		return rpcError(id, -32600, "the message must say jsonrpc 2.0"), false
	case problem != nil || method == "":
		return rpcError(id, -32600, "the message has no method"), false
	case !wantsAnswer:
		return nil, slices.Contains(notifications, method) && Depth(message) <= frameLimit
	}
	answer = a.guardRequest(id, method, m["params"])
	return answer, answer == nil
}

// guardRequest returns the refusal of a request that must not pass, or nil.
func (a *Adapter) guardRequest(id json.RawMessage, method string, params json.RawMessage) []byte {
	var named struct {
		Name *string `json:"name"`
	}
	deepest := Depth(params)
	problem := json.Unmarshal(params, &named)
	switch {
	case !slices.Contains(methods, method):
		return rpcError(id, -32601, "this server has no such method")
	case method == "tools/call" && (problem != nil || named.Name == nil):
		return rpcError(id, -32602, "tools/call needs params with the name of a tool")
	case method == "tools/call" && deepest >= frameLimit:
		return toolResult(id, a.result(tooLarge("nesting_depth", a.advertised.Depth, deepest-1, "levels")))
	case deepest >= frameLimit:
		return rpcError(id, -32600, fmt.Sprintf("the message is nested deeper than %d levels", frameLimit))
	}
	return nil
}

// validID reports whether id is a string or an integer, as MCP wants it.
func validID(id json.RawMessage) bool {
	if len(id) > 0 && id[0] == '"' {
		return true
	}
	_, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil
}

func rpcError(id json.RawMessage, code int, message string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, message)
}

func toolResult(id json.RawMessage, r *mcp.CallToolResult) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, Printed(r))
}
