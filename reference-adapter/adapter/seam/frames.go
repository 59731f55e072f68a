package seam

import (
	"maps"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// ShowsSession adds a session id to _protocol and, if inErrors, to the details
// of every error.
func ShowsSession(inErrors bool, id func(adapter.Call) string) adapter.Hooks {
	return Both(
		Listing(func(c adapter.Call, data map[string]any) { adapter.Object(data["_protocol"])["session_id"] = id(c) }),
		After(func(c adapter.Call, e adapter.Envelope) {
			if reason := adapter.Object(e["error"]); reason != nil && inErrors {
				details := adapter.Object(reason["details"])
				if details == nil {
					details = map[string]any{}
				}
				details["session_id"] = id(c)
				reason["details"] = details
			}
		}))
}

// FreshSession returns an id that no other session has.
func FreshSession(c adapter.Call) string { return c.Session.Identity() }

// Faults of the MCP layer rewrite JSON-RPC messages. They work the same over
// stdio, where a message is a line, and over HTTP, where it is a body.

// Answering lets a fault rewrite the results of one MCP method.
func Answering(method string, rewrite func(x *adapter.Exchange, result map[string]any)) adapter.Hooks {
	return adapter.Hooks{Answer: func(x *adapter.Exchange) {
		for _, reply := range x.Replies {
			if result := adapter.Object(reply["result"]); result != nil && x.Original["method"] == method {
				rewrite(x, result)
			}
		}
	}}
}

// Starting rewrites what the server says about itself, in either era of MCP.
func Starting(rewrite func(result map[string]any)) adapter.Hooks {
	return Both(
		Answering("initialize", func(_ *adapter.Exchange, result map[string]any) { rewrite(result) }),
		Answering("server/discover", func(_ *adapter.Exchange, result map[string]any) { rewrite(result) }),
	)
}

// ToolList rewrites the array of tools.
func ToolList(rewrite func(x *adapter.Exchange, tools []any) any) adapter.Hooks {
	return Answering("tools/list", func(x *adapter.Exchange, result map[string]any) {
		result["tools"] = rewrite(x, adapter.Array(result["tools"]))
	})
}

// ToolHosting rewrites the tool that an operation belongs to.
func ToolHosting(operation string, rewrite func(tool map[string]any)) adapter.Hooks {
	return Both(Needs(operation, nil), ToolList(func(x *adapter.Exchange, tools []any) any {
		op, _ := x.OperationNamed(operation)
		InList(tools, x.ToolOf(op), rewrite)
		return tools
	}))
}

// Results lets a fault rewrite the MCP result around the envelope of the calls
// that it picks.
func Results(pick func(arguments map[string]any, e adapter.Envelope) bool, rewrite func(result map[string]any)) adapter.Hooks {
	return Answering("tools/call", func(x *adapter.Exchange, result map[string]any) {
		arguments := Arguments(x)
		if e := SaidIn(result); e != nil && pick(arguments, e) {
			rewrite(result)
		}
	})
}

// Arguments are those of a call, with the name that the operation has in the heart.
func Arguments(x *adapter.Exchange) map[string]any {
	said := adapter.Object(adapter.Object(x.Original["params"])["arguments"])
	name, named := said["operation"].(string)
	w := Aside(x.Adapter).Words
	if !named || w == nil {
		return said
	}
	heart := maps.Clone(said)
	heart["operation"] = w.ToHeart(name)
	return heart
}

// SaidIn is the envelope of a result: its structured content, else the first text that is one.
func SaidIn(result map[string]any) adapter.Envelope {
	if e := adapter.Object(result["structuredContent"]); e != nil {
		return e
	}
	for _, item := range adapter.Array(result["content"]) {
		said, _ := adapter.Object(item)["text"].(string)
		if value, err := adapter.Decode([]byte(said)); err == nil && adapter.Object(value) != nil {
			return adapter.Object(value)
		}
	}
	return nil
}

func FailedWith(code string) func(map[string]any, adapter.Envelope) bool {
	return func(_ map[string]any, e adapter.Envelope) bool { return adapter.Object(e["error"])["code"] == code }
}

// SucceededAt picks the successes of one operation.
func SucceededAt(operation string) func(map[string]any, adapter.Envelope) bool {
	return func(arguments map[string]any, e adapter.Envelope) bool {
		return arguments["operation"] == operation && adapter.Succeeded(e)
	}
}

// RPCRefusal turns the answers that it picks into JSON-RPC errors.
func RPCRefusal(pick func(x *adapter.Exchange, result map[string]any) bool, code int, message string) adapter.Hooks {
	return adapter.Hooks{Answer: func(x *adapter.Exchange) {
		for _, reply := range x.Replies {
			if result := adapter.Object(reply["result"]); result != nil && pick(x, result) {
				delete(reply, "result")
				reply["error"] = map[string]any{"code": code, "message": message}
			}
		}
	}}
}

// CalledAs rewrites the params of tools/call before they are looked at.
func CalledAs(rewrite func(x *adapter.Exchange, params map[string]any)) adapter.Hooks {
	return adapter.Hooks{Ask: func(x *adapter.Exchange) {
		if params := adapter.Object(x.Request["params"]); params != nil && x.Request["method"] == "tools/call" {
			rewrite(x, params)
		}
	}}
}
