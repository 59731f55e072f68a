package wire

import (
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// notificationFaults answer what has no id.
var notificationFaults = []seam.Fault{
	{ID: "MCP-RPC-08", Variant: "notification-answered", Defect: "notifications/cancelled is answered with id null",
		Hooks: adapter.Hooks{Notified: func(x *adapter.Exchange) {
			if x.Original["method"] == "notifications/cancelled" {
				x.Replies = []adapter.Frame{{"jsonrpc": "2.0", "id": nil, "result": map[string]any{}}}
			}
		}}},
	{ID: "MCP-RPC-08", Variant: "unknown-notification-answered", Defect: "a notification of an unknown method is answered with -32601", Transport: "stdio",
		Hooks: adapter.Hooks{Notified: func(x *adapter.Exchange) {
			if method, _ := x.Original["method"].(string); strings.HasPrefix(method, "notifications/aqlx") {
				x.Replies = []adapter.Frame{{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": -32601, "message": "Method not found"}}}
			}
		}}},
	{ID: "MCP-RPC-08", Variant: "list-without-id-answered", Defect: "tools/list without an id is answered with id null", Transport: "stdio",
		Hooks: adapter.Hooks{Notified: func(x *adapter.Exchange) {
			if x.Original["method"] == "tools/list" {
				x.Replies = []adapter.Frame{{"jsonrpc": "2.0", "id": nil, "result": map[string]any{"tools": []any{}}}}
			}
		}}},
}
