package safety

import (
	"encoding/json"
	"math"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/loop"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// around wraps every operation between two looks at the adapter.
func around(before, behind func(c adapter.Call)) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		before(c)
		e := next(c)
		behind(c)
		return e
	}}
}

// ofThisProcess forgets records of an agent that another process has made.
func ofThisProcess(kind string) adapter.Hooks {
	key := func(c adapter.Call) string { return kind + " of " + agent(c) }
	return around(
		func(c adapter.Call) {
			if seam.Recall(c.Adapter, key(c)) == 0 {
				c.Records.Drop(kind, agent(c))
			}
		},
		func(c adapter.Call) {
			var found json.RawMessage
			if c.Records.Find(kind, agent(c), &found) {
				seam.Remember(c.Adapter, key(c), 1)
			}
		})
}

// blockFaults let an agent out of its block, or into work while it lasts.
var blockFaults = []seam.Fault{
	{ID: "AQL-8.8.3-01", Variant: "complete-while-blocked", Defect: "complete_execution works for a blocked agent", Features: verifies,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if running := loop.Of(c.Adapter).Running[agent(c)]; c.Operation() == "complete_execution" && running != nil && seam.FailedWith("CONFLICT_AGENT_BLOCKED")(nil, e) {
				return adapter.Success(loop.Finish(c.Adapter, running, "completed").Shown())
			}
			return e
		}}},
	{ID: "AQL-8.8.3-02", Variant: "block-in-memory", Defect: "blocks are kept in memory alone", Features: verifies, Hooks: ofThisProcess(loop.Blocks)},
	{ID: "AQL-8.8.3-02", Variant: "block-written-lazily", Defect: "a block is written to disk twenty seconds later", Features: verifies, Hooks: lazyBlocks},
	{ID: "AQL-8.8.3-03", Variant: "abort-lifts-block", Defect: "abort_execution ends the block", Features: verifies,
		Hooks: seam.After(func(c adapter.Call, _ adapter.Envelope) {
			if c.Operation() == "abort_execution" {
				loop.Unblock(c.Adapter, agent(c))
			}
		})},
	{ID: "AQL-8.8.3-04", Variant: "block-per-execution", Defect: "a block is that of an execution, and the agent may begin another", Features: verifies,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if c.Operation() == "execute_agent" && loop.Unblock(c.Adapter, agent(c)) {
				if running := loop.Of(c.Adapter).Running[agent(c)]; running != nil {
					loop.Finish(c.Adapter, running, "cancelled")
				}
			}
			return next(c)
		}}},
	{ID: "AQL-8.8.2-15", Variant: "expired-code-accepted", Defect: "an expired code still ends a block", Features: verifies,
		Hooks: lapsing(func(c loop.Challenge, now time.Time) bool { return !c.Hard && c.Expired(now) })},
	{ID: "AQL-8.8.2-15", Variant: "expiry-lifts-block", Defect: "a block ends when its challenge expires", Features: verifies,
		Hooks: around(func(c adapter.Call) {
			var b loop.Block
			if c.Records.Find(loop.Blocks, agent(c), &b) {
				if raised, known := loop.ChallengeNamed(c.Adapter, b.VerificationID); known && raised.Expired(c.Clock()) {
					loop.Unblock(c.Adapter, agent(c))
				}
			}
		}, func(adapter.Call) {})},
}

// lapsing replaces the way in which codes come too late.
func lapsing(late func(c loop.Challenge, now time.Time) bool) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) { loop.Of(a).Verifier.Lapsed = late }}
}

// lazyBlocks lose a block that is so new that the process before this one had not yet
// written it to disk.
var lazyBlocks = around(
	func(c adapter.Call) {
		var since time.Time
		if seam.Recall(c.Adapter, "block of "+agent(c)) == 0 && c.Records.Find("blocked since", agent(c), &since) && c.Clock().Sub(since) < lazyWrites {
			loop.Unblock(c.Adapter, agent(c))
		}
	},
	func(c adapter.Call) {
		var b loop.Block
		if c.Records.Find(loop.Blocks, agent(c), &b) && seam.Recall(c.Adapter, "block of "+agent(c)) == 0 {
			seam.Remember(c.Adapter, "block of "+agent(c), 1)
			adapter.Must(c.Records.Keep("blocked since", agent(c), c.Clock()))
		}
	})

// lazyWrites is how long it takes until a block is on disk.
const lazyWrites = 20 * time.Second

