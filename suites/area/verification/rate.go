package verification

import (
	"fmt"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// mostFailures is how many failed attempts may be processed in a window.
const mostFailures = 10

// guessed are the wrong codes of a scene, and how many of them were processed.
func guessed(t check.Trace) (tries []check.TraceStep, processed int, why *ruling.Ruling) {
	if _, _, _, why := t.FirstChallenge(); why != nil {
		return nil, 0, why
	}
	tries = t.Filter(check.IsOperation(check.VerifyOperation)).Steps
	var r ruling.Ruling
	for _, a := range tries {
		switch {
		case a.Observation.Succeeded():
			r = ruling.NotProven("wrong codes that are refused", a.Observation).Because("AQL-8.8-01")
			return tries, 0, &r
		case tooMany(a.Observation):
			return tries, processed, nil
		case check.RefusedAsMalformed(a.Observation):
			r = ruling.NotProven("wrong codes that count as attempts", a.Observation)
			return tries, 0, &r
		}
		processed++
	}
	return tries, processed, nil
}

// Section 8.8.5.
var failedVerificationsAreRateLimited = check.Check{
	Requirement: "AQL-8.8.5-01",
	Rule:        "At most ten failed verifications per agent and 60 seconds are processed; later ones are refused with a fitting error.",
	Why:         "A limit is what keeps a machine from trying codes until one fits.",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Handles:     check.RateLimits,
	Drive:       guessing,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		tries, processed, why := guessed(check.TraceOf(s, got))
		switch {
		case why != nil:
			return *why
		case processed < len(tries) && tries[len(tries)-1].Observation.Succeeded() && between(tries[processed], tries[len(tries)-1]) < time.Minute:
			return ruling.Violates("a refusal also of the right code after the limit", "success").By(tries[len(tries)-1].Observation, tries[processed].Observation)
		case processed < len(tries) && processed <= mostFailures:
			return ruling.Conforms().By(tries[processed].Observation)
		case processed == len(tries) && len(tries) < check.MaxGuesses:
			return ruling.NotProven(fmt.Sprintf("%d challenges to fail", check.MaxGuesses), len(tries))
		case between(tries[0], tries[len(tries)-1]) > time.Minute:
			return ruling.NotProven("attempts within a minute", between(tries[0], tries[len(tries)-1]))
		}
		return ruling.Violates("a refusal for too many attempts after ten", fmt.Sprintf("%d attempts processed", processed)).By(tries[processed-1].Observation)
	},
	Fix: "refuse attempts with an error of its own when ten have failed within 60 s",
}

// Section 8.8.5.
var failureCounterResetsAfterItsWindow = check.Check{
	Requirement: "AQL-8.8.5-02",
	Rule:        "The failure counter starts anew after its window.",
	Why:         "A limit that never expires lets anyone lock an agent out permanently.",
	On:          verified("safety.verify_hint"),
	Lane:        probes.Serial,
	Handles:     check.RateLimits,
	Drive:       forgiven,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		tries, processed, why := guessed(check.TraceOf(s, got))
		switch {
		case why != nil:
			return *why
		case processed == len(tries):
			return ruling.NotProven("a limit that is reached", "none").Because("AQL-8.8.5-01")
		case processed == len(tries)-1:
			return ruling.NotProven("an attempt after the window", "none")
		}
		last := tries[len(tries)-1]
		if tooMany(last.Observation) {
			return ruling.Violates("an ordinary failure after the window", last.Observation).By(tries[processed].Observation)
		}
		return ruling.Conforms().By(last.Observation, tries[processed].Observation)
	},
	Fix: "forget failed attempts when the window is over",
}

// Section 8.8.5.
var rateLimitSurvivesRestart = check.Check{
	Requirement: "AQL-8.8.5-04",
	Rule:        "The rate-limit state survives a restart.",
	Why:         "Otherwise an attacker can crash the adapter to get ten more attempts.",
	On:          verified("safety.verify_hint", "restart"),
	Lane:        probes.Disposable,
	Handles:     check.RateLimits,
	Drive:       restart,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		all := check.TraceOf(s, got).ForAgent(check.RestartAfterGuessingScenario, 0)
		before := all.Filter(func(a check.TraceStep) bool { return a.Observation.Probe.Conn != restarted(s) })
		tries, processed, why := guessed(before)
		after := all.Filter(func(a check.TraceStep) bool { return a.Observation.Probe.Conn == restarted(s) }).Filter(check.IsOperation(check.VerifyOperation)).Steps
		switch {
		case why != nil:
			return *why
		case processed == len(tries):
			return ruling.NotProven("a limit that is reached", "none").Because("AQL-8.8.5-01")
		case len(after) == 0:
			return ruling.NotProven("an attempt after the restart", "none")
		case tooMany(after[0].Observation):
			return ruling.Conforms().By(after[0].Observation, tries[processed].Observation)
		case between(tries[0], after[0]) >= time.Minute:
			return ruling.NotProven("a restart within the window", between(tries[0], after[0]))
		}
		return ruling.Violates("a limit that a restart does not end", after[0].Observation).By(tries[processed].Observation)
	},
	Fix: "keep the count of failed attempts where a restart does not reach it",
}
