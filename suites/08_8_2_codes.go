package suites

import (
	"fmt"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// collected are the challenges of the consent scene with their codes, in order.
func (s Subject) collected(got []probes.Observation) []issue {
	told := map[string]time.Time{}
	var all []issue
	for _, a := range s.tell(got).in(consentScene, 0).acts {
		for _, n := range a.directive.At("notifications").Items() {
			if at, err := time.Parse(time.RFC3339, n.At("timestamp").Text()); err == nil {
				told[n.At("metadata", "verificationId").Text()] = at
			}
		}
		if a.what == codeShown && a.code != "" {
			all = append(all, issue{a.challenge, a.code, told[a.challenge]})
		}
	}
	return all
}

func codesIn(issues []issue) []string {
	var all []string
	for _, i := range issues {
		all = append(all, i.code)
	}
	return all
}

// sampled rules where there are too few codes to say anything of how they are made.
func (s Subject) sampled(got []probes.Observation) ([]issue, *Ruling) {
	issues := s.collected(got)
	if len(issues) >= manyCodes {
		return issues, nil
	}
	r := NotProven(fmt.Sprintf("%d codes", manyCodes), len(issues)).Because("AQL-8.8.2-11")
	switch _, _, _, why := s.tell(got).challenged(); {
	case why != nil:
		r = *why
	case len(issues) == 0:
		r = NotProven("a code from safety.code_cmd", "none").Because("AQL-8.8.2-05")
	}
	return nil, &r
}

// Section 8.8.2. A code that can be guessed is no proof that a person was asked.
var _ = register(Check{
	Requirement: "AQL-8.8.2-01",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		issues, why := s.sampled(got)
		if why != nil {
			return *why
		}
		const want = "codes of at least 128 bits"
		codes := codesIn(issues)
		if bits := strength(codes); bits < wantedBits {
			return Violates(want, fmt.Sprintf("codes of at most %.0f bits", bits))
		}
		if !slices.ContainsFunc(codes, func(c string) bool { return !uuid4.MatchString(c) }) {
			return Departs(want, "UUIDs of version 4, which have 122 random bits")
		}
		return Conforms().Noting("what the look of the codes allows is an upper bound")
	},
	Fix: "draw at least 16 bytes from a secure source for each code",
})

// Section 8.8.2. Two challenges of one name let the code of one pass for the other.
var _ = register(Check{
	Requirement: "AQL-8.8.2-03",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Disposable,
	Limits:      true,
	Drive: func(s Subject, ask Asking) {
		consent(s, ask)
		if s.restarts() {
			restart(s, ask)
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		var ids []string
		for _, i := range s.collected(got) { // each was met before the next was raised
			ids = append(ids, i.challenge)
		}
		if s.restarts() {
			ids = append(ids, s.afterRestart(got)...)
		}
		switch again, repeated := twice(ids); {
		case repeated:
			return Violates("an id of its own for each challenge", "the id "+again+" twice")
		case len(ids) < fewIDs:
			if _, _, _, why := s.tell(got).challenged(); why != nil {
				return *why
			}
			return NotProven(fmt.Sprintf("%d challenges", fewIDs), len(ids)).Because("AQL-8.8.2-11")
		}
		for _, id := range ids {
			if !uuid4.MatchString(id) {
				return Departs("UUIDs of version 4 as challenge ids", "the id "+id).Noting("recommended")
			}
		}
		return Conforms()
	},
	Fix: "name each challenge by a fresh UUID of version 4",
})

// afterRestart are the challenges that were raised for the waiting agent after a
// restart: those from before it have ended with the process.
func (s Subject) afterRestart(got []probes.Observation) []string {
	var ids []string
	for _, a := range s.tell(got).in(pauseRestartScene, s.pauseIndex()).acts {
		id := challengeIn(a.o, "autonomy_pause")
		if a.o.Probe.Conn == s.restarted() && a.what == reported && a.paused() && id != "" && !slices.Contains(ids, id) {
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

// Section 8.8.2, 8.8.4. A code that follows from what the agent is told is as good as
// told.
var _ = register(Check{
	Requirement: "AQL-8.8.2-04",
	On:          verified("safety.verify_hint", "safety.code_cmd"),
	Lane:        probes.Serial,
	Drive:       consent,
	Judge: func(s Subject, got []probes.Observation) Ruling {
		issues, why := s.sampled(got)
		if why != nil {
			return *why
		}
		const want = "codes that nothing foretells"
		codes := codesIn(issues)
		if how, found := derived(issues); found {
			return Violates(want, "codes that are "+how)
		}
		if _, found := repeatedCode(codes); found {
			return Violates(want, "one code for two challenges")
		}
		if !codesInOrder(codes) {
			return Conforms().Noting("that no relation was found is weak evidence")
		}
		if rest := behindOrder(codes); len(rest) > 0 && strength(rest) >= wantedBits {
			return Departs(want, "codes that begin with a clock or a counter")
		}
		return Violates(want, "codes in order")
	},
	Fix: "make codes of nothing but random bytes",
})
