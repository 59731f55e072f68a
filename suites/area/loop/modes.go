package loop

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The listings around the reports in modes that do not enforce.
const (
	listingBefore = "safety loop: listing before unenforced reports"
	listingAfter  = "safety loop: listing after unenforced reports"
)

// withoutForce reports what would pause or stop an agent in an enforced loop, and then
// something harmless; beside it a second agent reports nothing but harmless things.
func withoutForce(s model.Subject, ask model.AskFunc) {
	ask(s.Listing().Anew(listingBefore))
	a, b := check.StartAgent(s, ask, check.NonBindingModeScenario, 0, nil), check.StartAgent(s, ask, check.NonBindingModeScenario, 1, nil)
	if a.Started() {
		h := s.Hints.Safety
		for _, hint := range []string{h.DenyHint, h.ApprovalHint, h.ConfirmHint, h.VerifyHint, h.DangerHint} {
			if hint != "" {
				a.Report(hint, nil)
			}
		}
		a.Report(plainAction, map[string]any{"outcome": "failure"})
		for range min(s.Hints.Safety.StepLimit+2, mostReports) {
			a.Report(check.HarmlessAction(s), nil)
		}
	}
	if b.Started() {
		b.Report(check.HarmlessAction(s), nil)
		leave(b)
	}
	leave(a)
	restarted(s, ask)
	ask(s.Listing().Anew(listingAfter))
}

// restartScene is where executions of an agent begin and end before and after a denied action.
var restartScene = check.NonBindingModeScenario.Variant(1)

// restarted has an agent end an execution and start another one, first after a harmless action and then after a denied
// one. At last another agent starts: that shows that agents can still be started.
func restarted(s model.Subject, ask model.AskFunc) {
	a := check.StartAgent(s, ask, restartScene, 0, nil)
	for _, hint := range []string{check.HarmlessAction(s), s.Hints.Safety.DenyHint} {
		if hint == "" || !a.Started() {
			break
		}
		a.Report(hint, nil)
		leave(a)
		a.Start(nil)
	}
	leave(a)
	leave(check.StartAgent(s, ask, restartScene, 1, nil))
}

// refusedRestart finds an operation of the first agent that was refused after the denied action, and had succeeded
// before it.
func refusedRestart(s model.Subject, got probes.Answers) (probes.Observation, bool) {
	denied, worked := false, map[string]bool{}
	for _, o := range part(got, restartScene, 0) {
		switch operation := o.Probe.Operation(); {
		case o.Probe.Params()["nextActionHint"] == s.Hints.Safety.DenyHint:
			denied = true
		case denied && worked[operation] && o.Refused() && !check.AwaitsApproval(o):
			return o, true
		case o.Succeeded():
			worked[operation] = true
		}
	}
	return probes.Observation{}, false
}

// kept rules where the mode changed while the script was playing.
func kept(s model.Subject, got probes.Answers) (ruling.Ruling, bool) {
	first := got.Step(listingBefore)
	_, before := check.LoopCapability(s.Adapter, first)
	_, after := check.LoopCapability(s.Adapter, got.Step(listingAfter))
	if before.Text() != after.Text() || before.Text() != check.LoopMode(s.Adapter).Text() {
		return ruling.NotProven("a capability that stays", after).By(first), false
	}
	return ruling.Ruling{}, true
}

// Section 8.6.4.
var monitoringModeAlwaysContinues = check.Check{
	Requirement: "AQL-8.6.4-06",
	Rule:        "In monitoring mode continue is always true.",
	Why:         "Monitoring only gives advice. Operators choose it because it does not stop agents.",
	On:          check.InLoopModes([]string{check.Monitoring}, "safety.deny_hint", "safety.verify_hint", "safety.step_limit"),
	Lane:        probes.Serial,
	Drive:       withoutForce,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := kept(s, got); !ok {
			return r
		}
		r := eachDirective(got, func(r check.StepReport) ruling.Ruling {
			if r.Paused() {
				return ruling.Violates("continue true in monitoring mode", "continue false")
			}
			return ruling.Conforms()
		})
		o, refused := refusedLater(s, got)
		switch why, ok := unforced(s, got); {
		case refused && ok:
			return ruling.Worst(r, ruling.Violates("continue true in monitoring mode", o))
		case refused:
			return ruling.Worst(r, why)
		}
		return r
	},
	Fix: "answer continue true in monitoring mode, and say in factors what would have paused",
}

