package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// withoutForce reports what would pause or stop an agent in an enforced loop, and then
// something harmless; beside it a second agent reports nothing but harmless things.
func withoutForce(s Subject, ask Asking) {
	ask(s.Listing().Anew(int(lenientScene)))
	a, b := enter(s, ask, lenientScene, 0, nil), enter(s, ask, lenientScene, 1, nil)
	if a.started() {
		for _, hint := range []string{s.Hints.Safety.DenyHint, s.Hints.Safety.VerifyHint} {
			if hint != "" {
				a.report(hint, nil)
			}
		}
		a.report(plainAction, map[string]any{"outcome": "failure"})
		for range min(s.Hints.Safety.StepLimit+2, mostReports) {
			a.report(s.harmlessAction(), nil)
		}
	}
	if b.started() {
		b.report(s.harmlessAction(), nil)
		b.leave()
	}
	a.leave()
	ask(s.Listing().Anew(int(lenientScene) + 1))
}

// kept rules where the mode changed while the script was playing.
func kept(s Subject, got []probes.Observation) (Ruling, bool) {
	_, before := s.loopCapability(got[0])
	_, after := s.loopCapability(got[len(got)-1])
	if before.Text() != after.Text() || before.Text() != s.loopMode().Text() {
		return NotProven("a capability that stays", after).By(got[0]), false
	}
	return Ruling{}, true
}

// Section 8.6.4. Monitoring is advice. An adapter that holds up agents all the same
// breaks the work of whoever chose it for that.
var _ = register(Check{
	Requirement: "AQL-8.6.4-06",
	On:          inLoop([]string{monitoring}, "safety.deny_hint", "safety.verify_hint", "safety.step_limit"),
	Lane:        probes.Serial,
	Drive:       withoutForce,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := kept(s, got); !ok {
			return r
		}
		r := eachDirective(got, func(r stepReport) Ruling {
			if r.paused() {
				return Violates("continue true in monitoring mode", "continue false")
			}
			return Conforms()
		})
		o, refused := refusedLater(s, got)
		switch why, ok := unforced(s, got); {
		case refused && ok:
			return Worst(r, Violates("continue true in monitoring mode", o))
		case refused:
			return Worst(r, why)
		}
		return r
	},
	Fix: "answer continue true in monitoring mode, and say in factors what would have paused",
})

// Section 8.6.4. The same for the stop, which has no place in advice at all.
var _ = register(Check{
	Requirement: "AQL-8.6.4-07",
	On:          inLoop([]string{monitoring}, "safety.deny_hint", "safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       withoutForce,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := kept(s, got); !ok {
			return r
		}
		r := eachDirective(got, func(r stepReport) Ruling {
			if r.stopped() {
				return Violates("no stopped true in monitoring mode", "stopped true")
			}
			return Conforms()
		})
		if o, refused := refusedLater(s, got); refused {
			return Worst(r, NotProven("directives after the denied action", o).Because("AQL-8.6.4-06"))
		}
		return r
	},
	Fix: "never set stopped in monitoring mode",
})

// refusedLater finds an operation of the first agent that was refused for the action
// that would be denied: a report, or with words that say so. What comes after the word
// that a step has failed may be refused because the execution has.
func refusedLater(s Subject, got []probes.Observation) (probes.Observation, bool) {
	denied, failed := false, false
	for _, o := range part(got, lenientScene, 0) {
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
	return probes.Observation{}, false
}

// unforced rules where an agent that did nothing wrong is refused as well: then the
// reason is another one.
func unforced(s Subject, got []probes.Observation) (Ruling, bool) {
	second := reportsOf(got, lenientScene, 1)
	if len(second) > 0 && !second[0].o.Succeeded() {
		return NotProven("a harmless report of another agent that is taken", second[0].o), false
	}
	return active(got)
}

// Section 8.6.4. Logging writes down and decides nothing.
var _ = register(Check{
	Requirement: "AQL-8.6.4-08",
	On:          inLoop([]string{logging}, "safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       withoutForce,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := kept(s, got); !ok {
			return r
		}
		if r, ok := unforced(s, got); !ok {
			return r
		}
		if o, refused := refusedLater(s, got); refused {
			return Violates("later operations of the agent to proceed in logging mode", o)
		}
		return Conforms()
	},
	Fix: "block nothing in logging mode",
})

// whereDisabled is the loop that is off. Operations that are not listed can do no
// harm, so nothing has to be given for that.
func whereDisabled(f *Face) []Subject {
	all := inLoop([]string{disabled}, "safety.deny_hint")(f)
	listed := slices.ContainsFunc(loopOperations, func(name string) bool { _, ok := f.Operation(name); return ok })
	if len(all) > 0 && f.loopMode().Text() == disabled && !listed {
		all[0] = all[0].settle(Conforms().Noting("its operations are not listed"))
	}
	return all
}

// Section 8.6.7. Whoever switched the loop off has nobody who would lift a block.
var _ = register(Check{
	Requirement: "AQL-8.6.7-02",
	On:          whereDisabled,
	Lane:        probes.Serial,
	Drive:       withoutForce,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := kept(s, got); !ok {
			return r
		}
		if r, ok := unforced(s, got); !ok {
			return r
		}
		if o, refused := refusedLater(s, got); refused {
			return Violates("no refusal for safety while the loop is disabled", o)
		}
		for _, r := range reportsIn(got) {
			if r.stopped() {
				return Violates("no stop while the loop is disabled", "stopped true").By(r.o)
			}
		}
		return Conforms()
	},
	Fix: "take reports as mere progress while the loop is disabled",
})

// Section 8.6.7. A directive that nobody is bound by confuses the agents that read it.
var _ = register(Check{
	Requirement: "AQL-8.6.7-03",
	On:          whereDisabled,
	Lane:        probes.Serial,
	Drive:       withoutForce,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := kept(s, got); !ok {
			return r
		}
		if r, ok := active(got); !ok {
			return r
		}
		for _, r := range reportsIn(got) {
			if r.paused() {
				return Departs("no evaluation while the loop is disabled", "a directive with continue false").By(r.o)
			}
		}
		return Conforms()
	},
	Fix: "answer reports without a directive while the loop is disabled",
})
