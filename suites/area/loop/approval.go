package loop

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// gatewise registers a rule about the gate scene.
func gatewise(id, fix string, on func(*model.Adapter) []model.Subject, judge func(s model.Subject, g heldCalls, got probes.Answers) ruling.Ruling) check.Check {
	return check.Check{
		Requirement: id,
		On:          on,
		Lane:        probes.Serial,
		Drive:       throughGate,
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			g, r, ok := gateOf(s, got)
			if !ok {
				return r
			}
			return judge(s, g, got)
		},
		Fix: fix,
	}
}

// Section 8.7.3.
var blockedOperationRaisesPendingPermissionNotice = gatewise("AQL-8.7.3-02", "tell the agent of a session which operation of it waits for a confirmation", whereGated(),
	func(s model.Subject, g heldCalls, _ probes.Answers) ruling.Ruling {
		if !pendingFor(g.reports[0], s.Hints.Confirm.Operation) {
			return ruling.Departs("a permission_pending with metadata.operation in the next directive", "none").By(g.reports[0].Observation, g.calls[atFirst])
		}
		return ruling.Conforms().By(g.reports[0].Observation)
	}).WithRule(
	"When the gatekeeper blocks an operation for confirmation, the next report delivers a permission_pending notification.",
	"The agent learns what it waits for, and can tell somebody. How an adapter knows which agent made an ordinary call is left open.")

// Section 8.7.3.
var validConfirmationClearsPendingNotice = gatewise("AQL-8.7.3-03", "end permission_pending with the confirmation", whereGated(),
	func(s model.Subject, g heldCalls, _ probes.Answers) ruling.Ruling {
		operation := s.Hints.Confirm.Operation
		switch {
		case !pendingFor(g.reports[0], operation):
			return ruling.NotProven("a permission_pending before the confirmation", "none").Because("AQL-8.7.3-02")
		case len(g.calls) <= afterPerson || len(g.reports) < 5:
			return model.HintMissing("safety.approve_cmd", check.LoopHints["safety.approve_cmd"])
		case !pendingFor(g.reports[4], operation):
			return ruling.Conforms().By(g.reports[4].Observation)
		case !released(g.calls[afterPerson]):
			return ruling.NotProven("a confirmation that lets the operation through", g.calls[afterPerson])
		}
		return ruling.Departs("no permission_pending after the confirmation", "one").By(g.reports[4].Observation)
	}).WithRule(
	"Permission_pending disappears once confirm_operation is called with a valid token by an entitled entity.",
	"What was confirmed needs no more telling.")

// Section 8.7.3.
var failedConfirmationClearsNothing = gatewise("AQL-8.7.3-04", "check the token before anything is lifted", whereGated("confirm_operation"),
	func(s model.Subject, g heldCalls, _ probes.Answers) ruling.Ruling {
		operation := s.Hints.Confirm.Operation
		standing := pendingFor(g.reports[0], operation) && pendingFor(g.reports[1], operation)
		switch {
		case g.calls[AfterBadToken].Succeeded():
			return ruling.Violates("an operation that stays held up after a token that was made up", g.calls[AfterBadToken])
		case released(g.calls[AfterBadToken]):
			return ruling.NotProven("an operation that is carried out or held up", g.calls[AfterBadToken])
		case standing && !pendingFor(g.reports[2], operation):
			return ruling.Departs("a permission_pending that stays after a token that was made up", "none").By(g.reports[2].Observation, g.reports[1].Observation)
		}
		return ruling.Conforms().By(g.calls[AfterBadToken])
	}).WithRule(
	"A failed confirmation attempt does not clear permission_pending.",
	"A guess must change nothing, neither what is held up nor what is told.")

// Section 8.7.3.
var agentsCannotApproveThemselves = gatewise("AQL-8.7.3-13", "take confirmations from a channel that the agent has no part in", whereGated("confirm_operation"),
	func(s model.Subject, g heldCalls, _ probes.Answers) ruling.Ruling {
		o, _ := s.Operation("confirm_operation")
		hidden := tokenShown(g.calls[AfterBadToken]) == "" && slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool {
			return p.Required && probes.TakesToken(p.Name)
		})
		switch {
		case released(g.calls[AfterBadToken]):
			return ruling.NotProven("a refusal of a token that was made up", g.calls[AfterBadToken]).Because("AQL-8.7.3-04")
		case g.calls[AfterOwnToken].Succeeded():
			return ruling.Violates("an operation that stays held up after a confirmation from the agent's own session", g.calls[AfterOwnToken])
		case released(g.calls[AfterOwnToken]):
			return ruling.NotProven("an operation that is carried out or held up", g.calls[AfterOwnToken])
		case hidden:
			return ruling.NotProven("a token that the session is shown", "none: it may be shown to a person alone").By(g.calls[atFirst])
		case !g.understood():
			return ruling.NotProven("a confirmation that is understood", g.own)
		}
		return ruling.Conforms().By(g.calls[AfterOwnToken])
	}).WithRule(
	"Nobody can confirm an operation from the very agent that ran into the block.",
	"An agent that may approve what it was held up for is not held up.")

