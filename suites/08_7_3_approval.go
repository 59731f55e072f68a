package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// gatewise registers a rule about the gate scene.
func gatewise(id, fix string, on func(*Face) []Subject, judge func(s Subject, g heldCalls, got []probes.Observation) Ruling) bool {
	return register(Check{
		Requirement: id,
		On:          on,
		Lane:        probes.Serial,
		Drive:       throughGate,
		Judge: func(s Subject, got []probes.Observation) Ruling {
			g, r, ok := gateOf(s, got)
			if !ok {
				return r
			}
			return judge(s, g, got)
		},
		Fix: fix,
	})
}

// Section 8.7.3. The agent learns what it waits for, and can tell somebody. How an
// adapter knows which agent made an ordinary call is left open.
var _ = gatewise("AQL-8.7.3-02", "tell the agent of a session which operation of it waits for a confirmation", whereGated(),
	func(s Subject, g heldCalls, _ []probes.Observation) Ruling {
		if !pendingFor(g.reports[0], s.Hints.Confirm.Operation) {
			return Departs("a permission_pending with metadata.operation in the next directive", "none").By(g.reports[0].o, g.calls[atFirst])
		}
		return Conforms().By(g.reports[0].o)
	})

// Section 8.7.3. What was confirmed needs no more telling.
var _ = gatewise("AQL-8.7.3-03", "end permission_pending with the confirmation", whereGated(),
	func(s Subject, g heldCalls, _ []probes.Observation) Ruling {
		operation := s.Hints.Confirm.Operation
		switch {
		case !pendingFor(g.reports[0], operation):
			return NotProven("a permission_pending before the confirmation", "none").Because("AQL-8.7.3-02")
		case len(g.calls) <= afterPerson || len(g.reports) < 5:
			return unhinted("safety.approve_cmd", loopHints["safety.approve_cmd"])
		case !pendingFor(g.reports[4], operation):
			return Conforms().By(g.reports[4].o)
		case !released(g.calls[afterPerson]):
			return NotProven("a confirmation that lets the operation through", g.calls[afterPerson])
		}
		return Departs("no permission_pending after the confirmation", "one").By(g.reports[4].o)
	})

// Section 8.7.3. A guess must change nothing, neither what is held up nor what is told.
var _ = gatewise("AQL-8.7.3-04", "check the token before anything is lifted", whereGated("confirm_operation"),
	func(s Subject, g heldCalls, _ []probes.Observation) Ruling {
		operation := s.Hints.Confirm.Operation
		standing := pendingFor(g.reports[0], operation) && pendingFor(g.reports[1], operation)
		switch {
		case g.calls[afterBadToken].Succeeded():
			return Violates("an operation that stays held up after a token that was made up", g.calls[afterBadToken])
		case released(g.calls[afterBadToken]):
			return NotProven("an operation that is carried out or held up", g.calls[afterBadToken])
		case standing && !pendingFor(g.reports[2], operation):
			return Departs("a permission_pending that stays after a token that was made up", "none").By(g.reports[2].o, g.reports[1].o)
		}
		return Conforms().By(g.calls[afterBadToken])
	})

// Section 8.7.3. An agent that may approve what it was held up for is not held up.
var _ = gatewise("AQL-8.7.3-13", "take confirmations from a channel that the agent has no part in", whereGated("confirm_operation"),
	func(s Subject, g heldCalls, _ []probes.Observation) Ruling {
		o, _ := s.Operation("confirm_operation")
		hidden := tokenShown(g.calls[afterBadToken]) == "" && slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
			return p.Required && probes.TakesToken(p.Name)
		})
		switch {
		case released(g.calls[afterBadToken]):
			return NotProven("a refusal of a token that was made up", g.calls[afterBadToken]).Because("AQL-8.7.3-04")
		case g.calls[afterOwnToken].Succeeded():
			return Violates("an operation that stays held up after a confirmation from the agent's own session", g.calls[afterOwnToken])
		case released(g.calls[afterOwnToken]):
			return NotProven("an operation that is carried out or held up", g.calls[afterOwnToken])
		case hidden:
			return NotProven("a token that the session is shown", "none: it may be shown to a person alone").By(g.calls[atFirst])
		case !g.understood():
			return NotProven("a confirmation that is understood", g.own)
		}
		return Conforms().By(g.calls[afterOwnToken])
	})

