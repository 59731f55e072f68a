package loop

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// blockedIn returns the reports of the agent that the scene has blocked, the first of
// which was answered with the stop; ok is false where it was not.
func blockedIn(s model.Subject, got probes.Answers) (reports []check.StepReport, r ruling.Ruling, ok bool) {
	if r, ok := directed(got); !ok {
		return nil, r, false
	}
	reports = reportsOf(got, check.HardBlockScenario, 0)
	if len(reports) == 0 || !reports[0].Stopped() || reports[0].Continues() {
		return nil, ruling.NotProven("a hard block by the action of safety.deny_hint", "none").By(got[0]).Because("AQL-8.7.2-08"), false
	}
	return reports, ruling.Ruling{}, true
}

// Section 8.6.4.
var stoppedAgentsGetNoFurther = check.Check{
	Requirement: "AQL-8.6.4-04",
	Rule:        "After a stop directive the adapter lets the agent go no further.",
	Why:         "A stop must stay in force after the next report.",
	On:          check.InLoopModes([]string{check.Enforcing}, "safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       intoBlock,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		reports, r, ok := blockedIn(s, got)
		if !ok {
			return r
		}
		if len(reports) < 2 {
			return ruling.NotProven("a report after the stop", "none")
		}
		next := reports[1]
		for _, later := range reports[2:] {
			if later.Continues() {
				next = later
			}
		}
		switch {
		case next.Continues():
			return ruling.Violates("no way on after a stop", "continue true").By(next.Observation, reports[0].Observation)
		case next.Observation.Succeeded() && next.Paused() && !next.Stopped():
			return ruling.Departs("stopped true as long as the agent is blocked", "a pause").By(next.Observation, reports[0].Observation)
		case next.Observation.Succeeded() && next.Directive.Is(probes.Absent):
			return ruling.NotProven("a directive or a refusal", next.Observation)
		}
		return ruling.Conforms().By(next.Observation, reports[0].Observation)
	},
	Fix: "refuse the reports of a blocked agent until it is unblocked",
}

// Section 8.6.4.
var pausesLastUntilHumanActs = check.Check{
	Requirement: "AQL-8.6.4-05",
	Rule:        "After continue:false the agent is not let on without a human.",
	Why:         "Models repeat requests, so a repeated request must not end a pause.",
	On:          check.InLoopModes([]string{check.Enforcing}, "safety.approval_hint"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		alongPatterns(s, ask)
		untilPaused(s, ask)
		confirmTwice(s, ask)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		return ruling.Worst(staysPaused(s, got), staysAtLimit(s, got), staysUnconfirmed(s, got))
	},
	Fix: "keep the agent paused until a person has let the action pass",
}

// staysPaused rules on the action that needs approval, reported twice.
func staysPaused(s model.Subject, got probes.Answers) ruling.Ruling {
	asked := withHint(reportsOf(got, check.PatternScenario, 0), s.Hints.Safety.ApprovalHint)
	switch {
	case len(asked) < 2 || !asked[0].Paused():
		return ruling.NotProven("a pause by the action of safety.approval_hint", "none").Because("AQL-8.7.2-09")
	case asked[1].Continues():
		return ruling.Violates("the same pause for the same report", "continue true").By(asked[1].Observation, asked[0].Observation)
	}
	return ruling.Conforms().By(asked[1].Observation, asked[0].Observation)
}

// confirmTwice has an agent of its own report an action of the confirm tier twice, with nobody acting in between.
func confirmTwice(s model.Subject, ask model.AskFunc) {
	hint := s.Hints.Safety.ConfirmHint
	if hint == "" {
		return
	}
	if a := check.StartAgent(s, ask, check.TierScenario.Variant(1), 0, nil); a.Started() {
		a.Report(plainAction, nil)
		a.Report(hint, nil)
		a.Report(hint, nil)
		leave(a)
	}
}

// staysUnconfirmed rules on that action.
func staysUnconfirmed(s model.Subject, got probes.Answers) ruling.Ruling {
	asked := withHint(reportsOf(got, check.TierScenario.Variant(1), 0), s.Hints.Safety.ConfirmHint)
	switch {
	case len(asked) < 2 || !asked[0].Paused():
		return ruling.NotApplicable("no action of the confirm tier paused")
	case asked[1].Continues():
		return ruling.Violates("the same pause for the same report", "continue true").By(asked[1].Observation, asked[0].Observation)
	}
	return ruling.Conforms().By(asked[1].Observation, asked[0].Observation)
}

// staysAtLimit rules on what was reported after the limit was exceeded: it holds for
// any action.
func staysAtLimit(s model.Subject, got probes.Answers) ruling.Ruling {
	reports := reportsOf(got, check.StepLimitScenario, 0)
	i := slices.IndexFunc(reports, check.StepReport.Paused)
	if i < 0 || !ofLimit(reports[i]) || i+1 >= len(reports) {
		return ruling.NotApplicable("no step limit was met")
	}
	if next := reports[i+1]; next.Continues() {
		return ruling.Violates("a pause for every action once the step limit is exceeded", "continue true").By(next.Observation, reports[i].Observation)
	}
	return ruling.Conforms().By(reports[i+1].Observation)
}

// withHint are the reports of one action.
func withHint(reports []check.StepReport, hint string) []check.StepReport {
	return slices.DeleteFunc(slices.Clone(reports), func(r check.StepReport) bool { return r.Hint != hint })
}
