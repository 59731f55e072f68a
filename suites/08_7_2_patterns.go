package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// byPatterns plays the scenes of the three lists.
func byPatterns(s Subject, ask Asking) {
	alongPatterns(s, ask)
	intoBlock(s, ask)
}

// deniedIn, approvedIn and autoIn are the reports of the actions that the author names.
func (s Subject) deniedIn(got []probes.Observation) []stepReport {
	return withHint(reportsOf(got, stopScene, 0), s.Hints.Safety.DenyHint)
}

func (s Subject) approvedIn(got []probes.Observation) []stepReport {
	return withHint(reportsOf(got, patternScene, 0), s.Hints.Safety.ApprovalHint)
}

func (s Subject) autoIn(got []probes.Observation) []stepReport {
	return withHint(reportsOf(got, patternScene, 0), s.Hints.Safety.AutoHint)
}

// patternless reports whether both a denied action and one that needs approval were let
// pass: then there are no patterns, and that is one finding of its own.
func (s Subject) patternless(got []probes.Observation) bool {
	denied, approving := s.deniedIn(got), s.approvedIn(got)
	return len(denied) > 0 && denied[0].goesOn() && len(approving) > 0 && approving[0].goesOn()
}

// onList registers a rule about one of the lists. Section 8.7.2.
func onList(id, hint, fix string, reports func(Subject, []probes.Observation) []stepReport, judge func(r stepReport) Ruling) bool {
	return register(Check{
		Requirement: id,
		On:          inLoop([]string{enforcing}, hint),
		Lane:        probes.Serial,
		Drive:       byPatterns,
		Judge: func(s Subject, got []probes.Observation) Ruling {
			if r, ok := directed(got); !ok {
				return r
			}
			found := reports(s, got)
			switch {
			case s.patternless(got):
				return NotApplicable("no action pattern takes effect: AQL-8.7.5-04")
			case len(found) == 0 || found[0].directive.Is(probes.Absent):
				return NotProven("a directive for the action of "+hint, "none")
			case !found[0].goesOn() && !found[0].paused():
				return NotProven("a readable directive", found[0].o).Because("AQL-8.7.1-01")
			}
			return judge(found[0]).By(found[0].o)
		},
		Fix: fix,
	})
}

// Section 8.7.2. What is on the list of denied actions has been thought about; a pause
// would ask the same question again.
var _ = onList("AQL-8.7.2-08", "safety.deny_hint", "answer denied actions with continue false and stopped true", Subject.deniedIn, func(r stepReport) Ruling {
	if !r.stopped() && (ofLimit(r) || blamesOutcome(r)) {
		return NotProven("a denied action below the step limit and after no failure", r.directive)
	}
	if !r.paused() || !r.stopped() {
		return Violates("continue false and stopped true for a denied action", r.directive)
	}
	return Conforms()
})

// Section 8.7.2. Approval is asked of a person, who has to be able to give it.
var _ = onList("AQL-8.7.2-09", "safety.approval_hint", "answer actions that need approval with continue false, without a stop", Subject.approvedIn, func(r stepReport) Ruling {
	if !r.paused() || r.stopped() {
		return Violates("continue false without stopped true for an action that needs approval", r.directive)
	}
	return Conforms()
})

// Section 8.7.2. What is approved by itself and paused all the same teaches people to
// click without reading.
var _ = onList("AQL-8.7.2-10", "safety.auto_hint", "let auto-approved actions pass without scoring them", Subject.autoIn, func(r stepReport) Ruling {
	switch {
	case r.goesOn():
		return Conforms()
	case ofLimit(r) || blamesOutcome(r):
		return NotProven("an action below the step limit and after no failure", r.directive)
	}
	return Violates("continue true for an action that is approved by itself", r.directive)
})

// Section 8.7.5. The lists are what an operator can write down beforehand.
var _ = register(Check{
	Requirement: "AQL-8.7.5-04",
	On:          inLoop([]string{enforcing}),
	Lane:        probes.Serial,
	Drive:       byPatterns,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		effect := func(reports []stepReport) bool {
			return slices.ContainsFunc(reports, func(r stepReport) bool { return r.paused() || r.stopped() })
		}
		denied, approving := s.deniedIn(got), s.approvedIn(got)
		switch {
		case effect(denied) || effect(approving):
			return Conforms()
		case s.patternless(got):
			return Departs("an effect of the actions of safety.deny_hint and safety.approval_hint", "none").By(denied[0].o, approving[0].o)
		case len(denied) == 0:
			return unhinted("safety.deny_hint", loopHints["safety.deny_hint"])
		}
		return unhinted("safety.approval_hint", loopHints["safety.approval_hint"])
	},
	Fix: "match intended actions with patterns that deny, ask for approval, or approve",
})

// listSettings are the parameters that set the lists, in the order of resolution.
func (f *Face) listSettings() (deny, approval, auto string, ok bool) {
	deny, one := f.settingOf("deny")
	approval, two := f.settingOf("requiresApproval")
	auto, three := f.settingOf("autoApprove")
	return deny, approval, auto, one && two && three
}

// contradicting reports actions that stand on two lists, and others that stand on the
// stricter one alone. The patterns are the actions themselves: no kind of glob reads
// them differently.
func contradicting(s Subject, ask Asking) {
	deny, approval, auto, ok := s.listSettings()
	if !ok {
		return
	}
	both, one := "aqlx"+s.Nonce+"both", "aqlx"+s.Nonce+"one"
	a := enter(s, ask, precedenceScene, 0, map[string]any{approval: []string{both, one}, auto: []string{both}})
	if a.started() {
		a.report(both, nil)
		a.report(one, nil)
		a.leave()
	}
	b := enter(s, ask, precedenceScene+1, 0, map[string]any{deny: []string{both, one}, auto: []string{both}})
	if b.started() {
		if b.report(both, nil); !b.blocked {
			b.report(one, nil)
		}
		b.leave()
	}
}

// Section 8.7.2. A wide approval is written for convenience; what was forbidden with
// care must outweigh it.
var _ = register(Check{
	Requirement: "AQL-8.7.2-11",
	On: func(f *Face) []Subject {
		all := inLoop([]string{enforcing}, "safety.deny_hint", "safety.approval_hint", "safety.auto_hint")(f)
		if _, _, _, ok := f.listSettings(); len(all) > 0 && all[0].settled == nil && !ok {
			all[0] = all[0].settle(NotProven("parameters of execute_agent that set the three lists of patterns", "not all of them"))
		}
		return all
	},
	Lane:  probes.Serial,
	Drive: contradicting,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		approved, denied := reportsOf(got, precedenceScene, 0), reportsOf(got, precedenceScene+1, 0)
		if len(approved) < 2 || len(denied) == 0 {
			return NotProven("an agent that starts with lists of its own", "none")
		}
		return Worst(stricter(approved, stepReport.paused, "requiresApproval"), stricter(denied, stepReport.stopped, "deny"))
	},
	Fix: "look at deny before requiresApproval, and at autoApprove last",
})

// stricter rules on an action of two lists by what the stricter one does alone.
func stricter(reports []stepReport, effect func(stepReport) bool, list string) Ruling {
	both := reports[0]
	switch {
	case effect(both) && (len(reports) < 2 || effect(reports[1])):
		return Conforms().By(both.o)
	case len(reports) > 1 && effect(reports[1]) && both.goesOn():
		return Violates(list+" to outweigh autoApprove", "continue true").By(both.o, reports[1].o)
	}
	return NotProven("an effect of the list "+list, "none").By(reports[len(reports)-1].o)
}
