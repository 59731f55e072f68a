package adapter

import (
	"encoding/json"
	"math"
	"time"
)

// around wraps every operation between two looks at the adapter.
func around(before, behind func(c call)) hooks {
	return hooks{item: func(c call, next handler) envelope {
		before(c)
		e := next(c)
		behind(c)
		return e
	}}
}

// ofThisProcess forgets records of an agent that another process has made.
func ofThisProcess(kind string) hooks {
	key := func(c call) string { return kind + " of " + c.agent() }
	return around(
		func(c call) {
			if c.recall(key(c)) == 0 {
				c.records.drop(kind, c.agent())
			}
		},
		func(c call) {
			var found json.RawMessage
			if c.records.find(kind, c.agent(), &found) {
				c.remember(key(c), 1)
			}
		})
}

// blockFaults let an agent out of its block, or into work while it lasts.
var blockFaults = []Fault{
	{ID: "AQL-8.8.3-01", Variant: "complete-while-blocked", Defect: "complete_execution works for a blocked agent", Features: verifies,
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if running := c.loop.running[c.agent()]; c.operation() == "complete_execution" && running != nil && failedWith("CONFLICT_AGENT_BLOCKED")(nil, e) {
				return success(c.finish(running, "completed").shown())
			}
			return e
		}}},
	{ID: "AQL-8.8.3-02", Variant: "block-in-memory", Defect: "blocks are kept in memory alone", Features: verifies, hooks: ofThisProcess(blocks)},
	{ID: "AQL-8.8.3-02", Variant: "block-written-lazily", Defect: "a block is written to disk twenty seconds later", Features: verifies, hooks: lazyBlocks},
	{ID: "AQL-8.8.3-03", Variant: "abort-lifts-block", Defect: "abort_execution ends the block", Features: verifies,
		hooks: after(func(c call, _ envelope) {
			if c.operation() == "abort_execution" {
				c.unblock(c.agent())
			}
		})},
	{ID: "AQL-8.8.3-04", Variant: "block-per-execution", Defect: "a block is that of an execution, and the agent may begin another", Features: verifies,
		hooks: hooks{item: func(c call, next handler) envelope {
			if c.operation() == "execute_agent" && c.unblock(c.agent()) {
				if running := c.loop.running[c.agent()]; running != nil {
					c.finish(running, "cancelled")
				}
			}
			return next(c)
		}}},
	{ID: "AQL-8.8.2-15", Variant: "expired-code-accepted", Defect: "an expired code still ends a block", Features: verifies,
		hooks: lapsing(func(c challenge, now time.Time) bool { return !c.Hard && c.expired(now) })},
	{ID: "AQL-8.8.2-15", Variant: "expiry-lifts-block", Defect: "a block ends when its challenge expires", Features: verifies,
		hooks: around(func(c call) {
			var b block
			if c.records.find(blocks, c.agent(), &b) {
				if raised, known := c.challengeNamed(b.VerificationID); known && raised.expired(c.clock()) {
					c.unblock(c.agent())
				}
			}
		}, func(call) {})},
}

// lapsing replaces the way in which codes come too late.
func lapsing(late func(c challenge, now time.Time) bool) hooks {
	return hooks{table: func(a *Adapter) { a.verifier.lapsed = late }}
}

// lazyBlocks lose a block that is so new that the process before this one had not yet
// written it to disk.
var lazyBlocks = around(
	func(c call) {
		var since time.Time
		if c.recall("block of "+c.agent()) == 0 && c.records.find("blocked since", c.agent(), &since) && c.clock().Sub(since) < lazyWrites {
			c.unblock(c.agent())
		}
	},
	func(c call) {
		var b block
		if c.records.find(blocks, c.agent(), &b) && c.recall("block of "+c.agent()) == 0 {
			c.remember("block of "+c.agent(), 1)
			must(c.records.keep("blocked since", c.agent(), c.clock()))
		}
	})

// lazyWrites is how long it takes until a block is on disk.
const lazyWrites = 20 * time.Second

// attemptFaults let codes be tried too often, or never again.
var attemptFaults = []Fault{
	{ID: "AQL-8.8.2-11", Variant: "verified-but-blocked", Defect: "a verification is taken and the pause stays", Features: verifies,
		hooks: hooks{item: func(c call, next handler) envelope {
			id, _, _ := c.value("challenge_id")
			name, _ := id.(string)
			waits, known := c.challengeNamed(name)
			e := next(c)
			if c.operation() == "verify_challenge" && succeeded(e) && known && !waits.Hard {
				delete(c.verifier.passes, waits.Agent)
				c.raise(waits.Agent, waits.Action, false)
			}
			return e
		}}},
	{ID: "AQL-8.8.2-12", Variant: "ten-tries-per-code", Defect: "a code may be tried ten times", Features: verifies,
		hooks: after(func(c call, e envelope) {
			id, _, _ := c.value("challenge_id")
			name, _ := id.(string)
			if tried, known := c.challengeNamed(name); c.operation() == "verify_challenge" && known && !succeeded(e) && c.count("tries of "+name) < 9 {
				tried.Spent = false
				c.keepChallenge(tried)
			}
		})},
	{ID: "AQL-8.8.2-13", Variant: "code-never-deleted", Defect: "a used code meets a newer challenge", Features: verifies,
		hooks: hooks{item: func(c call, next handler) envelope {
			if c.operation() != "verify_challenge" {
				return next(c)
			}
			id, _, _ := c.value("challenge_id")
			code, _, _ := c.value("code")
			name, _ := id.(string)
			text, _ := code.(string)
			if newer, known := c.challengeNamed(name); known && c.recall("used "+text) > 0 {
				c.lift(newer)
				return success(map[string]any{"challenge_id": name, "element_name": newer.Agent, "verified": true})
			}
			e := next(c)
			if succeeded(e) {
				c.remember("used "+text, 1)
			}
			return e
		}}},
	{ID: "AQL-8.8.2-14", Variant: "challenge-never-expires", Defect: "the code of a pause can be used for ever", Features: verifies,
		hooks: lapsing(func(c challenge, now time.Time) bool { return c.Hard && c.expired(now) })},
	{ID: "AQL-8.8.5-01", Variant: "no-verification-limit", Defect: "any number of wrong codes is processed", Features: verifies,
		hooks: hooks{table: func(a *Adapter) { a.verifier.most = math.MaxInt }}},
	{ID: "AQL-8.8.5-02", Variant: "permanent-lockout", Defect: "ten failures lock an agent out for ever", Features: verifies,
		hooks: hooks{table: func(a *Adapter) { a.verifier.window = math.MaxInt64 }}},
	{ID: "AQL-8.8.5-04", Variant: "limit-counter-in-memory", Defect: "a restart resets the count of failures", Features: verifies, hooks: forgotten},
}

// forgotten loses the failures that another process has counted, of whichever agent
// the challenge is.
var forgotten = around(
	func(c call) {
		if agent := c.challenged(); agent != "" && c.recall("failures of "+agent) == 0 {
			c.records.drop(failures, agent)
		}
	},
	func(c call) {
		if agent := c.challenged(); agent != "" {
			c.remember("failures of "+agent, 1)
		}
	})

// challenged is the agent whose challenge the call names.
func (c call) challenged() string {
	id, _, _ := c.value("challenge_id")
	name, _ := id.(string)
	if found, known := c.challengeNamed(name); known {
		return found.Agent
	}
	return ""
}