// Section 8.6.4.
var monitoringModeNeverStops = check.Check{
	Requirement: "AQL-8.6.4-07",
	Rule:        "In monitoring mode stopped is never true.",
	Why:         "The same holds for a stop: in an advisory mode it must not occur.",
	On:          check.InLoopModes([]string{check.Monitoring}, "safety.deny_hint", "safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       withoutForce,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := kept(s, got); !ok {
			return r
		}
		r := eachDirective(got, func(r check.StepReport) ruling.Ruling {
			if r.Stopped() {
				return ruling.Violates("no stopped true in monitoring mode", "stopped true")
			}
			return ruling.Conforms()
		})
		if o, refused := refusedLater(s, got); refused {
			return ruling.Worst(r, ruling.NotProven("directives after the denied action", o).Because("AQL-8.6.4-06"))
		}
		return r
	},
	Fix: "never set stopped in monitoring mode",
}

// refusedLater finds an operation of the first agent that was refused for the action
// that would be denied: a report, or with words that say so. What comes after the word
// that a step has failed may be refused because the execution has.
func refusedLater(s model.Subject, got probes.Answers) (probes.Observation, bool) {
	denied, failed := false, false
	for _, o := range part(got, check.NonBindingModeScenario, 0) {
		params := o.Probe.Params()
		mayReport := o.Probe.Operation() == "record_execution_step" && !failed
		switch {
		case denied && o.Refused() && !answersItself(s, o) && (mayReport || refusedForSafety(o)):
			return o, true
		case params["nextActionHint"] == s.Hints.Safety.DenyHint:
			denied = true
			if refusedForSafety(o) {
				return o, true
			}
		}
		failed = failed || params["outcome"] == "failure" && o.Succeeded()
	}
	return refusedRestart(s, got)
}

// unforced rules where an agent that did nothing wrong is refused as well: then the
// reason is another one.
func unforced(s model.Subject, got probes.Answers) (ruling.Ruling, bool) {
	second := reportsOf(got, check.NonBindingModeScenario, 1)
	if len(second) > 0 && !second[0].Observation.Succeeded() {
		return ruling.NotProven("a harmless report of another agent that is taken", second[0].Observation), false
	}
	starts := callsOf(part(got, restartScene, 1), "execute_agent")
	if n := len(starts); n > 0 && starts[n-1].Refused() && !check.AwaitsApproval(starts[n-1]) {
		return ruling.NotProven("another agent that starts", starts[n-1]), false
	}
	return active(got)
}

// Section 8.6.4.
var loggingModeNeverBlocks = check.Check{
	Requirement: "AQL-8.6.4-08",
	Rule:        "In logging mode nothing is evaluated and no directive binds.",
	Why:         "The logging value records actions and decides nothing.",
	On:          check.InLoopModes([]string{check.Logging}, "safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       withoutForce,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := kept(s, got); !ok {
			return r
		}
		if r, ok := unforced(s, got); !ok {
			return r
		}
		if o, refused := refusedLater(s, got); refused {
			return ruling.Violates("later operations of the agent to proceed in logging mode", o)
		}
		return ruling.Conforms()
	},
	Fix: "block nothing in logging mode",
}

// whereDisabled is the loop that is off. Operations that are not listed can do no
// harm, so nothing has to be given for that.
func whereDisabled(f *model.Adapter) []model.Subject {
	all := check.InLoopModes([]string{check.Disabled}, "safety.deny_hint")(f)
	if len(all) > 0 && check.LoopIsOff(f) {
		all[0] = all[0].WithRuling(ruling.Conforms().Noting("its operations are not listed"))
	}
	return all
}

// Section 8.6.7.
var disabledLoopEnforcesNothing = check.Check{
	Requirement: "AQL-8.6.7-02",
	Rule:        "When disabled, the four loop operations are absent or mere progress tracking.",
	Why:         "If the loop is disabled, nobody can lift a block.",
	On:          whereDisabled,
	Lane:        probes.Serial,
	Drive:       withoutForce,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := kept(s, got); !ok {
			return r
		}
		if r, ok := unforced(s, got); !ok {
			return r
		}
		if o, refused := refusedLater(s, got); refused {
			return ruling.Violates("no refusal for safety while the loop is disabled", o)
		}
		for _, r := range reportsIn(got) {
			if r.Stopped() {
				return ruling.Violates("no stop while the loop is disabled", "stopped true").By(r.Observation)
			}
		}
		return ruling.Conforms()
	},
	Fix: "take reports as mere progress while the loop is disabled",
}

// Section 8.6.7.
var disabledLoopEvaluatesNothing = check.Check{
	Requirement: "AQL-8.6.7-03",
	Rule:        "When disabled, no directive evaluation takes place and no reports are needed.",
	Why:         "A directive that does not bind anyone confuses the agents that read it.",
	On:          whereDisabled,
	Lane:        probes.Serial,
	Drive:       withoutForce,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := kept(s, got); !ok {
			return r
		}
		if r, ok := active(got); !ok {
			return r
		}
		for _, r := range reportsIn(got) {
			if r.Paused() {
				return ruling.Departs("no evaluation while the loop is disabled", "a directive with continue false").By(r.Observation)
			}
		}
		return ruling.Conforms()
	},
	Fix: "answer reports without a directive while the loop is disabled",
}
