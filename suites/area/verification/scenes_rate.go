package verification

import (
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// parallel starts an agent whose action waits to be verified, with a second start of
// an agent that waits for nothing before it.
func parallel(s model.Subject, ask model.AskFunc) {
	t := try(s, ask, check.ParallelStartScenario, 0)
	harmless(t)
	t.Start(nil)
	if !t.Started() {
		restartSafely(t)
	}
	if provoke(t) != "" {
		t.Start(nil)
		if !t.Started() {
			t.Call("abort_execution", nil)
			t.Start(nil)
		}
	}
	done(t, "")
}

// guesses fails until the adapter wants no more of it, at most so many times. It returns the challenge at which it did.
func guesses(t *check.ChallengeScenario, most int) (limited string) {
	code := ""
	for range most {
		id := provoke(t)
		if id == "" {
			return ""
		}
		if code == "" {
			code = t.RequestCode(id)
		}
		o := t.Verify(id, guess(t, code))
		delete(t.Used, id) // it may go on to stand
		switch {
		case tooMany(o):
			return id
		case o.Succeeded():
			return ""
		}
	}
	return ""
}

// window is the time after which failures are forgotten, with some to spare; longWindow
// that after which a progressive lockout has to end.
const (
	window     = 65 * time.Second
	longWindow = 10 * time.Minute
)

// guessing fails too often, and then submits the right code where the author shows it: Section
// 8.8.5.
func guessing(s model.Subject, ask model.AskFunc) {
	t := try(s, ask, check.GuessingScenario, 0)
	harmless(t)
	id := guesses(t, check.MaxGuesses)
	if code := t.RequestCode(id); code != "" && !t.Verify(id, code).Succeeded() {
		delete(t.Used, id)
	}
	done(t, "")
}

// forgiven is guessing and what comes after it.
func forgiven(s model.Subject, ask model.AskFunc) {
	t := try(s, ask, check.GuessingScenario, 0)
	harmless(t)
	guesses(t, check.MaxGuesses)
	for _, d := range []time.Duration{window, longWindow - window} {
		t.Send(probes.Pause(s.Conn, d, t.Script))
		id := provoke(t)
		if id == "" || !tooMany(t.Verify(id, guess(t, ""))) {
			break
		}
	}
	done(t, "")
}

// restarts reports whether the author tells how to start the adapter again, in the mode
// of this face: the other one has no such launch.
func restarts(s model.Subject) bool {
	_, given := s.Hint("restart")
	return given && s.Conn == "main"
}

// restarted is the connection to the adapter started again for these scenes.
func restarted(s model.Subject) string { return s.Conn + "/" + probes.Restarted + "=verification" }

// restart brings an agent that is blocked, one that waits and one that has guessed too
// often through a restart of the adapter: Section 8.8.3, 8.8.5.
func restart(s model.Subject, ask model.AskFunc) {
	var block *check.ChallengeScenario
	id := ""
	if s.Hints.Safety.DenyHint != "" {
		block, id = blocking(s, ask, check.RestartWhileBlockedScenario)
		again(block)
	}
	pause, guess := try(s, ask, check.RestartWhilePausedScenario, pauseIndex(s)), try(s, ask, check.RestartAfterGuessingScenario, 0)
	harmless(pause)
	provoke(pause)
	harmless(pause)
	harmless(guess)
	guesses(guess, check.MaxGuesses)

	if block != nil {
		freed(over(block, restarted(s), "after the restart"), id)
	}
	idle := over(pause, restarted(s), "after the restart")
	again(idle)
	provoke(idle)
	done(idle, "")
	wrong := over(guess, restarted(s), "after the restart")
	restartSafely(wrong)
	guesses(wrong, 1)
	done(wrong, "")
}

// freed looks whether an agent is still blocked behind a restart, and lifts the block.
func freed(t *check.ChallengeScenario, id string) {
	if now := check.ChallengeIn(again(t), "danger_zone"); now != "" {
		id = now
	}
	t.Blocked = true
	done(t, id)
}

// killed is the connection to the adapter started again after its process was killed.
func killed(s model.Subject) string { return s.Conn + "/" + probes.Restarted + "=killed" }

// kill is the step that kills the process of an adapter.
var kill = check.KilledWhileBlockedScenario.Step("kill")

// restartThenKill restarts the adapter in the orderly way, and then kills its process right behind another block: an
// adapter may write what it knows when it ends in order. Over HTTP the process is not ours to kill.
func restartThenKill(s model.Subject, ask model.AskFunc) {
	restart(s, ask)
	if !restarts(s) {
		return
	}
	block, id := blocking(s, ask, check.KilledWhileBlockedScenario)
	if last := again(block); !block.Blocked || last.Sent.Note != "" {
		done(block, id)
		return
	}
	ask(probes.Leave(s.Conn, true, kill))
	freed(over(block, killed(s), "after the restart"), id)
}
