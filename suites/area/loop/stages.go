package loop

import (
	"regexp"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// speaksOfOutcome matches reasons and factors that blame the step before.
var speaksOfOutcome = regexp.MustCompile(`(?i)outcome|fail`)

// pairs are the two reports of an action in the scene of the failed step: without and
// with the word that the step before has failed.
func pairs(got probes.Answers) [][2]check.StepReport {
	reports := reportsOf(got, check.FailedStepScenario, 0)
	var all [][2]check.StepReport
	for i := 0; i+1 < len(reports) && i < 4; i += 2 {
		all = append(all, [2]check.StepReport{reports[i], reports[i+1]})
	}
	return all
}

// Section 8.7.2.
var reportedFailurePausesAgent = check.Check{
	Requirement: "AQL-8.7.2-05",
	Rule:        "A report with outcome failure pauses the agent.",
	Why:         "The first error is small; what an agent does on its own to repair it may not be.",
	On:          check.InLoopModes([]string{check.Enforcing}),
	Lane:        probes.Serial,
	Drive:       afterFailure,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		for _, p := range pairs(got) {
			switch before, failed := p[0], p[1]; {
			case !before.Continues():
			case failed.Continues():
				return ruling.Violates("continue false after the outcome failure", "continue true").By(failed.Observation, before.Observation)
			case failed.Paused():
				return ruling.Conforms().By(failed.Observation, before.Observation)
			}
		}
		return ruling.NotProven("an action that is let pass without the outcome failure", "none").By(reportsIn(got)[0].Observation)
	},
	Fix: "pause when the previous step has failed",
}

// Section 8.7.2.
var missingOutcomeIsNotFailure = check.Check{
	Requirement: "AQL-8.7.2-07",
	Rule:        "A report without outcome skips the outcome stage.",
	Why:         "A step that was not reported must not count against an agent.",
	On:          check.InLoopModes([]string{check.Enforcing}),
	Lane:        probes.Serial,
	Drive:       withAndWithoutOutcome,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		told, untold, after := reportsOf(got, check.OutcomeScenario.Variant(0), 0), reportsOf(got, check.OutcomeScenario.Variant(1), 0), reportsOf(got, check.OutcomeScenario.Variant(2), 0)
		if len(told) < 2 || len(untold) < 2 || len(after) < 2 {
			return ruling.NotProven("three agents, each with two reports", "fewer")
		}
		for i := range 2 {
			switch {
			case !told[i].Continues() || !after[i].Continues():
				return ruling.NotProven("a harmless action that is let pass after a success, before and after", told[i].Directive).By(told[i].Observation, untold[i].Observation, after[i].Observation)
			case untold[i].Paused():
				return ruling.Violates("the directive of a report with the outcome success, which continues", untold[i].Directive).By(untold[i].Observation, told[i].Observation)
			case !untold[i].Continues():
				return ruling.NotProven("a directive for a report without outcome", untold[i].Directive).By(untold[i].Observation, told[i].Observation)
			}
		}
		return ruling.Conforms().By(untold[1].Observation, told[1].Observation)
	},
	Fix: "skip the stage of the previous outcome where none is reported",
}

func blamesOutcome(r check.StepReport) bool {
	for _, text := range append(r.Directive.At("factors").Scalars(), r.Directive.At("reason").Text()) {
		if speaksOfOutcome.MatchString(text) {
			return true
		}
	}
	return false
}

// Section 8.7.2.
var evaluationStagesRunInOrder = check.Check{
	Requirement: "AQL-8.7.2-01",
	Rule:        "Evaluation is staged and stops at the first stage that pauses or stops.",
	Why:         "The order is what makes a directive predictable: a list that lets an action pass must not undo the limit.",
	On:          check.InLoopModes([]string{check.Enforcing}, "safety.deny_hint", "safety.step_limit"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		untilPaused(s, ask)
		afterFailure(s, ask)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		return ruling.Worst(limitFirst(s, got), outcomeFirst(s, got))
	},
	Fix: "look at the step limit first, at the previous outcome second, at the patterns third",
}

// limitFirst rules on a denied action beyond the step limit.
func limitFirst(s model.Subject, got probes.Answers) ruling.Ruling {
	h := halted(s, got)
	if h.at == 0 || !ofLimit(h.report()) {
		return ruling.NotProven("a pause at the step limit", "none").Because("AQL-8.7.5-01")
	}
	denied := withHint(h.reports, s.Hints.Safety.DenyHint)
	switch {
	case len(denied) == 0 || denied[0].Directive.Is(probes.Absent):
		return ruling.NotProven("a directive for a denied action beyond the limit", "none")
	case denied[0].Stopped():
		return ruling.Departs("the pause of the step limit", "the stop of a pattern").By(denied[0].Observation).Noting("a stop is the safer answer of the two")
	}
	return ruling.Conforms().By(denied[0].Observation)
}

// outcomeFirst rules on a failed step before an action that is approved by itself.
func outcomeFirst(s model.Subject, got probes.Answers) ruling.Ruling {
	all := pairs(got)
	if s.Hints.Safety.AutoHint == "" || len(all) < 2 {
		return ruling.NotApplicable("no action is known that passes by itself")
	}
	switch plain, auto := all[0][1], all[1][1]; {
	case !plain.Paused():
		return ruling.NotApplicable("a reported failure pauses nothing")
	case auto.Continues():
		return ruling.Departs("the pause of the failed step", "the approval of a pattern").By(auto.Observation, plain.Observation)
	}
	return ruling.Conforms().By(all[1][1].Observation)
}
