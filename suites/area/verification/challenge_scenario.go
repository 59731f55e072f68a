package verification

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// try starts an agent for a scene.
func try(s model.Subject, ask model.AskFunc, in check.Scenario, index int) *check.ChallengeScenario {
	return &check.ChallengeScenario{Agent: check.StartAgent(s, ask, in, index, nil), Used: map[string]bool{}}
}

// over returns the agent over another connection, without an execution. The step is above the requests
// that it sends there.
func over(t *check.ChallengeScenario, conn, step string) *check.ChallengeScenario {
	a := *t.Agent
	a.Script += ": " + step
	a.Session = conn
	a.StartAnswers = nil
	return &check.ChallengeScenario{Agent: &a, Used: maps.Clone(t.Used)}
}

// defaultBudget is how many reports of one execution are taken to pass where the
// author does not say what the limit is.
const defaultBudget = 5

// budget is how many reports an execution may make before the limit of steps pauses
// it for a reason of its own.
func budget(t *check.ChallengeScenario) int {
	word, _ := t.Hint("safety.step_limit")
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	return defaultBudget
}

// say reports a next action.
func say(t *check.ChallengeScenario, hint string) probes.Observation {
	t.Reports++
	o := t.Report(hint, nil)
	t.LastDirective = check.DirectiveIn(o)
	return o
}

// harmless reports an action that nobody minds.
func harmless(t *check.ChallengeScenario) probes.Observation {
	return say(t, check.HarmlessAction(t.Agent.Subject))
}

// renew ends the execution and begins another, where the limit of steps is near.
func renew(t *check.ChallengeScenario, steps int) {
	if t.Reports+steps > budget(t) {
		restartSafely(t)
	}
}

// restartSafely ends the execution and begins another.
func restartSafely(t *check.ChallengeScenario) {
	end(t)
	t.Start(nil)
	t.Reports = 0
}

// end ends whatever the errand has started: a last start that was refused says nothing
// of those before it.
func end(t *check.ChallengeScenario) {
	if slices.ContainsFunc(t.StartAnswers, probes.Observation.Succeeded) && !t.Call("complete_execution", nil).Succeeded() {
		t.Call("abort_execution", nil)
	}
}

// provoke reports the action that needs verification until it raises a challenge,
// and returns the challenge: what was verified once may pass once, or as long as the
// execution lasts.
func provoke(t *check.ChallengeScenario) string {
	renew(t, 2)
	for round := range 3 {
		if round == 2 {
			restartSafely(t)
		}
		if id := check.ChallengeIn(say(t, t.Hints.Safety.VerifyHint), "autonomy_pause"); id != "" && !t.Used[id] {
			return id
		}
	}
	return ""
}

// done ends the execution and lifts what the scene has caused, by the code of the
// last challenge or by the author's command.
func done(t *check.ChallengeScenario, challenge string) {
	if t.Blocked && t.Solve(challenge) {
		t.Blocked = false
	}
	t.LiftBlock()
	end(t)
}

// guess is a wrong code: of the shape of a right one where one is known.
func guess(t *check.ChallengeScenario, code string) string {
	if code == "" {
		code = strings.Repeat(t.Nonce, 4)
	}
	return check.WrongCode(code)
}