// attemptFaults let codes be tried too often, or never again.
var attemptFaults = []seam.Fault{
	{ID: "AQL-8.8.2-11", Variant: "verified-but-blocked", Defect: "a verification is taken and the pause stays", Features: verifies,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			id, _, _ := c.Value("challenge_id")
			name, _ := id.(string)
			waits, known := loop.ChallengeNamed(c.Adapter, name)
			e := next(c)
			if c.Operation() == "verify_challenge" && adapter.Succeeded(e) && known && !waits.Hard {
				delete(loop.Of(c.Adapter).Verifier.Passes, waits.Agent)
				loop.Raise(c.Adapter, waits.Agent, waits.Action, false)
			}
			return e
		}}},
	{ID: "AQL-8.8.2-12", Variant: "ten-tries-per-code", Defect: "a code may be tried ten times", Features: verifies,
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			id, _, _ := c.Value("challenge_id")
			name, _ := id.(string)
			if tried, known := loop.ChallengeNamed(c.Adapter, name); c.Operation() == "verify_challenge" && known && !adapter.Succeeded(e) && seam.Count(c.Adapter, "tries of "+name) < 9 {
				tried.Spent = false
				loop.KeepChallenge(c.Adapter, tried)
			}
		})},
	{ID: "AQL-8.8.2-13", Variant: "code-never-deleted", Defect: "a used code meets a newer challenge", Features: verifies,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if c.Operation() != "verify_challenge" {
				return next(c)
			}
			id, _, _ := c.Value("challenge_id")
			code, _, _ := c.Value("code")
			name, _ := id.(string)
			text, _ := code.(string)
			if newer, known := loop.ChallengeNamed(c.Adapter, name); known && seam.Recall(c.Adapter, "used "+text) > 0 {
				loop.Lift(c.Adapter, newer)
				return adapter.Success(map[string]any{"challenge_id": name, "element_name": newer.Agent, "verified": true})
			}
			e := next(c)
			if adapter.Succeeded(e) {
				seam.Remember(c.Adapter, "used "+text, 1)
			}
			return e
		}}},
	{ID: "AQL-8.8.2-14", Variant: "challenge-never-expires", Defect: "the code of a pause can be used for ever", Features: verifies,
		Hooks: lapsing(func(c loop.Challenge, now time.Time) bool { return c.Hard && c.Expired(now) })},
	{ID: "AQL-8.8.5-01", Variant: "no-verification-limit", Defect: "any number of wrong codes is processed", Features: verifies,
		Hooks: adapter.Hooks{Table: func(a *adapter.Adapter) { loop.Of(a).Verifier.Most = math.MaxInt }}},
	{ID: "AQL-8.8.5-01", Variant: "right-code-after-limit", Defect: "the limit is looked at for wrong codes alone", Features: verifies,
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			id, _, _ := c.Value("challenge_id")
			given, _, _ := c.Value("code")
			if code := codeOf(c.Adapter, id); c.Operation() == "verify_challenge" && code != "" && given == code {
				c.Records.Drop(loop.Failures, challenged(c))
			}
			return next(c)
		}}},
	{ID: "AQL-8.8.5-02", Variant: "permanent-lockout", Defect: "ten failures lock an agent out for ever", Features: verifies,
		Hooks: adapter.Hooks{Table: func(a *adapter.Adapter) { loop.Of(a).Verifier.Window = math.MaxInt64 }}},
	{ID: "AQL-8.8.5-04", Variant: "limit-counter-in-memory", Defect: "a restart resets the count of failures", Features: verifies, Hooks: forgotten},
	{ID: "AQL-8.8.5-05", Variant: "failures-not-audited", Defect: "failed verifications leave no entry in the audit trail", Features: verifies,
		Hooks: adapter.Hooks{Audited: func(entry map[string]any) bool {
			return entry["operation"] != "verify_challenge" && entry["event"] != "verification_failed"
		}}},
}

// forgotten loses the failures that another process has counted, of whichever agent
// the challenge is.
var forgotten = around(
	func(c adapter.Call) {
		if agent := challenged(c); agent != "" && seam.Recall(c.Adapter, "failures of "+agent) == 0 {
			c.Records.Drop(loop.Failures, agent)
		}
	},
	func(c adapter.Call) {
		if agent := challenged(c); agent != "" {
			seam.Remember(c.Adapter, "failures of "+agent, 1)
		}
	})

// challenged is the agent whose challenge the call names.
func challenged(c adapter.Call) string {
	id, _, _ := c.Value("challenge_id")
	name, _ := id.(string)
	if found, known := loop.ChallengeNamed(c.Adapter, name); known {
		return found.Agent
	}
	return ""
}
