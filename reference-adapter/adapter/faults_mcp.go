package adapter

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// rpcFaults break the messages of JSON-RPC. Where a defect would keep every
// answer from its question, it shows in a few messages only.
var rpcFaults = []Fault{
	{ID: "MCP-RPC-01", Variant: "id-as-string", Defect: "a numeric id of tools/list or tools/call is echoed as a string",
		hooks: replying(func(x *exchange, reply frame) {
			id, numeric := reply["id"].(json.Number)
			if method := x.original["method"]; numeric && (method == "tools/list" || method == "tools/call") {
				reply["id"] = id.String()
			}
		})},
	{ID: "MCP-RPC-01", Variant: "result-and-error", Defect: "the answer to a tools/list with a numeric id carries both result and error",
		hooks: replying(func(x *exchange, reply frame) {
			if _, numeric := reply["id"].(json.Number); numeric && x.original["method"] == "tools/list" {
				reply["error"] = map[string]any{"code": 0, "message": "no error"}
			}
		})},
	{ID: "MCP-RPC-01", Variant: "id-zero-dropped", Defect: "a request with the id 0 is never answered",
		hooks: unanswered(json.Number("0"))},
	{ID: "MCP-RPC-01", Variant: "empty-id-dropped", Defect: "a request with the id \"\" is never answered", hooks: unanswered("")},
	{ID: "MCP-RPC-01", Variant: "negative-id-unsigned", Defect: "a negative id comes back without its sign",
		hooks: renumbered(func(id string) string { return strings.TrimPrefix(id, "-") })},
	{ID: "MCP-RPC-01", Variant: "large-id-rounded", Defect: "an id passes through a number of 32 bits",
		hooks: renumbered(func(id string) string {
			n, _ := strconv.ParseInt(id, 10, 64)
			return strconv.FormatInt(int64(int32(n)), 10) //nolint:gosec // the defect
		})},
	{ID: "MCP-RPC-01", Variant: "id-in-latin-1", Defect: "characters of an id beyond Latin-1 come back as ?",
		hooks: replying(func(_ *exchange, reply frame) {
			if id, text := reply["id"].(string); text {
				reply["id"] = strings.Map(func(r rune) rune {
					if r > 0xff {
						return '?'
					}
					return r
				}, id)
			}
		})},
	{ID: "MCP-RPC-02", Variant: "rpc-code-string", Defect: "error.code of an unknown tool is the string \"-32602\"",
		hooks: unknownTool(func(_ *exchange, reply frame) {
			object(reply["error"])["code"] = object(reply["error"])["code"].(json.Number).String()
		})},
	{ID: "MCP-RPC-02", Variant: "error-is-text", Defect: "the protocol error of get_folder is a text, not an object",
		hooks: both(needsAbsence(), replying(func(x *exchange, reply frame) {
			arguments := x.arguments()
			result := object(reply["result"])
			if arguments["operation"] == "get_folder" && failedWith("NOT_FOUND_RESOURCE")(nil, saidIn(result)) {
				delete(reply, "result")
				reply["error"] = "no such folder"
			}
		}))},
	{ID: "MCP-RPC-03", Variant: "unknown-method-empty-result", Defect: "unknown methods are answered with an empty result",
		hooks: replying(func(_ *exchange, reply frame) {
			if object(reply["error"])["code"] == json.Number("-32601") {
				delete(reply, "error")
				reply["result"] = map[string]any{}
			}
		})},
	{ID: "MCP-RPC-04", Variant: "call-without-name-runs", Defect: "tools/call without name runs the first tool",
		hooks: calledAs(func(x *exchange, params map[string]any) {
			if _, named := params["name"]; !named {
				params["name"] = x.tools()[0].Name
			}
		})},
	{ID: "MCP-RPC-05", Variant: "parse-error-exits", Defect: "the process ends on invalid JSON",
		hooks: dyingOf(func(message []byte) bool { return !json.Valid(message) })},
	{ID: "MCP-RPC-06", Variant: "missing-method-crashes", Defect: "an object without method crashes the dispatcher",
		hooks: dyingOf(func(message []byte) bool {
			var m map[string]json.RawMessage
			return json.Unmarshal(message, &m) == nil && m != nil && m["method"] == nil && m["result"] == nil && m["error"] == nil
		})},
	{ID: "MCP-RPC-07", Variant: "reserved-code-used", Defect: "the server answers -32050 to an unknown tool in the 2026 era", Transport: "stdio",
		hooks: unknownTool(func(x *exchange, reply frame) {
			if object(object(x.original["params"])["_meta"])[modernEra] != nil {
				object(reply["error"])["code"] = -32050
			}
		})},
	{ID: "MCP-RPC-08", Variant: "notification-answered", Defect: "notifications/cancelled is answered with id null",
		hooks: hooks{notified: func(x *exchange) {
			if x.original["method"] == "notifications/cancelled" {
				x.replies = []frame{{"jsonrpc": "2.0", "id": nil, "result": map[string]any{}}}
			}
		}}},
	{ID: "MCP-ERROR-01", Variant: "unknown-tool-falls-through", Defect: "unknown tool names fall through to the read tool",
		hooks: calledAs(func(x *exchange, params map[string]any) {
			op, _ := x.operationNamed("introspect")
			if name, ok := params["name"].(string); ok && !x.hasTool(name) {
				params["name"] = x.toolOf(op)
			}
		})},
	{ID: "MCP-ERROR-06", Variant: "null-arguments-crash", Defect: "arguments:null crashes the server",
		hooks: dyingOf(func(message []byte) bool {
			var m struct {
				Params struct {
					Arguments json.RawMessage `json:"arguments"`
				} `json:"params"`
			}
			return json.Unmarshal(message, &m) == nil && string(m.Params.Arguments) == "null"
		})},
	{ID: "MCP-ERROR-06", Variant: "array-arguments-run", Defect: "arguments:[] runs introspect",
		hooks: hooks{arguments: func(raw []byte) []byte {
			if bytes.Equal(bytes.TrimSpace(raw), []byte("[]")) {
				return []byte(`{"operation":"introspect","params":{"query":"operations"}}`)
			}
			return raw
		}}},
	{ID: "MCP-NOTIFY-01", Variant: "list-changed-yes", Defect: "listChanged is \"yes\"", hooks: announcing("yes")},
	{ID: "MCP-NOTIFY-02", Variant: "change-not-notified", Defect: "a tool that is added at run time is not notified", Transport: "stdio",
		Features: toolChanges, Hints: map[string]string{"tool_change_cmd": "reference-adapter operator change-tools"}, hooks: hooks{silent: true}},
	{ID: "MCP-NOTIFY-03", Variant: "list-changed-with-id", Defect: "list_changed is sent as a request with id, after each list of tools",
		hooks: both(announcing(true), answering("tools/list", func(x *exchange, _ map[string]any) {
			x.replies = append(x.replies, frame{"jsonrpc": "2.0", "id": "changed", "method": "notifications/tools/list_changed"})
		}))},
}

