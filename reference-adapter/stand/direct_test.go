package stand

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/reference-adapter/faults/wire"
)

// Over stdio plain calls are answered without the MCP server. The answers are the bytes of the server, except for
// the time of day, with a handshake and without one.
func TestDirectAnswersAreThoseOfTheServer(t *testing.T) {
	clock := regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`)
	script := slices.DeleteFunc(slices.Concat([]string{`ping {}`}, rawQuestions(), heavyQuestions()), func(line string) bool {
		return strings.Contains(line, wire.ModernEra)
	})
	// The server ignores spaces in _meta, and the adapter compares bytes. So each of these calls goes to the server.
	saying := func(messages, meta string) string {
		var out strings.Builder
		for i, line := range strings.SplitAfter(messages, "\n") {
			out.WriteString(strings.Replace(line, `"params":{"name":`, `"params":{"_meta":`+strings.ReplaceAll(meta, "}}", "}"+strings.Repeat(" ", i)+"}")+`,"name":`, 1))
		}
		return out.String()
	}
	const modern = `{"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"}}`
	for _, s := range settings {
		messages := s.messages(script)
		_, calls, _ := strings.Cut(messages, "notifications/initialized\"}\n")
		said := strings.ReplaceAll(calls, `"params":{"name":`, `"params":{"_meta":`+modern+`,"name":`)
		for age, session := range map[string][2]string{
			"2025-11-25": {messages, saying(messages, `{"zz":{}}`)},
			"2026-07-28": {said, saying(calls, modern)},
		} {
			t.Run(fmt.Sprint(s.mode, " ", s.profile, " ", age), func(t *testing.T) {
				a, _ := New(Config{Mode: s.mode, Profile: s.profile})
				b, _ := New(Config{Mode: s.mode, Profile: s.profile})
				lines, want := talk(t, a, session[0]), talk(t, b, session[1])
				if len(lines) != len(want) || len(lines) < len(script)-6 {
					t.Fatalf("%d answers without the server, %d with it", len(lines), len(want))
				}
				results := 0
				for i, line := range lines {
					if clock.ReplaceAllString(line, "") != clock.ReplaceAllString(want[i], "") {
						t.Errorf("answer %d\n%.300s\n%.300s", i, line, want[i])
					}
					var m map[string]json.RawMessage
					if json.Unmarshal([]byte(line), &m) == nil && m["result"] != nil {
						results++
					}
				}
				if results < len(script)/2 {
					t.Errorf("%d of %d calls have a result", results, len(script))
				}
			})
		}
	}
}
