package adapter

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"
)

// lifecycle is what execute_export advertises (spec 8.4.5).
var lifecycle = map[string]any{
	"states":             exportState,
	"supports_cancel":    true,
	"supports_retry":     false,
	"progress_reporting": true,
}

func ExecutionID(description string) Parameter {
	return Parameter{Name: "execution_id", Type: "string", Required: true, Description: description}
}

func password(description string) Parameter {
	return Parameter{Name: "password", Type: "string", MinLength: Ref(1), Sensitive: true, Description: description}
}

func exportOperations() []Operation {
	return []Operation{
		{
			Name: "execute_export", Category: "EXECUTE", Feature: Lifecycles,
			Description: "Start an export of all notes of a folder; follow it with get_export, stop it with cancel_export",
			Parameters: []Parameter{
				folderID("Export the notes of the folder with this identifier"),
				{Name: "format", Type: "ExportFormat", Enum: exportFormat, Default: "markdown", Description: "Format of the exported text"},
				password("Secret that get_export will ask for before it shows the export"),
			},
			Returns:   TypeInfo{Name: "Export", Kind: "object", Description: "The export, not started yet"},
			Examples:  []Example{{"Export a folder as JSON", Request("execute_export", map[string]any{"folder_id": "folder_1", "format": "json"})}},
			Lifecycle: lifecycle,
			Run:       executeExport,
		},
		{
			Name: "get_export", Category: "READ", Feature: Lifecycles,
			Description: "Get the state of an export, and its text once it is completed",
			Parameters:  []Parameter{ExecutionID("Return the export with this identifier"), password("Secret that the export was started with, if any"), fieldsParameter()},
			Returns:     TypeInfo{Name: "Export", Kind: "object", Description: "The export as it stands"},
			Examples:    []Example{{"Look at an export", Request("get_export", map[string]any{"execution_id": "export_1"})}},
			Run:         getExport,
		},
		{
			Name: "cancel_exports", Category: "EXECUTE", Feature: Lifecycles,
			Description: "Cancel all exports that are pending or running",
			Returns:     TypeInfo{Name: "ExportList", Kind: "object", Description: "The cancelled exports"},
			Examples:    []Example{{"Cancel whatever runs", Request("cancel_exports", map[string]any{})}},
			Run:         cancelExports,
		},
		{
			Name: "cancel_export", Category: "EXECUTE", Feature: Lifecycles,
			Description: "Cancel an export that is pending or running",
			Parameters:  []Parameter{ExecutionID("Cancel the export with this identifier")},
			Returns:     TypeInfo{Name: "Export", Kind: "object", Description: "The cancelled export"},
			Examples:    []Example{{"Cancel an export", Request("cancel_export", map[string]any{"execution_id": "export_1"})}},
			Run:         cancelExport,
		},
	}
}

func executeExport(t Task) Envelope {
	if _, ok := t.Store.Folders[t.Text("folder_id")]; !ok {
		return Absent("folder", t.Text("folder_id"))
	}
	made := export{
		"execution_id": t.Store.next("export"), "folder_id": t.Text("folder_id"), "format": t.Text("format"),
		"status": "pending", "started_at": Now(), "progress": map[string]any{"percentage": 0, "message": "waiting"},
	}
	id := made["execution_id"].(string)
	t.Store.exports[id] = made
	if t.Text("password") != "" {
		t.Store.secrets[id] = sha256.Sum256([]byte(t.Text("password")))
	}
	t.Session.exports = append(t.Session.exports, id)
	return Success(made)
}

// getExport moves an export one state forward and shows it. An export in memory
// has no work to wait for; taking one step each time it is looked at lets a
// client see every state without a clock.
func getExport(t Task) Envelope {
	found, ok := t.Store.exports[t.Text("execution_id")]
	if !ok {
		return Absent("export", t.Text("execution_id"))
	}
	if secret, locked := t.Store.secrets[t.Text("execution_id")]; locked && secret != sha256.Sum256([]byte(t.Text("password"))) {
		return Failure("PERMISSION_DENIED",
			fmt.Sprintf("Export '%s' is protected; give the password that it was started with", found["execution_id"]),
			map[string]any{"execution_id": found["execution_id"]})
	}
	shown := t.selected(found, "Export")
	if !Succeeded(shown) {
		return shown
	}
	switch found["status"] {
	case "pending":
		found["status"] = "running"
		found["progress"] = map[string]any{"percentage": 50, "message": "writing"}
	case "running":
		finish(found, "completed", "done")
		found["content"] = t.Store.exported(found["folder_id"].(string), found["format"].(string))
	}
	return t.selected(found, "Export")
}

func cancelExport(t Task) Envelope {
	found, ok := t.Store.exports[t.Text("execution_id")]
	if !ok {
		return Absent("export", t.Text("execution_id"))
	}
	if found["finished_at"] != nil {
		return Failure("CONFLICT_EXECUTION_FINISHED",
			fmt.Sprintf("Export '%s' is already %s; only pending and running exports can be cancelled", found["execution_id"], found["status"]),
			map[string]any{"execution_id": found["execution_id"], "status": found["status"]})
	}
	finish(found, "cancelled", "cancelled by request")
	return Success(found)
}

func cancelExports(t Task) Envelope {
	cancelled := []export{}
	for _, e := range InOrder(t.Store.exports) {
		if e["finished_at"] == nil {
			finish(e, "cancelled", "cancelled by request")
			cancelled = append(cancelled, e)
		}
	}
	return Success(map[string]any{"items": cancelled})
}

func finish(e export, status, message string) {
	e["status"] = status
	e["finished_at"] = Now()
	progress := Plain(e["progress"]).(map[string]any)
	progress["message"] = message
	if status == "completed" {
		progress["percentage"] = 100
	}
	e["progress"] = progress
}

// Session is what one MCP connection owns (spec 2.3).
type Session struct {
	exports []string          // ids of the exports it started
	id      string            // made when it is first shown
	Client  string            // the name that the client gave itself
	open    bool              // its handshake is over
	Cut     bool              // it ended without a word
	Marks   map[string]string // what hooks remember of it
	minute  time.Time         // when its present minute began
	asked   int               // calls since then
}

// end drops what belongs to a session: its exports and backups must not be driven
// on by another session, its tokens confirm nothing any more (spec 2.3.3).
func (a *Adapter) end(s *Session) {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	for _, id := range s.exports {
		if e := a.Store.exports[id]; e["finished_at"] == nil {
			finish(e, "cancelled", "session ended")
		}
	}
	s.exports = nil
	a.forget(s)
	a.abandon(s)
	a.Extension.Leave(a, s)
}

func (s *Store) exported(folderID, format string) string {
	notes := s.NotesWhere(func(n Note) bool { return n["folder_id"] == folderID })
	if format == "json" {
		return Printed(notes)
	}
	var text strings.Builder
	for _, n := range notes {
		heading := n["title"].(string)
		if format == "markdown" {
			heading = "# " + heading
		}
		body, _ := n["body"].(string)
		fmt.Fprintf(&text, "%s\n\n%s\n\n", heading, body)
	}
	return text.String()
}