// modernEra is the member of _meta by which a request says its revision since
// 2026-07-28.
const modernEra = "io.modelcontextprotocol/protocolVersion"

// resultFaults break the MCP result around an envelope that stays as it is.
var resultFaults = []Fault{
	{ID: "MCP-RESULT-01", Variant: "result-without-content", Defect: "the result of an unknown operation has no content",
		hooks: results(failedWith("NOT_FOUND_OPERATION"), drop("content"))},
	{ID: "MCP-RESULT-01", Variant: "result-is-text", Defect: "get_folder answers with the printed envelope as the whole result",
		hooks: replying(func(x *exchange, reply frame) {
			result := object(reply["result"])
			if x.arguments()["operation"] == "get_folder" && result != nil {
				reply["result"] = printed(saidIn(result))
			}
		})},
	{ID: "MCP-RESULT-01", Variant: "content-is-object", Defect: "content of search_notes is one item, not an array",
		hooks: results(succeededAt("search_notes"), func(result map[string]any) { result["content"] = array(result["content"])[0] })},
	{ID: "MCP-RESULT-02", Variant: "item-without-type", Defect: "content of search_notes holds an item without a type",
		hooks: results(succeededAt("search_notes"), func(result map[string]any) {
			result["content"] = append(array(result["content"]), map[string]any{"text": "These notes match."})
		})},
	{ID: "MCP-RESULT-02", Variant: "text-item-with-value", Defect: "a second text item uses value instead of text",
		hooks: results(succeededAt("search_notes"), func(result map[string]any) {
			result["content"] = append(array(result["content"]), map[string]any{"type": "text", "value": "These notes match."})
		})},
	{ID: "MCP-RESULT-03", Variant: "is-error-text", Defect: "isError of an unknown operation is \"true\"",
		hooks: results(failedWith("NOT_FOUND_OPERATION"), set("isError", "true"))},
	{ID: "MCP-RESULT-04", Variant: "structured-array-old-era", Defect: "structuredContent of search_notes is an array",
		hooks: results(succeededAt("search_notes"), func(result map[string]any) {
			result["structuredContent"] = []any{result["structuredContent"]}
		})},
	{ID: "MCP-RESULT-05", Variant: "structured-lacks-required", Defect: "structuredContent omits trace, which the outputSchema of the tool requires",
		hooks: toolHosting("get_note", set("outputSchema", map[string]any{
			"type":       "object",
			"properties": map[string]any{"success": map[string]any{"type": "boolean"}, "trace": map[string]any{"type": "string"}},
			"required":   []string{"success", "trace"},
		}))},
	{ID: "MCP-RESULT-06", Variant: "structured-without-text", Defect: "content of search_notes is empty beside structuredContent",
		hooks: results(succeededAt("search_notes"), set("content", []any{}))},
	{ID: "MCP-ERROR-03", Variant: "is-error-random", Defect: "VALIDATION_UNKNOWN_PARAM is flagged on some failures only",
		hooks: results(func(arguments map[string]any, e envelope) bool {
			return arguments["operation"] == "introspect" && failedWith(unknownParam)(nil, e)
		}, set("isError", false))},
	{ID: "MCP-ERROR-04", Variant: "bad-arguments-rpc-error", Defect: "an operation that is a number is answered with JSON-RPC -32602",
		hooks: rpcRefusal(func(x *exchange, _ map[string]any) bool {
			_, numeric := x.arguments()["operation"].(json.Number)
			return numeric
		}, -32602, "invalid arguments")},
	{ID: "MCP-ERROR-05", Variant: "is-error-without-text", Defect: "misrouted calls are answered with isError and empty content",
		hooks: results(failedWith("VALIDATION_ENDPOINT_MISMATCH"), set("content", []any{}))},
}

