package adapter

import (
	"encoding/json"
	"reflect"

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

// result carries an envelope as MCP wants it: as text for models, as structured
// content for programs, and flagged as error if it is a failure.
func (a *Adapter) result(e envelope) *mcp.CallToolResult {
	text := printed(e)
	as := carried{texts: []string{text}, structured: true, failed: !succeeded(e)}
	for _, change := range a.manner.results {
		change(e, &as)
	}
	result := &mcp.CallToolResult{IsError: as.failed}
	for _, item := range as.texts {
		result.Content = append(result.Content, &mcp.TextContent{Text: item})
	}
	if as.structured {
		result.StructuredContent = json.RawMessage(text)
	}
	return result
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
	if a.hooks.ask == nil && a.hooks.answer == nil && a.hooks.notified == nil {
		return nil, message
	}
	value, err := decode(message)
	if err != nil {
		return nil, message
	}
	original, _ := value.(frame)
	x := &exchange{Adapter: a, original: original, request: original}
	if a.hooks.ask != nil && original != nil {
		x.request = plain(original).(frame)
		a.hooks.ask(x)
		if !reflect.DeepEqual(x.request, original) { // else the bytes stay: printing repairs bad text
			message = []byte(printed(x.request))
		}
	}
	return x, message
}

// through takes one message to its answers: one for a request, none for a
// notification, unless a fault wills it otherwise. pass hands the message to the
// MCP server. alive is false if the process shall end now.
func (a *Adapter) through(message []byte, pass func(message []byte) []byte) (answers [][]byte, alive bool) {
	if a.kills(message, nil) {
		return nil, false
	}
	x, forwarded := a.begin(message)
	answer, passes := a.guard(forwarded)
	if passes {
		answer = pass(forwarded)
	}
	if a.kills(message, answer) {
		return nil, false
	}
	answers = x.finish(answer)
	if a.hooks.sent != nil {
		for i := range answers {
			answers[i] = a.hooks.sent(answers[i])
		}
	}
	return answers, true
}

func (a *Adapter) kills(message, answer []byte) bool {
	return a.hooks.fatal != nil && a.hooks.fatal(message, answer)
}

// finish turns what the server answered into what is sent.
func (x *exchange) finish(reply []byte) [][]byte {
	rewrite := x.hook(reply)
	if rewrite == nil {
		if len(reply) == 0 {
			return nil
		}
		return [][]byte{reply}
	}
	value, err := decode(reply)
	answer, ok := value.(frame)
	if len(reply) > 0 && (err != nil || !ok) {
		return [][]byte{reply}
	}
	if ok {
		x.replies = []frame{answer}
	}
	rewrite(x)
	var out [][]byte
	for _, f := range x.replies {
		out = append(out, []byte(printed(f)))
	}
	return out
}

// hook returns what a fault has for this reply, nil if nothing.
func (x *exchange) hook(reply []byte) func(*exchange) {
	switch {
	case x == nil || x.original == nil:
		return nil
	case len(reply) == 0:
		return x.hooks.notified
	}
	return x.hooks.answer
}
