package suites

import (
	"regexp"

	"github.com/aql-conform/aql-conform/probes"
)

// speaksOfOutcome matches reasons and factors that blame the step before.
var speaksOfOutcome = regexp.MustCompile(`(?i)outcome|fail`)

// pairs are the two reports of an action in the scene of the failed step: without and
// with the word that the step before has failed.
func pairs(got []probes.Observation) [][2]stepReport {
	reports := reportsOf(got, failureScene, 0)
	var all [][2]stepReport
	for i := 0; i+1 < len(reports) && i < 4; i += 2 {
		all = append(all, [2]stepReport{reports[i], reports[i+1]})
	}
	return all
}

// Section 8.7.2. The first error is small; what an agent does on its own to repair it
// may not be.
var _ = register(Check{
	Requirement: "AQL-8.7.2-05",
	On:          inLoop([]string{enforcing}),
	Lane:        probes.Serial,
	Drive:       afterFailure,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		for _, p := range pairs(got) {
			switch before, failed := p[0], p[1]; {
			case !before.goesOn():
			case failed.goesOn():
				return Violates("continue false after the outcome failure", "continue true").By(failed.o, before.o)
			case failed.paused():
				return Conforms().By(failed.o, before.o)
			}
		}
		return NotProven("an action that is let pass without the outcome failure", "none").By(reportsIn(got)[0].o)
	},
	Fix: "pause when the previous step has failed",
})

// Section 8.7.2. What was not said must not be held against an agent.
var _ = register(Check{
	Requirement: "AQL-8.7.2-07",
	On:          inLoop([]string{enforcing}),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		tenReports(s, ask)
		afterFailure(s, ask)
	},
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		first := reportsOf(got, reportScene, 0)
		later := reportsOf(got, failureScene, 0)
		if len(later) > 0 {
			first = append(first, later[len(later)-1]) // the failure before was dealt with in its own report
		}
		for _, r := range first {
			if _, said := r.o.Probe.Params()["outcome"]; !said && r.paused() && blamesOutcome(r) {
				return Violates("no blame for an outcome that was not given", r.directive.At("reason")).By(r.o)
			}
		}
		if len(first) == 0 || !first[0].goesOn() {
			return NotProven("a first report that is let pass", "a pause for another reason").By(reportsIn(got)[0].o)
		}
		return Conforms().By(first[0].o)
	},
	Fix: "skip the stage of the previous outcome where none is reported",
})

func blamesOutcome(r stepReport) bool {
	for _, text := range append(r.directive.At("factors").Scalars(), r.directive.At("reason").Text()) {
		if speaksOfOutcome.MatchString(text) {
			return true
		}
	}
	return false
}

// Section 8.7.2. The order is what makes a directive predictable: a list that lets an
// action pass must not undo the limit.
var _ = register(Check{
	Requirement: "AQL-8.7.2-01",
	On:          inLoop([]string{enforcing}, "safety.deny_hint", "safety.step_limit"),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		untilPaused(s, ask)
		afterFailure(s, ask)
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		return Worst(limitFirst(s, got), outcomeFirst(s, got))
	},
	Fix: "look at the step limit first, at the previous outcome second, at the patterns third",
})

// limitFirst rules on a denied action beyond the step limit.
func limitFirst(s Subject, got []probes.Observation) Ruling {
	h := s.halted(got)
	if h.at == 0 || !ofLimit(h.report()) {
		return NotProven("a pause at the step limit", "none").Because("AQL-8.7.5-01")
	}
	denied := withHint(h.reports, s.Hints.Safety.DenyHint)
	switch {
	case len(denied) == 0 || denied[0].directive.Is(probes.Absent):
		return NotProven("a directive for a denied action beyond the limit", "none")
	case denied[0].stopped():
		return Departs("the pause of the step limit", "the stop of a pattern").By(denied[0].o).Noting("a stop is the safer answer of the two")
	}
	return Conforms().By(denied[0].o)
}

// outcomeFirst rules on a failed step before an action that is approved by itself.
func outcomeFirst(s Subject, got []probes.Observation) Ruling {
	all := pairs(got)
	if s.Hints.Safety.AutoHint == "" || len(all) < 2 {
		return NotApplicable("no action is known that passes by itself")
	}
	switch plain, auto := all[0][1], all[1][1]; {
	case !plain.paused():
		return NotApplicable("a reported failure pauses nothing")
	case auto.goesOn():
		return Departs("the pause of the failed step", "the approval of a pattern").By(auto.o, plain.o)
	}
	return Conforms().By(all[1][1].o)
}
