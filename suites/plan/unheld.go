package plan

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// offersNothing excuses an adapter from a requirement without a condition.
const offersNothing = "the adapter offers nothing this row is about"

// conclude completes the findings of a run.
func conclude(found []reports.Finding) []reports.Finding { return markRootCauses(dropUnheld(found)) }

// dropUnheld drops that the condition of a requirement does not hold where another check of the requirement
// found a subject: one check without a subject says nothing of the adapter.
func dropUnheld(found []reports.Finding) []reports.Finding {
	unheld := func(f reports.Finding) bool {
		if f.Verdict != reports.NotApplicable || !strings.HasSuffix(f.Subject, "adapter") {
			return false
		}
		when := catalogue.MustLookup(f.Requirement).When
		return f.Note == offersNothing || when != nil && f.Note == "does not hold: "+*when
	}
	type place struct{ requirement, label string }
	placeOf := func(f reports.Finding) place {
		label, _, labelled := strings.Cut(f.Subject, ": ") // of the other endpoint mode
		if !labelled {
			label = ""
		}
		return place{f.Requirement, label}
	}
	held := map[place]bool{}
	for _, f := range found {
		if f.Verdict != reports.Skipped && !unheld(f) {
			held[placeOf(f)] = true
		}
	}
	return slices.DeleteFunc(found, func(f reports.Finding) bool { return unheld(f) && held[placeOf(f)] })
}
