package adapter

import (
	"fmt"
	"slices"
	"time"
)

func verifyOperations() []operation {
	return []operation{{
		Name: "verify_challenge", Category: "CREATE", Feature: verification,
		Description: "Let an agent go on that waits for verification, with the code that only the person beside this adapter is shown; a code can be tried once",
		Parameters: []parameter{
			{Name: "challenge_id", Type: "string", Required: true, MinLength: ref(1), MaxLength: ref(100), Description: "Identifier of the challenge: the verificationId of the notification"},
			{Name: "code", Type: "string", Required: true, MinLength: ref(1), MaxLength: ref(100), Sensitive: true, Description: "Code that the person was shown"},
		},
		Returns:  typeInfo{Name: "Verification", Kind: "object", Description: "What was verified"},
		Examples: []example{{"Verify a challenge", request("verify_challenge", map[string]any{"challenge_id": "verificationId of the notification", "code": "code of the person"})}},
		run:      verifyChallenge,
	}}
}

// verifyChallenge takes the code of a person. One attempt is all that a code has:
// whoever guesses, guesses each time at another one (spec 8.8.2).
func verifyChallenge(t task) envelope {
	c, known := t.challengeNamed(t.text("challenge_id"))
	if !known {
		return absent("challenge", t.text("challenge_id"))
	}
	if problem := t.guessing(c.Agent); problem != nil {
		return problem
	}
	switch now := t.clock(); {
	case c.Spent:
		return t.failed(c, "has been tried before; report the action again for a new one")
	case t.verifier.lapsed(*c, now):
		return t.failed(c, "has expired; report the action again for a new one")
	case !c.meets(t.text("code")):
		return t.failed(c, "is not met by this code, which cannot be tried again; report the action again for a new one")
	}
	t.lift(c)
	return success(map[string]any{"challenge_id": c.ID, "element_name": c.Agent, "verified": true})
}

// failed spends a challenge, counts the failure, and says no more than that.
func (a *Adapter) failed(c *challenge, why string) envelope {
	c.Spent = true
	a.keepChallenge(c)
	a.records.drop(codes, c.ID)
	must(a.records.keep(failures, c.Agent, append(a.failuresOf(c.Agent), a.clock())))
	return failure("PERMISSION_DENIED", fmt.Sprintf("Challenge '%s' %s", c.ID, why), map[string]any{"challenge_id": c.ID})
}

// failuresOf lists the failed attempts that still count.
func (a *Adapter) failuresOf(agent string) []time.Time {
	var all []time.Time
	a.records.find(failures, agent, &all)
	since := a.clock().Add(-a.verifier.window)
	return slices.DeleteFunc(all, func(t time.Time) bool { return !t.After(since) })
}

// guessing answers for an agent whose challenges were failed too often (spec 8.8.5).
func (a *Adapter) guessing(agent string) envelope {
	failed := a.failuresOf(agent)
	if len(failed) < a.verifier.most {
		return nil
	}
	rest := failed[0].Add(a.verifier.window).Sub(a.clock())
	return failure("RATE_LIMIT_EXCEEDED", fmt.Sprintf("Too many failed attempts for agent '%s'; wait and try again", agent),
		map[string]any{"element_name": agent, "retry_after_seconds": int(rest/time.Second) + 1})
}

// verifying holds an agent while a person has to verify something of it, and what of
// a report needs that. settled is false where it has no say (spec 8.8.3).
func (a *Adapter) verifying(e *execution, hint string, d decision) (held decision, settled bool) {
	if !a.has(verification) || d.verdict == stop {
		return d, false
	}
	c := a.verifier.pauses[e.Agent]
	if c != nil && c.expired(a.clock()) {
		delete(a.verifier.pauses, e.Agent)
		c = nil
	}
	if a.verifier.passes[e.Agent] == hint && d.tier == "verify" {
		delete(a.verifier.passes, e.Agent)
		return decision{factors: []string{"a person verified it"}, tier: d.tier, score: d.score}, true
	}
	switch {
	case c != nil && c.Spent:
		c = a.raise(e.Agent, c.Action, false)
	case c == nil && d.tier == "verify" && d.verdict == pause:
		c = a.raise(e.Agent, hint, false)
	case c == nil:
		return d, false
	}
	held = decision{verdict: pause, cause: "verification", reason: fmt.Sprintf("Challenge %s waits for a person to verify: %s", c.ID, c.Action),
		factors: append(slices.Clone(d.factors), "an action of the agent waits for verification"), tier: d.tier, score: d.score}
	a.tellOf(e, c, held.reason)
	return held, true
}

// tellOf names a pending challenge in the directives of an execution.
func (a *Adapter) tellOf(e *execution, c *challenge, reason string) {
	if c.toldTo == e.ID {
		return
	}
	c.toldTo = e.ID
	a.tell(e, notice{Type: "autonomy_pause", Message: "Ask a person to verify the action with the code that the display beside this adapter shows",
		Metadata: map[string]any{"reason": reason, "verificationId": c.ID},
		standing: func() bool {
			now := a.verifier.pauses[c.Agent]
			return now != nil && now.ID == c.ID && !now.Spent && !now.expired(a.clock())
		}})
}

// renewed is the challenge that lifts a block: a new one where that of the block has
// been failed or has expired, because a block is for ever and a challenge is not.
func (a *Adapter) renewed(b block) block {
	c, known := a.challengeNamed(b.VerificationID)
	if !a.has(verification) || known && !c.Spent && !c.expired(a.clock()) {
		return b
	}
	b.VerificationID = a.raise(b.Agent, b.Reason, true).ID
	must(a.records.keep(blocks, b.Agent, b))
	return b
}

// verifyTypes are the types that out-of-band verification adds.
func verifyTypes() []typeInfo {
	return []typeInfo{{Name: "Verification", Kind: "object", Description: "A challenge that was met", Fields: []parameter{
		field("challenge_id", "string", true, "Identifier of the challenge"), field("element_name", "string", true, "Agent that may go on"),
		field("verified", "boolean", true, "That the code was right")}}}
}
