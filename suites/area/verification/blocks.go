package verification

import (
	"fmt"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 8.8.3.
var blockedAgentGetsOperationsRefused = check.Check{
	Requirement: "AQL-8.8.3-01",
	Rule:        "A hard-blocked agent gets its further execution operations refused.",
	Why:         "A block must stop all calls of the agent, not only its reports.",
	On:          verified("safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       refusals,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		all := check.TraceOf(s, got)
		other := all.ForAgent(check.BlockedAgentScenario, 1)
		block, _, rest, why := blocked(all.ForAgent(check.BlockedAgentScenario, 0))
		if why != nil {
			return *why
		}
		asked := 0
		for _, a := range before(rest, func(a check.TraceStep) bool { return a.Operation == check.UnblockCommand || granted(a) }).Steps {
			if a.Operation != "complete_execution" && a.Operation != "confirm_operation" {
				continue
			}
			if asked++; a.Observation.Succeeded() {
				return ruling.Violates("a refusal of "+a.Operation+" for a blocked agent", a.Answer()).By(a.Observation, block.Observation)
			}
		}
		if asked == 0 {
			return ruling.NotProven("an execution operation for a blocked agent", "none")
		}
		control, done := all.First(func(a check.TraceStep) bool { return a.Operation == "complete_execution" && a.Observation.Succeeded() })
		reports := other.Filter(check.IsOperation(check.ReportOperation)).Steps
		if len(reports) == 2 && reports[0].Continues() && !reports[1].Continues() {
			return ruling.Departs("other agents to go on", reports[1].Answer()).By(reports[1].Observation, block.Observation)
		}
		if !done { // what is refused to every agent is not refused for the block
			return ruling.NotProven("complete_execution to succeed for an agent that is not blocked", "none").By(block.Observation)
		}
		return ruling.Conforms().By(block.Observation, control.Observation)
	},
	Fix: "refuse every execution operation of an agent while it is blocked",
}

// Section 8.8.3.
var hardBlockSurvivesRestart = check.Check{
	Requirement: "AQL-8.8.3-02",
	Rule:        "The block survives a restart of the server.",
	Why:         "A restart is easy to bring about, and no person has looked at anything then.",
	On:          verified("safety.deny_hint", "safety.verify_hint", "restart"),
	Lane:        probes.Disposable,
	Handles:     check.RateLimits,
	Drive:       restartThenKill,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		r := outlives(s, got, check.RestartWhileBlockedScenario, restarted(s))
		if got.Step(kill).Outcome != probes.Result {
			if r.Verdict == reports.Pass {
				return r.Noting("after an orderly stop alone")
			}
			return r
		}
		return ruling.Worst(r, outlives(s, got, check.KilledWhileBlockedScenario, killed(s)))
	},
	Fix: "write the block to disk before the directive is sent, and read it when an agent is looked up",
}

// outlives rules on the block of an agent, over a connection to the adapter started again.
func outlives(s model.Subject, got probes.Answers, in check.Scenario, conn string) ruling.Ruling {
	isAfter := func(a check.TraceStep) bool { return a.Observation.Probe.Conn == conn }
	t := check.TraceOf(s, got).ForAgent(in, 0)
	block, _, rest, why := blocked(t.Filter(func(a check.TraceStep) bool { return !isAfter(a) }))
	if why != nil {
		return *why
	}
	if a, escaped := rest.First(passing); escaped {
		return ruling.NotProven("a block that a new execution does not end", a.Answer()).By(a.Observation).Because("AQL-8.8.3-04")
	}
	first, _ := t.First(isAfter)
	_, after, asked := t.After(isAfter)
	if !asked {
		return ruling.NotProven("the adapter started again", "none")
	}
	lifted := func(a check.TraceStep) bool { return a.Operation == check.UnblockCommand || granted(a) }
	if a, escaped := before(after, lifted).First(passing); escaped || passing(first) {
		return ruling.Violates("a block that a restart does not end", a.Answer()).By(a.Observation, block.Observation)
	}
	return ruling.Conforms().By(first.Observation, block.Observation)
}

