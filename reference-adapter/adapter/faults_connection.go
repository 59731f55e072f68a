package adapter

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
)

var connectionFaults = []Fault{
	{ID: "AQL-2.1-01", Variant: "empty-tool-list", Defect: "tools/list returns an empty array",
		hooks: toolList(func(*exchange, []any) any { return []any{} })},
	{ID: "AQL-2.1-01", Variant: "tools-without-operation", Defect: "the tools take an action member instead of operation",
		hooks: both(toolsTakeAction, answering("tools/list", func(_ *exchange, result map[string]any) {
			result["tools"] = swapped(result["tools"], "operation", "action")
			for _, tool := range array(result["tools"]) {
				properties := object(object(object(tool)["inputSchema"])["properties"])
				properties["action"] = properties["operation"]
				delete(properties, "operation")
			}
		}))},
	{ID: "AQL-2.3.1-01", Variant: "process-wide-session-id", Defect: "one session id is handed to every connection",
		hooks: showsSession(true, func(call) string { return "session-one" })},
	{ID: "AQL-2.3.1-01", Variant: "session-id-from-client-info", Defect: "the session id is derived from clientInfo, so a reconnecting client gets the old one",
		hooks: both(remembersClient, showsSession(true, func(c call) string {
			return fmt.Sprintf("session-%08x", c.recall("client"))
		}))},
	{ID: "AQL-2.3.3-03", Variant: "stale-listing-across-sessions", Transport: "http",
		Defect: "the operation list is memoised in a file that outlives both session and reconfiguration",
		Hints:  map[string]string{"reconfigure_cmd": "reference-adapter operator reconfigure"},
		hooks:  listing(memoised)},
	{ID: "AQL-2.3.5-04", Variant: "error-without-session-id", Defect: "error details never contain the session id that _protocol shows",
		hooks: showsSession(false, freshSession)},
	{ID: "AQL-2.3.5-07", Variant: "session-id-not-published", Defect: "warnings are announced, which are remembered per session, but _protocol shows no session id",
		hooks: capability("warnings", true)},
	{ID: "AQL-3.2-03", Variant: "swallowed-handler-error", Defect: "calls of an unknown operation are never answered",
		hooks: repliesToUnknown(0)},
	{ID: "AQL-3.2-03", Variant: "duplicate-answer", Defect: "calls of an unknown operation are answered twice",
		hooks: repliesToUnknown(2)},
	{ID: "MCP-LIFE-01", Variant: "initialize-without-version", Defect: "the initialize result omits protocolVersion",
		hooks: answering("initialize", func(_ *exchange, result map[string]any) { delete(result, "protocolVersion") })},
	{ID: "MCP-LIFE-01", Variant: "capabilities-not-object", Defect: "capabilities is an array",
		hooks: starting(set("capabilities", []string{"tools"}))},
	{ID: "MCP-LIFE-01", Variant: "other-revision-announced", Defect: "initialize is unknown, and server/discover announces 2024-11-05 alone", Transport: "stdio",
		hooks: both(rpcRefusal(func(x *exchange, _ map[string]any) bool { return x.original["method"] == "initialize" }, -32601, "method not found"),
			answering("server/discover", func(_ *exchange, result map[string]any) { result["supportedVersions"] = []any{"2024-11-05"} }))},
	{ID: "MCP-LIFE-02", Variant: "echo-any-revision", Defect: "initialize echoes whatever protocolVersion the client asked for",
		hooks: answering("initialize", func(x *exchange, result map[string]any) {
			result["protocolVersion"] = object(x.original["params"])["protocolVersion"]
		})},
	{ID: "MCP-LIFE-03", Variant: "no-discover-in-modern-era", Defect: "server/discover is unimplemented while tools/list accepts modern _meta", Transport: "stdio",
		hooks: rpcRefusal(func(x *exchange, _ map[string]any) bool { return x.original["method"] == "server/discover" },
			-32601, "method not found")},
	{ID: "MCP-RPC-09", Variant: "router-broken-after-unknown-op", Defect: "after one unknown operation the operations can no longer be listed in that session",
		hooks: hooks{item: func(c call, next handler) envelope {
			if name, ok := c.asks("operations"); ok && name == nil && c.session.marked("broken") {
				return unknownAs(c, next)
			}
			e := next(c)
			if failedWith("NOT_FOUND_OPERATION")(nil, e) {
				c.session.mark("broken")
			}
			return e
		}}},
}

// memoised answers with the first listing that was ever given.
func memoised(c call, data map[string]any) {
	file := filepath.Join(c.state, "listing.json")
	if raw, err := os.ReadFile(file); err == nil {
		data["operations"], _ = decode(raw)
	} else if c.state != "" {
		_ = os.WriteFile(file, []byte(printed(data["operations"])), 0o600) // what cannot be kept is not memoised
	}
}

var toolsTakeAction = hooks{call: func(c call, next handler) envelope {
	action, ok := c.body["action"]
	old, had := c.body["operation"]
	c = c.without("action").without("operation")
	if ok {
		c = c.with("operation", action)
	}
	if had {
		c = c.with("action", old)
	}
	e := next(c)
	if reason := object(e["error"]); object(reason["details"])["param_name"] == "operation" {
		e["error"] = swapped(reason, "operation", "action")
	}
	return e
}}

// showsSession adds a session id to _protocol and, if inErrors, to the details
// of every error.
func showsSession(inErrors bool, id func(call) string) hooks {
	return both(
		listing(func(c call, data map[string]any) { object(data["_protocol"])["session_id"] = id(c) }),
		after(func(c call, e envelope) {
			if reason := object(e["error"]); reason != nil && inErrors {
				details := object(reason["details"])
				if details == nil {
					details = map[string]any{}
				}
				details["session_id"] = id(c)
				reason["details"] = details
			}
		}))
}

// freshSession returns an id that no other session has.
func freshSession(c call) string { return c.session.identity() }

var remembersClient = hooks{ask: func(x *exchange) {
	if x.original["method"] == "initialize" {
		client, _ := json.Marshal(object(x.original["params"])["clientInfo"])
		x.remember("client", int(crc32.ChecksumIEEE(client)))
	}
}}

// repliesToUnknown answers calls of plain unknown operation names, at the tool
// that introspect belongs to, so many times.
func repliesToUnknown(times int) hooks {
	return hooks{answer: func(x *exchange) {
		params := object(x.original["params"])
		op, _ := x.operationNamed("introspect")
		name, _ := x.arguments()["operation"].(string)
		e := saidIn(object(x.replies[0]["result"]))
		if params["name"] != x.toolOf(op) || !plainName.MatchString(name) || !failedWith("NOT_FOUND_OPERATION")(nil, e) {
			return
		}
		reply := x.replies[0]
		x.replies = nil
		for range times {
			x.replies = append(x.replies, reply)
		}
	}}
}

// capability sets one flag of _protocol.capabilities.
func capability(flag string, value any) hooks {
	return listing(func(_ call, data map[string]any) {
		object(object(data["_protocol"])["capabilities"])[flag] = value
	})
}
