package plan

import (
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// markRootCauses groups failures with the same evidence group and subject. The first in the
// catalogue is the root cause of the others.
func markRootCauses(found []reports.Finding) []reports.Finding {
	type cause struct{ group, subject string }
	first := map[cause]string{}
	for _, f := range found {
		row := catalogue.MustLookup(f.Requirement)
		key := cause{row.Group, f.Subject}
		if f.Verdict != reports.Fail || f.RootCause != "" || row.Group == "" {
			continue
		}
		if known, ok := first[key]; !ok || catalogue.Position(row.ID) < catalogue.Position(known) {
			first[key] = row.ID
		}
	}
	for i, f := range found {
		root := first[cause{catalogue.MustLookup(f.Requirement).Group, f.Subject}]
		if f.Verdict == reports.Fail && f.RootCause == "" && root != "" && root != f.Requirement {
			found[i].RootCause = root
		}
	}
	return found
}
