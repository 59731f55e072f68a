package verification

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 8.7.3.
var verifyPauseCarriesChallengeId = check.Check{
	Requirement: "AQL-8.7.3-07",
	Rule:        "The autonomy_pause of a verify-tier pause has metadata.verificationId.",
	Why:         "Without the id in the notification, nobody knows which challenge a code belongs to.",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got)
		first, id, rest, why := t.FirstChallenge()
		later, without := silentPause(rest)
		switch {
		case id != "" && without:
			return ruling.Violates("a notification autonomy_pause with metadata.verificationId at each new pause", later.Directive.At("notifications")).By(later.Observation, first.Observation)
		case id != "":
			return ruling.Conforms().By(first.Observation)
		case first.Paused() && !first.Stopped():
			return ruling.Violates("a notification autonomy_pause with metadata.verificationId", first.Directive.At("notifications")).By(first.Observation)
		}
		return *why
	},
	Fix: "put the challenge id into metadata.verificationId of the notification autonomy_pause",
}

// silentPause is a verify pause after a first one that names no challenge. While a challenge waits, a pause
// is no new one.
func silentPause(t check.Trace) (check.TraceStep, bool) {
	waiting, verify := true, t.IsVerifyReport()
	for _, a := range t.Steps {
		switch {
		case granted(a):
			waiting = false
		case !verify(a) || !a.Paused() || a.Stopped() || outOfSteps(a):
		case check.ChallengeIn(a.Observation, "autonomy_pause") != "":
			waiting = true
		case !waiting:
			return a, true
		}
	}
	return check.TraceStep{}, false
}

// Section 8.7.3.
var verificationOrExpiryClearsPause = check.Check{
	Requirement: "AQL-8.7.3-08",
	Rule:        "A verify-tier autonomy_pause is cleared by successful verification or by expiry.",
	Why:         "A pause that goes on after the person has agreed, or after the question has lapsed, keeps the agent waiting for nothing.",
	On:          verified("safety.verify_hint", "safety.code_cmd", "safety.challenge_timeout"),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		consent(s, ask)
		expiry(s, ask)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		all := check.TraceOf(s, got)
		solved := cleared(all.ForAgent(check.CollectCodesScenario, 0), func(t check.Trace) (check.Trace, *ruling.Ruling) {
			_, rest, ok := t.After(granted)
			if !ok {
				r := ruling.NotProven("a verification that succeeds", "none").Because("AQL-8.8.2-11")
				return rest, &r
			}
			return rest, nil
		}, "AQL-8.8.2-11")
		lapsed := cleared(all.ForAgent(check.ExpiredPauseScenario, 0), func(t check.Trace) (check.Trace, *ruling.Ruling) { return t, nil }, "AQL-8.8.3-08")
		return ruling.Worst(solved, lapsed)
	},
	Fix: "end the pause and its notification when verify_challenge succeeds or the challenge expires",
}

// cleared rules on the harmless reports after the end of a challenge: the last of at
// most two tells, because a notification may be told once more.
func cleared(t check.Trace, end func(check.Trace) (check.Trace, *ruling.Ruling), root string) ruling.Ruling {
	_, id, rest, why := t.FirstChallenge()
	if why != nil {
		return *why
	}
	rest, why = end(rest)
	if why != nil {
		return *why
	}
	later := before(rest, t.IsVerifyReport()).Filter(t.IsHarmlessReport())
	if len(later.Steps) == 0 {
		return ruling.NotProven("a harmless report afterwards", "none")
	}
	last := later.Steps[len(later.Steps)-1]
	if !last.Continues() {
		return ruling.NotProven("a harmless action to pass afterwards", last.Answer()).By(last.Observation).Because(root)
	}
	for _, n := range last.Directive.At("notifications").Items() {
		if n.At("metadata", "verificationId").Text() == id {
			return ruling.Violates("no notification of the challenge any more", n).By(last.Observation)
		}
	}
	return ruling.Conforms().By(last.Observation)
}

