package plan

import (
	"slices"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
)

// Claimed compares the level that each face states with what the findings of the
// whole run established, in place of what INT-4.1.1-10 could not know alone. The
// standing of a level is level's to say: 1 or 2 by number.
func (p *Plan) Claimed(found []reports.Finding, standing func(level int) reports.Standing) []reports.Finding {
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
		found[i] = p.Finding(c.Check, c.Subject, r)
		if found[i].Again != "" {
			found[i].Again, found[i].Replay, found[i].Raw = "aql-conform "+p.again, "", ""
		}
	}
	return found
}