// Section 8.8.3.
var onlyVerificationOrAdminLiftsBlock = check.Check{
	Requirement: "AQL-8.8.3-03",
	Rule:        "Nothing but successful verification or an explicit admin override lifts the block.",
	Why:         "The agent must not be able to end its own block.",
	On:          verified("safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       waysOut,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		t := check.TraceOf(s, got)
		block, _, rest, why := blocked(t)
		if why != nil {
			return *why
		}
		aborted := check.IsOperation("abort_execution")
		if a, escaped := before(rest, aborted).First(passing); escaped {
			return ruling.NotProven("a block that a new execution does not end", a.Answer()).By(a.Observation).Because("AQL-8.8.3-04")
		}
		// The last attempt but the wrong one, or the command, is the person's.
		wrong := true
		last := func(a check.TraceStep) bool {
			if a.Operation == check.VerifyOperation && wrong {
				wrong = false
				return a.Observation.Succeeded()
			}
			return a.Operation == check.VerifyOperation || a.Operation == check.UnblockCommand
		}
		person, after, done := rest.After(last)
		wrong = true
		if a, escaped := before(rest, last).First(passing); escaped {
			if outside(rest, block) {
				return lostWithProcess(a, block)
			}
			return ruling.Violates("a block that only a person ends", "a harmless action let pass").By(a.Observation, block.Observation)
		}
		free, let := after.First(passing)
		switch {
		case !done:
			return ruling.NotProven("a person who lifts the block", "none").Mend(model.AddHint("safety.code_cmd", check.LoopHints["safety.code_cmd"]))
		case !let:
			return ruling.NotProven("an agent that goes on once a person has lifted the block", person.Observation)
		}
		return ruling.Conforms().By(free.Observation, person.Observation, block.Observation)
	},
	Fix: "lift a block by verify_challenge with the right code, or by hand, and in no other way",
}

// Section 8.8.3.
var newExecutionDoesNotEscapeBlock = check.Check{
	Requirement: "AQL-8.8.3-04",
	Rule:        "A blocked agent cannot slip out by starting a fresh execution.",
	Why:         "The block is on the agent: another execution is the same agent.",
	On:          verified("safety.deny_hint"),
	Lane:        probes.Serial,
	Drive:       freshStarts,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		block, _, rest, why := blocked(check.TraceOf(s, got))
		if why != nil {
			return *why
		}
		tried := before(rest, func(a check.TraceStep) bool { return a.Operation == check.UnblockCommand || granted(a) })
		begun := tried.Filter(check.IsOperation("execute_agent")).Steps
		if a, escaped := tried.First(passing); escaped {
			if outside(tried, block) {
				return lostWithProcess(a, block)
			}
			return ruling.Violates("no new execution of a blocked agent", "one that goes on").By(a.Observation, block.Observation)
		}
		if len(begun) == 0 {
			return ruling.NotProven("a start of the blocked agent", "none")
		}
		for _, a := range begun {
			if a.Observation.Succeeded() {
				return ruling.Departs("no new execution of a blocked agent", "one whose reports stay stopped").By(a.Observation, block.Observation)
			}
		}
		return ruling.Conforms().By(begun[0].Observation, block.Observation)
	},
	Fix: "look the block up by the agent when an execution is to begin",
}

// lostWithProcess is a block that a new process of the adapter does not know of, which is no
// more than that it does not outlive the one that set it.
func lostWithProcess(a, block check.TraceStep) ruling.Ruling {
	return ruling.NotProven("a block that the next process knows of", "an action let pass once there was one").By(a.Observation, block.Observation).Because("AQL-8.8.3-02")
}

// Section 8.8.2.
var expiredChallengesCountAsFailed = check.Check{
	Requirement: "AQL-8.8.2-15",
	Rule:        "An expired challenge counts as a failed one.",
	Why:         "An expired challenge counts as not answered, and a later answer does not change that.",
	On:          verified("safety.deny_hint", "safety.verify_hint", "safety.code_cmd", "safety.challenge_timeout"),
	Lane:        probes.Serial,
	Drive:       expiryOfCodes,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		block, id, rest, why := blocked(check.TraceOf(s, got).ForAgent(check.ExpiredBlockScenario, 0))
		if why != nil {
			return *why
		}
		_, rest, waited := rest.After(check.IsPause)
		calm, rest, asked := rest.After(check.IsOperation(check.ReportOperation))
		late, rest, tried := rest.After(func(a check.TraceStep) bool { return a.Operation == check.VerifyOperation && a.Challenge == id })
		free, _ := rest.First(check.IsOperation(check.ReportOperation))
		switch {
		case !waited || !asked:
			return ruling.NotProven("a blocked agent whose challenge has expired", "none")
		case calm.Continues():
			return ruling.Violates("a block that outlives its challenge", calm.Answer()).By(calm.Observation, block.Observation)
		case !tried:
			return ruling.NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
		case !late.Observation.Succeeded():
			if r, ok := redeemed(s, got); !ok {
				return r.By(late.Observation)
			}
			return ruling.Conforms().By(late.Observation, calm.Observation)
		case calledExpired(calm, id):
			return ruling.Violates("an expired challenge that is lost", fmt.Sprintf("its code accepted %s late", between(block, late).Round(1e9))).By(late.Observation, calm.Observation, free.Observation)
		}
		return ruling.NotApplicable("the challenge of a block did not expire")
	},
	Fix: "refuse the code of an expired challenge, and keep the block until another is met",
}

// calledExpired reports whether an answer shows that the adapter takes a challenge for
// expired: it names another, or says so.
func calledExpired(a check.TraceStep, id string) bool {
	now := check.ChallengeIn(a.Observation, "danger_zone")
	return now != "" && now != id || expiredText.MatchString(a.Observation.Message())
}
