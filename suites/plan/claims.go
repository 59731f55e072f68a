package plan

import (
	"slices"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
)

// JudgeClaims compares the level that each endpoint mode states with the findings of the whole run.
// It replaces the findings of INT-4.1.1-10. standing returns the standing of level 1 or 2.
func (p *Plan) JudgeClaims(found []reports.Finding, standing func(level int) reports.Standing) []reports.Finding {
	for i, f := range found {
		if f.Requirement != "INT-4.1.1-10" || f.Verdict != reports.NotProven || f.RootCause != "" {
			continue
		}
		at := slices.IndexFunc(p.Cases, func(c *Case) bool {
			return c.Check.Requirement == f.Requirement && c.Subject.Adapter.Label+c.Subject.Name == f.Subject
		})
		if at < 0 {
			continue
		}
		c := p.Cases[at]
		n := check.StatedLevel(c.Subject.Adapter)
		if c.Subject.Ruling != nil || n < 1 {
			continue
		}
		r := check.JudgeClaim(n, standing(n), found)
		r.Evidence = c.Got()
		found[i] = p.Finding(c.Check, *c.Subject, r)
		if found[i].Again != "" {
			found[i].Again, found[i].Replay, found[i].Raw = "aql-conform "+p.targetArgs, "", ""
		}
	}
	return found
}
