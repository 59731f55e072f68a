package suites

import (
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// parallel starts an agent whose action waits to be verified, with a second start of
// an agent that waits for nothing before it.
func parallel(s Subject, ask Asking) {
	t := try(s, ask, paralysisScene, 0)
	t.harmless()
	t.begin(nil)
	if !t.started() {
		t.restart()
	}
	if t.provoke() != "" {
		t.begin(nil)
		if !t.started() {
			t.call("abort_execution", nil)
			t.begin(nil)
		}
	}
	t.done("")
}

// guesses fails until the adapter wants no more of it, at most so many times.
func (t *errand) guesses(most int) {
	code := ""
	for range most {
		id := t.provoke()
		if id == "" {
			return
		}
		if code == "" {
			code = t.code(id)
		}
		o := t.verify(id, t.guess(code))
		delete(t.used, id) // it may go on to stand
		if o.Succeeded() || tooMany(o) {
			return
		}
	}
}

// window is the time after which failures are forgotten, with some to spare; longWindow
// that after which a progressive lockout has to end.
const (
	window     = 65 * time.Second
	longWindow = 10 * time.Minute
)

// guessing fails too often and tries once more when that should be forgotten: Section
// 8.8.5.
func guessing(s Subject, ask Asking) {
	t := try(s, ask, guessScene, 0)
	t.harmless()
	t.guesses(manyGuesses)
	t.done("")
}

// forgiven is guessing and what comes after it.
func forgiven(s Subject, ask Asking) {
	t := try(s, ask, guessScene, 0)
	t.harmless()
	t.guesses(manyGuesses)
	for _, d := range []time.Duration{window, longWindow - window} {
		t.send(probes.Pause(s.Conn, d, t.take))
		id := t.provoke()
		if id == "" || !tooMany(t.verify(id, t.guess(""))) {
			break
		}
	}
	t.done("")
}

// restarts reports whether the author tells how to start the adapter again, in the mode
// of this face: the other one has no such launch.
func (s Subject) restarts() bool {
	_, given := s.Hint("restart")
	return given && s.Conn == "main"
}

// restarted is the connection to the adapter started again for these scenes.
func (s Subject) restarted() string { return s.Conn + "/" + probes.Restarted + "=verification" }

// restart brings an agent that is blocked, one that waits and one that has guessed too
// often through a restart of the adapter: Section 8.8.3, 8.8.5.
func restart(s Subject, ask Asking) {
	var block *errand
	id := ""
	if s.Hints.Safety.DenyHint != "" {
		block, id = blocking(s, ask, blockRestartScene)
		block.again()
	}
	pause, guess := try(s, ask, pauseRestartScene, s.pauseIndex()), try(s, ask, guessRestartScene, 0)
	pause.harmless()
	pause.provoke()
	pause.harmless()
	guess.harmless()
	guess.guesses(manyGuesses)

	if block != nil {
		after := block.over(s.restarted())
		if now := challengeIn(after.again(), "danger_zone"); now != "" {
			id = now
		}
		after.blocked = true
		after.done(id)
	}
	idle := pause.over(s.restarted())
	idle.again()
	idle.provoke()
	idle.done("")
	wrong := guess.over(s.restarted())
	wrong.restart()
	wrong.guesses(1)
	wrong.done("")
}