// securityFaults break what MCP asks of servers that guard something.
var securityFaults = []Fault{
	{ID: "MCP-SEC-01", Variant: "role-by-meta", Defect: "_meta.role admin unlocks cancel_exports",
		Hints: map[string]string{"credentials": `{"op":"cancel_exports","params":{}}`},
		hooks: both(needs("cancel_exports", nil), hooks{item: func(c call, next handler) envelope {
			if c.operation() == "cancel_exports" && object(c.body["_meta"])["role"] != "admin" {
				return failure("PERMISSION_DENIED", "Only administrators may run cancel_exports", map[string]any{"operation": "cancel_exports"})
			}
			return next(c)
		}})},
	{ID: "MCP-SEC-02", Variant: "no-rate-limiter", Defect: "10 calls a minute are announced, and no limit shows up to the ceiling",
		Hints: map[string]string{"load_ceiling": "20"},
		hooks: starting(func(result map[string]any) {
			result["instructions"] = result["instructions"].(string) + " At most 10 calls a minute."
		})},
}

// replying rewrites answers of whatever kind.
func replying(rewrite func(x *exchange, reply frame)) hooks {
	return hooks{answer: func(x *exchange) {
		for _, reply := range x.replies {
			rewrite(x, reply)
		}
	}}
}

// unanswered leaves requests with an id without an answer.
func unanswered(id any) hooks {
	return hooks{answer: func(x *exchange) {
		if x.original["id"] == id {
			x.replies = nil
		}
	}}
}

// renumbered rewrites the digits of ids that are numbers.
func renumbered(rewrite func(id string) string) hooks {
	return replying(func(_ *exchange, reply frame) {
		if id, numeric := reply["id"].(json.Number); numeric {
			reply["id"] = json.Number(rewrite(id.String()))
		}
	})
}

// unknownTool rewrites the protocol error of a call to a tool that is not there.
func unknownTool(rewrite func(x *exchange, reply frame)) hooks {
	return replying(func(x *exchange, reply frame) {
		name, ok := object(x.original["params"])["name"].(string)
		if ok && !x.hasTool(name) && x.original["method"] == "tools/call" && object(reply["error"]) != nil {
			rewrite(x, reply)
		}
	})
}

// calledAs rewrites the params of tools/call before they are looked at.
func calledAs(rewrite func(x *exchange, params map[string]any)) hooks {
	return hooks{ask: func(x *exchange) {
		if params := object(x.request["params"]); params != nil && x.request["method"] == "tools/call" {
			rewrite(x, params)
		}
	}}
}

func (a *Adapter) hasTool(name string) bool {
	for _, tool := range a.tools() {
		if tool.Name == name {
			return true
		}
	}
	return false
}

// dyingOf ends the process at a message, without an answer.
func dyingOf(pick func(message []byte) bool) hooks {
	return hooks{fatal: func(message, answer []byte) bool { return answer == nil && pick(message) }}
}

// announcing has the server announce that its tools can change.
func announcing(value any) hooks {
	return starting(func(result map[string]any) {
		object(object(result["capabilities"])["tools"])["listChanged"] = value
	})
}
