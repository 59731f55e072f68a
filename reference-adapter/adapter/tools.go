package adapter

import (
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// unified is the one tool of single mode (spec 3.3).
const unified = "mcp_aql"

// profile is a set of endpoint families and the rule that assigns each operation
// to exactly one of them (spec 6.2).
type profile struct {
	families []family
	of       func(op operation) string
}

// family is one exposed endpoint; its tool is called mcp_aql_<name>.
type family struct {
	name, purpose         string
	readOnly, destructive bool // by the riskiest category it hosts
}

func (f family) tool() string { return unified + "_" + f.name }

var profiles = map[string]profile{
	"crude": {
		families: []family{
			{"create", "add notes and folders", false, false},
			{"read", "read notes, folders and exports, and discover operations", true, false},
			{"update", "change notes", false, true},
			{"delete", "remove notes and folders", false, true},
			{"execute", "start and cancel exports", false, true},
		},
		of: func(op operation) string { return strings.ToLower(op.Category) },
	},
	"alternative": {
		families: []family{
			{"discover", "discover operations and types", true, false},
			{"query", "read notes, folders and exports", true, false},
			{"manage", "add, change and remove notes and folders", false, true},
			{"operate", "start and cancel exports", false, true},
		},
		of: func(op operation) string {
			switch {
			case op.Name == "introspect":
				return "discover"
			case op.Category == "READ":
				return "query"
			case op.Category == "EXECUTE":
				return "operate"
			}
			return "manage"
		},
	},
	"database": {
		families: []family{
			{"inspect", "discover operations and types", true, false},
			{"query", "read notes, folders and exports", true, false},
			{"mutate", "add and change notes and folders", false, true},
			{"administer", "remove notes and folders, start and cancel exports", false, true},
		},
		of: func(op operation) string {
			switch {
			case op.Name == "introspect":
				return "inspect"
			case op.Category == "READ":
				return "query"
			case op.Category == "CREATE" || op.Category == "UPDATE":
				return "mutate"
			}
			return "administer"
		},
	},
	"device": {
		families: []family{
			{"observe", "discover operations, and read notes, folders and exports", true, false},
			{"control", "add notes and folders, start and cancel exports", false, true},
			{"maintain", "change and remove notes and folders", false, true},
		},
		of: func(op operation) string {
			switch op.Category {
			case "READ":
				return "observe"
			case "CREATE", "EXECUTE":
				return "control"
			}
			return "maintain"
		},
	},
}

// toolOf names the tool that clients shall call for op.
func (a *Adapter) toolOf(op operation) string {
	if a.mode == "single" {
		return a.wired(unified)
	}
	return a.wired(family{name: a.profile.of(op)}.tool())
}

// wired is what a tool of the heart is called on the wire.
func (a *Adapter) wired(tool string) string {
	if rest, ok := strings.CutPrefix(tool, unified); ok && a.manner.tools != "" {
		return a.manner.tools + rest
	}
	return tool
}

// heartTool is the tool of the heart that is called so on the wire.
func (a *Adapter) heartTool(tool string) string {
	if rest, ok := strings.CutPrefix(tool, a.manner.tools); ok && a.manner.tools != "" {
		return unified + rest
	}
	return tool
}

// tools builds the tool list of the mode. It has no enum of operations: what
// exists is for introspection to say, so that the list stays small.
func (a *Adapter) tools() []*mcp.Tool {
	var list []*mcp.Tool
	if a.mode != "single" {
		for _, f := range a.profile.families {
			list = append(list, a.tool(f.tool(), f.purpose, f.readOnly, a.destroys(f)))
		}
	}
	if a.mode != "semantic" {
		list = append(list, a.tool(unified, "read and change notes, folders and exports", false, true))
	}
	return list
}

// destroys reports whether a family hosts an operation that can change or remove what
// exists.
func (a *Adapter) destroys(f family) bool {
	return f.destructive && slices.ContainsFunc(a.operations, func(op operation) bool {
		return a.profile.of(op) == f.name && op.Category != "READ" && op.Category != "CREATE"
	})
}

func (a *Adapter) tool(name, purpose string, readOnly, destructive bool) *mcp.Tool {
	closed := false
	introspect := operation{Name: "introspect", Category: "READ"}
	return &mcp.Tool{
		Name:  a.wired(name),
		Title: "Notes: " + purpose,
		Description: "Runs MCP-AQL operations that " + purpose + ". To learn which operations exist, call " + a.toolOf(introspect) +
			` with {"operation":"introspect","params":{"query":"operations"}}; add "name" for the parameters of one operation.`,
		InputSchema: a.inputSchema(),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint:    readOnly,
			DestructiveHint: &destructive,
			OpenWorldHint:   &closed,
		},
	}
}
