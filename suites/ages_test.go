package suites

import (
	"cmp"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/faults"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/mutation"
	"github.com/aql-conform/aql-conform/suites/plan"
	diff "github.com/google/go-cmp/cmp"
)

// The settings beside that of the kill matrix, which is the newest revision over stdio.
var ages = []struct{ revision, transport string }{
	{wire.DefaultRevision, "stdio"}, {"2025-06-18", "http"}, {"", "http"}, {"2025-06-18", "stdio"}, {wire.DefaultRevision, "http"},
}

// shownSince has the first revision over which a fault can show, where not all can show it.
var shownSince = map[string]string{
	"MCP-ERROR-04/bad-arguments-rpc-error": "2025-11-25", // before, either form of a refusal was right
	"MCP-LIFE-04/no-removals-in-sessions":  "2026-07-28", // a run makes nothing that it cannot remove, so it would have no removals to compare
}

// shownNot has the faults that cannot show over HTTP without sessions, which is the newest revision.
var shownNot = map[string]bool{
	"INT-7.3-05/lazy-operation-registration":  true, // each request is a session of its own
	"MCP-ERROR-01/tools-told-by-prefix":       true,
	"MCP-ERROR-01/tools-told-by-suffix":       true,
	"MCP-ERROR-01/unknown-tool-falls-through": true, // the header has the name that was asked for, and the SDK refuses another one in the body
}

// Each fault is caught over the MCP revisions with sessions and over HTTP as well, by its own
// requirement and no other of its area.
func TestFaultsOverBothAges(t *testing.T) {
	for i, fault := range faults.All() {
		row, known := catalogue.Lookup(fault.ID)
		if fault.Phase != "" || !known || row.State() != catalogue.Checked {
			continue
		}
		for j, age := range ages {
			if fault.Transport != "" && fault.Transport != age.transport || !portion.OneOf(i*len(ages)+j, 500) {
				continue
			}
			name := fault.ID + "/" + fault.Variant
			if age.revision != "" && age.revision < shownSince[name] || age.revision == "" && age.transport == "http" && shownNot[name] {
				continue
			}
			t.Run(cmp.Or(age.revision, "newest")+"/"+age.transport+"/"+name, func(t *testing.T) {
				t.Parallel()
				reached := inProcess
				if age.transport == "http" {
					reached = overHTTP(t)
				}
				target := func(a *adapter.Adapter) wire.Target {
					t := reached(a)
					t.Revision = age.revision
					return t
				}
				want := mutation.Mutant{Requirement: fault.ID, Also: fault.Also}.Want()
				sel := plan.Selection{Checks: All()}
				if !slices.Contains(mutation.NeedAllRequirements, row.ID) {
					sel.Run = append(slices.Clone(want), row.Area)
				}
				r := judged(t, stand.Config{Mode: cmp.Or(fault.Mode, "all"), Profile: fault.Profile, Fault: fault.ID + "." + fault.Variant}, target, sel)
				if d := diff.Diff(want, r.Accused()); d != "" {
					t.Errorf("%s\naccused (-want +got):\n%s\n%s", fault.Defect, d, r.trace(fault.ID))
				}
			})
		}
	}
}
