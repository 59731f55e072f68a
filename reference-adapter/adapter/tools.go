package adapter

import (
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Unified is the one tool of single mode (spec 3.3).
const Unified = "mcp_aql"

// profile is a set of endpoint families and the rule that assigns each operation
// to exactly one of them (spec 6.2).
type profile struct {
	Families []Family
	Of       func(op Operation) string
}

// Family is one exposed endpoint; its tool is called mcp_aql_<name>.
type Family struct {
	Name, Purpose         string
	ReadOnly, destructive bool // by the riskiest category it hosts
}

func (f Family) Tool() string { return Unified + "_" + f.Name }

var Profiles = map[string]profile{
	"crude": {
		Families: []Family{
			{"create", "add notes and folders", false, false},
			{"read", "read notes, folders and exports, and discover operations", true, false},
			{"update", "change notes", false, true},
			{"delete", "remove notes and folders", false, true},
			{"execute", "start and cancel exports", false, true},
		},
		Of: func(op Operation) string { return strings.ToLower(op.Category) },
	},
	"alternative": {
		Families: []Family{
			{"discover", "discover operations and types", true, false},
			{"query", "read notes, folders and exports", true, false},
			{"manage", "add, change and remove notes and folders", false, true},
			{"operate", "start and cancel exports", false, true},
		},
		Of: func(op Operation) string {
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
		Families: []Family{
			{"inspect", "discover operations and types", true, false},
			{"query", "read notes, folders and exports", true, false},
			{"mutate", "add and change notes and folders", false, true},
			{"administer", "remove notes and folders, start and cancel exports", false, true},
		},
		Of: func(op Operation) string {
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
		Families: []Family{
			{"observe", "discover operations, and read notes, folders and exports", true, false},
			{"control", "add notes and folders, start and cancel exports", false, true},
			{"maintain", "change and remove notes and folders", false, true},
		},
		Of: func(op Operation) string {
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

// ToolOf names the tool that clients shall call for op.
func (a *Adapter) ToolOf(op Operation) string {
	if a.Mode == "single" {
		return a.Wired(Unified)
	}
	return a.Wired(Family{Name: a.Profile.Of(op)}.Tool())
}

// Wired is what a tool of the heart is called on the wire.
func (a *Adapter) Wired(tool string) string {
	if rest, ok := strings.CutPrefix(tool, Unified); ok && a.Manner.Tools != "" {
		return a.Manner.Tools + rest
	}
	return tool
}

// HeartTool is the tool of the heart that is called so on the wire.
func (a *Adapter) HeartTool(tool string) string {
	if rest, ok := strings.CutPrefix(tool, a.Manner.Tools); ok && a.Manner.Tools != "" {
		return Unified + rest
	}
	return tool
}

// Tools builds the tool list of the mode. It has no enum of operations: what
// exists is for introspection to say, so that the list stays small.
func (a *Adapter) Tools() []*mcp.Tool {
	var list []*mcp.Tool
	if a.Mode != "single" {
		for _, f := range a.Profile.Families {
			list = append(list, a.tool(f.Tool(), f.Purpose, f.ReadOnly, a.destroys(f)))
		}
	}
	if a.Mode != "semantic" {
		list = append(list, a.tool(Unified, "read and change notes, folders and exports", false, true))
	}
	return list
}

// destroys reports whether a family hosts an operation that can change or remove what
// exists.
func (a *Adapter) destroys(f Family) bool {
	return f.destructive && slices.ContainsFunc(a.Operations, func(op Operation) bool {
		return a.Profile.Of(op) == f.Name && op.Category != "READ" && op.Category != "CREATE"
	})
}

func (a *Adapter) tool(name, purpose string, readOnly, destructive bool) *mcp.Tool {
	closed := false
	introspect := Operation{Name: "introspect", Category: "READ"}
	return &mcp.Tool{
		Name:  a.Wired(name),
		Title: "Notes: " + purpose,
		Description: "Runs MCP-AQL operations that " + purpose + ". To learn which operations exist, call " + a.ToolOf(introspect) +
			` with {"operation":"introspect","params":{"query":"operations"}}; add "name" for the parameters of one operation.`,
		InputSchema: a.inputSchema(),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint:    readOnly,
			DestructiveHint: &destructive,
			OpenWorldHint:   &closed,
		},
	}
}
