package suites

import (
	"context"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reports"
)

// played sends generated input alone to the reference adapter.
func played(t testing.TB, cfg adapter.Config, effort Effort) *Plan {
	t.Helper()
	a, err := adapter.New(cfg)
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
	f := NewFace(ctx, e, "main", Setting{Nonce: "k3f9x2ab", May: Permissions{Create: true, Update: true, Delete: true}})
	p, err := NewPlan([]*Face{f}, Selection{}, "--cmd ./reference-adapter")
	if err != nil {
		t.Fatal(err)
	}
	p.Effort = effort
	p.generate(ctx, e)
	return p
}

var fullEffort = Effort{Seed: 41, Phases: Phases(), Examples: 20, Time: time.Minute}

// Generated input accuses no healthy adapter.
func TestGeneratedInputSparesTheHealthy(t *testing.T) {
	for _, profile := range []string{"crude", "alternative"} {
		p := played(t, adapter.Config{Mode: "all", Profile: profile}, fullEffort)
		if len(p.trials) < 50 {
			t.Errorf("%s: only %d scripts", profile, len(p.trials))
		}
		t.Logf("%s: %d scripts", profile, len(p.trials))
		for _, f := range p.fromGenerated(nil) {
			t.Errorf("%s %s %s: want %s, got %s (%s)", f.Verdict, f.Requirement, f.Subject, f.Want, f.Got, f.Note)
			for _, x := range f.Evidence {
				t.Logf("    sent %s\n    said %s", x.Asked, x.Said)
			}
		}
		_ = reports.Fail
	}
}
