// Package mutation tests the checks: each fault of the reference adapter must be found by the
// requirement that it violates, and by no other.
package mutation

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// A Matrix runs the checks on adapters with known faults. Each fault must be found, and nothing
// else.
type Matrix struct {
	Checks          []*check.Check // checks to test
	Healthy         []Mutant       // run with all selected requirements
	Mutants         []Mutant
	Run             []string // ids, areas or globs of ids to select; none means all
	AllRequirements bool     // run each mutant with all requirements, not only those of its area
	Jobs            int      // concurrent experiments
	OnResult        func()   // called after each experiment; may be nil
}

// Size is the number of experiments. An error names a pattern that matches nothing.
func (m Matrix) Size() (int, error) {
	if err := (plan.Selection{Checks: m.Checks, Run: m.Run}).Validate(); err != nil {
		return 0, err
	}
	mutants := len(m.experiments()) - len(m.Healthy)
	if mutants == 0 && len(m.gaps(nil)) == 0 {
		return 0, fmt.Errorf("--run %q: no selected requirement can fail an adapter, so there is no fault to plant", m.Run)
	}
	return len(m.Healthy) + mutants, nil
}

func (m Matrix) selects(row catalogue.Requirement) bool {
	return len(m.Run) == 0 || plan.MatchesAny(m.Run, row)
}

// notRunReason says why a mutant is not run; "" if it is.
func (x Mutant) notRunReason() string {
	row, known := catalogue.Lookup(x.Requirement)
	if x.Phase != "" {
		return "a defect for " + x.Phase + " input to find"
	}
	if known && row.State() != catalogue.Checked {
		return "its requirement is " + row.State()
	}
	return ""
}

// Prove runs the selected experiments and records the results in s. If ctx ends, the results so far
// are recorded.
func (m Matrix) Prove(ctx context.Context, s *reports.Selftest) {
	experiments := m.experiments()
	m.runAll(ctx, experiments)
	s.Again = retryWrong(ctx, experiments)
	s.Interrupted = ctx.Err() != nil
	m.fill(s, experiments)
}

// fill records the results of the experiments.
func (m Matrix) fill(s *reports.Selftest, experiments []*experiment) {
	s.SpecVersion, s.Catalogue, s.Selected = catalogue.SpecVersion, catalogue.CatalogueDigest(), slices.Clone(m.Run)
	for _, t := range experiments {
		switch {
		case !t.done: // interrupted: no result
		case t.Requirement == "":
			s.Healthy = append(s.Healthy, reports.Control{Adapter: t.Fault, Transport: t.Transport, Accused: t.proof.Others, Trouble: t.proof.Trouble})
		default:
			s.Proofs = append(s.Proofs, t.proof)
		}
	}
	for _, row := range catalogue.All() {
		switch {
		case row.State() != catalogue.Checked || !m.selects(row):
		case row.Severity == "info":
			s.Mild++
		default:
			s.Checked++
		}
	}
	for _, x := range m.Mutants {
		if row, known := catalogue.Lookup(x.Requirement); x.notRunReason() != "" && !(known && !m.selects(row)) {
			s.NotRun = append(s.NotRun, reports.NotRun{Requirement: x.Requirement, Fault: x.Fault, Why: x.notRunReason()})
		}
	}
	s.Gaps = m.gaps(experiments)
}

// NeedAllRequirements lists requirements on answers that the requests of their own area do not
// cause, such as errors of all kinds. Their mutants run with all requirements.
var NeedAllRequirements = []string{
	"AQL-5.1-04", "AQL-5.1-06", "AQL-5.1-07", "AQL-5.1-08", "AX-R4-05", "MCP-ERROR-05", "MCP-RESULT-04", "OPS-8.3-01",
}

// experiments returns the adapters to run, healthy ones first.
func (m Matrix) experiments() []*experiment {
	var experiments []*experiment
	for _, x := range m.Healthy {
		experiments = append(experiments, &experiment{Mutant: x, selection: plan.Selection{Checks: m.Checks, Run: m.Run}})
	}
	for _, x := range m.Mutants {
		row, known := catalogue.Lookup(x.Requirement)
		if x.notRunReason() != "" || known && !m.selects(row) {
			continue
		}
		t := &experiment{Mutant: x, selection: plan.Selection{Checks: m.Checks}, proof: reports.Proof{Beside: "all"}}
		if known && !m.AllRequirements && !slices.Contains(NeedAllRequirements, row.ID) {
			t.selection.Run = append(x.Want(), row.Area)
			t.proof.Beside = "area"
		}
		experiments = append(experiments, t)
	}
	return experiments
}

// runAll runs the experiments in order.
func (m Matrix) runAll(ctx context.Context, experiments []*experiment) {
	queue := make(chan *experiment)
	var workers sync.WaitGroup
	for range max(m.Jobs, 1) {
		workers.Go(func() {
			for t := range queue {
				t.run(ctx, callTime)
				if m.OnResult != nil {
					m.OnResult()
				}
			}
		})
	}
	for _, t := range experiments {
		if ctx.Err() == nil {
			queue <- t
		}
	}
	close(queue)
	workers.Wait()
}

// gaps lists requirements that no fault violates, and checks that are not the only one to find some
// fault.
func (m Matrix) gaps(experiments []*experiment) []reports.Gap {
	gaps := []reports.Gap{}
	for _, row := range catalogue.All() {
		if row.State() != catalogue.Checked || row.Severity == "info" || !m.selects(row) {
			continue
		}
		if !slices.ContainsFunc(m.Mutants, func(x Mutant) bool { return x.Requirement == row.ID && x.notRunReason() == "" }) {
			gaps = append(gaps, reports.Gap{Requirement: row.ID, Why: "no fault breaks it"})
			continue
		}
		for _, c := range m.Checks {
			if c.Requirement == row.ID && isRedundant(c, experiments) {
				gaps = append(gaps, reports.Gap{Requirement: row.ID, Why: "no fault is caught by one of its checks alone"})
			}
		}
	}
	return gaps
}

// isRedundant reports whether all faults of a check's requirement are also found without the check.
func isRedundant(c *check.Check, experiments []*experiment) bool {
	tried := false
	for _, t := range experiments {
		switch {
		case t.Requirement != c.Requirement:
		case !t.done || !t.proof.Caught || len(t.killers) == 1 && t.killers[0] == c:
			return false
		default:
			tried = true
		}
	}
	return tried
}

// Expected returns the table of a perfect run of the whole matrix, without running it.
func (m Matrix) Expected() *reports.Selftest {
	m.Run = nil
	experiments := m.experiments()
	for _, x := range experiments {
		x.done = true
		x.compare(x.Want())
	}
	s := &reports.Selftest{}
	m.fill(s, experiments)
	s.Gaps = []reports.Gap{}
	return s
}
