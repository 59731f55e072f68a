package loop

import (
	"fmt"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

func verifyOperations() []adapter.Operation {
	return []adapter.Operation{{
		Name: "verify_challenge", Category: "CREATE", Feature: adapter.Verification,
		Description: "Let an agent go on that waits for verification, with the code that only the person beside this adapter is shown; a code can be tried once",
		Parameters: []adapter.Parameter{
			{Name: "challenge_id", Type: "string", Required: true, MinLength: adapter.Ref(1), MaxLength: adapter.Ref(100), Description: "Identifier of the challenge: the verificationId of the notification"},
			{Name: "code", Type: "string", Required: true, MinLength: adapter.Ref(1), MaxLength: adapter.Ref(100), Sensitive: true, Description: "Code that the person was shown"},
		},
		Returns:  adapter.TypeInfo{Name: "Verification", Kind: "object", Description: "What was verified"},
		Examples: []adapter.Example{{Description: "Verify a challenge", Request: adapter.Request("verify_challenge", map[string]any{"challenge_id": "verificationId of the notification", "code": "code of the person"})}},
		Run:      verifyChallenge,
	}}
}

// verifyChallenge takes the code of a person. One attempt is all that a code has:
// whoever guesses, guesses each time at another one (spec 8.8.2).
func verifyChallenge(t adapter.Task) adapter.Envelope {
	c, known := ChallengeNamed(t.Adapter, t.Text("challenge_id"))
	if !known {
		return adapter.Absent("challenge", t.Text("challenge_id"))
	}
	if problem := guessing(t.Adapter, c.Agent); problem != nil {
		return problem
	}
	switch now := t.Clock(); {
	case c.Spent:
		return failed(t, c, "has been tried before; report the action again for a new one")
	case Of(t.Adapter).Verifier.Lapsed(*c, now):
		return failed(t, c, "has expired; report the action again for a new one")
	case !c.meets(t.Text("code")):
		return failed(t, c, "is not met by this code, which cannot be tried again; report the action again for a new one")
	}
	Lift(t.Adapter, c)
	return adapter.Success(map[string]any{"challenge_id": c.ID, "element_name": c.Agent, "verified": true})
}

// failed spends a challenge, counts the failure, and says no more than that.
func failed(t adapter.Task, c *Challenge, why string) adapter.Envelope {
	a := t.Adapter
	a.Audit(t.Session, "verification_failed", map[string]any{"agent": c.Agent, "challenge_id": c.ID}) // spec 8.8.5
	c.Spent = true
	KeepChallenge(a, c)
	a.Records.Drop(Codes, c.ID)
	adapter.Must(a.Records.Keep(Failures, c.Agent, append(failuresOf(a, c.Agent), a.Clock())))
	return adapter.Failure("PERMISSION_DENIED", fmt.Sprintf("Challenge '%s' %s", c.ID, why), map[string]any{"challenge_id": c.ID})
}

// failuresOf lists the failed attempts that still count.
func failuresOf(a *adapter.Adapter, agent string) []time.Time {
	var all []time.Time
	a.Records.Find(Failures, agent, &all)
	since := a.Clock().Add(-Of(a).Verifier.Window)
	return slices.DeleteFunc(all, func(t time.Time) bool { return !t.After(since) })
}

// guessing answers for an agent whose challenges were failed too often (spec 8.8.5).
func guessing(a *adapter.Adapter, agent string) adapter.Envelope {
	failed := failuresOf(a, agent)
	if len(failed) < Of(a).Verifier.Most {
		return nil
	}
	rest := failed[0].Add(Of(a).Verifier.Window).Sub(a.Clock())
	return adapter.Failure("RATE_LIMIT_EXCEEDED", fmt.Sprintf("Too many failed attempts for agent '%s'; wait and try again", agent),
		map[string]any{"element_name": agent, "retry_after_seconds": int(rest/time.Second) + 1})
}

// verifying holds an agent while a person has to verify something of it, and what of
// a report needs that. settled is false where it has no say (spec 8.8.3).
func verifying(a *adapter.Adapter, e *Execution, hint string, d Decision) (held Decision, settled bool) {
	if !a.Has(adapter.Verification) || d.Verdict == Stop {
		return d, false
	}
	c := Of(a).Verifier.Pauses[e.Agent]
	if c != nil && c.Expired(a.Clock()) {
		delete(Of(a).Verifier.Pauses, e.Agent)
		c = nil
	}
	if Of(a).Verifier.Passes[e.Agent] == hint && d.tier == "verify" {
		delete(Of(a).Verifier.Passes, e.Agent)
		return Decision{Factors: []string{"a person verified it"}, tier: d.tier, score: d.score}, true
	}
	switch {
	case c != nil && c.Spent:
		c = Raise(a, e.Agent, c.Action, false)
	case c == nil && d.tier == "verify" && d.Verdict == Pause:
		c = Raise(a, e.Agent, hint, false)
	case c == nil:
		return d, false
	}
	held = Decision{Verdict: Pause, Cause: "verification", Reason: fmt.Sprintf("Challenge %s waits for a person to verify: %s", c.ID, c.Action),
		Factors: append(slices.Clone(d.Factors), "an action of the agent waits for verification"), tier: d.tier, score: d.score}
	tellOf(a, e, c, held.Reason)
	return held, true
}

// tellOf names a pending challenge in the directives of an execution.
func tellOf(a *adapter.Adapter, e *Execution, c *Challenge, reason string) {
	if c.toldTo == e.ID {
		return
	}
	c.toldTo = e.ID
	tell(a, e, Notice{Type: "autonomy_pause", Message: "Ask a person to verify the action with the code that the display beside this adapter shows",
		Metadata: map[string]any{"reason": reason, "verificationId": c.ID},
		Standing: func() bool {
			now := Of(a).Verifier.Pauses[c.Agent]
			return now != nil && now.ID == c.ID && !now.Spent && !now.Expired(a.Clock())
		}})
}

// renewed is the challenge that lifts a block: a new one where that of the block has
// been failed or has expired, because a block is for ever and a challenge is not.
func renewed(a *adapter.Adapter, b Block) Block {
	c, known := ChallengeNamed(a, b.VerificationID)
	if !a.Has(adapter.Verification) || known && !c.Spent && !c.Expired(a.Clock()) {
		return b
	}
	b.VerificationID = Raise(a, b.Agent, b.Reason, true).ID
	adapter.Must(a.Records.Keep(Blocks, b.Agent, b))
	return b
}

// verifyTypes are the types that out-of-band verification adds.
func verifyTypes() []adapter.TypeInfo {
	return []adapter.TypeInfo{{Name: "Verification", Kind: "object", Description: "A challenge that was met", Fields: []adapter.Parameter{
		adapter.Field("challenge_id", "string", true, "Identifier of the challenge"), adapter.Field("element_name", "string", true, "Agent that may go on"),
		adapter.Field("verified", "boolean", true, "That the code was right")}}}
}
