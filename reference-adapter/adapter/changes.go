package adapter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The operator can change a running adapter: give it one more tool, or one more
// operation and take it away again. A change made before it was started is none.
type changesSeen struct {
	operations int // how often they had been changed when the adapter last looked
	tools      int // how often they had been changed when it was started
}

func init() {
	Operators["change-tools"] = counting("tools")
	Operators["reconfigure"] = counting("operations")
}

// counting counts one more change in the state folder.
func counting(what string) func(state string, about map[string]string) (string, error) {
	return func(state string, _ map[string]string) (string, error) {
		if state == "" {
			return "", errors.New("no state folder")
		}
		if err := os.MkdirAll(state, 0o700); err != nil {
			return "", fmt.Errorf("count a change: %w", err)
		}
		n := changed(state, what) + 1
		if err := os.WriteFile(filepath.Join(state, what+"-changed"), []byte(strconv.Itoa(n)), 0o600); err != nil {
			return "", fmt.Errorf("count a change: %w", err)
		}
		return fmt.Sprintf("%s changed %d times", what, n), nil
	}
}

// changed returns how often something was changed so far.
func changed(state, what string) int {
	if state == "" {
		return 0
	}
	raw, err := os.ReadFile(filepath.Join(state, what+"-changed"))
	if err != nil {
		return 0 // never
	}
	n, _ := strconv.Atoi(string(raw))
	return n
}

// newest is the operation that comes and goes.
func newestOperation() Operation {
	return Operation{
		Name: "get_newest_note", Category: "READ",
		Description: "Get the note that was created last",
		Parameters:  []Parameter{fieldsParameter()},
		Returns:     TypeInfo{Name: "Note", Kind: "object", Description: "The newest note"},
		Examples:    []Example{{"Read the newest note", Request("get_newest_note", map[string]any{})}},
		Run: func(t Task) Envelope {
			all := InOrder(t.Store.Notes)
			if len(all) == 0 {
				return Absent("note", "newest")
			}
			return t.selected(all[len(all)-1], "Note")
		},
	}
}

// reconfigured adds the newest operation or takes it away, as often as the operator
// says so. It is called with mu held.
func (a *Adapter) reconfigured() {
	for n := changed(a.State, "operations"); a.changes.operations < n; a.changes.operations++ {
		op := newestOperation()
		if _, there := a.OperationNamed(op.Name); !there {
			a.Operations = append(a.Operations[:len(a.Operations):len(a.Operations)], op)
			continue
		}
		a.Operations = a.Operations[:len(a.Operations)-1]
	}
}

// extraTools are the tools that the operator has added since the adapter was
// started. They speak no MCP-AQL.
func (a *Adapter) extraTools() []*mcp.Tool {
	var list []*mcp.Tool
	if !a.Has(ToolChanges) {
		return nil
	}
	closed := false
	for n := a.changes.tools; n < changed(a.State, "tools"); n++ {
		list = append(list, &mcp.Tool{
			Name: fmt.Sprintf("notes_greeting_%d", n+1), Title: "Notes: greeting", Description: "Answers with a greeting; takes nothing",
			InputSchema: map[string]any{"type": "object", "properties": map[string]any{}, "additionalProperties": false},
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &closed},
		})
	}
	return list
}

func greet(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hello. The notes are behind the other tools."}}}, nil
}

// grown adds the tools that came since it was last called to the session, and
// reports whether there are any, so that its client can be told.
func (w *stdio) grown() bool {
	extra := w.extraTools()
	for _, tool := range extra[min(w.tools, len(extra)):] {
		w.server.AddTool(tool, greet)
	}
	grown := len(extra) > w.tools
	w.tools = len(extra)
	return grown && !w.Hooks.Silent
}

var toolsChanged = []byte(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
