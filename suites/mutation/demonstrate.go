package mutation

import (
	"cmp"
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/plan"
)

// Demonstrate judges the mutant by one requirement and returns the findings with evidence, the most
// severe first.
func (m Mutant) Demonstrate(ctx context.Context, checks []*check.Check, id string) ([]reports.Finding, error) {
	got, err := m.attempt(ctx, plan.Selection{Checks: checks, Run: []string{id}}, callTime)
	if err != nil {
		return nil, err
	}
	order := []reports.Verdict{reports.Fail, reports.Warn, reports.Pass}
	found := got.Findings
	for _, c := range got.Plan.Cases { // a report keeps the evidence of only one pass
		for _, f := range got.Plan.JudgeCase(c, got.Record) {
			if f.Verdict == reports.Pass {
				found = append(found, f)
			}
		}
	}
	found = slices.DeleteFunc(found, func(f reports.Finding) bool {
		return f.Requirement != id || len(f.Evidence) == 0 || !slices.Contains(order, f.Verdict)
	})
	slices.SortStableFunc(found, func(x, y reports.Finding) int {
		return cmp.Compare(slices.Index(order, x.Verdict), slices.Index(order, y.Verdict))
	})
	return found, nil
}
