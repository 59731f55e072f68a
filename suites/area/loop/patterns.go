package loop

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// byPatterns plays the scenes of the three lists. Where none of the author's actions has an effect, lists that the
// checker sets show whether there is such a stage at all.
func byPatterns(s model.Subject, ask model.AskFunc) {
	var got probes.Answers
	heard := ask.Into(&got)
	alongPatterns(s, heard)
	intoBlock(s, heard)
	if patternless(s, got) {
		contradicting(s, ask)
	}
}

// deniedIn and approvedIn are the reports of the actions that the author names.
func deniedIn(s model.Subject, got probes.Answers) []check.StepReport {
	return withHint(reportsOf(got, check.HardBlockScenario, 0), s.Hints.Safety.DenyHint)
}

func approvedIn(s model.Subject, got probes.Answers) []check.StepReport {
	return withHint(reportsOf(got, check.PatternScenario, 0), s.Hints.Safety.ApprovalHint)
}

// patternless reports whether both a denied action and one that needs approval were let
// pass: then there are no patterns, and that is one finding of its own. Where a list that the checker set has an
// effect, there are.
func patternless(s model.Subject, got probes.Answers) bool {
	denied, approving := deniedIn(s, got), approvedIn(s, got)
	for i := range 2 {
		if slices.ContainsFunc(reportsOf(got, check.PrecedenceScenario.Variant(i), 0), check.StepReport.Paused) {
			return false
		}
	}
	return len(denied) > 0 && denied[0].Continues() && len(approving) > 0 && approving[0].Continues()
}

// onList registers a rule about one of the lists. Section 8.7.2.
func onList(id, hint, fix string, reports func(model.Subject, probes.Answers) []check.StepReport, judge func(s model.Subject, got probes.Answers, r check.StepReport) ruling.Ruling) check.Check {
	return check.Check{
		Requirement: id,
		On:          check.InLoopModes([]string{check.Enforcing}, hint),
		Lane:        probes.Serial,
		Drive:       byPatterns,
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			if r, ok := directed(got); !ok {
				return r
			}
			found := reports(s, got)
			switch {
			case patternless(s, got):
				return ruling.NotApplicable("no action pattern takes effect: AQL-8.7.5-04")
			case len(found) == 0 || found[0].Directive.Is(probes.Absent):
				return ruling.NotProven("a directive for the action of "+hint, "none")
			case !found[0].Continues() && !found[0].Paused():
				return ruling.NotProven("a readable directive", found[0].Observation).Because("AQL-8.7.1-01")
			}
			return judge(s, got, found[0]).By(found[0].Observation)
		},
		Fix: fix,
	}
}

// Section 8.7.2.
var denyPatternStopsAgent = onList("AQL-8.7.2-08", "safety.deny_hint", "answer denied actions with continue false and stopped true", deniedIn, func(s model.Subject, got probes.Answers, r check.StepReport) ruling.Ruling {
	if !r.Stopped() && (ofLimit(r) || blamesOutcome(r)) && !reportedAtOnce(s, got) {
		return ruling.NotProven("a denied action below the step limit and after no failure", r.Directive)
	}
	if !r.Paused() || !r.Stopped() {
		return ruling.Violates("continue false and stopped true for a denied action", r.Directive)
	}
	return ruling.Conforms()
}).WithRule(
	"A hint matching a deny pattern yields continue:false and stopped:true.",
	"What is on the list of denied actions has been thought about; a pause would ask the same question again.")

// reportedAtOnce reports whether the denied action was the first report of an agent of its own, and another such agent
// was let pass afterwards. Then neither the step limit nor an earlier failure explains a pause, whatever its reason says.
func reportedAtOnce(s model.Subject, got probes.Answers) bool {
	other := reportsOf(got, check.HardBlockScenario, 1)
	return strings.Contains(s.Hints.Safety.Agent.Names[0], "*") && len(other) > 0 && other[0].Continues()
}

// Section 8.7.2.
var approvalPatternPausesWithoutStop = onList("AQL-8.7.2-09", "safety.approval_hint", "answer actions that need approval with continue false, without a stop", approvedIn, func(_ model.Subject, _ probes.Answers, r check.StepReport) ruling.Ruling {
	if !r.Paused() || r.Stopped() {
		return ruling.Violates("continue false without stopped true for an action that needs approval", r.Directive)
	}
	return ruling.Conforms()
}).WithRule(
	"A hint matching a requiresApproval pattern yields continue:false without a stop.",
	"Approval is asked of a person, who has to be able to give it.")

