package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// blockedIn returns the reports of the agent that the scene has blocked, the first of
// which was answered with the stop; ok is false where it was not.
func blockedIn(s Subject, got []probes.Observation) (reports []stepReport, r Ruling, ok bool) {
	if r, ok := directed(got); !ok {
		return nil, r, false
	}
	reports = reportsOf(got, stopScene, 0)
	if len(reports) == 0 || !reports[0].stopped() || reports[0].goesOn() {
		return nil, NotProven("a hard block by the action of safety.deny_hint", "none").By(got[0]).Because("AQL-8.7.2-08"), false
	}
	return reports, Ruling{}, true
}

// Section 8.6.4. A stop that one more report undoes has stopped nobody.
var _ = register(Check{
	Requirement: "AQL-8.6.4-04",
	On:          inLoop([]string{enforcing}, "safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       intoBlock,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		reports, r, ok := blockedIn(s, got)
		if !ok {
			return r
		}
		if len(reports) < 2 {
			return NotProven("a report after the stop", "none")
		}
		next := reports[1]
		switch {
		case next.goesOn():
			return Violates("no way on after a stop", "continue true").By(next.o, reports[0].o)
		case next.o.Succeeded() && next.paused() && !next.stopped():
			return Departs("stopped true as long as the agent is blocked", "a pause").By(next.o, reports[0].o)
		case next.o.Succeeded() && next.directive.Is(probes.Absent):
			return NotProven("a directive or a refusal", next.o)
		}
		return Conforms().By(next.o, reports[0].o)
	},
	Fix: "refuse the reports of a blocked agent until it is unblocked",
})

// Section 8.6.4. A pause that asking again ends is no pause: models ask again.
var _ = register(Check{
	Requirement: "AQL-8.6.4-05",
	On:          inLoop([]string{enforcing}, "safety.approval_hint"),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		alongPatterns(s, ask)
		untilPaused(s, ask)
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		return Worst(staysPaused(s, got), staysAtLimit(s, got))
	},
	Fix: "keep the agent paused until a person has let the action pass",
})

// staysPaused rules on the action that needs approval, reported twice.
func staysPaused(s Subject, got []probes.Observation) Ruling {
	asked := withHint(reportsOf(got, patternScene, 0), s.Hints.Safety.ApprovalHint)
	switch {
	case len(asked) < 2 || !asked[0].paused():
		return NotProven("a pause by the action of safety.approval_hint", "none").Because("AQL-8.7.2-09")
	case asked[1].goesOn():
		return Violates("the same pause for the same report", "continue true").By(asked[1].o, asked[0].o)
	}
	return Conforms().By(asked[1].o, asked[0].o)
}

// staysAtLimit rules on what was reported after the limit was exceeded: it holds for
// any action.
func staysAtLimit(s Subject, got []probes.Observation) Ruling {
	reports := reportsOf(got, limitScene, 0)
	i := slices.IndexFunc(reports, stepReport.paused)
	if i < 0 || !ofLimit(reports[i]) || i+1 >= len(reports) {
		return NotApplicable("no step limit was met")
	}
	if next := reports[i+1]; next.goesOn() {
		return Violates("a pause for every action once the step limit is exceeded", "continue true").By(next.o, reports[i].o)
	}
	return Conforms().By(reports[i+1].o)
}

// withHint are the reports of one action.
func withHint(reports []stepReport, hint string) []stepReport {
	return slices.DeleteFunc(slices.Clone(reports), func(r stepReport) bool { return r.hint != hint })
}
