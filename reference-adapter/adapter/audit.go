package adapter

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"
)

// auditSize is the size of the audit trail, in bytes, from which on it is begun anew. The
// part before stays readable until the next one is full.
const auditSize = 24 << 10

// The audit trail is for the person beside the adapter: a file in the state folder with
// one entry a line.
func trail(state, part string) string { return filepath.Join(state, "audit."+part) }

// Audit adds an entry with the session that it is about (spec 2.3.5). Without a state
// folder nobody could read it.
func (a *Adapter) Audit(s *Session, event string, about map[string]any) {
	if a.State == "" || s == nil || !a.remembers() {
		return
	}
	entry := map[string]any{"time": a.Clock().UTC().Format(time.RFC3339Nano), "event": event, "session_id": s.Identity()}
	maps.Copy(entry, about)
	if a.Hooks.Audited != nil && !a.Hooks.Audited(entry) {
		return
	}
	raw, err := json.Marshal(entry)
	Must(err)
	Must(os.MkdirAll(a.State, 0o700))
	if info, err := os.Stat(trail(a.State, "log")); err == nil && info.Size() > auditSize {
		Must(os.Rename(trail(a.State, "log"), trail(a.State, "old")))
	}
	f, err := os.OpenFile(trail(a.State, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	Must(err)
	_, err = f.Write(append(raw, '\n'))
	Must(err)
	Must(f.Close())
}

// audited records a call that was refused.
func (c Call) audited(e Envelope) Envelope {
	if reason, failed := e["error"].(map[string]any); failed {
		c.Audit(c.Session, "refused", map[string]any{"operation": c.Operation(), "code": reason["code"]})
	}
	return e
}

func init() {
	Operators["audit"] = func(state string, _ map[string]string) (string, error) {
		if state == "" {
			return "", fmt.Errorf("no state folder")
		}
		var all []byte
		for _, part := range []string{"old", "log"} {
			raw, _ := os.ReadFile(trail(state, part)) // a trail without entries has no file
			all = append(all, raw...)
		}
		return string(all), nil
	}
}
