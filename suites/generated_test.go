package suites

import (
	"context"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// played sends generated input alone to the reference adapter.
func played(t testing.TB, cfg stand.Config, effort generated.Effort) *plan.Plan {
	t.Helper()
	a, err := stand.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	e := probes.NewEngine(wire.NewRecorder(), longestAnswer, 8)
	defer e.Close()
	if err := e.Open(ctx, "main", inProcess(a)); err != nil {
		t.Fatal(err)
	}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: "k3f9x2ab", May: model.Permissions{Create: true, Update: true, Delete: true}})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All()}, "--cmd ./reference-adapter")
	if err != nil {
		t.Fatal(err)
	}
	p.Effort = effort
	p.Generate(ctx, e)
	return p
}

var fullEffort = generated.Effort{Seed: 41, Phases: generated.Phases(), Examples: 20, Time: time.Minute}

// Generated input accuses no healthy adapter.
func TestGeneratedInputSparesTheHealthy(t *testing.T) {
	portion.InTurn(t)
	for _, profile := range []string{"crude", "alternative"} {
		p := played(t, stand.Config{Mode: "all", Profile: profile}, fullEffort)
		if p.Scripts < 50 {
			t.Errorf("%s: only %d scripts", profile, p.Scripts)
		}
		t.Logf("%s: %d scripts", profile, p.Scripts)
		for _, f := range p.FromGenerated(nil) {
			t.Errorf("%s %s %s: want %s, got %s (%s)", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got, f.Note)
			for _, x := range f.Evidence {
				t.Logf("    sent %s\n    said %s", x.Asked, x.Said)
			}
		}
		_ = reports.Fail
	}
}
