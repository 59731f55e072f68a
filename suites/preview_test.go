package suites

import (
	"slices"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// A dry run sends nothing that writes and says what the real one would do.
func TestPreview(t *testing.T) {
	a, err := adapter.New(adapter.Config{Mode: "all"})
	if err != nil {
		t.Fatal(err)
	}
	e := probes.NewEngine(wire.NewRecorder(), 5*time.Second, 8)
	defer e.Close()
	arrived := &tap{}
	if err := e.Open(t.Context(), "main", tapped(t, "stdio", a, arrived)); err != nil {
		t.Fatal(err)
	}
	f := NewFace(t.Context(), e, "main", Setting{Nonce: "k3f9x2ab", May: Permissions{Create: true, Delete: true, DryRun: true}})
	p, err := NewPlan([]*Face{f}, Selection{}, "")
	if err != nil {
		t.Fatal(err)
	}
	p.Effort = Effort{Seed: 41, Phases: []string{"coverage", "negative"}, Examples: 2}
	v := p.Preview()
	if got := arrived.writes(); len(got) > 0 {
		t.Errorf("%d writes arrived: %v", len(got), got)
	}
	for _, want := range []PlannedOperation{
		{"create_folder", "CREATE", true, "makes objects of our own; delete_folder removes them", ""},
		{"delete_note", "DELETE", true, "removes objects of our own", ""},
		{"update_note", "UPDATE", false, "permission to update", "--allow update"},
		{"cancel_export", "EXECUTE", false, "permission to execute", "--allow execute"},
		{"get_note", "READ", true, "reads", ""},
	} {
		if !slices.Contains(v.Operations, want) {
			t.Errorf("no %+v in %+v", want, v.Operations)
		}
	}
	if i := slices.IndexFunc(v.Areas, func(a PlannedArea) bool { return a.Area == "routing" }); i < 0 || v.Areas[i].Requirements < 10 || v.Areas[i].Cases < v.Areas[i].Requirements {
		t.Errorf("routing is missing or small: %+v", v.Areas)
	}
	if len(v.Phases) != 2 || v.Phases[0].Name != "coverage" || v.Phases[0].Scripts == 0 {
		t.Errorf("phases %+v, want coverage and negative with scripts", v.Phases)
	}
}
