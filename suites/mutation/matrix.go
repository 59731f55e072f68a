// Package mutation proves the checks: each fault of the reference adapter has to be found by
// the requirement that it breaks, and by no other.
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

// A Matrix tries the checks on adapters of which it is known what they break: each
// has to be accused of that and of nothing else.
type Matrix struct {
	Checks  []*check.Check // the checks to prove
	Healthy []Mutant       // judged by all requirements that are selected
	Mutants []Mutant
	Run     []string // ids, globs of ids or areas of the requirements to break; none means all
	Whole   bool     // judge each mutant by all requirements, not by those of the area alone
	Jobs    int      // mutants tried at once
	Told    func()   // called after each; may be nil
}

// Size is how many adapters are tried. An error names a pattern that matches nothing.
func (m Matrix) Size() (int, error) {
	if err := (plan.Selection{Checks: m.Checks, Run: m.Run}).Validate(); err != nil {
		return 0, err
	}
	mutants := len(m.experiments()) - len(m.Healthy)
	if mutants == 0 && len(m.gaps(nil)) == 0 {
		return 0, fmt.Errorf("--run %q: nothing that it selects ever accuses an adapter", m.Run)
	}
	return len(m.Healthy) + mutants, nil
}

func (m Matrix) selects(row catalogue.Requirement) bool {
	return len(m.Run) == 0 || plan.MatchesAny(m.Run, row)
}

// aside says why a mutant is not tried; empty means that it is.
func (x Mutant) aside() string {
	row, known := catalogue.Lookup(x.Requirement)
	if x.Phase != "" {
		return "a defect for " + x.Phase + " input to find"
	}
	if known && row.State() != catalogue.Checked {
		return "its requirement is " + row.State()
	}
	return ""
}

// Prove tries all that is selected and fills in what came of it. When ctx ends, that
// is what was tried until then.
func (m Matrix) Prove(ctx context.Context, s *reports.Selftest) {
	experiments := m.experiments()
	m.tryAll(ctx, experiments)
	s.Again = again(ctx, experiments)
	s.Interrupted = ctx.Err() != nil
	m.fill(s, experiments)
}

// fill writes down what came of the experiments.
func (m Matrix) fill(s *reports.Selftest, experiments []*experiment) {
	s.SpecVersion, s.Catalogue, s.Selected = catalogue.SpecVersion, catalogue.CatalogueDigest(), slices.Clone(m.Run)
	for _, t := range experiments {
		switch {
		case !t.done: // what an interrupt met half done says nothing
		case t.Requirement == "":
			s.Healthy = append(s.Healthy, reports.Control{Adapter: t.Fault, Transport: t.Transport, Accused: t.proof.Others, Trouble: t.proof.Trouble})
		default:
			s.Proofs = append(s.Proofs, t.proof)
		}
	}
	for _, row := range catalogue.Catalogue {
		switch {
		case row.State() != catalogue.Checked || !m.selects(row):
		case row.Severity == "info":
			s.Mild++
		default:
			s.Checked++
		}
	}
	for _, x := range m.Mutants {
		if row, known := catalogue.Lookup(x.Requirement); x.aside() != "" && !(known && !m.selects(row)) {
			s.NotRun = append(s.NotRun, reports.NotRun{Requirement: x.Requirement, Fault: x.Fault, Why: x.aside()})
		}
	}
	s.Gaps = m.gaps(experiments)
}

// AnswersAbroad lists requirements on answers that the questions of their own area do not
// bring about, such as errors of all sorts. Their faults are judged by all.
var AnswersAbroad = []string{
	"AQL-5.1-04", "AQL-5.1-06", "AQL-5.1-07", "AQL-5.1-08", "AX-R4-05", "MCP-ERROR-05", "OPS-8.3-01",
}

// experiments are the adapters to try, the healthy ones first.
func (m Matrix) experiments() []*experiment {
	var experiments []*experiment
	for _, x := range m.Healthy {
		experiments = append(experiments, &experiment{Mutant: x, selection: plan.Selection{Checks: m.Checks, Run: m.Run}})
	}
	for _, x := range m.Mutants {
		row, known := catalogue.Lookup(x.Requirement)
		if x.aside() != "" || known && !m.selects(row) {
			continue
		}
		t := &experiment{Mutant: x, selection: plan.Selection{Checks: m.Checks}, proof: reports.Proof{Beside: "all"}}
		if known && !m.Whole && !slices.Contains(AnswersAbroad, row.ID) {
			t.selection.Run = append(x.Want(), row.Area)
			t.proof.Beside = "area"
		}
		experiments = append(experiments, t)
	}
	return experiments
}

// tryAll tries them, the first ones first.
func (m Matrix) tryAll(ctx context.Context, experiments []*experiment) {
	queue := make(chan *experiment)
	var workers sync.WaitGroup
	for range max(m.Jobs, 1) {
		workers.Go(func() {
			for t := range queue {
				t.try(ctx, callTime)
				if m.Told != nil {
					m.Told()
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

// gaps lists where nothing was tried, or not what would show that a check is blunt:
// each check has to be the only one to catch some fault.
func (m Matrix) gaps(experiments []*experiment) []reports.Gap {
	gaps := []reports.Gap{}
	for _, row := range catalogue.Catalogue {
		if row.State() != catalogue.Checked || row.Severity == "info" || !m.selects(row) {
			continue
		}
		if !slices.ContainsFunc(m.Mutants, func(x Mutant) bool { return x.Requirement == row.ID && x.aside() == "" }) {
			gaps = append(gaps, reports.Gap{Requirement: row.ID, Why: "no fault breaks it"})
			continue
		}
		for _, c := range m.Checks {
			if c.Requirement == row.ID && unnoticed(c, experiments) {
				gaps = append(gaps, reports.Gap{Requirement: row.ID, Why: "no fault is caught by one of its checks alone"})
			}
		}
	}
	return gaps
}

// unnoticed reports whether all faults of a check's requirement were tried and caught,
// and would be without the check.
func unnoticed(c *check.Check, experiments []*experiment) bool {
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

// Expected is the table of a run of the whole matrix in which all is as it should be.
// It is known before anything is tried: a proof is that trying gives the same.
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
