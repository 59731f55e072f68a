package adapter

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// frame is one JSON-RPC message, decoded.
type frame = map[string]any

// exchange is one request and what is answered to it, as the faults of the MCP
// layer see it. Replies may be dropped or repeated.
type exchange struct {
	*Adapter
	original frame // the request as the client sent it
	request  frame // the request as the server will read it
	replies  []frame
}

// frameLimit is the depth from which the JSON decoder of the MCP server gives up
// and ends the connection. What is deeper is answered before it gets there.
const frameLimit = 500

// guard answers messages that the MCP server would not survive, so that one
// broken message never ends a session. It returns nil for all others.
func guard(message []byte) []byte {
	var request struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  *string         `json:"method"`
		Params  struct {
			Name json.RawMessage `json:"name"`
		} `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	deep := depth(message) > frameLimit
	err := json.Unmarshal(message, &request)
	switch {
	case !json.Valid(message):
		return rpcError(nil, -32700, "the message is not JSON")
	case bytes.HasPrefix(bytes.TrimSpace(message), []byte("[")):
		return rpcError(nil, -32600, "send one message at a time")
	case request.ID != nil && !bytes.ContainsAny(request.ID[:1], `"-0123456789`):
		return rpcError(nil, -32600, "the id must be a string or a number")
	case request.Version != "2.0":
		return rpcError(request.ID, -32600, "the message must say jsonrpc 2.0")
	case request.Method == nil && request.Result == nil && request.Error == nil:
		return rpcError(request.ID, -32600, "the message has no method")
	case deep && err == nil && *request.Method == "tools/call":
		return toolResult(request.ID, result(tooLarge("nesting_depth", maxDepth, depth(message)-2, "levels")))
	case deep:
		return rpcError(request.ID, -32600, fmt.Sprintf("the message is nested deeper than %d levels", frameLimit))
	}
	return nil
}

func rpcError(id json.RawMessage, code int, message string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, message)
}

func toolResult(id json.RawMessage, r *mcp.CallToolResult) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, printed(r))
}

// result carries an envelope as MCP wants it: as text for models, as structured
// content for programs, and flagged as error if it is a failure.
func result(e envelope) *mcp.CallToolResult {
	text := printed(e)
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: text}},
		StructuredContent: json.RawMessage(text),
		IsError:           !succeeded(e),
	}
}

// begin notes what arrived and lets a fault rewrite it. A message that cannot be
// an exchange for faults comes back unchanged.
func (a *Adapter) begin(message []byte) (*exchange, []byte) {
	var request struct {
		Method string `json:"method"`
		Params struct {
			Name      any             `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"params"`
	}
	if json.Unmarshal(message, &request) == nil && request.Method == "tools/call" {
		name, _ := request.Params.Name.(string)
		a.record(name, request.Params.Arguments)
	}
	if a.fault.ask == nil && a.fault.answer == nil {
		return nil, message
	}
	value, err := decode(message)
	if err != nil {
		return nil, message
	}
	original, _ := value.(frame)
	x := &exchange{Adapter: a, original: original, request: original}
	if a.fault.ask != nil && original != nil {
		x.request = plain(original).(frame)
		a.fault.ask(x)
		message = []byte(printed(x.request))
	}
	return x, message
}

// finish turns what the server answered into what is sent.
func (x *exchange) finish(reply []byte) [][]byte {
	if x == nil || x.fault.answer == nil {
		return [][]byte{reply}
	}
	value, err := decode(reply)
	answer, ok := value.(frame)
	if err != nil || !ok || x.original == nil {
		return [][]byte{reply}
	}
	x.replies = []frame{answer}
	x.fault.answer(x)
	var out [][]byte
	for _, f := range x.replies {
		out = append(out, []byte(printed(f)))
	}
	return out
}
