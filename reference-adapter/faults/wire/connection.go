package wire

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

var connectionFaults = []seam.Fault{
	{ID: "AQL-2.1-01", Variant: "empty-tool-list", Defect: "tools/list returns an empty array",
		Hooks: seam.ToolList(func(*adapter.Exchange, []any) any { return []any{} })},
	{ID: "AQL-2.1-01", Variant: "tools-without-operation", Defect: "the tools take an action member instead of operation",
		Hooks: seam.Both(toolsTakeAction, seam.Answering("tools/list", func(_ *adapter.Exchange, result map[string]any) {
			result["tools"] = seam.Swapped(result["tools"], "operation", "action")
			for _, tool := range adapter.Array(result["tools"]) {
				properties := adapter.Object(adapter.Object(adapter.Object(tool)["inputSchema"])["properties"])
				properties["action"] = properties["operation"]
				delete(properties, "operation")
			}
		}))},
	{ID: "AQL-2.3.1-01", Variant: "process-wide-session-id", Transport: "http", Defect: "one session id is handed to every connection",
		Hooks: seam.ShowsSession(true, func(adapter.Call) string { return "session-one" })},
	{ID: "AQL-2.3.1-01", Variant: "session-id-from-client-info", Transport: "http", Defect: "the session id is derived from clientInfo, so a reconnecting client gets the old one",
		Hooks: seam.Both(remembersClient, seam.ShowsSession(true, func(c adapter.Call) string {
			return fmt.Sprintf("session-%08x", seam.Recall(c.Adapter, "client"))
		}))},
	{ID: "AQL-2.3.3-03", Variant: "stale-listing-across-sessions", Transport: "http",
		Defect: "the operation list is memoised in a file that outlives both session and reconfiguration",
		Hints:  map[string]string{"reconfigure_cmd": "reference-adapter operator reconfigure"},
		Hooks:  seam.Listing(memoised)},
	{ID: "AQL-2.3.5-04", Variant: "error-without-session-id", Defect: "error details never contain the session id that _protocol shows",
		Hooks: seam.ShowsSession(false, seam.FreshSession)},
	{ID: "AQL-2.3.5-05", Variant: "audit-without-session", Defect: "the entries of the audit trail name no session", Features: adapter.Confirming,
		Hooks: adapter.Hooks{Audited: func(entry map[string]any) bool { delete(entry, "session_id"); return true }}},
	{ID: "AQL-2.3.5-07", Variant: "session-id-not-published", Defect: "warnings are announced, which are remembered per session, but _protocol shows no session id",
		Hooks: seam.Capability("warnings", true)},
	{ID: "AQL-2.3.5-07", Variant: "session-timeout-for-identifier", Defect: "_protocol shows how long a session lives, and no session id",
		Hooks: seam.Both(seam.Capability("warnings", true), seam.Listing(func(_ adapter.Call, data map[string]any) {
			adapter.Object(data["_protocol"])["session_timeout_seconds"] = 1800
		}))},
	{ID: "AQL-3.2-03", Variant: "swallowed-handler-error", Defect: "calls of an unknown operation are never answered",
		Hooks: repliesToUnknown(0)},
	{ID: "AQL-3.2-03", Variant: "duplicate-answer", Defect: "calls of an unknown operation are answered twice",
		Hooks: repliesToUnknown(2)},
	{ID: "MCP-LIFE-01", Variant: "initialize-without-version", Defect: "the initialize result omits protocolVersion",
		Hooks: seam.Answering("initialize", func(_ *adapter.Exchange, result map[string]any) { delete(result, "protocolVersion") })},
	{ID: "MCP-LIFE-01", Variant: "capabilities-not-object", Defect: "capabilities is an array",
		Hooks: seam.Starting(seam.Set("capabilities", []string{"tools"}))},
	{ID: "MCP-LIFE-01", Variant: "other-revision-announced", Defect: "initialize is unknown, and server/discover announces 2024-11-05 alone", Transport: "stdio",
		Hooks: seam.Both(seam.RPCRefusal(func(x *adapter.Exchange, _ map[string]any) bool { return x.Original["method"] == "initialize" }, -32601, "method not found"),
			seam.Answering("server/discover", func(_ *adapter.Exchange, result map[string]any) { result["supportedVersions"] = []any{"2024-11-05"} }))},
	{ID: "MCP-LIFE-02", Variant: "echo-any-revision", Defect: "initialize echoes whatever protocolVersion the client asked for",
		Hooks: seam.Answering("initialize", func(x *adapter.Exchange, result map[string]any) {
			result["protocolVersion"] = adapter.Object(x.Original["params"])["protocolVersion"]
		})},
	{ID: "MCP-LIFE-03", Variant: "no-discover-in-modern-era", Defect: "server/discover is unimplemented while tools/list accepts modern _meta", Transport: "stdio",
		Hooks: seam.RPCRefusal(func(x *adapter.Exchange, _ map[string]any) bool { return x.Original["method"] == "server/discover" },
			-32601, "method not found")},
	{ID: "MCP-LIFE-04", Variant: "no-search-in-sessions", Defect: "over MCP revisions with sessions search_notes is answered with a JSON-RPC error",
		Hooks: refusedInSessions(seam.SucceededAt("search_notes"))},
	{ID: "MCP-LIFE-04", Variant: "no-codes-in-sessions", Defect: "over MCP revisions with sessions a missing parameter is answered with a JSON-RPC error",
		Hooks: refusedInSessions(seam.FailedWith("VALIDATION_MISSING_PARAM"))},
	{ID: "MCP-LIFE-04", Variant: "no-removals-in-sessions", Defect: "over MCP revisions with sessions a removal is answered with a JSON-RPC error after it is done",
		Hooks: refusedInSessions(func(arguments map[string]any, e adapter.Envelope) bool {
			name, _ := arguments["operation"].(string)
			return strings.HasPrefix(name, "delete_") && adapter.Succeeded(e)
		})},
	{ID: "MCP-LIFE-04", Variant: "other-words-in-sessions", Defect: "over MCP revisions with sessions lookups describe operations in other words",
		Hooks: seam.Answering("tools/call", func(x *adapter.Exchange, result map[string]any) {
			_, lookup := adapter.Object(seam.Arguments(x)["params"])["name"]
			if lookup && inSession(x) && seam.SucceededAt("introspect")(seam.Arguments(x), seam.SaidIn(result)) {
				for name, said := range result {
					result[name] = seam.MapText(said, func(text string) string { return strings.ReplaceAll(text, " a ", " one ") })
				}
			}
		})},
	{ID: "MCP-RPC-09", Variant: "router-broken-after-unknown-op", Defect: "after one unknown operation the operations can no longer be listed in that session",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if name, ok := seam.Asks(c, "operations"); ok && name == nil && seam.Marked(c.Session, "broken") {
				return seam.UnknownAs(c, next)
			}
			e := next(c)
			if seam.FailedWith("NOT_FOUND_OPERATION")(nil, e) {
				seam.Mark(c.Session, "broken")
			}
			return e
		}}},
}

