package suites

import (
	"context"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/loop"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// Each mode of the loop is right in its own way: what binds in one must not be asked
// of another. A loop that only counts conforms too; that it lets an agent go on after a
// failure is all that is to be said of it. A test run takes two of the modes.
func TestEveryLoopPasses(t *testing.T) {
	portion.Long(t)
	full := hintsFor(t, seam.Fault{Features: "all"})
	few := full
	few.Safety = fixtures.Safety{Agent: full.Safety.Agent, StepLimit: full.Safety.StepLimit, ApproveCmd: full.Safety.ApproveCmd}
	for i, c := range []struct {
		loop   string
		hints  fixtures.Hints
		warned []string
		proven []string
	}{
		{"monitoring", full, nil, []string{"AQL-8.6.2-01", "AQL-8.6.4-06", "AQL-8.6.4-07", "AQL-8.7.1-01"}},
		{"logging", full, nil, []string{"AQL-8.6.4-08", "AQL-8.6.3-02"}},
		{"disabled", full, nil, []string{"AQL-8.6.7-02", "AQL-8.6.7-03"}},
		{"counting", few, []string{"AQL-8.7.2-05"}, []string{"AQL-8.7.5-01", "AQL-8.7.5-03", "AQL-8.7.2-04", "AQL-8.6.7-04"}},
	} {
		if !portion.OneOf(i, 3) {
			continue
		}
		t.Run(c.loop, func(t *testing.T) {
			t.Parallel()
			r := judgedAs(t, stand.Config{Mode: "all", Features: offered(), Loop: c.loop}, inProcess, plan.Selection{Checks: All()}, c.hints)
			if got := r.Accused(); !slices.Equal(got, c.warned) {
				t.Errorf("accused of %v, want %v\n%s", got, c.warned, r.trace())
			}
			for _, f := range r.Findings {
				if slices.Contains(c.proven, f.Requirement) && f.Verdict != reports.Pass {
					t.Errorf("%s %s: want %s, got %s", f.Verdict, f.Requirement, f.Want, f.Got)
				}
			}
		})
	}
}

// Authors may have one agent, or two, and no others: then all scenes share them.
func TestLoopWithFewAgents(t *testing.T) {
	portion.Long(t)
	hints := hintsFor(t, seam.Fault{Features: "all"})
	hints.Safety.Agent.Names = []string{"planner", "critic"}
	r := judgedAs(t, stand.Config{Mode: "all", Features: offered()}, inProcess, plan.Selection{Checks: All(), Run: []string{"AQL-8.*", "response"}}, hints)
	if got := r.Accused(); len(got) != 0 {
		t.Errorf("accused of %v\n%s", got, r.trace())
	}
	for _, f := range r.Findings {
		if row := catalogue.MustLookup(f.Requirement); row.Area == "safety-loop" && f.Verdict == reports.NotProven {
			t.Errorf("NOT-PROVEN %s: want %s, got %s", f.Requirement, f.Want, f.Got)
		}
	}
}

// What was started is ended, though the run is interrupted while an agent is executing.
func TestNoAgentIsLeftExecuting(t *testing.T) {
	a, stand := standing(t, stand.Config{Mode: "all", Features: offered()}, inProcess)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	e := probes.NewEngine(wire.NewRecorder(), longestAnswer, 8)
	defer e.Close()
	stand.Configure(e)
	if err := e.Open(ctx, "main", stand.Main); err != nil {
		t.Fatal(err)
	}
	hints := hintsFor(t, seam.Fault{Features: "all"})
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: "k3f9x2ab", May: model.Permissions{Create: true, Update: true, Delete: true, Execute: true}, Hints: hints})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All(), Run: []string{"safety-loop"}}, "--cmd ./reference-adapter")
	if err != nil {
		t.Fatal(err)
	}
	interrupted := false
	e.OnAsked(func(int) {
		if !interrupted && len(loop.Executing(a)) > 0 {
			interrupted = true
			interrupt()
		}
	})
	p.Ask(ctx, e)
	if !interrupted {
		t.Error("no agent was ever executing")
	}
	if got := loop.Executing(a); len(got) != 0 {
		t.Errorf("%v are executing", got)
	}
}
