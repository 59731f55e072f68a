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

// A Mutant is an adapter on which the checks are tried: it breaks one requirement, or
// none.
type Mutant struct {
	Requirement string   // that it breaks; empty for a healthy adapter
	Fault       string   // what it is called among the faults of the requirement
	Also        []string // requirements that it cannot leave alone
	Phase       string   // the kind of generated input that finds it; empty where ordinary checks do
	Transport   string   // stdio or http
	Hints       fixtures.Hints
	Begin       func() (Stand, error)
}

// A Stand is a mutant that runs, with what stands beside a real adapter.
type Stand struct {
	Main, Restarted, Limited wire.Target

	Command func(ctx context.Context, hint string, about map[string]string) (string, error) // does what a command of the hints file does
	Wait    func(ctx context.Context, d time.Duration)                                      // lets time pass
	Close   func()
}

// Want lists the requirements that the mutant is to be accused of, sorted.
func (m Mutant) Want() []string {
	if m.Requirement == "" {
		return nil
	}
	return slices.Sorted(slices.Values(append([]string{m.Requirement}, m.Also...)))
}

// Bounds of an attempt. Mutants run in this process, so an answer that is not there after
// callTime will not come, unless the machine is busy with other things.
const (
	callTime    = 2 * time.Second
	longCall    = 15 * time.Second // for an answer, at the second attempt
	attemptTime = 5 * time.Minute
)

// An Attempt is one run of the whole line in one endpoint mode, as the command does it.
type Attempt struct {
	Plan     *plan.Plan
	Faces    []*model.Adapter
	Findings []reports.Finding
	Record   probes.Record
	Unmet    []string // what the author expected and was not so
}

// Attend puts beside a mutant what the command puts beside a real adapter.
func (s Stand) Attend(e *probes.Engine) {
	e.Commands(s.Command)
	e.Offer("main", probes.Restarted, probes.Launch{Target: s.Restarted, Ends: true})
	e.Offer("main", probes.Limited, probes.Launch{Target: s.Limited})
	e.Waits(24*time.Hour, s.Wait)
}

// Tried runs the checks that are selected, and waits for each answer as long as given.
// An error means that nothing can be said of the checks.
func (s Stand) Tried(ctx context.Context, hints fixtures.Hints, sel plan.Selection, each time.Duration) (Attempt, error) {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	e := probes.NewEngine(wire.NewRecorder(), each, 8)
	defer e.Close()
	s.Attend(e)
	if err := e.Open(ctx, "main", s.Main); err != nil {
		return Attempt{}, fmt.Errorf("connect: %w", err)
	}
	may := model.Permissions{Create: true, Update: true, Delete: true, Execute: slices.Contains(hints.Permissions.Allow, "execute")}
	f := model.NewAdapter(ctx, e, "main", model.Options{Nonce: "k3f9x2ab", May: may, Hints: hints})
	t, err := TryOn(ctx, f, e, sel, generated.Effort{}, "--cmd ./reference-adapter")
	return t, cmp.Or(err, ctx.Err())
}

// TryOn asks and judges what is selected of the face. An error means that the selection
// leaves nothing to judge; what was made to find out which requests work is removed then
// too.
func TryOn(ctx context.Context, f *model.Adapter, e *probes.Engine, sel plan.Selection, effort generated.Effort, again string) (Attempt, error) {
	unmet := f.UnmetExpectations(ctx, e)
	p, err := plan.New([]*model.Adapter{f}, sel, again)
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

// Killers returns the checks of a requirement that accused most severely.
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

// attempt begins the mutant and runs the selected checks against it.
func (m Mutant) attempt(ctx context.Context, sel plan.Selection, each time.Duration) (Attempt, error) {
	stand, err := m.Begin()
	if err != nil {
		return Attempt{}, fmt.Errorf("%s: %w", m, err)
	}
	defer stand.Close()
	t, err := stand.Tried(ctx, m.Hints, sel, each)
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