// Section 8.7.3.
var posingAsAnotherEntityDoesNot = gatewise("AQL-8.7.3-14", "believe nothing that a request says about who sends it", whereGated("confirm_operation"),
	func(_ model.Subject, g heldCalls, _ probes.Answers) ruling.Ruling {
		switch {
		case released(g.calls[AfterBadToken]):
			return ruling.NotProven("a refusal of a token that was made up", g.calls[AfterBadToken]).Because("AQL-8.7.3-04")
		case released(g.calls[AfterOwnToken]):
			return ruling.NotProven("a refusal without forged labels", g.calls[AfterOwnToken]).Because("AQL-8.7.3-13")
		case g.calls[AfterForgery].Succeeded():
			return ruling.Violates("an operation that stays held up after a confirmation under another name", g.calls[AfterForgery])
		case released(g.calls[AfterForgery]):
			return ruling.NotProven("an operation that is carried out or held up", g.calls[AfterForgery])
		case g.calls[AfterSecond].Succeeded():
			return ruling.Departs("an operation that stays held up after a confirmation from another session", g.calls[AfterSecond]).Noting("the other session might be a person's console")
		case released(g.calls[AfterSecond]):
			return ruling.NotProven("an operation that is carried out or held up", g.calls[AfterSecond])
		case !g.understood():
			return ruling.NotProven("a confirmation that is understood", g.own)
		}
		return ruling.Conforms().By(g.calls[AfterForgery])
	}).WithRule(
	"The prevention cannot be dodged by posing as another entity.",
	"Whoever writes the request writes its labels, too.")

// Section 8.7.3.
var notificationsWaitForNextReport = check.Check{
	Requirement: "AQL-8.7.3-12",
	Rule:        "Notifications wait until the next report and are not pushed.",
	Why:         "The server cannot push. A notification that is not kept until the next report is lost.",
	On:          heldUpInLoop,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		throughGate(s, ask)
		afterFailure(s, ask)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		g, r, ok := gateOf(s, got)
		if !ok {
			return r
		}
		operation, last := s.Hints.Confirm.Operation, g.reports[3]
		tells := func(r check.StepReport) bool { return r.Paused() && len(notices(r, "autonomy_pause")) > 0 }
		switch {
		case !pendingFor(g.reports[0], operation):
			return ruling.NotProven("a permission_pending by itself", "none").Because("AQL-8.7.3-02")
		case !slices.ContainsFunc(reportsOf(got, check.FailedStepScenario, 0), tells):
			return ruling.NotProven("an autonomy_pause by itself", "none").Because("AQL-8.7.3-05")
		case !last.Paused() || !heldUp(g.calls[AfterSecond]):
			return ruling.NotProven("two events before one report", "one").By(last.Observation)
		case pendingFor(last, operation) && tells(last):
			return ruling.Conforms().By(last.Observation)
		case !pendingFor(g.reports[1], operation): // told once for good, so the second refusal may be no event
			return ruling.NotProven("a permission_pending for an operation that is held up again", "none").By(last.Observation)
		}
		return ruling.Departs("both events in one directive", "one of them").By(last.Observation)
	},
	Fix: "keep notifications until the next report, all of them",
}

// pausedAndConfirmed reports an action of the confirm tier, has the person confirm it,
// and reports it again.
func pausedAndConfirmed(s model.Subject, ask model.AskFunc) {
	a := check.StartAgent(s, ask, check.ConfirmScenario, 0, nil)
	if !a.Started() {
		return
	}
	hint := s.Hints.Safety.ConfirmHint
	if free(a) && check.DirectiveIn(a.Report(hint, nil)).At("continue").False() && a.Command("safety.approve_cmd", nil) {
		a.Report(hint, nil)
	}
	leave(a)
}

// Section 8.7.3.
var confirmedActionMayGoOn = check.Check{
	Requirement: "AQL-8.7.3-06",
	Rule:        "A confirm-tier pause is lifted by confirm_operation for that action.",
	Why:         "Operators disable a loop that ignores their decisions.",
	On:          check.InLoopModes([]string{check.Enforcing}, "safety.confirm_hint", "safety.approve_cmd"),
	Lane:        probes.Serial,
	Drive:       pausedAndConfirmed,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := directed(got); !ok {
			return r
		}
		reports := withHint(reportsOf(got, check.ConfirmScenario, 0), s.Hints.Safety.ConfirmHint)
		switch {
		case len(reports) == 0:
			return ruling.NotProven("an agent that is free", "none").By(reportsIn(got)[0].Observation)
		case !reports[0].Paused():
			return ruling.NotProven("a pause by the action of safety.confirm_hint", reports[0].Directive).By(reports[0].Observation).Because("AQL-8.7.2-13")
		case len(reports) < 2:
			return ruling.NotProven("a confirmation", "none")
		case reports[1].Directive.Is(probes.Absent):
			return ruling.NotProven("a directive for the action that was confirmed", reports[1].Observation).Because("AQL-8.6.2-01")
		case !reports[1].Continues() && check.ChallengeIn(reports[1].Observation, "autonomy_pause") != "":
			return ruling.NotProven("an agent that nothing else holds up", "a challenge that waits for a person").By(reports[1].Observation)
		case !reports[1].Continues():
			return ruling.Departs("continue true for an action that was confirmed", reports[1].Directive).By(reports[1].Observation, reports[0].Observation)
		}
		return ruling.Conforms().By(reports[1].Observation, reports[0].Observation)
	},
	Fix: "let an action pass once it was confirmed",
}
