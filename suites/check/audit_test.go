package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// printed is a trail that a command printed.
func printed(text string) probes.Observation {
	answer := probes.ValueOf(map[string]any{"jsonrpc": "2.0", "id": 0, "result": map[string]string{"output": text}})
	return probes.Classify(probes.Command("main", AuditCommand, nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: answer.Raw()}})
}

func TestNewAuditEntries(t *testing.T) {
	for name, c := range map[string]struct {
		before, after string
		want          []string
	}{
		"lines":                        {"a\nb", "a\nb\nc", []string{"c"}},
		"nothing new":                  {"a\nb\n", "a\nb", nil},
		"latest entries alone":         {"a\nb\nc", "b\nc\nd", []string{"d"}},
		"latest first":                 {"b\na", "c\nb\na", []string{"c"}},
		"the same line again":          {"denied", "denied\ndenied", []string{"denied"}},
		"a list":                       {`[{"n":1}]`, `[{"n":2}, {"n":1}]`, []string{`{"n":2}`}},
		"a list in an object":          {`{"entries":[],"total":0}`, `{"entries":[{"n":1}],"total":1}`, []string{`{"n":1}`}},
		"an empty trail":               {"", "x", []string{"x"}},
		"a document cut at its start":  {"", strings.Repeat("x", longestEntry+1), nil},
		"a first line that is cut off": {"", strings.Repeat("x", 7000) + "\n" + strings.Repeat(strings.Repeat("y", 6999)+"\n", 8) + "z", append(slices.Repeat([]string{strings.Repeat("y", 6999)}, 8), "z")},
	} {
		if got := NewAuditEntries(printed(c.before), printed(c.after)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestNamesSession(t *testing.T) {
	for entry, want := range map[string]bool{
		`{"session_id":"s-1"}`: true, `sessionId=7f`: true, `{"mcp-session-id": "x"}`: true, `sid: 12`: true, `denied in session 7`: true,
		`{"session_id":null}`: false, `session=none user=x`: false, `session closed by peer`: false, `{"session":""}`: false, `user=x op=y`: false,
	} {
		if NamesSession(entry) != want {
			t.Errorf("%s: %v", entry, !want)
		}
	}
}
