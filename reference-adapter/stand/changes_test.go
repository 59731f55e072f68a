package stand

import (
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// besideTheWire picks the faults that show only when somebody does something beside
// the wire, the adapter is launched in another way, or is behind authorization.
func besideTheWire(f seam.Fault) bool {
	return f.Authorization || slices.Contains([]string{"OPS-8.1-06", "AQL-2.3.3-03", "MCP-NOTIFY-02"}, f.ID)
}

// afterWord runs a session after one that the operator has seen, and returns its lines.
func afterWord(t *testing.T, cfg Config, word string, questions ...string) []string {
	t.Helper()
	cfg.State = t.TempDir()
	a, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	talk(t, a, settings[0].messages(questions))
	if _, err := adapter.Operate(cfg.State, word, nil); err != nil {
		t.Fatal(err)
	}
	return talk(t, a, settings[0].messages(questions))
}

func TestOperatorChangesTheOperations(t *testing.T) {
	list := `INTRO {"operation":"introspect","params":{"query":"operations"}}`
	for fault, want := range map[string]bool{"": true, "AQL-2.3.3-03.stale-listing-across-sessions": false} {
		lines := afterWord(t, Config{Fault: fault}, "reconfigure", list)
		if got := strings.Contains(lines[1], "get_newest_note"); got != want {
			t.Errorf("%s: the new operation listed: %t, want %t", fault, got, want)
		}
	}
}

func TestOperatorChangesTheTools(t *testing.T) {
	for fault, want := range map[string]bool{"": true, "MCP-NOTIFY-02.change-not-notified": false} {
		cfg := Config{Fault: fault, Features: "usual,tools-list-changed", State: t.TempDir()}
		a, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		a.Hooks.Answer = func(x *adapter.Exchange) { // the operator acts while the session is open
			if x.Original["method"] == "initialize" {
				if _, err := adapter.Operate(cfg.State, "change-tools", nil); err != nil {
					t.Error(err)
				}
			}
		}
		lines := strings.Join(talk(t, a, settings[0].messages([]string{`tools/list {}`})), "\n")
		if !strings.Contains(lines, "notes_greeting_1") {
			t.Errorf("%s: no new tool: %s", fault, lines)
		}
		if got := strings.Contains(lines, "notifications/tools/list_changed"); got != want {
			t.Errorf("%s: notified: %t, want %t", fault, got, want)
		}
	}
}

func TestRateLimitIsMet(t *testing.T) {
	for fault, want := range map[string]string{"": "RATE_LIMIT_EXCEEDED", "OPS-8.1-06.rate-limit-generic-code": "ERROR"} {
		a, err := New(Config{Fault: fault, Rate: 1})
		if err != nil {
			t.Fatal(err)
		}
		list := `READ {"operation":"list_folders"}`
		lines := talk(t, a, settings[0].messages([]string{list, list}))
		if got := adapter.Object(envelopeOf(t, lines[2])["error"])["code"]; got != want {
			t.Errorf("%s: code %v, want %s", fault, got, want)
		}
	}
}