// Section 8.7.3. Whoever writes the request writes its labels, too.
var _ = gatewise("AQL-8.7.3-14", "believe nothing that a request says about who sends it", whereGated("confirm_operation"),
	func(_ Subject, g heldCalls, _ []probes.Observation) Ruling {
		switch {
		case released(g.calls[afterBadToken]):
			return NotProven("a refusal of a token that was made up", g.calls[afterBadToken]).Because("AQL-8.7.3-04")
		case released(g.calls[afterOwnToken]):
			return NotProven("a refusal without forged labels", g.calls[afterOwnToken]).Because("AQL-8.7.3-13")
		case g.calls[afterForgery].Succeeded():
			return Violates("an operation that stays held up after a confirmation under another name", g.calls[afterForgery])
		case released(g.calls[afterForgery]):
			return NotProven("an operation that is carried out or held up", g.calls[afterForgery])
		case g.calls[afterSecond].Succeeded():
			return Departs("an operation that stays held up after a confirmation from another session", g.calls[afterSecond]).Noting("the other session might be a person's console")
		case released(g.calls[afterSecond]):
			return NotProven("an operation that is carried out or held up", g.calls[afterSecond])
		case !g.understood():
			return NotProven("a confirmation that is understood", g.own)
		}
		return Conforms().By(g.calls[afterForgery])
	})

// Section 8.7.3. There is no push; what is not kept until the next report is lost.
var _ = register(Check{
	Requirement: "AQL-8.7.3-12",
	On:          heldUpInLoop,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		throughGate(s, ask)
		afterFailure(s, ask)
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		g, r, ok := gateOf(s, got)
		if !ok {
			return r
		}
		operation, last := s.Hints.Confirm.Operation, g.reports[3]
		tells := func(r stepReport) bool { return r.paused() && len(notices(r, "autonomy_pause")) > 0 }
		switch {
		case !pendingFor(g.reports[0], operation):
			return NotProven("a permission_pending by itself", "none").Because("AQL-8.7.3-02")
		case !slices.ContainsFunc(reportsOf(got, failureScene, 0), tells):
			return NotProven("an autonomy_pause by itself", "none").Because("AQL-8.7.3-05")
		case !last.paused() || !heldUp(g.calls[afterSecond]):
			return NotProven("two events before one report", "one").By(last.o)
		case pendingFor(last, operation) && tells(last):
			return Conforms().By(last.o)
		case !pendingFor(g.reports[1], operation): // told once for good, so the second refusal may be no event
			return NotProven("a permission_pending for an operation that is held up again", "none").By(last.o)
		}
		return Departs("both events in one directive", "one of them").By(last.o)
	},
	Fix: "keep notifications until the next report, all of them",
})

// pausedAndConfirmed reports an action of the confirm tier, has the person confirm it,
// and reports it again.
func pausedAndConfirmed(s Subject, ask Asking) {
	a := enter(s, ask, confirmScene, 0, nil)
	if !a.started() {
		return
	}
	hint := s.Hints.Safety.ConfirmHint
	if directiveIn(a.report(hint, nil)).At("continue").False() && a.command("safety.approve_cmd", nil) {
		a.report(hint, nil)
	}
	a.leave()
}

// Section 8.7.3. A person whose word has no effect will switch the loop off.
var _ = register(Check{
	Requirement: "AQL-8.7.3-06",
	On:          inLoop([]string{enforcing}, "safety.confirm_hint", "safety.approve_cmd"),
	Lane:        probes.Serial,
	Drive:       pausedAndConfirmed,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		reports := reportsOf(got, confirmScene, 0)
		switch {
		case !reports[0].paused():
			return NotProven("a pause by the action of safety.confirm_hint", reports[0].directive).By(reports[0].o).Because("AQL-8.7.2-13")
		case len(reports) < 2:
			return NotProven("a confirmation", "none")
		case reports[1].directive.Is(probes.Absent):
			return NotProven("a directive for the action that was confirmed", reports[1].o).Because("AQL-8.6.2-01")
		case !reports[1].goesOn() && challengeIn(reports[1].o, "autonomy_pause") != "":
			return NotProven("an agent that nothing else holds up", "a challenge that waits for a person").By(reports[1].o)
		case !reports[1].goesOn():
			return Departs("continue true for an action that was confirmed", reports[1].directive).By(reports[1].o, reports[0].o)
		}
		return Conforms().By(reports[1].o, reports[0].o)
	},
	Fix: "let an action pass once it was confirmed",
})
