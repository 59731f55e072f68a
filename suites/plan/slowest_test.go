package plan

import (
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Unanswered calls and unlisted operations do not count.
func TestSlowest(t *testing.T) {
	f := &model.Adapter{Adapter: &probes.Adapter{Conn: "main", Operations: []probes.Operation{{Name: "get_note"}, {Name: "list_notes"}}}}
	seen := func(name string, ms int, outcome probes.Outcome) *probes.Kept {
		p := probes.Call("main", "mcp_aql_read", name, nil)
		return probes.Keep(probes.Observation{Probe: p, Elapsed: time.Duration(ms) * time.Millisecond, Outcome: outcome})
	}
	record := probes.Record{Observations: []*probes.Kept{
		seen("get_note", 4, probes.Success), seen("get_note", 40, probes.Failure), seen("list_notes", 7, probes.Success),
		seen("list_notes", 9000, probes.Silent), seen("no_such_operation", 500, probes.Failure),
	}}
	if got, want := SlowestCalls(f, record), "slowest calls: get_note 40ms, list_notes 7ms; the median of 3 is 7ms"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := SlowestCalls(f, probes.Record{}); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}
