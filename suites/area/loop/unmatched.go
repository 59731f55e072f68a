package loop

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 8.7.2.
var unmatchedActionsReachTierEvaluation = check.Check{
	Requirement: "AQL-8.7.2-12",
	Rule:        "A hint that matches no pattern goes on to tier evaluation.",
	Why:         "A list must not make all actions harmless that are not on it. Which stage decides cannot be observed; the check sees whether an action that pauses by default passes once another list is set.",
	On:          check.InLoopModes([]string{check.Enforcing}, "safety.confirm_hint"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		alongTiers(s, ask)
		onAndOffList(s, ask)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		hint := s.Hints.Safety.ConfirmHint
		usual := withHint(reportsOf(got, check.TierScenario, 0), hint)
		off := reportsOf(got, check.AutoApproveScenario.Variant(0), 0)
		switch {
		case len(usual) == 0 || !usual[0].Paused():
			return ruling.NotProven("an action of the confirm tier that pauses", "none").Because("AQL-8.7.2-13")
		case len(off) < 2 || !off[0].Continues():
			return ruling.NotProven("an agent that is given a list on which the action is not, and that is free", "none").By(usual[0].Observation)
		case off[1].Continues():
			return ruling.Violates("the pause that the action has without the list", "continue true").By(off[1].Observation, usual[0].Observation)
		case off[1].Paused():
			return ruling.Conforms().By(off[1].Observation, usual[0].Observation)
		}
		return ruling.NotProven("a directive", off[1].Observation).By(usual[0].Observation)
	},
	Fix: "evaluate the tier of every action that no pattern decides",
}