// inSession reports whether a request belongs to a session: without one each names its revision.
func inSession(x *adapter.Exchange) bool {
	return adapter.Object(adapter.Object(x.Original["params"])["_meta"])[ModernEra] == nil
}

// refusedInSessions turns the answers that it picks into JSON-RPC errors where there is a session.
func refusedInSessions(pick func(arguments map[string]any, e adapter.Envelope) bool) adapter.Hooks {
	return seam.RPCRefusal(func(x *adapter.Exchange, result map[string]any) bool {
		return inSession(x) && x.Original["method"] == "tools/call" && pick(seam.Arguments(x), seam.SaidIn(result))
	}, -32602, "invalid params")
}

// memoised answers with the first listing that was ever given.
func memoised(c adapter.Call, data map[string]any) {
	file := filepath.Join(c.State, "listing.json")
	if raw, err := os.ReadFile(file); err == nil {
		data["operations"], _ = adapter.Decode(raw)
	} else if c.State != "" {
		_ = os.WriteFile(file, []byte(adapter.Printed(data["operations"])), 0o600) // what cannot be kept is not memoised
	}
}

var toolsTakeAction = adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
	action, ok := c.Body["action"]
	old, had := c.Body["operation"]
	c = c.Without("action").Without("operation")
	if ok {
		c = c.With("operation", action)
	}
	if had {
		c = c.With("action", old)
	}
	e := next(c)
	if reason := adapter.Object(e["error"]); adapter.Object(reason["details"])["param_name"] == "operation" {
		e["error"] = seam.Swapped(reason, "operation", "action")
	}
	return e
}}

var remembersClient = adapter.Hooks{Ask: func(x *adapter.Exchange) {
	if x.Original["method"] == "initialize" {
		client, _ := json.Marshal(adapter.Object(x.Original["params"])["clientInfo"])
		seam.Remember(x.Adapter, "client", int(crc32.ChecksumIEEE(client)))
	}
}}

// repliesToUnknown answers calls of plain unknown operation names, at the tool
// that introspect belongs to, so many times.
func repliesToUnknown(times int) adapter.Hooks {
	return adapter.Hooks{Answer: func(x *adapter.Exchange) {
		params := adapter.Object(x.Original["params"])
		op, _ := x.OperationNamed("introspect")
		name, _ := seam.Arguments(x)["operation"].(string)
		e := seam.SaidIn(adapter.Object(x.Replies[0]["result"]))
		if params["name"] != x.ToolOf(op) || !seam.PlainName.MatchString(name) || !seam.FailedWith("NOT_FOUND_OPERATION")(nil, e) {
			return
		}
		reply := x.Replies[0]
		x.Replies = nil
		for range times {
			x.Replies = append(x.Replies, reply)
		}
	}}
}
