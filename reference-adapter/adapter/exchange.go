package adapter

import (
	"encoding/json"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Frame is one JSON-RPC message, decoded.
type Frame = map[string]any

// Exchange is one request and what is answered to it, as the faults of the MCP
// layer see it. Replies may be dropped or repeated.
type Exchange struct {
	*Adapter
	Original Frame // the request as the client sent it
	Request  Frame // the request as the server will read it
	Replies  []Frame
}

// result carries an envelope as MCP wants it: as text for models, as structured
// content for programs, and flagged as error if it is a failure.
func (a *Adapter) result(e Envelope) *mcp.CallToolResult {
	text := Printed(e)
	as := Carried{Texts: []string{text}, Structured: true, Failed: !Succeeded(e)}
	for _, change := range a.Manner.Results {
		change(e, &as)
	}
	result := &mcp.CallToolResult{Content: []mcp.Content{}, IsError: as.Failed}
	for _, item := range as.Texts {
		result.Content = append(result.Content, &mcp.TextContent{Text: item})
	}
	if as.Structured {
		result.StructuredContent = json.RawMessage(text)
	}
	return result
}

// begin notes what arrived and lets a fault rewrite it. A message that cannot be
// an exchange for faults comes back unchanged.
func (a *Adapter) begin(message []byte) (*Exchange, []byte) {
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
	if a.Hooks.Ask == nil && a.Hooks.Answer == nil && a.Hooks.Notified == nil {
		return nil, message
	}
	value, err := Decode(message)
	if err != nil {
		return nil, message
	}
	original, _ := value.(Frame)
	x := &Exchange{Adapter: a, Original: original, Request: original}
	if a.Hooks.Ask != nil && original != nil {
		x.Request = Plain(original).(Frame)
		a.Hooks.Ask(x)
		if !reflect.DeepEqual(x.Request, original) { // else the bytes stay: printing repairs bad text
			message = []byte(Printed(x.Request))
		}
	}
	return x, message
}

// Through takes one message to its answers: one for a request, none for a
// notification, unless a fault wills it otherwise. pass hands the message to the
// MCP server. alive is false if the process shall end now.
func (a *Adapter) Through(message []byte, pass func(message []byte) []byte) (answers [][]byte, alive bool) {
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
	if a.Hooks.Sent != nil {
		for i := range answers {
			answers[i] = a.Hooks.Sent(answers[i])
		}
	}
	return answers, true
}

func (a *Adapter) kills(message, answer []byte) bool {
	return a.Hooks.Fatal != nil && a.Hooks.Fatal(message, answer)
}

// finish turns what the server answered into what is sent.
func (x *Exchange) finish(reply []byte) [][]byte {
	rewrite := x.hook(reply)
	if rewrite == nil {
		if len(reply) == 0 {
			return nil
		}
		return [][]byte{reply}
	}
	value, err := Decode(reply)
	answer, ok := value.(Frame)
	if len(reply) > 0 && (err != nil || !ok) {
		return [][]byte{reply}
	}
	if ok {
		x.Replies = []Frame{answer}
	}
	rewrite(x)
	var out [][]byte
	for _, f := range x.Replies {
		out = append(out, []byte(Printed(f)))
	}
	return out
}

// hook returns what a fault has for this reply, nil if nothing.
func (x *Exchange) hook(reply []byte) func(*Exchange) {
	switch {
	case x == nil || x.Original == nil:
		return nil
	case len(reply) == 0:
		return x.Hooks.Notified
	}
	return x.Hooks.Answer
}
