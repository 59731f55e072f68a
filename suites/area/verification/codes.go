package verification

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Section 8.8.2.
var codesCarry128Bits = check.Check{
	Requirement: "AQL-8.8.2-01",
	Rule:        "Verification codes carry at least 128 bits of entropy.",
	Why:         "A code that can be guessed is no proof that a person was asked.",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		issues, why := check.RequireCodes(s, got)
		if why != nil {
			return *why
		}
		const want = "codes of at least 128 bits"
		codes := check.CodesIn(issues)
		if bits := vocab.Strength(codes); bits < vocab.WantedBits {
			return ruling.Violates(want, fmt.Sprintf("codes of at most %.0f bits", bits))
		}
		if !slices.ContainsFunc(codes, func(c string) bool { return !vocab.Uuid4.MatchString(c) }) {
			return ruling.Departs(want, "UUIDs of version 4, which have 122 random bits")
		}
		return ruling.Conforms().Noting("what the look of the codes allows is an upper bound")
	},
	Fix: "draw at least 16 bytes from a secure source for each code",
}

// Section 8.8.2.
var challengeIdsAreUnique = check.Check{
	Requirement: "AQL-8.8.2-03",
	Rule:        "Challenge ids are unique; UUID v4 is recommended.",
	Why:         "Two challenges of one name let the code of one pass for the other.",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Disposable,
	Handles:     check.RateLimits,
	Drive: func(s model.Subject, ask model.AskFunc) {
		consent(s, ask)
		ofAnother(s, ask)
		if restarts(s) {
			restart(s, ask)
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		var ids []string
		for _, a := range check.TraceOf(s, got).ForAgent(check.CollectCodesScenario, 1).Steps {
			if id := check.ChallengeIn(a.Observation, "autonomy_pause"); id != "" && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		for _, i := range check.CollectedCodes(s, got) { // each was met before the next was raised
			ids = append(ids, i.Challenge)
		}
		if restarts(s) {
			ids = append(ids, afterRestart(s, got)...)
		}
		switch again, repeated := twice(ids); {
		case repeated:
			return ruling.Violates("an id of its own for each challenge", "the id "+again+" twice")
		case len(ids) < check.MinChallengeIDs:
			if _, _, _, why := check.TraceOf(s, got).FirstChallenge(); why != nil {
				return *why
			}
			return ruling.NotProven(fmt.Sprintf("%d challenges", check.MinChallengeIDs), len(ids)).Because("AQL-8.8.2-11")
		}
		for _, id := range ids {
			if !vocab.Uuid4.MatchString(id) {
				return ruling.Departs("UUIDs of version 4 as challenge ids", "the id "+id).Noting("recommended")
			}
		}
		return ruling.Conforms()
	},
	Fix: "name each challenge by a fresh UUID of version 4",
}

// ofAnother has a second agent raise a challenge: ids may be counted for each agent.
func ofAnother(s model.Subject, ask model.AskFunc) {
	t := try(s, ask, check.CollectCodesScenario, 1)
	id := ""
	if t.Started() {
		harmless(t)
		if id = provoke(t); id != "" {
			t.Solve(id)
		}
	}
	done(t, id)
}

// afterRestart are the challenges that were raised for the waiting agent after a
// restart: those from before it have ended with the process.
func afterRestart(s model.Subject, got probes.Answers) []string {
	var ids []string
	for _, a := range check.TraceOf(s, got).ForAgent(check.RestartWhilePausedScenario, pauseIndex(s)).Steps {
		id := check.ChallengeIn(a.Observation, "autonomy_pause")
		if a.Observation.Probe.Conn == restarted(s) && a.Operation == check.ReportOperation && a.Paused() && id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// twice returns a word that occurs a second time.
func twice(words []string) (string, bool) {
	seen := map[string]bool{}
	for _, w := range words {
		if seen[w] {
			return w, true
		}
		seen[w] = true
	}
	return "", false
}

// Section 8.8.2, 8.8.4.
var codesCannotBePredictedOrDerived = check.Check{
	Requirement: "AQL-8.8.2-04",
	Rule:        "Codes cannot be predicted: neither sequential nor built from time.",
	Why:         "If the agent can derive the code from other data, the code proves nothing.",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		issues, why := check.RequireCodes(s, got)
		if why != nil {
			return *why
		}
		const want = "codes that nothing foretells"
		codes := check.CodesIn(issues)
		if how, found := vocab.Derived(issues); found {
			return ruling.Violates(want, "codes that are "+how)
		}
		if _, found := vocab.RepeatedCode(codes); found {
			return ruling.Violates(want, "one code for two challenges")
		}
		if !vocab.CodesInOrder(codes) {
			return ruling.Conforms().Noting("that no relation was found is weak evidence")
		}
		if rest := vocab.BehindOrder(codes); len(rest) > 0 && vocab.Strength(rest) >= vocab.WantedBits {
			return ruling.Departs(want, "codes that begin with a clock or a counter")
		}
		return ruling.Violates(want, "codes in order")
	},
	Fix: "make codes of nothing but random bytes",
}
