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
	operators["change-tools"] = counting("tools")
	operators["reconfigure"] = counting("operations")
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
func newestOperation() operation {
	return operation{
		Name: "get_newest_note", Category: "READ",
		Description: "Get the note that was created last",
		Parameters:  []parameter{fieldsParameter()},
		Returns:     typeInfo{Name: "Note", Kind: "object", Description: "The newest note"},
		Examples:    []example{{"Read the newest note", request("get_newest_note", map[string]any{})}},
		run: func(t task) envelope {
			all := inOrder(t.store.notes)
			if len(all) == 0 {
				return absent("note", "newest")
			}
			return t.selected(all[len(all)-1], "Note")
		},
	}
}

// reconfigured adds the newest operation or takes it away, as often as the operator
// says so. It is called with mu held.
func (a *Adapter) reconfigured() {
	for n := changed(a.state, "operations"); a.changes.operations < n; a.changes.operations++ {
		op := newestOperation()
		if _, there := a.operationNamed(op.Name); !there {
			a.operations = append(a.operations[:len(a.operations):len(a.operations)], op)
			continue
		}
		a.operations = a.operations[:len(a.operations)-1]
	}
}

// extraTools are the tools that the operator has added since the adapter was
// started. They speak no MCP-AQL.
func (a *Adapter) extraTools() []*mcp.Tool {
	var list []*mcp.Tool
	if !a.has(toolChanges) {
		return nil
	}
	closed := false
	for n := a.changes.tools; n < changed(a.state, "tools"); n++ {
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
	return grown && !w.hooks.silent
}

var toolsChanged = []byte(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