// Section 8.8.
var onlyHumanVerificationLetsGoOn = check.Check{
	Requirement: "AQL-8.8-01",
	Rule:        "After a verify-tier assignment the agent gets on only through out-of-band human verification (or expiry).",
	Why:         "A step that the agent can do alone is not a verification by a person.",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       ways,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got)
		first, _, rest, why := t.FirstChallenge()
		if why != nil {
			return *why
		}
		const want = "a pause until a person has verified the action"
		fresh := func(a check.TraceStep) bool { return a.Operation == check.CodeCommand }
		held := false
		for _, a := range before(rest, fresh).Steps {
			passed := passing(a) && (a.Hint == first.Hint || held)
			expired := lifetime(s) > 0 && a.Observation.Received.At-first.Observation.Sent.At >= lifetime(s)
			switch {
			case granted(a):
				return ruling.Violates(want, "an invented code accepted").By(a.Observation)
			case passed && expired:
				return ruling.NotProven("a challenge that has not expired", "one older than "+lifetime(s).String()).By(a.Observation, first.Observation)
			case passed && a.Hint == first.Hint:
				return ruling.Violates(want, "the action let pass without a code").By(a.Observation, first.Observation)
			case passed:
				return ruling.Violates(want, "the pause ended without a code").By(a.Observation, first.Observation)
			case a.Operation == check.ReportOperation && a.Hint != first.Hint:
				held = held || a.Paused()
			}
		}
		_, end, ok := rest.After(granted)
		calm, asked := end.First(t.IsHarmlessReport())
		if !ok || !asked || !calm.Continues() {
			return ruling.NotProven("a right code that lets the agent go on", calm.Answer()).By(calm.Observation).Because("AQL-8.8.2-11")
		}
		return ruling.Conforms().By(calm.Observation)
	},
	Fix: "end a pause of the verify tier by verify_challenge alone",
}

// Section 8.8.1.
var dangerTierStopsAgent = check.Check{
	Requirement: "AQL-8.8.1-01",
	Rule:        "Danger_zone tier and deny matches give stopped:true.",
	Why:         "In the danger zone a pause is not enough: the agent may continue only after a person has decided.",
	On:          verified("safety.danger_hint"),
	Lane:        probes.Serial,
	Drive:       danger,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got)
		if r, unsettled := t.Unusable(); unsettled {
			return r
		}
		a, _ := t.First(check.ReportsAction(s.Hints.Safety.DangerHint))
		switch {
		case a.Stopped():
			return ruling.Conforms().By(a.Observation)
		case a.Directive.Is(probes.Absent) || outOfSteps(a):
			return ruling.NotProven("a directive on the action of the danger tier", a.Answer()).By(a.Observation)
		}
		return ruling.Violates("stopped: true", a.Directive).By(a.Observation)
	},
	Fix: "answer an action of the danger tier with continue: false and stopped: true",
}

// Section 8.8.1.
var verifyTierPausesWithoutStop = check.Check{
	Requirement: "AQL-8.8.1-02",
	Rule:        "Verify tier gives continue:false without stopped:true.",
	Why:         "A pause can be waited for; a stop tells the agent to give up.",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got)
		if r, unsettled := t.Unusable(); unsettled {
			return r
		}
		a, _ := t.First(t.IsVerifyReport())
		switch {
		case a.Directive.Is(probes.Absent) || outOfSteps(a):
			return ruling.NotProven("a directive on the action of the verify tier", a.Answer()).By(a.Observation)
		case a.Paused() && !a.Stopped():
			return ruling.Conforms().By(a.Observation)
		}
		return ruling.Violates("continue: false without stopped: true", a.Directive).By(a.Observation)
	},
	Fix: "answer an action of the verify tier with continue: false, and leave stopped out",
}

// Section 8.8.1.
var challengesAppearOnlyForTheirTriggers = check.Check{
	Requirement: "AQL-8.8.1-03",
	Rule:        "Verification is triggered by verify and danger_zone tiers and deny matches, not by harmless actions.",
	Why:         "A person who is asked for codes all day stops reading what they are for.",
	On:          verified("safety.confirm_hint"),
	Lane:        probes.Serial,
	Drive:       calm,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got)
		if r, unsettled := t.Unusable(); unsettled {
			return r
		}
		reports := t.Filter(check.IsOperation(check.ReportOperation)).Steps
		for _, a := range reports {
			for _, n := range a.Directive.At("notifications").Items() {
				// The block of another agent is told to all.
				if n.Has("metadata") && n.At("metadata", "verificationId").Text() != "" && n.At("type").Text() != "danger_zone" {
					return ruling.Violates("no challenge for the action "+strings.TrimSpace(a.Hint), n).By(a.Observation)
				}
			}
		}
		if len(reports) < 2 || reports[1].Directive.Is(probes.Absent) {
			return ruling.NotProven("directives on an advisory action and one to confirm", "none")
		}
		return ruling.Conforms().By(reports[1].Observation)
	},
	Fix: "raise a challenge for the tiers verify and danger_zone and for denied actions alone",
}
