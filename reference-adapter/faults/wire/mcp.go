package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// rpcFaults break the messages of JSON-RPC. Where a defect would keep every
// answer from its question, it shows in a few messages only.
var rpcFaults = []seam.Fault{
	{ID: "MCP-RPC-01", Variant: "id-as-string", Defect: "a numeric id of tools/list or tools/call is echoed as a string",
		Hooks: replying(func(x *adapter.Exchange, reply adapter.Frame) {
			id, numeric := reply["id"].(json.Number)
			if method := x.Original["method"]; numeric && (method == "tools/list" || method == "tools/call") {
				reply["id"] = id.String()
			}
		})},
	{ID: "MCP-RPC-01", Variant: "result-and-error", Defect: "the answer to a tools/list with a numeric id carries both result and error",
		Hooks: replying(func(x *adapter.Exchange, reply adapter.Frame) {
			if _, numeric := reply["id"].(json.Number); numeric && x.Original["method"] == "tools/list" {
				reply["error"] = map[string]any{"code": 0, "message": "no error"}
			}
		})},
	{ID: "MCP-RPC-01", Variant: "id-zero-dropped", Defect: "a request with the id 0 is never answered",
		Hooks: unanswered(json.Number("0"))},
	{ID: "MCP-RPC-01", Variant: "empty-id-dropped", Defect: "a request with the id \"\" is never answered", Hooks: unanswered("")},
	{ID: "MCP-RPC-01", Variant: "negative-id-unsigned", Defect: "a negative id comes back without its sign",
		Hooks: renumbered(func(id string) string { return strings.TrimPrefix(id, "-") })},
	{ID: "MCP-RPC-01", Variant: "large-id-rounded", Defect: "an id passes through a number of 32 bits",
		Hooks: renumbered(func(id string) string {
			n, _ := strconv.ParseInt(id, 10, 64)
			return strconv.FormatInt(int64(int32(n)), 10) //nolint:gosec // the defect
		})},
	{ID: "MCP-RPC-01", Variant: "id-in-latin-1", Defect: "characters of an id beyond Latin-1 come back as ?",
		Hooks: replying(func(_ *adapter.Exchange, reply adapter.Frame) {
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
		Hooks: unknownTool(func(_ *adapter.Exchange, reply adapter.Frame) {
			adapter.Object(reply["error"])["code"] = adapter.Object(reply["error"])["code"].(json.Number).String()
		})},
	{ID: "MCP-RPC-02", Variant: "error-is-text", Defect: "the protocol error of get_folder is a text, not an object",
		Hooks: seam.Both(seam.NeedsAbsence(), replying(func(x *adapter.Exchange, reply adapter.Frame) {
			arguments := seam.Arguments(x)
			result := adapter.Object(reply["result"])
			if arguments["operation"] == "get_folder" && seam.FailedWith("NOT_FOUND_RESOURCE")(nil, seam.SaidIn(result)) {
				delete(reply, "result")
				reply["error"] = "no such folder"
			}
		}))},
	{ID: "MCP-RPC-03", Variant: "unknown-method-empty-result", Defect: "unknown methods are answered with an empty result",
		Hooks: replying(func(_ *adapter.Exchange, reply adapter.Frame) {
			if adapter.Object(reply["error"])["code"] == json.Number("-32601") {
				delete(reply, "error")
				reply["result"] = map[string]any{}
			}
		})},
	{ID: "MCP-RPC-03", Variant: "unknown-method-unanswered", Defect: "unknown methods are never answered", Transport: "stdio",
		Hooks: adapter.Hooks{Answer: func(x *adapter.Exchange) {
			x.Replies = slices.DeleteFunc(x.Replies, func(reply adapter.Frame) bool {
				return adapter.Object(reply["error"])["code"] == json.Number("-32601")
			})
		}}},
	{ID: "MCP-RPC-04", Variant: "call-without-name-runs", Defect: "tools/call without name runs the first tool",
		Hooks: seam.CalledAs(func(x *adapter.Exchange, params map[string]any) {
			if _, named := params["name"]; !named {
				params["name"] = x.Tools()[0].Name
			}
		})},
	{ID: "AQL-3.2-03", Variant: "ends-over-nameless-call", Defect: "the process ends on a tools/call without a tool name",
		Hooks: dyingOf(func(message []byte) bool {
			var m struct {
				Method string
				Params map[string]json.RawMessage
			}
			return json.Unmarshal(message, &m) == nil && m.Method == "tools/call" && m.Params["name"] == nil
		})},
	{ID: "MCP-RPC-05", Variant: "parse-error-exits", Defect: "the process ends on invalid JSON",
		Hooks: dyingOf(func(message []byte) bool { return !json.Valid(message) })},
	{ID: "MCP-RPC-05", Variant: "text-exits", Defect: "the process ends on a line that begins with no brace and is no JSON",
		Hooks: dyingOf(func(message []byte) bool { return !json.Valid(message) && !bytes.HasPrefix(message, []byte("{")) })},
	{ID: "MCP-RPC-05", Variant: "wrong-object-exits", Defect: "the process ends on an object with a syntax error inside",
		Hooks: dyingOf(func(message []byte) bool {
			message = bytes.TrimSpace(message)
			return !json.Valid(message) && utf8.Valid(message) && bytes.HasPrefix(message, []byte("{")) && bytes.HasSuffix(message, []byte("}"))
		})},
	{ID: "MCP-RPC-05", Variant: "parse-error-eats-next-line", Defect: "the line behind one that is no JSON is not read", Transport: "stdio", Hooks: eating()},
	{ID: "MCP-RPC-06", Variant: "missing-method-crashes", Defect: "an object without method crashes the dispatcher",
		Hooks: dyingOf(func(message []byte) bool {
			var m map[string]json.RawMessage
			return json.Unmarshal(message, &m) == nil && m != nil && m["method"] == nil && m["result"] == nil && m["error"] == nil
		})},
	{ID: "MCP-RPC-06", Variant: "number-crashes", Defect: "a message that is a number crashes the dispatcher",
		Hooks: dyingOf(func(message []byte) bool {
			var n float64
			return json.Unmarshal(message, &n) == nil
		})},
	{ID: "MCP-RPC-07", Variant: "reserved-code-used", Defect: "the server answers -32050 to an unknown tool in the 2026 era", Transport: "stdio",
		Hooks: unknownTool(func(x *adapter.Exchange, reply adapter.Frame) {
			if adapter.Object(adapter.Object(x.Original["params"])["_meta"])[ModernEra] != nil {
				adapter.Object(reply["error"])["code"] = -32050
			}
		})},
	{ID: "MCP-RPC-10", Variant: "log-on-stdout", Defect: "a line of a log stands on stdout before each answer", Transport: "stdio",
		Hooks: adapter.Hooks{Sent: func(message []byte) []byte { return append([]byte("answered a request\n"), message...) }}},
	{ID: "MCP-RPC-10", Variant: "json-log-on-stdout", Defect: "a JSON object of a log stands on stdout before each answer", Transport: "stdio",
		Hooks: adapter.Hooks{Sent: func(message []byte) []byte {
			return append([]byte(`{"level":30,"time":1764421200000,"method":"tools/call","msg":"request handled"}`+"\n"), message...)
		}}},
	{ID: "MCP-ERROR-01", Variant: "unknown-tool-falls-through", Defect: "unknown tool names fall through to the read tool",
		Hooks: seam.CalledAs(func(x *adapter.Exchange, params map[string]any) {
			op, _ := x.OperationNamed("introspect")
			if name, ok := params["name"].(string); ok && !hasTool(x.Adapter, name) {
				params["name"] = x.ToolOf(op)
			}
		})},
	{ID: "MCP-ERROR-01", Variant: "tools-told-by-prefix", Defect: "a name that begins with that of a tool is taken for it",
		Hooks: calledNear(strings.HasPrefix)},
	{ID: "MCP-ERROR-01", Variant: "tools-told-by-suffix", Defect: "a name that ends with that of a tool is taken for it",
		Hooks: calledNear(strings.HasSuffix)},
	{ID: "MCP-ERROR-06", Variant: "null-arguments-crash", Defect: "arguments:null crashes the server",
		Hooks: dyingOfArguments(func(arguments string) bool { return arguments == "null" })},
	{ID: "MCP-ERROR-06", Variant: "text-arguments-crash", Defect: "a text as arguments crashes the server",
		Hooks: dyingOfArguments(func(arguments string) bool { return strings.HasPrefix(arguments, `"`) })},
	{ID: "MCP-ERROR-06", Variant: "other-tool-without-arguments-crash", Defect: "each tool but the one for READ crashes the server where arguments are missing",
		Hooks: dyingOf(func(message []byte) bool {
			has := func(text string) bool { return bytes.Contains(message, []byte(text)) }
			return has(`"tools/call"`) && has(`"name":"mcp_aql`) && !has(`"mcp_aql_read"`) && !has(`"arguments"`)
		})},
	{ID: "MCP-ERROR-06", Variant: "array-arguments-run", Defect: "arguments:[] runs introspect",
		Hooks: adapter.Hooks{Arguments: func(raw []byte) []byte {
			if bytes.Equal(bytes.TrimSpace(raw), []byte("[]")) {
				return []byte(`{"operation":"introspect","params":{"query":"operations"}}`)
			}
			return raw
		}}},
	{ID: "MCP-NOTIFY-01", Variant: "list-changed-yes", Defect: "listChanged is \"yes\"", Hooks: announcing("yes")},
	{ID: "MCP-NOTIFY-02", Variant: "change-not-notified", Defect: "a tool that is added at run time is not notified", Transport: "stdio",
		Features: adapter.ToolChanges, Hints: map[string]string{"tool_change_cmd": "reference-adapter operator change-tools"}, Hooks: adapter.Hooks{Silent: true}},
	{ID: "MCP-NOTIFY-03", Variant: "list-changed-with-id", Defect: "list_changed is sent as a request with id, after each list of tools",
		Hooks: seam.Both(announcing(true), seam.Answering("tools/list", func(x *adapter.Exchange, _ map[string]any) {
			x.Replies = append(x.Replies, adapter.Frame{"jsonrpc": "2.0", "id": "changed", "method": "notifications/tools/list_changed"})
		}))},
}

// ModernEra is the member of _meta by which a request says its revision since
// 2026-07-28.
const ModernEra = "io.modelcontextprotocol/protocolVersion"

// resultFaults break the MCP result around an envelope that stays as it is.
var resultFaults = []seam.Fault{
	{ID: "MCP-RESULT-01", Variant: "result-without-content", Defect: "the result of an unknown operation has no content",
		Hooks: seam.Results(seam.FailedWith("NOT_FOUND_OPERATION"), seam.Drop("content"))},
	{ID: "MCP-RESULT-01", Variant: "result-is-text", Defect: "get_folder answers with the printed envelope as the whole result",
		Hooks: replying(func(x *adapter.Exchange, reply adapter.Frame) {
			result := adapter.Object(reply["result"])
			if seam.Arguments(x)["operation"] == "get_folder" && result != nil {
				reply["result"] = adapter.Printed(seam.SaidIn(result))
			}
		})},
	{ID: "MCP-RESULT-01", Variant: "content-is-object", Defect: "content of search_notes is one item, not an array",
		Hooks: seam.Results(seam.SucceededAt("search_notes"), func(result map[string]any) { result["content"] = adapter.Array(result["content"])[0] })},
	{ID: "MCP-RESULT-02", Variant: "item-without-type", Defect: "content of search_notes holds an item without a type",
		Hooks: seam.Results(seam.SucceededAt("search_notes"), func(result map[string]any) {
			result["content"] = append(adapter.Array(result["content"]), map[string]any{"text": "These notes match."})
		})},
	{ID: "MCP-RESULT-02", Variant: "text-item-with-value", Defect: "a second text item uses value instead of text",
		Hooks: seam.Results(seam.SucceededAt("search_notes"), func(result map[string]any) {
			result["content"] = append(adapter.Array(result["content"]), map[string]any{"type": "text", "value": "These notes match."})
		})},
	{ID: "MCP-RESULT-03", Variant: "is-error-text", Defect: "isError of an unknown operation is \"true\"",
		Hooks: seam.Results(seam.FailedWith("NOT_FOUND_OPERATION"), seam.Set("isError", "true"))},
	{ID: "MCP-RESULT-04", Variant: "structured-array-old-era", Defect: "structuredContent of search_notes is an array",
		Hooks: seam.Results(seam.SucceededAt("search_notes"), func(result map[string]any) {
			result["structuredContent"] = []any{result["structuredContent"]}
		})},
	{ID: "MCP-RESULT-05", Variant: "structured-lacks-required", Defect: "structuredContent omits trace, which the outputSchema of the tool requires",
		Hooks: seam.ToolHosting("get_note", seam.Set("outputSchema", map[string]any{
			"type":       "object",
			"properties": map[string]any{"success": map[string]any{"type": "boolean"}, "trace": map[string]any{"type": "string"}},
			"required":   []string{"success", "trace"},
		}))},
	{ID: "MCP-RESULT-06", Variant: "structured-without-text", Defect: "content of search_notes is empty beside structuredContent",
		Hooks: seam.Results(seam.SucceededAt("search_notes"), seam.Set("content", []any{}))},
	{ID: "MCP-ERROR-03", Variant: "is-error-random", Defect: "VALIDATION_UNKNOWN_PARAM is flagged on some failures only",
		Hooks: seam.Results(func(arguments map[string]any, e adapter.Envelope) bool {
			return arguments["operation"] == "introspect" && seam.FailedWith(seam.UnknownParam)(nil, e)
		}, seam.Set("isError", false))},
	{ID: "MCP-ERROR-04", Variant: "bad-arguments-rpc-error", Defect: "an operation that is a number is answered with JSON-RPC -32602",
		Hooks: seam.RPCRefusal(func(x *adapter.Exchange, _ map[string]any) bool {
			_, numeric := seam.Arguments(x)["operation"].(json.Number)
			return numeric
		}, -32602, "invalid arguments")},
	{ID: "MCP-ERROR-05", Variant: "is-error-without-text", Defect: "misrouted calls are answered with isError and empty content",
		Hooks: seam.Results(seam.FailedWith("VALIDATION_ENDPOINT_MISMATCH"), seam.Set("content", []any{}))},
}

// securityFaults break what MCP asks of servers that guard something.
var securityFaults = []seam.Fault{
	{ID: "MCP-SEC-01", Variant: "role-by-meta", Defect: "_meta.role admin unlocks cancel_exports",
		Hints: map[string]string{"credentials": `{"op":"cancel_exports","params":{}}`},
		Hooks: forAdmins},
	{ID: "MCP-SEC-01", Variant: "role-by-meta-of-mcp", Defect: "_meta.role admin in the params of tools/call unlocks cancel_exports",
		Hints: map[string]string{"credentials": `{"op":"cancel_exports","params":{}}`},
		Hooks: seam.Both(adapter.Hooks{Ask: func(x *adapter.Exchange) {
			if params := adapter.Object(x.Request["params"]); adapter.Object(params["arguments"])["operation"] == "cancel_exports" {
				adapter.Object(params["arguments"])["_meta"] = map[string]any{"role": adapter.Object(params["_meta"])["role"]}
			}
		}}, forAdmins)},
	{ID: "MCP-SEC-02", Variant: "no-rate-limiter", Defect: "10 calls a minute are announced, and no limit shows up to the ceiling",
		Hints: map[string]string{"load_ceiling": "20"},
		Hooks: seam.Starting(func(result map[string]any) {
			result["instructions"] = result["instructions"].(string) + " At most 10 calls a minute."
		})},
}

// replying rewrites answers of whatever kind.
func replying(rewrite func(x *adapter.Exchange, reply adapter.Frame)) adapter.Hooks {
	return adapter.Hooks{Answer: func(x *adapter.Exchange) {
		for _, reply := range x.Replies {
			rewrite(x, reply)
		}
	}}
}

// unanswered leaves requests with an id without an answer.
func unanswered(id any) adapter.Hooks {
	return adapter.Hooks{Answer: func(x *adapter.Exchange) {
		if x.Original["id"] == id {
			x.Replies = nil
		}
	}}
}

// renumbered rewrites the digits of ids that are numbers.
func renumbered(rewrite func(id string) string) adapter.Hooks {
	return replying(func(_ *adapter.Exchange, reply adapter.Frame) {
		if id, numeric := reply["id"].(json.Number); numeric {
			reply["id"] = json.Number(rewrite(id.String()))
		}
	})
}

// unknownTool rewrites the protocol error of a call to a tool that is not there.
func unknownTool(rewrite func(x *adapter.Exchange, reply adapter.Frame)) adapter.Hooks {
	return replying(func(x *adapter.Exchange, reply adapter.Frame) {
		name, ok := adapter.Object(x.Original["params"])["name"].(string)
		if ok && !hasTool(x.Adapter, name) && x.Original["method"] == "tools/call" && adapter.Object(reply["error"]) != nil {
			rewrite(x, reply)
		}
	})
}

// calledNear passes calls of unknown tools on to a tool whose name is a part of theirs.
func calledNear(part func(name, tool string) bool) adapter.Hooks {
	return seam.CalledAs(func(x *adapter.Exchange, params map[string]any) {
		name, _ := params["name"].(string)
		for _, tool := range x.Adapter.Tools() {
			if part(name, tool.Name) && !hasTool(x.Adapter, name) {
				params["name"] = tool.Name
			}
		}
	})
}

func hasTool(a *adapter.Adapter, name string) bool {
	for _, tool := range a.Tools() {
		if tool.Name == name {
			return true
		}
	}
	return false
}

// dyingOf ends the process at a message, without an answer.
func dyingOf(pick func(message []byte) bool) adapter.Hooks {
	return adapter.Hooks{Fatal: func(message, answer []byte) bool { return answer == nil && pick(message) }}
}

// announcing has the server announce that its tools can change.
func announcing(value any) adapter.Hooks {
	return seam.Starting(func(result map[string]any) {
		adapter.Object(adapter.Object(result["capabilities"])["tools"])["listChanged"] = value
	})
}