// alone is a pattern that matches no action of the scenes.
const alone = "aqlx-no-such-action"

// onAndOffList has an agent report an action that pauses elsewhere while it is on the list of
// actions that pass by themselves, and another agent the same action while it is not. Each begins with a
// harmless one, which shows that the agent is free.
func onAndOffList(s model.Subject, ask model.AskFunc) {
	auto, ok := settingOf(s.Adapter, "autoApprove")
	if !ok {
		return
	}
	action := doubtful(s)
	for i, pattern := range []string{alone, action} {
		if a := check.StartAgent(s, ask, check.AutoApproveScenario.Variant(i), 0, map[string]any{auto: []string{pattern}}); a.Started() {
			a.Report(plainAction, afterSuccess(s))
			a.Report(action, afterSuccess(s))
			leave(a)
		}
	}
}

// doubtful is an action that is likely to pause where it is on no list.
func doubtful(s model.Subject) string {
	return cmp.Or(s.Hints.Safety.ConfirmHint, s.Hints.Safety.AutoHint)
}

// Section 8.7.2.
var autoApprovePatternLetsActionsPass = check.Check{
	Requirement: "AQL-8.7.2-10",
	Rule:        "A hint matching an autoApprove pattern yields continue:true and skips the later stages.",
	Why:         "If approved actions pause all the same, people confirm without reading. An action that passes on the list proves something only if it pauses without the list.",
	On:          check.InLoopModes([]string{check.Enforcing}, "safety.auto_hint"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		byPatterns(s, ask)
		onAndOffList(s, ask)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		if patternless(s, got) {
			return ruling.NotApplicable("no action pattern takes effect: AQL-8.7.5-04")
		}
		named := passing(reportsOf(got, check.PatternScenario, 0), s.Hints.Safety.AutoHint)
		off, on := reportsOf(got, check.AutoApproveScenario.Variant(0), 0), reportsOf(got, check.AutoApproveScenario.Variant(1), 0)
		if len(off) < 2 || len(on) < 2 {
			if named.Verdict == reports.Pass {
				return ruling.NotProven("parameters of execute_agent that put an action on the list and take it off", "none").By(named.Evidence...)
			}
			return named
		}
		set := passing(on, doubtful(s))
		if set.Verdict == reports.Pass && !off[1].Paused() {
			set = ruling.NotProven("an action that pauses where it is on no list", off[1].Directive).By(off[1].Observation)
		}
		return ruling.Worst(named, set)
	},
	Fix: "let auto-approved actions pass without scoring them",
}

// stepsLeft reports whether a directive says that the step limit lets another step pass.
func stepsLeft(r check.StepReport) bool {
	left, said := r.Directive.At("stepsRemaining").Float()
	return said && left >= 1
}

// passing rules on an action that has to pass. What the agent reported just before, with the same outcome, has to be let
// pass: an earlier pause may bar all that follows.
func passing(told []check.StepReport, action string) ruling.Ruling {
	asked := withHint(told, action)
	switch {
	case len(asked) == 0 || asked[0].Directive.Is(probes.Absent):
		return ruling.NotProven("a directive for the action "+action, "none")
	case asked[0].Continues():
		return ruling.Conforms().By(asked[0].Observation)
	case !asked[0].Paused():
		return ruling.NotProven("a readable directive", asked[0].Observation).Because("AQL-8.7.1-01")
	case !told[0].Continues() || ofLimit(asked[0]) && !stepsLeft(told[0]):
		return ruling.NotProven("an agent that nothing else pauses", asked[0].Directive).By(told[0].Observation)
	}
	return ruling.Violates("continue true for an action that is approved by itself", asked[0].Directive).By(asked[0].Observation, told[0].Observation)
}

