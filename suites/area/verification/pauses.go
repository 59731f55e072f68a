package verification

import (
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

var expiredText = regexp.MustCompile(`(?i)expired|timed out|lapsed`)

// Section 8.8.3.
var pendingChallengeKeepsAgentPaused = check.Check{
	Requirement: "AQL-8.8.3-05",
	Rule:        "While a verify challenge is pending, further reports of that agent give continue:false and name the challenge id in reason.",
	Why:         "Until the person answers, all actions of the agent wait, and each answer names the challenge.",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got)
		_, id, rest, why := t.FirstChallenge()
		if why != nil {
			return *why
		}
		a, asked := before(rest, check.IsOperation(check.CodeCommand)).First(t.IsHarmlessReport())
		switch {
		case !asked:
			return ruling.NotProven("a report while the challenge is pending", "none")
		case a.Paused() && strings.Contains(a.Directive.At("reason").Text(), id):
			return ruling.Conforms().By(a.Observation)
		case a.Paused():
			return ruling.Violates("a reason that names the challenge", a.Directive.At("reason")).By(a.Observation)
		}
		return ruling.Violates("continue: false while the challenge is pending", a.Answer()).By(a.Observation)
	},
	Fix: "answer every report of the agent with continue: false and the id of the pending challenge in reason",
}

// Section 8.8.3.
var verifyPauseEndsWithRestart = check.Check{
	Requirement: "AQL-8.8.3-06",
	Rule:        "A verify pause is gone after a server restart.",
	Why:         "After a restart no agent should wait for a question that nobody is asked any more.",
	On:          verified("safety.verify_hint", "restart"),
	Lane:        probes.Disposable,
	Handles:     check.RateLimits,
	Drive:       restart,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got).ForAgent(check.RestartWhilePausedScenario, pauseIndex(s))
		first, _, rest, why := t.Filter(func(a check.TraceStep) bool { return a.Observation.Probe.Conn != restarted(s) }).FirstChallenge()
		if why != nil {
			return *why
		}
		if held, asked := rest.First(t.IsHarmlessReport()); !asked || !held.Paused() {
			return ruling.NotProven("a pause before the restart", held.Answer()).By(held.Observation).Because("AQL-8.8.3-05")
		}
		later := t.Filter(func(a check.TraceStep) bool { return a.Observation.Probe.Conn == restarted(s) }).Filter(t.IsHarmlessReport()).Steps
		if len(later) == 0 || later[len(later)-1].Directive.Is(probes.Absent) {
			return ruling.NotProven("a directive after the restart", "none")
		}
		last := later[len(later)-1]
		if !last.Continues() {
			return ruling.Violates("no pause after a restart", last.Answer()).By(last.Observation, first.Observation)
		}
		return ruling.Conforms().By(last.Observation, first.Observation)
	},
	Fix: "keep the pauses of the verify tier in memory",
}

// pauseIndex is which of the author's agents waits for a person through the restart.
func pauseIndex(s model.Subject) int { return min(1, len(s.Hints.Safety.Agent.Names)-1) }

// Section 8.8.3.
var verifyPauseAllowsNewExecutions = check.Check{
	Requirement: "AQL-8.8.3-07",
	Rule:        "A verify pause does not keep the agent from starting new executions.",
	Why:         "A pause applies to a running execution, not to one that has not begun.",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       parallel,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got)
		first, _, rest, why := t.FirstChallenge()
		if why != nil {
			return *why
		}
		begin := check.IsOperation("execute_agent")
		refusedBefore := len(before(t, t.IsVerifyReport()).Filter(func(a check.TraceStep) bool { return begin(a) && a.Observation.Refused() }).Steps) > 0
		begun := rest.Filter(begin).Steps
		if len(begun) == 0 {
			return ruling.NotProven("a start while the challenge is pending", "none")
		}
		for i, a := range begun {
			if a.Observation.Succeeded() && (i == 0 || refusedBefore) {
				return ruling.Conforms().By(a.Observation, first.Observation)
			}
		}
		return ruling.Violates("a new execution while a challenge is pending", begun[0].Observation).By(first.Observation)
	},
	Fix: "let execute_agent start an agent that waits for verification",
}

// Section 8.8.3.
var expiredPauseIsEvaluatedAfresh = check.Check{
	Requirement: "AQL-8.8.3-08",
	Rule:        "After expiry of a verify challenge reports are evaluated afresh, and the same action raises a new challenge.",
	Why:         "After a challenge expires, the action must be evaluated again and the person asked again.",
	On:          verified("safety.verify_hint", "safety.challenge_timeout"),
	Lane:        probes.Serial,
	Drive:       expiry,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got).ForAgent(check.ExpiredPauseScenario, 0)
		_, id, rest, why := t.FirstChallenge()
		if why != nil {
			return *why
		}
		_, rest, waited := rest.After(check.IsPause)
		calm, rest, asked := rest.After(t.IsHarmlessReport())
		second, again := rest.First(t.IsVerifyReport())
		switch {
		case !waited || !asked || !again:
			return ruling.NotProven("reports after the challenge has expired", "none")
		case !calm.Continues():
			return ruling.Violates("a harmless action to pass once the challenge has expired", calm.Answer()).By(calm.Observation)
		case check.ChallengeIn(second.Observation, "autonomy_pause") == id:
			return ruling.Violates("a new challenge for the same action", "the expired one").By(second.Observation)
		case check.ChallengeIn(second.Observation, "autonomy_pause") == "":
			return ruling.Violates("a new challenge for the same action", second.Answer()).By(second.Observation)
		}
		return ruling.Conforms().By(second.Observation, calm.Observation)
	},
	Fix: "drop the challenge when it expires, and evaluate the next report as any other",
}

// Section 8.8.2.
var challengesExpireAfterTime = check.Check{
	Requirement: "AQL-8.8.2-14",
	Rule:        "Challenges expire after a configurable time, five minutes by default.",
	Why:         "The longer a question is open, the less the person remembers its context.",
	On:          verified("safety.verify_hint", "safety.code_cmd", "safety.challenge_timeout"),
	Lane:        probes.Serial,
	Drive:       expiryOfCodes,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got).ForAgent(check.ExpiredCodeScenario, 0)
		first, id, rest, why := t.FirstChallenge()
		if why != nil {
			return *why
		}
		late, tried := rest.First(func(a check.TraceStep) bool { return a.Operation == check.VerifyOperation && a.Challenge == id })
		switch {
		case !tried:
			return ruling.NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
		case late.Observation.Succeeded():
			return ruling.Violates("a challenge that expires after "+lifetime(s).String(), late.Observation).By(first.Observation)
		}
		if r, ok := redeemed(s, got); !ok {
			return r.By(late.Observation)
		}
		return ruling.Conforms().By(late.Observation, first.Observation)
	},
	Fix: "refuse the code of a challenge that is older than the configured time",
}
