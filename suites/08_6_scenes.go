package suites

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// The scenes of the safety loop. Each is one script that many checks look at; it has
// room for variants behind its number.
const (
	reportScene     scene = 10 * (1 + iota) // ten different reports, some of actions elsewhere
	wordingScene                            // the parameters of a report, one by one
	limitScene                              // harmless reports until the pause
	settingScene                            // the same under limits that are set
	failureScene                            // a failed step
	patternScene                            // action patterns
	stopScene                               // a hard block, with a second agent beside
	precedenceScene                         // patterns that contradict each other
	tierScene                               // actions of each tier
	toleranceScene                          // one action under each risk tolerance
	gateScene                               // an operation that is held up
	confirmScene                            // a pause that a person ends
	endScene                                // ends of executions
	lenientScene                            // modes that do not bind
	laterScenes                             // the first number for scenes told elsewhere
)

// foreign are next actions that are none of the adapter's own operations.
var foreign = []string{"calling write_file on another MCP server", "running shell command ls", "fetching https://example.org"}

// tenReports reports ten different actions, three of them elsewhere; only a few say
// how the step before ended.
func tenReports(s Subject, ask Asking) {
	a := enter(s, ask, reportScene, 0, nil)
	if !a.started() {
		return
	}
	a.report(s.harmlessAction(), nil)
	a.report("reading file a.txt", map[string]any{"outcome": "success"})
	for _, hint := range foreign {
		a.report(hint, nil)
	}
	a.report("reading file b.txt", map[string]any{"outcome": "skipped"})
	for i := range 4 {
		a.report(fmt.Sprintf("reading file %d.txt", i), nil)
	}
	a.leave()
}

// plainAction is an action that nobody minds and that stands on no list of the author's.
const plainAction = "reading file z.txt"

// mostReports bounds how many reports a limit that nobody names is looked for.
const mostReports = 200

// untilPaused reports a harmless action until the agent is paused, at most two times
// more than the limit that the author names; then another one, and at last one that is
// denied: an exceeded limit is the first thing to be looked at.
func untilPaused(s Subject, ask Asking) {
	a := enter(s, ask, limitScene, 0, nil)
	if !a.started() {
		return
	}
	last := mostReports
	if limit := s.Hints.Safety.StepLimit; limit > 0 {
		last = limit + 2
	}
	if a.exhaust(last) {
		a.report(plainAction, nil)
		if hint := s.Hints.Safety.DenyHint; hint != "" {
			a.report(hint, nil)
		}
	}
	a.leave()
}

// exhaust reports a harmless action up to so many times and reports whether the agent
// was paused.
func (a *agent) exhaust(times int) bool {
	for range times {
		o := a.report(a.harmlessAction(), nil)
		if o.Lost() || !directiveIn(o).At("continue").True() {
			return !o.Lost()
		}
	}
	return false
}

// afterFailure reports an action, and then the same one with the word that the step
// before has failed; so for a plain action and for one that is approved by itself.
func afterFailure(s Subject, ask Asking) {
	a := enter(s, ask, failureScene, 0, nil)
	if !a.started() {
		return
	}
	for _, hint := range []string{plainAction, s.harmlessAction()} {
		a.report(hint, nil)
		a.report(hint, map[string]any{"outcome": "failure"})
	}
	a.report("reading file y.txt", nil)
	a.leave()
}

// alongPatterns reports what the author says about approval: what passes by itself,
// what needs it, the same again, and something harmless.
func alongPatterns(s Subject, ask Asking) {
	a := enter(s, ask, patternScene, 0, nil)
	if !a.started() {
		return
	}
	if hint := s.Hints.Safety.AutoHint; hint != "" {
		a.report(hint, nil)
	}
	if hint := s.Hints.Safety.ApprovalHint; hint != "" {
		a.report(hint, nil)
		a.report(hint, nil)
	}
	a.report(plainAction, nil)
	a.leave()
}

// intoBlock has an agent blocked while another one is executing. Then the block is
// lifted, and the other one looks twice whether it is told so.
func intoBlock(s Subject, ask Asking) {
	hint := s.Hints.Safety.DenyHint
	a := enter(s, ask, stopScene, 0, nil)
	if !a.started() || hint == "" {
		a.leave()
		return
	}
	b := enter(s, ask, stopScene, 1, nil)
	a.report(hint, nil)
	if a.blocked {
		a.report(s.harmlessAction(), nil)
		if b.started() {
			b.report(s.harmlessAction(), nil)
			if a.lift(); !a.blocked {
				b.report(s.harmlessAction(), nil)
				b.report(s.harmlessAction(), nil)
			}
		}
	}
	b.leave()
	a.leave()
}

// everything plays all scenes that the author's hints allow: for rules about every
// directive. Without enforcement nothing but the plain reports is asked, since what
// the others lead to is none of its rules.
func everything(s Subject, ask Asking) {
	tenReports(s, ask)
	if s.loopMode().Text() != enforcing {
		return
	}
	untilPaused(s, ask)
	afterFailure(s, ask)
	alongPatterns(s, ask)
	intoBlock(s, ask)
	alongTiers(s, ask)
}

// active rules where the agent never came to report: it did not start, or nothing it
// reported was taken.
func active(got []probes.Observation) (Ruling, bool) {
	reports := reportsIn(got)
	if slices.ContainsFunc(reports, func(r stepReport) bool { return r.o.Succeeded() }) {
		return Ruling{}, true
	}
	starts := slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Operation() != "execute_agent" })
	switch {
	case len(reports) > 0:
		return NotProven("a report that is taken", reports[0].o).By(starts...), false
	case len(starts) > 0 && waitsForPerson(starts[len(starts)-1]):
		return unhinted("safety.approve_cmd", loopHints["safety.approve_cmd"]).By(starts...), false
	case len(starts) > 0:
		return NotProven("an agent that starts", starts[len(starts)-1]), false
	}
	return NotProven("an agent that starts", "none"), false
}

// directed is like active, and rules as well where no report at all was answered with
// a directive: that the loop is not at work is one finding, not one of every rule.
func directed(got []probes.Observation) (Ruling, bool) {
	if r, ok := active(got); !ok {
		return r, false
	}
	if !slices.ContainsFunc(reportsIn(got), func(r stepReport) bool { return !r.directive.Is(probes.Absent) }) {
		return NotProven("a directive", "none").By(reportsIn(got)[0].o).Because("AQL-8.6.7-04"), false
	}
	return Ruling{}, true
}
