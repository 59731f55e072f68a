package loop

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// foreign are next actions that are none of the adapter's own operations.
var foreign = []string{"calling write_file on another MCP server", "running shell command ls", "fetching https://example.org"}

// tenReports reports ten different actions, three of them elsewhere; only a few say
// how the step before ended.
func tenReports(s model.Subject, ask model.AskFunc) {
	a := check.StartAgent(s, ask, check.ReportScenario, 0, nil)
	if !a.Started() {
		return
	}
	a.Report(check.HarmlessAction(s), nil)
	a.Report("reading file a.txt", map[string]any{"outcome": "success"})
	for _, hint := range foreign {
		a.Report(hint, nil)
	}
	a.Report("reading file b.txt", map[string]any{"outcome": "skipped"})
	for i := range 4 {
		a.Report(fmt.Sprintf("reading file %d.txt", i), nil)
	}
	leave(a)
}

// plainAction is an action that nobody minds and that stands on no list of the author's.
const plainAction = "reading file z.txt"

// mostReports bounds how many reports a limit that nobody names is looked for.
const mostReports = 200

// untilPaused reports a harmless action until the agent is paused, at most two times
// more than the limit that the author names; then another one, and at last one that is
// denied: an exceeded limit is the first thing to be looked at.
func untilPaused(s model.Subject, ask model.AskFunc) {
	a := check.StartAgent(s, ask, check.StepLimitScenario, 0, nil)
	if !a.Started() {
		return
	}
	if exhaust(a, reportsToPause(s)) {
		a.Report(plainAction, nil)
		if hint := s.Hints.Safety.DenyHint; hint != "" {
			a.Report(hint, nil)
		}
	}
	leave(a)
}

// reportsToPause is how many reports an agent makes before it has to be paused: two more than the limit that the author
// names.
func reportsToPause(s model.Subject) int {
	if limit := s.Hints.Safety.StepLimit; limit > 0 {
		return limit + 2
	}
	return mostReports
}

// exhaust reports a harmless action up to so many times and reports whether the agent
// was paused.
func exhaust(a *check.Agent, times int) bool {
	for range times {
		o := a.Report(check.HarmlessAction(a.Subject), nil)
		if o.Lost() || !check.DirectiveIn(o).At("continue").True() {
			return !o.Lost()
		}
	}
	return false
}

// afterFailure reports an action, and then the same one with the word that the step
// before has failed; so for a plain action and for one that is approved by itself.
func afterFailure(s model.Subject, ask model.AskFunc) {
	a := check.StartAgent(s, ask, check.FailedStepScenario, 0, nil)
	if !a.Started() {
		return
	}
	for _, hint := range []string{plainAction, check.HarmlessAction(s)} {
		a.Report(hint, nil)
		a.Report(hint, map[string]any{"outcome": "failure"})
	}
	a.Report("reading file y.txt", nil)
	leave(a)
}

// withAndWithoutOutcome has an agent report a harmless action twice with the outcome success,
// another one the same without any, and a third with success again. Where the author names one
// agent for all, the first and the third show that it is free before and after.
func withAndWithoutOutcome(s model.Subject, ask model.AskFunc) {
	for i, more := range []map[string]any{{"outcome": "success"}, nil, {"outcome": "success"}} {
		if a := check.StartAgent(s, ask, check.OutcomeScenario.Variant(i), 0, nil); a.Started() {
			a.Report(check.HarmlessAction(s), more)
			a.Report(check.HarmlessAction(s), more)
			leave(a)
		}
	}
}

// afterSuccess says that the step before has succeeded, where that can be said: then the stage
// of the previous outcome has nothing to object to.
func afterSuccess(s model.Subject) map[string]any {
	if o, _ := s.Operation("record_execution_step"); !o.HasParameter("outcome") {
		return nil
	}
	return map[string]any{"outcome": "success"}
}

// alongPatterns reports something harmless, which shows that the agent is free, and what the
// author says about approval: what passes by itself, what needs it, and the same again.
func alongPatterns(s model.Subject, ask model.AskFunc) {
	a := check.StartAgent(s, ask, check.PatternScenario, 0, nil)
	if !a.Started() {
		return
	}
	done := afterSuccess(s)
	a.Report(plainAction, done)
	if hint := s.Hints.Safety.AutoHint; hint != "" {
		a.Report(hint, done)
	}
	if hint := s.Hints.Safety.ApprovalHint; hint != "" {
		a.Report(hint, done)
		a.Report(hint, done)
	}
	a.Report(plainAction, done)
	leave(a)
}

// intoBlock has an agent blocked while another one is executing. Then the block is
// lifted, and the other one looks twice whether it is told so. Where there is no block, the
// other one shows whether agents may go on.
func intoBlock(s model.Subject, ask model.AskFunc) {
	hint := s.Hints.Safety.DenyHint
	a := check.StartAgent(s, ask, check.HardBlockScenario, 0, nil)
	if !a.Started() || hint == "" {
		leave(a)
		return
	}
	b := check.StartAgent(s, ask, check.HardBlockScenario, 1, nil)
	a.Report(hint, afterSuccess(s))
	if !a.Blocked && b.Started() {
		b.Report(check.HarmlessAction(s), afterSuccess(s))
	}
	if a.Blocked {
		a.Report(check.HarmlessAction(s), nil)
		a.Report(check.HarmlessAction(s), nil)
		if b.Started() {
			b.Report(check.HarmlessAction(s), nil)
			if a.LiftBlock(); !a.Blocked {
				b.Report(check.HarmlessAction(s), nil)
				b.Report(check.HarmlessAction(s), nil)
			}
		}
	}
	leave(b)
	leave(a)
}

// everything plays all scenes that the author's hints allow: for rules about every
// directive. Without enforcement nothing but the plain reports is asked, since what
// the others lead to is none of its rules.
func everything(s model.Subject, ask model.AskFunc) {
	tenReports(s, ask)
	if check.LoopMode(s.Adapter).Text() != check.Enforcing {
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
func active(got probes.Answers) (ruling.Ruling, bool) {
	reports := reportsIn(got)
	if slices.ContainsFunc(reports, func(r check.StepReport) bool { return r.Observation.Succeeded() }) {
		return ruling.Ruling{}, true
	}
	starts := slices.DeleteFunc(slices.Clone(got), func(o probes.Observation) bool { return o.Probe.Operation() != "execute_agent" })
	switch {
	case len(reports) > 0:
		return ruling.NotProven("a report that is taken", reports[0].Observation).By(starts...), false
	case len(starts) > 0 && check.AwaitsApproval(starts[len(starts)-1]):
		return model.HintMissing("safety.approve_cmd", check.LoopHints["safety.approve_cmd"]).By(starts...), false
	case len(starts) > 0:
		return ruling.NotProven("an agent that starts", starts[len(starts)-1]), false
	}
	return ruling.NotProven("an agent that starts", "none"), false
}

// directed is like active, and rules as well where no report at all was answered with
// a directive: that the loop is not at work is one finding, not one of every rule.
func directed(got probes.Answers) (ruling.Ruling, bool) {
	if r, ok := active(got); !ok {
		return r, false
	}
	if !slices.ContainsFunc(reportsIn(got), func(r check.StepReport) bool { return !r.Directive.Is(probes.Absent) }) {
		return ruling.NotProven("a directive", "none").By(reportsIn(got)[0].Observation).Because("AQL-8.6.7-04"), false
	}
	return ruling.Ruling{}, true
}
