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
	Why:         "While the person has not answered, the agent waits with all it does, and is told for what.",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling {
		t := check.Tell(s, got)
		_, id, rest, why := t.Challenged()
		if why != nil {
			return *why
		}
		a, asked := before(rest, check.Doing(check.CodeShown)).First(t.Harmless())
		switch {
		case !asked:
			return ruling.NotProven("a report while the challenge is pending", "none")
		case a.Paused() && strings.Contains(a.Directive.At("reason").Text(), id):
			return ruling.Conforms().By(a.O)
		case a.Paused():
			return ruling.Violates("a reason that names the challenge", a.Directive.At("reason")).By(a.O)
		}
		return ruling.Violates("continue: false while the challenge is pending", a.Said()).By(a.O)
	},
	Fix: "answer every report of the agent with continue: false and the id of the pending challenge in reason",
}

// Section 8.8.3.
var verifyPauseEndsWithRestart = check.Check{
	Requirement: "AQL-8.8.3-06",
	Rule:        "A verify pause is gone after a server restart.",
	Why:         "Nobody who comes back after a restart should wait for a question that nobody is asked any more.",
	On:          verified("safety.verify_hint", "restart"),
	Lane:        probes.Disposable,
	Limits:      true,
	Drive:       restart,
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling {
		t := check.Tell(s, got).In(check.PauseRestartScene, pauseIndex(s))
		first, _, rest, why := t.Where(func(a check.TraceStep) bool { return a.O.Probe.Conn != restarted(s) }).Challenged()
		if why != nil {
			return *why
		}
		if held, asked := rest.First(t.Harmless()); !asked || !held.Paused() {
			return ruling.NotProven("a pause before the restart", held.Said()).By(held.O).Because("AQL-8.8.3-05")
		}
		later := t.Where(func(a check.TraceStep) bool { return a.O.Probe.Conn == restarted(s) }).Where(t.Harmless()).Acts
		if len(later) == 0 || later[len(later)-1].Directive.Is(probes.Absent) {
			return ruling.NotProven("a directive after the restart", "none")
		}
		last := later[len(later)-1]
		if !last.GoesOn() {
			return ruling.Violates("no pause after a restart", last.Said()).By(last.O, first.O)
		}
		return ruling.Conforms().By(last.O, first.O)
	},
	Fix: "keep the pauses of the verify tier in memory",
}

// pauseIndex is which of the author's agents waits for a person through the restart.
func pauseIndex(s model.Subject) int { return min(1, len(s.Hints.Safety.Agent.Names)-1) }

// Section 8.8.3.
var verifyPauseAllowsNewExecutions = check.Check{
	Requirement: "AQL-8.8.3-07",
	Rule:        "A verify pause does not keep the agent from starting new executions.",
	Why:         "A pause holds up what is going on, not what is to begin.",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Drive:       parallel,
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling {
		t := check.Tell(s, got)
		first, _, rest, why := t.Challenged()
		if why != nil {
			return *why
		}
		begin := check.Doing("execute_agent")
		refusedBefore := len(before(t, t.Provoking()).Where(func(a check.TraceStep) bool { return begin(a) && a.O.Refused() }).Acts) > 0
		begun := rest.Where(begin).Acts
		if len(begun) == 0 {
			return ruling.NotProven("a start while the challenge is pending", "none")
		}
		for i, a := range begun {
			if a.O.Succeeded() && (i == 0 || refusedBefore) {
				return ruling.Conforms().By(a.O, first.O)
			}
		}
		return ruling.Violates("a new execution while a challenge is pending", begun[0].O).By(first.O)
	},
	Fix: "let execute_agent start an agent that waits for verification",
}

// Section 8.8.3.
var expiredPauseIsEvaluatedAfresh = check.Check{
	Requirement: "AQL-8.8.3-08",
	Rule:        "After expiry of a verify challenge reports are evaluated afresh, and the same action raises a new challenge.",
	Why:         "When the question has lapsed, the action is to be looked at anew, and the person asked anew.",
	On:          verified("safety.verify_hint", "safety.challenge_timeout"),
	Lane:        probes.Serial,
	Drive:       expiry,
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling {
		t := check.Tell(s, got).In(check.AfreshScene, 0)
		_, id, rest, why := t.Challenged()
		if why != nil {
			return *why
		}
		_, rest, waited := rest.After(check.Idling)
		calm, rest, asked := rest.After(t.Harmless())
		second, again := rest.First(t.Provoking())
		switch {
		case !waited || !asked || !again:
			return ruling.NotProven("reports after the challenge has expired", "none")
		case !calm.GoesOn():
			return ruling.Violates("a harmless action to pass once the challenge has expired", calm.Said()).By(calm.O)
		case check.ChallengeIn(second.O, "autonomy_pause") == id:
			return ruling.Violates("a new challenge for the same action", "the expired one").By(second.O)
		case check.ChallengeIn(second.O, "autonomy_pause") == "":
			return ruling.Violates("a new challenge for the same action", second.Said()).By(second.O)
		}
		return ruling.Conforms().By(second.O, calm.O)
	},
	Fix: "drop the challenge when it expires, and evaluate the next report as any other",
}

// Section 8.8.2.
var challengesExpireAfterTime = check.Check{
	Requirement: "AQL-8.8.2-14",
	Rule:        "Challenges expire after a configurable time, five minutes by default.",
	Why:         "The longer a question stands, the less the person remembers what it was about.",
	On:          verified("safety.verify_hint", "safety.code_cmd", "safety.challenge_timeout"),
	Lane:        probes.Serial,
	Drive:       expiryOfCodes,
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling {
		t := check.Tell(s, got).In(check.StaleScene, 0)
		first, id, rest, why := t.Challenged()
		if why != nil {
			return *why
		}
		late, tried := rest.First(func(a check.TraceStep) bool { return a.What == check.Attempted && a.Challenge == id })
		switch {
		case !tried:
			return ruling.NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
		case late.O.Succeeded():
			return ruling.Violates("a challenge that expires after "+lifetime(s).String(), late.O).By(first.O)
		}
		if r, ok := redeemed(s, got); !ok {
			return r.By(late.O)
		}
		return ruling.Conforms().By(late.O, first.O)
	},
	Fix: "refuse the code of a challenge that is older than the configured time",
}
