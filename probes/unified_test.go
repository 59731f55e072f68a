package probes

import (
	"fmt"
	"strings"
	"testing"
)

// families is what an adapter says of operations that each belong to one tool.
func families(mode string, tools ...string) *Adapter {
	a := &Adapter{lists: map[string]bool{}}
	protocol, err := ParseValue(fmt.Appendf(nil, `{"mode":%q}`, mode))
	if err != nil {
		panic(err)
	}
	if mode != "" {
		a.Protocol = protocol
	}
	for i, spec := range tools {
		tool, operation, _ := strings.Cut(spec, ":")
		a.AQL = append(a.AQL, tool)
		if operation == "lists" {
			a.lists[tool] = true
		} else if operation != "" {
			details := ValueOf(map[string]any{"mcpTool": tool})
			a.Operations = append(a.Operations, Operation{Name: operation, Category: []string{"READ", "UPDATE"}[min(i, 1)], Details: details})
		}
	}
	return a
}

// The tool that takes every operation is known by its name among the others, or
// by what the records leave to it; a like name alone makes none.
func TestUnifiedTool(t *testing.T) {
	for _, c := range []struct {
		mode, tools, want string
	}{
		{"", "mcp_aql_read:introspect mcp_aql_update:set_note mcp_aql:lists", "mcp_aql"},
		{"", "mcp_aql_read:introspect mcp_aql_update:set_note acme_mcp_aql:lists", "acme_mcp_aql"},
		{"", "notes_read:introspect notes_change:set_note everything:lists", "everything"},
		{"all", "notes_read:introspect notes_change:set_note everything", "everything"},
		{"all", "mcp_aql_read:introspect mcp_aql_update:set_note mcp_aql_execute acme_mcp_aql", "acme_mcp_aql"},
		{"", "mcp_aql_read:introspect mcp_aql_update:set_note acme_mcp_aql:set_mode", ""},
		{"", "mcp_aql_read:introspect mcp_aql_update:set_note acme_mcp_aql", ""},
		{"", "mcp_aql_read:introspect mcp_aql_update:set_note mcp_aql_execute:lists", ""},
		{"semantic", "mcp_aql_read:introspect mcp_aql_update:set_note acme_mcp_aql:lists", ""},
		{"", "mcp_aql_read:introspect mcp_aql_update:set_note acme_mcp_aql:lists other_mcp_aql:lists", ""},
		{"", "notes_read:introspect notes_change:set_note notes:get_note", ""},
	} {
		a := families(c.mode, strings.Fields(c.tools)...)
		a.findUnified()
		if a.Unified != c.want {
			t.Errorf("mode %q, tools %s: unified %q, want %q", c.mode, c.tools, a.Unified, c.want)
		}
	}
}