// Section 8.7.5.
var patternStageIsImplemented = check.Check{
	Requirement: "AQL-8.7.5-04",
	Rule:        "The action-pattern stage is implemented.",
	Why:         "The lists are what an operator can write down beforehand.",
	On:          check.InLoopModes([]string{check.Enforcing}),
	Lane:        probes.Serial,
	Drive:       byPatterns,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		effect := func(reports []check.StepReport) bool {
			return slices.ContainsFunc(reports, func(r check.StepReport) bool { return r.Paused() || r.Stopped() })
		}
		denied, approving := deniedIn(s, got), approvedIn(s, got)
		switch {
		case effect(denied) || effect(approving), len(denied) > 0 && len(approving) > 0 && denied[0].Continues() && approving[0].Continues() && !patternless(s, got):
			return ruling.Conforms()
		case patternless(s, got):
			return ruling.Departs("an effect of the actions of safety.deny_hint and safety.approval_hint", "none").By(denied[0].Observation, approving[0].Observation)
		case len(denied) == 0:
			return model.HintMissing("safety.deny_hint", check.LoopHints["safety.deny_hint"])
		}
		return model.HintMissing("safety.approval_hint", check.LoopHints["safety.approval_hint"])
	},
	Fix: "match intended actions with patterns that deny, ask for approval, or approve",
}

// listSettings are the parameters that set the lists, in the order of resolution.
func listSettings(f *model.Adapter) (deny, approval, auto string, ok bool) {
	deny, one := settingOf(f, "deny")
	approval, two := settingOf(f, "requiresApproval")
	auto, three := settingOf(f, "autoApprove")
	return deny, approval, auto, one && two && three
}

// contradicting reports actions that stand on two lists, and others that stand on the
// stricter one alone. The patterns are the actions themselves: no kind of glob reads
// them differently.
func contradicting(s model.Subject, ask model.AskFunc) {
	deny, approval, auto, ok := listSettings(s.Adapter)
	if !ok {
		return
	}
	both, one := "aqlx"+s.Nonce+"both", "aqlx"+s.Nonce+"one"
	a := check.StartAgent(s, ask, check.PrecedenceScenario.Variant(0), 0, map[string]any{approval: []string{both, one}, auto: []string{both}})
	if a.Started() {
		a.Report(both, nil)
		a.Report(one, nil)
		leave(a)
	}
	b := check.StartAgent(s, ask, check.PrecedenceScenario.Variant(1), 0, map[string]any{deny: []string{both, one}, auto: []string{both}})
	if b.Started() {
		if b.Report(both, nil); !b.Blocked {
			b.Report(one, nil)
		}
		leave(b)
	}
}

// Section 8.7.2.
var stricterPatternWins = check.Check{
	Requirement: "AQL-8.7.2-11",
	Rule:        "Deny beats requiresApproval, which beats autoApprove.",
	Why:         "Wide approvals are written for convenience, so an explicit prohibition must take precedence.",
	On: func(f *model.Adapter) []model.Subject {
		all := check.InLoopModes([]string{check.Enforcing}, "safety.deny_hint", "safety.approval_hint", "safety.auto_hint")(f)
		if _, _, _, ok := listSettings(f); len(all) > 0 && all[0].Ruling == nil && !ok {
			all[0] = all[0].WithRuling(ruling.NotProven("parameters of execute_agent that set the three lists of patterns", "not all of them"))
		}
		return all
	},
	Lane:  probes.Serial,
	Drive: contradicting,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		approved, denied := reportsOf(got, check.PrecedenceScenario.Variant(0), 0), reportsOf(got, check.PrecedenceScenario.Variant(1), 0)
		if len(approved) < 2 || len(denied) == 0 {
			return ruling.NotProven("an agent that starts with lists of its own", "none")
		}
		return ruling.Worst(stricter(approved, check.StepReport.Paused, "requiresApproval"), stricter(denied, check.StepReport.Stopped, "deny"))
	},
	Fix: "look at deny before requiresApproval, and at autoApprove last",
}

// stricter rules on an action of two lists by what the stricter one does alone.
func stricter(reports []check.StepReport, effect func(check.StepReport) bool, list string) ruling.Ruling {
	both := reports[0]
	switch {
	case effect(both) && (len(reports) < 2 || effect(reports[1])):
		return ruling.Conforms().By(both.Observation)
	case len(reports) > 1 && effect(reports[1]) && both.Continues():
		return ruling.Violates(list+" to outweigh autoApprove", "continue true").By(both.Observation, reports[1].Observation)
	}
	return ruling.NotProven("an effect of the list "+list, "none").By(reports[len(reports)-1].Observation)
}
