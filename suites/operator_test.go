package suites

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// What the author lets us do beside the wire proves rows that nothing else proves,
// over each transport that can show them.
func TestTheAuthorsCommandsProve(t *testing.T) {
	over := map[string]func(*adapter.Adapter) wire.Target{"stdio": inProcess, "http": overHTTP(t)}
	hints := hintsFor(t, seam.Fault{Features: "all"})
	for _, want := range []struct{ transport, requirement, verdict string }{
		{"stdio", "OPS-8.1-06", "PASS"}, {"stdio", "MCP-NOTIFY-02", "PASS"}, {"stdio", "AQL-2.3.3-03", "NOT-APPLICABLE"},
		{"http", "OPS-8.1-06", "PASS"}, {"http", "MCP-NOTIFY-02", "NOT-PROVEN"}, {"http", "AQL-2.3.3-03", "PASS"},
	} {
		t.Run(want.transport+"/"+want.requirement, func(t *testing.T) {
			t.Parallel()
			r := judgedAs(t, stand.Config{Mode: "all", Features: "usual,tools-list-changed"}, over[want.transport], plan.Selection{Checks: All(), Run: []string{want.requirement}}, hints)
			if len(r.Findings) == 0 {
				t.Error("no finding")
			}
			for _, f := range r.Findings {
				if f.Requirement == want.requirement && f.Verdict != reports.Verdict(want.verdict) {
					t.Errorf("%s: want %s, got %s", f.Verdict, f.Want, f.Got)
				}
			}
		})
	}
}
