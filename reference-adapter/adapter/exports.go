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

func executionID(description string) parameter {
	return parameter{Name: "execution_id", Type: "string", Required: true, Description: description}
}

func password(description string) parameter {
	return parameter{Name: "password", Type: "string", MinLength: ref(1), Sensitive: true, Description: description}
}

func exportOperations() []operation {
	return []operation{
		{
			Name: "execute_export", Category: "EXECUTE", Feature: lifecycles,
			Description: "Start an export of all notes of a folder; follow it with get_export, stop it with cancel_export",
			Parameters: []parameter{
				folderID("Export the notes of the folder with this identifier"),
				{Name: "format", Type: "ExportFormat", Enum: exportFormat, Default: "markdown", Description: "Format of the exported text"},
				password("Secret that get_export will ask for before it shows the export"),
			},
			Returns:   typeInfo{Name: "Export", Kind: "object", Description: "The export, not started yet"},
			Examples:  []example{{"Export a folder as JSON", request("execute_export", map[string]any{"folder_id": "folder_1", "format": "json"})}},
			Lifecycle: lifecycle,
			run:       executeExport,
		},
		{
			Name: "get_export", Category: "READ", Feature: lifecycles,
			Description: "Get the state of an export, and its text once it is completed",
			Parameters:  []parameter{executionID("Return the export with this identifier"), password("Secret that the export was started with, if any"), fieldsParameter()},
			Returns:     typeInfo{Name: "Export", Kind: "object", Description: "The export as it stands"},
			Examples:    []example{{"Look at an export", request("get_export", map[string]any{"execution_id": "export_1"})}},
			run:         getExport,
		},
		{
			Name: "cancel_exports", Category: "EXECUTE", Feature: lifecycles,
			Description: "Cancel all exports that are pending or running",
			Returns:     typeInfo{Name: "ExportList", Kind: "object", Description: "The cancelled exports"},
			Examples:    []example{{"Cancel whatever runs", request("cancel_exports", map[string]any{})}},
			run:         cancelExports,
		},
		{
			Name: "cancel_export", Category: "EXECUTE", Feature: lifecycles,
			Description: "Cancel an export that is pending or running",
			Parameters:  []parameter{executionID("Cancel the export with this identifier")},
			Returns:     typeInfo{Name: "Export", Kind: "object", Description: "The cancelled export"},
			Examples:    []example{{"Cancel an export", request("cancel_export", map[string]any{"execution_id": "export_1"})}},
			run:         cancelExport,
		},
	}
}

func executeExport(t task) envelope {
	if _, ok := t.store.folders[t.text("folder_id")]; !ok {
		return absent("folder", t.text("folder_id"))
	}
	made := export{
		"execution_id": t.store.next("export"), "folder_id": t.text("folder_id"), "format": t.text("format"),
		"status": "pending", "started_at": now(), "progress": map[string]any{"percentage": 0, "message": "waiting"},
	}
	id := made["execution_id"].(string)
	t.store.exports[id] = made
	if t.text("password") != "" {
		t.store.secrets[id] = sha256.Sum256([]byte(t.text("password")))
	}
	t.session.exports = append(t.session.exports, id)
	return success(made)
}

// getExport moves an export one state forward and shows it. An export in memory
// has no work to wait for; taking one step each time it is looked at lets a
// client see every state without a clock.
func getExport(t task) envelope {
	found, ok := t.store.exports[t.text("execution_id")]
	if !ok {
		return absent("export", t.text("execution_id"))
	}
	if secret, locked := t.store.secrets[t.text("execution_id")]; locked && secret != sha256.Sum256([]byte(t.text("password"))) {
		return failure("PERMISSION_DENIED",
			fmt.Sprintf("Export '%s' is protected; give the password that it was started with", found["execution_id"]),
			map[string]any{"execution_id": found["execution_id"]})
	}
	shown := t.selected(found, "Export")
	if !succeeded(shown) {
		return shown
	}
	switch found["status"] {
	case "pending":
		found["status"] = "running"
		found["progress"] = map[string]any{"percentage": 50, "message": "writing"}
	case "running":
		finish(found, "completed", "done")
		found["content"] = t.store.exported(found["folder_id"].(string), found["format"].(string))
	}
	return t.selected(found, "Export")
}

func cancelExport(t task) envelope {
	found, ok := t.store.exports[t.text("execution_id")]
	if !ok {
		return absent("export", t.text("execution_id"))
	}
	if found["finished_at"] != nil {
		return failure("CONFLICT_EXECUTION_FINISHED",
			fmt.Sprintf("Export '%s' is already %s; only pending and running exports can be cancelled", found["execution_id"], found["status"]),
			map[string]any{"execution_id": found["execution_id"], "status": found["status"]})
	}
	finish(found, "cancelled", "cancelled by request")
	return success(found)
}

func cancelExports(t task) envelope {
	cancelled := []export{}
	for _, e := range inOrder(t.store.exports) {
		if e["finished_at"] == nil {
			finish(e, "cancelled", "cancelled by request")
			cancelled = append(cancelled, e)
		}
	}
	return success(map[string]any{"items": cancelled})
}

func finish(e export, status, message string) {
	e["status"] = status
	e["finished_at"] = now()
	progress := plain(e["progress"]).(map[string]any)
	progress["message"] = message
	if status == "completed" {
		progress["percentage"] = 100
	}
	e["progress"] = progress
}

// session is what one MCP connection owns (spec 2.3).
type session struct {
	exports []string // ids of the exports it started
	id      string   // made when it is first shown
	client  string   // the name that the client gave itself
	claims  string   // the session that a client says it is; only kept by a fault
	cut     bool     // it ended without a word
	secret  string   // only kept by a fault
	marks   map[string]bool
	minute  time.Time // when its present minute began
	asked   int       // calls since then
}

// end drops what belongs to a session: its exports and backups must not be driven
// on by another session, its tokens confirm nothing any more (spec 2.3.3).
func (a *Adapter) end(s *session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, id := range s.exports {
		if e := a.store.exports[id]; e["finished_at"] == nil {
			finish(e, "cancelled", "session ended")
		}
	}
	s.exports = nil
	a.forget(s)
	a.abandon(s)
	a.leave(s)
}

func (s *store) exported(folderID, format string) string {
	notes := s.notesWhere(func(n note) bool { return n["folder_id"] == folderID })
	if format == "json" {
		return printed(notes)
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
