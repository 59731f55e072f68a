package verification

import (
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// blocking starts an agent and has it blocked; a harmless report shows that it lasts.
func blocking(s model.Subject, ask model.AskFunc, in check.Scenario) (t *check.ChallengeScenario, id string) {
	t = try(s, ask, in, 0)
	harmless(t)
	id = check.ChallengeIn(say(t, s.Hints.Safety.DenyHint), "danger_zone")
	harmless(t)
	return t, id
}

// refusals asks for what a blocked agent may not do, beside an agent that may:
// Section 8.8.3.
func refusals(s model.Subject, ask model.AskFunc) {
	other := try(s, ask, check.BlockedAgentScenario, 1)
	if other.AgentName != "" {
		harmless(other)
	}
	t, id := blocking(s, ask, check.BlockedAgentScenario)
	t.Call("complete_execution", nil)
	t.Call("confirm_operation", nil)
	if other.AgentName != "" {
		harmless(other)
	}
	done(t, id)
	done(other, "")
}

// freshStarts begins a blocked agent anew, in its own session and in another.
func freshStarts(s model.Subject, ask model.AskFunc) {
	t, id := blocking(s, ask, check.StartBlockedAgentScenario)
	for i, conn := range []string{s.Conn, s.Conn + "/2"} {
		where := over(t, conn, probes.Nth("fresh start", i))
		if where.Start(nil); where.Started() {
			harmless(where)
		}
	}
	done(t, id)
}

// waysOut tries all ways out of a block but the two: Section 8.8.3.
func waysOut(s model.Subject, ask model.AskFunc) {
	t, id := blocking(s, ask, check.BlockBypassScenario)
	again(t)
	for _, out := range []func(){
		func() { t.Call("abort_execution", nil) },
		func() { t.Call("complete_execution", nil) },
		func() { t.Call("confirm_operation", nil) },
		func() { t.Send(probes.Pause(s.Conn, 2*time.Second, t.Script)) },
		func() {
			if id != "" {
				t.Verify(id, guess(t, ""))
			}
		},
		func() { harmless(over(t, s.Conn+"/2", "second session")) }, // last: over stdio it starts a process
	} {
		out()
		if now := check.ChallengeIn(again(t), "danger_zone"); now != "" {
			id = now
		}
	}
	if t.Solve(id) {
		t.Blocked = false
	} else {
		t.LiftBlock()
	}
	again(t)
	end(t)
}

// again reports a harmless action, in a new execution where there is none any more.
func again(t *check.ChallengeScenario) probes.Observation {
	o := harmless(t)
	if o.Succeeded() {
		return o
	}
	if t.Start(nil); t.Started() {
		return harmless(t)
	}
	return o
}

// lifetime is how long a challenge can be met.
func lifetime(s model.Subject) time.Duration { return s.Hints.Safety.ChallengeTimeout }

// expiryOfCodes has a code taken before time runs out.
func expiryOfCodes(s model.Subject, ask model.AskFunc) {
	consent(s, ask)
	expiry(s, ask)
}

// expiry lets time run out for three agents at once: one whose code is then submitted,
// one that reports, one that is blocked.
func expiry(s model.Subject, ask model.AskFunc) {
	late, idle := try(s, ask, check.ExpiredCodeScenario, 0), try(s, ask, check.ExpiredPauseScenario, 0)
	harmless(late)
	stale := provoke(late)
	code := late.RequestCode(stale)
	harmless(idle)
	provoke(idle)
	dead, deadID := blocking(s, ask, check.ExpiredBlockScenario)
	deadCode := dead.RequestCode(deadID)

	late.Send(probes.Pause(s.Conn, lifetime(s)+time.Second, late.Script))
	if code != "" {
		late.Verify(stale, code)
	}
	done(late, "")
	harmless(idle)
	provoke(idle)
	done(idle, "")
	if now := check.ChallengeIn(harmless(dead), "danger_zone"); deadCode != "" {
		dead.Verify(deadID, deadCode)
		if harmless(dead); now != "" {
			deadID = now
		}
	}
	done(dead, deadID)
}
