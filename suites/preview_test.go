package suites

import (
	"slices"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A dry run sends nothing that writes and says what the real one would do.
func TestPreview(t *testing.T) {
	a, err := stand.New(stand.Config{Mode: "all"})
	if err != nil {
		t.Fatal(err)
	}
	e := probes.NewEngine(wire.NewRecorder(), 5*time.Second, 8)
	defer e.Close()
	arrived := &tap{}
	if err := e.Open(t.Context(), "main", tapped(t, "stdio", a, arrived)); err != nil {
		t.Fatal(err)
	}
	f := model.NewAdapter(t.Context(), e, "main", model.Options{Nonce: "k3f9x2ab", May: model.Permissions{Create: true, Delete: true, DryRun: true}})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All()}, "")
	if err != nil {
		t.Fatal(err)
	}
	p.Effort = generated.Effort{Seed: 41, Phases: []string{"coverage", "negative"}, Examples: 2}
	v := p.Preview()
	if got := arrived.writes(); len(got) > 0 {
		t.Errorf("%d writes arrived: %v", len(got), got)
	}
	for _, want := range []plan.PlannedOperation{
		{Name: "create_folder", Category: "CREATE", Called: true, Why: "makes objects of our own; delete_folder removes them", Flag: ""},
		{Name: "delete_note", Category: "DELETE", Called: true, Why: "removes objects of our own", Flag: ""},
		{Name: "update_note", Category: "UPDATE", Called: false, Why: "permission to update", Flag: "--allow update"},
		{Name: "cancel_export", Category: "EXECUTE", Called: false, Why: "permission to execute", Flag: "--allow execute"},
		{Name: "get_note", Category: "READ", Called: true, Why: "reads", Flag: ""},
	} {
		if !slices.Contains(v.Operations, want) {
			t.Errorf("no %+v in %+v", want, v.Operations)
		}
	}
	if i := slices.IndexFunc(v.Areas, func(a plan.PlannedArea) bool { return a.Area == "routing" }); i < 0 || v.Areas[i].Requirements < 10 || v.Areas[i].Cases < v.Areas[i].Requirements {
		t.Errorf("routing is missing or small: %+v", v.Areas)
	}
	if len(v.Phases) != 2 || v.Phases[0].Name != "coverage" || v.Phases[0].Scripts == 0 {
		t.Errorf("phases %+v, want coverage and negative with scripts", v.Phases)
	}
}
