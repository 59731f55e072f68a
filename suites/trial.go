package suites

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/mutation"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A Trial judges an adapter from within a program, such as the adapter's own tests.
// It asks and judges as the command does, in one endpoint mode and without a
// transcript. Only Target has to be set.
type Trial struct {
	Target    wire.Target
	Level     int            // conformance level asked for; 0 means 1
	May       Permissions    // the zero value only reads
	Hints     fixtures.Hints // what the author tells
	Selection Selection      // the zero value leaves nothing out
	Effort    Effort         // generated input; the zero value sends none
	Timeout   time.Duration  // for each call; 0 means 10 s
}

// What a trial may do, what it asks, and how much generated input it sends.
type (
	Permissions = model.Permissions
	Selection   = plan.Selection
	Effort      = generated.Effort
)

// The bounds of a trial that does not say otherwise; those of the command.
const (
	trialTimeout = 10 * time.Second
	trialJobs    = 16
)

// OwnObjects are the permissions that the command takes for an adapter it has started:
// to create, change and remove objects of its own, and nothing else.
func OwnObjects() Permissions {
	return Permissions{Create: true, Update: true, Delete: true}
}

// Run judges the adapter and leaves nothing running. The error says why nothing could
// be judged: a *wire.StartError, a selection that matches nothing, or that there is no
// MCP-AQL adapter. What an adapter does wrong is a finding of the report, and whether
// its level stands is the report's exit code.
func (t Trial) Run(ctx context.Context) (*reports.Report, error) {
	sel := t.Selection
	sel.Checks = All()
	timeout := t.Timeout
	if timeout == 0 {
		timeout = trialTimeout
	}
	started := time.Now()
	e := probes.NewEngine(wire.NewRecorder(), timeout, trialJobs)
	defer e.Close()
	e.AtMost(t.Effort.Requests)
	if err := e.Open(ctx, "main", t.Target); err != nil {
		return nil, err
	}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: strings.ToLower(rand.Text())[:8], May: t.May, TargetLevel: t.Level, Hints: t.Hints})
	if !f.SpeaksAQL() && f.Cut == "" && !check.UnreadableToolList(ctx, f, e) {
		return nil, fmt.Errorf("not an MCP-AQL adapter: none of its %d tools answers introspect", len(f.Tools))
	}
	got, err := mutation.RunPlan(ctx, f, e, sel, t.Effort, "--cmd ./my-adapter")
	if err != nil {
		return nil, err
	}
	run := reports.Run{
		Tool: "aql-conform", SpecVersion: catalogue.SpecVersion, Level: t.Level, Interrupted: ctx.Err() != nil,
		Started: started, Elapsed: time.Since(started), Asked: got.Record.Asked, Reach: got.Plan.Reach(got.Record),
	}
	if levels, _, cut := got.Plan.Beyond(max(t.Level, 1)); cut {
		run.Ungenerated = true
		if levels > 0 {
			run.Narrowed = []string{fmt.Sprintf("Effort.Requests %d", t.Effort.Requests)}
		}
	}
	for _, what := range append(f.HintMismatches(), got.UnmetExpectations...) {
		run.Remarks = append(run.Remarks, "hints: "+what)
	}
	for _, l := range got.Plan.Leftovers {
		run.Remarks = append(run.Remarks, l.String())
	}
	levels := reports.Conclude(run, catalogue.Rows(), got.Findings).Levels
	found := got.Plan.JudgeClaims(got.Findings, func(level int) reports.Standing { return levels[level-1].Standing })
	return reports.Conclude(run, catalogue.Rows(), found), nil
}
