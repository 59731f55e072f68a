package suites

import (
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// blocking starts an agent and has it blocked; a harmless report shows that it lasts.
func blocking(s Subject, ask Asking, in scene) (t *errand, id string) {
	t = try(s, ask, in, 0)
	t.harmless()
	id = challengeIn(t.say(s.Hints.Safety.DenyHint), "danger_zone")
	t.harmless()
	return t, id
}

// refusals asks for what a blocked agent may not do, beside an agent that may:
// Section 8.8.3.
func refusals(s Subject, ask Asking) {
	other := try(s, ask, refusalScene, 1)
	if other.name != "" {
		other.harmless()
	}
	t, id := blocking(s, ask, refusalScene)
	t.call("complete_execution", nil)
	t.call("confirm_operation", nil)
	if other.name != "" {
		other.harmless()
	}
	t.done(id)
	other.done("")
}

// freshStarts begins a blocked agent anew, in its own session and in another.
func freshStarts(s Subject, ask Asking) {
	t, id := blocking(s, ask, freshScene)
	for _, where := range []*errand{t.over(s.Conn), t.over(s.Conn + "/2")} {
		where.take += sceneTakes / 2
		if where.begin(nil); where.started() {
			where.harmless()
		}
	}
	t.done(id)
}

// waysOut tries all ways out of a block but the two: Section 8.8.3.
func waysOut(s Subject, ask Asking) {
	t, id := blocking(s, ask, outsideScene)
	t.again()
	for _, out := range []func(){
		func() { t.call("abort_execution", nil) },
		func() { t.call("complete_execution", nil) },
		func() { t.call("confirm_operation", nil) },
		func() { t.send(probes.Pause(s.Conn, 2*time.Second, t.take)) },
		func() {
			if id != "" {
				t.verify(id, t.guess(""))
			}
		},
		func() { t.over(s.Conn + "/2").harmless() }, // last: over stdio it starts a process
	} {
		out()
		if now := challengeIn(t.again(), "danger_zone"); now != "" {
			id = now
		}
	}
	if t.solve(id) {
		t.blocked = false
	} else {
		t.lift()
	}
	t.again()
	t.end()
}

// again reports a harmless action, in a new execution where there is none any more.
func (t *errand) again() probes.Observation {
	o := t.harmless()
	if o.Succeeded() {
		return o
	}
	if t.begin(nil); t.started() {
		return t.harmless()
	}
	return o
}

// lifetime is how long a challenge can be met.
func (s Subject) lifetime() time.Duration { return s.Hints.Safety.ChallengeTimeout }

// expiryOfCodes has a code taken before time runs out.
func expiryOfCodes(s Subject, ask Asking) {
	consent(s, ask)
	expiry(s, ask)
}

// expiry lets time run out for three agents at once: one whose code is then submitted,
// one that reports, one that is blocked.
func expiry(s Subject, ask Asking) {
	late, idle := try(s, ask, staleScene, 0), try(s, ask, afreshScene, 0)
	late.harmless()
	stale := late.provoke()
	code := late.code(stale)
	idle.harmless()
	idle.provoke()
	dead, deadID := blocking(s, ask, deadScene)
	deadCode := dead.code(deadID)

	late.send(probes.Pause(s.Conn, s.lifetime()+time.Second, late.take))
	if code != "" {
		late.verify(stale, code)
	}
	late.done("")
	idle.harmless()
	idle.provoke()
	idle.done("")
	if now := challengeIn(dead.harmless(), "danger_zone"); deadCode != "" {
		dead.verify(deadID, deadCode)
		if dead.harmless(); now != "" {
			deadID = now
		}
	}
	dead.done(deadID)
}
