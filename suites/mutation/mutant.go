package mutation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A Mutant is an adapter for testing the checks. It violates one requirement, or none.
type Mutant struct {
	Requirement string   // violated requirement; empty for a healthy adapter
	Fault       string   // name of the fault
	Also        []string // other requirements that it cannot avoid violating
	Phase       string   // phase of generated input that finds it; empty for ordinary checks
	Transport   string   // stdio or http
	Hints       fixtures.Hints
	Start       func() (TestServer, error)
}

// A TestServer is a running mutant with the commands and launches of a real adapter.
type TestServer struct {
	Main, Restarted, Limited wire.Target

	Command func(ctx context.Context, hint string, about map[string]string) (string, error) // runs a command of the hints file
	Wait    func(ctx context.Context, d time.Duration)                                      // simulates the passing of time
	Effects func() (foreign []string, left int)                                             // on objects that are not the run's own; nil where nobody can tell
	Sleep   func(time.Duration)                                                             // waits for what takes its time; nil where a tenth of it is enough
	Close   func()
}

// Want lists the requirements that must find the mutant, sorted.
func (m Mutant) Want() []string {
	if m.Requirement == "" {
		return nil
	}
	return slices.Sorted(slices.Values(append([]string{m.Requirement}, m.Also...)))
}

// Time limits of an attempt. Mutants run in this process, so an answer is lost after callTime
// unless the machine is busy.
const (
	callTime      = 2 * time.Second
	retryCallTime = 15 * time.Second // for an answer, in a retry and of a healthy stranger
	attemptTime   = 5 * time.Minute
)

// An Attempt is one complete run in one endpoint mode.
type Attempt struct {
	Plan              *plan.Plan
	Adapters          []*model.Adapter
	Findings          []reports.Finding
	Record            probes.Record
	UnmetExpectations []string // answers that differ from the hint expect
}

// Configure sets the commands, launches and waits of an engine.
func (s TestServer) Configure(e *probes.Engine) {
	if s.Command != nil { // else nobody stands beside the adapter
		e.Commands(s.Command)
		e.Offer("main", probes.Restarted, probes.Launch{Target: s.Restarted, Ends: true})
		e.Offer("main", probes.Limited, probes.Launch{Target: s.Limited})
		e.Waits(24*time.Hour, s.Wait)
	}
}

// Run runs the selected checks with the timeout each for an answer. An error means that there is no
// result.
func (s TestServer) Run(ctx context.Context, hints fixtures.Hints, sel plan.Selection, each time.Duration) (Attempt, error) {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	e := probes.NewEngine(wire.NewRecorder(), each, 8)
	defer e.Close()
	s.Configure(e)
	if err := e.Open(ctx, "main", s.Main); err != nil {
		return Attempt{}, fmt.Errorf("connect: %w", err)
	}
	sleep := s.Sleep
	if sleep == nil {
		sleep = briefly
	}
	may := model.Permissions{Create: true, Update: true, Delete: true, Execute: slices.Contains(hints.Permissions.Allow, "execute")}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: "k3f9x2ab", May: may, Hints: hints, Sleep: sleep})
	t, err := RunPlan(ctx, f, e, sel, generated.Effort{}, "--cmd ./reference-adapter")
	return t, cmp.Or(err, ctx.Err())
}

// briefly sleeps a tenth as long: a mutant changes what it changes at once, and where it
// takes longer a few milliseconds are enough.
func briefly(d time.Duration) { time.Sleep(d / 10) }

// RunPlan asks and judges the selected checks in one endpoint mode. An error means that the
// selection is empty; the objects of the discovery are removed then too.
func RunPlan(ctx context.Context, f *model.Adapter, e *probes.Engine, sel plan.Selection, effort generated.Effort, targetArgs string) (Attempt, error) {
	unmet := f.UnmetExpectations(ctx, e)
	p, err := plan.New([]*model.Adapter{f}, sel, targetArgs)
	if err != nil {
		(&plan.Plan{Adapters: []*model.Adapter{f}}).CleanUp(ctx, e)
		return Attempt{}, err
	}
	p.Effort = effort
	p.Ask(ctx, e)
	record := e.Record()
	return Attempt{p, p.Adapters, p.Judge(record), record, unmet}, nil
}

// Accused returns the requirements with a FAIL or WARN, sorted.
func (t Attempt) Accused() []string {
	var ids []string
	for _, f := range t.Findings {
		if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
			ids = append(ids, f.Requirement)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Killers returns the checks of a requirement with the most severe verdict.
func (t Attempt) Killers(id string) []*check.Check {
	var killers []*check.Check
	worst := reports.Warn
	for _, c := range t.Plan.Cases {
		if c.Check.Requirement != id || slices.Contains(killers, c.Check) {
			continue
		}
		for _, f := range t.Plan.JudgeCase(c, t.Record) {
			switch {
			case f.Verdict == reports.Fail && worst == reports.Warn:
				killers, worst = []*check.Check{c.Check}, reports.Fail
			case f.Verdict == worst && !slices.Contains(killers, c.Check):
				killers = append(killers, c.Check)
			}
		}
	}
	return killers
}

// attempt starts the mutant and runs the selected checks.
func (m Mutant) attempt(ctx context.Context, sel plan.Selection, each time.Duration) (Attempt, error) {
	server, err := m.Start()
	if err != nil {
		return Attempt{}, fmt.Errorf("%s: %w", m, err)
	}
	defer server.Close()
	t, err := server.Run(ctx, m.Hints, sel, each)
	if err != nil {
		return t, fmt.Errorf("%s: %w", m, err)
	}
	return t, nil
}

// String names the mutant.
func (m Mutant) String() string {
	if m.Requirement == "" {
		return cmp.Or(m.Fault, "healthy") + " over " + m.Transport
	}
	return m.Requirement + "." + m.Fault
}
