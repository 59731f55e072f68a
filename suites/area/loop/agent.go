package loop

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// leave ends the execution, and lifts a block that the scene has caused. An agent
// that other scenes have to share is not left waiting for a person either.
func leave(a *check.Agent) {
	if !a.Started() {
		return
	}
	if a.PendingChallenge != "" && shared(a.Subject.Adapter) {
		release(a)
	}
	if a.Blocked {
		a.LiftBlock()
	}
	if !a.Call("complete_execution", nil).Succeeded() {
		a.Call("abort_execution", nil)
	}
}

// release has the author's person verify what is pending, and spends the pass that this
// may give: the scenes behind are to find the agent as it was.
func release(a *check.Agent) {
	t := check.ChallengeScenario{Agent: a, Used: map[string]bool{}}
	if !t.Solve(a.PendingChallenge) {
		return
	}
	if id := check.ChallengeIn(a.Report(a.Hints.Safety.VerifyHint, nil), "autonomy_pause"); id != "" {
		t.Solve(id)
	}
}

// shared reports whether the author gives agents by name, so that every scene has the
// same.
func shared(f *model.Adapter) bool {
	return !slices.ContainsFunc(f.Hints.Safety.Agent.Names, func(name string) bool { return strings.Contains(name, "*") })
}

// free reports whether an agent may go on: one that other scenes have had before shows it by a
// harmless report, since what they did may hold it up still.
func free(a *check.Agent) bool {
	return !shared(a.Subject.Adapter) || check.DirectiveIn(a.Report(plainAction, afterSuccess(a.Subject))).At("continue").True()
}

// settingOf is the parameter of execute_agent that sets a part of the evaluation,
// known by the letters of its name: Section 8.7.4 spells them one way, Section 4.3
// demands another.
func settingOf(f *model.Adapter, name string) (parameter string, documented bool) {
	o, _ := f.Operation("execute_agent")
	i := slices.IndexFunc(o.Parameters, func(p probes.Parameter) bool { return vocab.Letters(p.Name) == vocab.Letters(name) })
	if i < 0 {
		return "", false
	}
	return o.Parameters[i].Name, true
}
