package suites

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// The scenes of out-of-band verification, each with agents of its own, numbered behind
// those of the loop.
const (
	consentScene = laterScenes + iota
	waysScene
	dangerScene
	calmScene
	wrongScene
	reuseScene
	errorScene
	refusalScene
	outsideScene
	freshScene
	paralysisScene
	staleScene
	afreshScene
	deadScene
	guessScene
	blockRestartScene
	pauseRestartScene
	guessRestartScene
)

// Numbers of codes and attempts: Section 8.8.5 lets ten fail.
const (
	manyCodes   = 20
	fewIDs      = 10
	manyGuesses = 12
)

// consent lets a person verify one action after the other: the first with a look at
// what the agent may do before and after, the others for their codes. Debug logging
// is asked for first where it is offered: there a code would be found.
func consent(s Subject, ask Asking) {
	if ask(startUp(s)).Result().At("capabilities").Has("logging") {
		ask(probes.Request(s.Conn, "logging/setLevel", map[string]any{"level": "debug"}))
	}
	t := try(s, ask, consentScene, 0)
	defer func() { t.done("") }()
	if !t.started() {
		return
	}
	t.harmless()
	for round := range manyCodes {
		id := t.provoke()
		if round == 0 {
			t.harmless()
		}
		if id == "" || !t.solve(id) {
			return
		}
		if round == 0 {
			t.renew(2)
			t.harmless()
			t.harmless()
		}
	}
}

// ways tries all ways past a challenge but the one: Section 8.8.
func ways(s Subject, ask Asking) {
	t := try(s, ask, waysScene, 0)
	if !t.started() {
		return
	}
	t.harmless()
	id := t.provoke()
	t.harmless()
	t.say(s.Hints.Safety.VerifyHint)
	t.over(s.Conn + "/2").say(s.Hints.Safety.VerifyHint)
	t.call("confirm_operation", nil)
	t.harmless()
	t.say(s.Hints.Safety.VerifyHint)
	if id != "" {
		t.verify(id, t.guess(""))
		t.say(s.Hints.Safety.VerifyHint)
	}
	t.restart()
	if id = t.provoke(); id != "" && t.solve(id) {
		t.harmless()
	}
	t.done(id)
}

// danger reports an action of the danger tier: Section 8.8.1.
func danger(s Subject, ask Asking) {
	t := try(s, ask, dangerScene, 0)
	t.harmless()
	t.done(challengeIn(t.say(s.Hints.Safety.DangerHint), "danger_zone"))
}

// calm reports what needs nobody's code: Section 8.8.1.
func calm(s Subject, ask Asking) {
	t := try(s, ask, calmScene, 0)
	t.harmless()
	t.say(s.Hints.Safety.ConfirmHint)
	t.done("")
}

// wrongFirst spends a code on a wrong attempt before the right one: Section 8.8.2.
func wrongFirst(s Subject, ask Asking) {
	t := try(s, ask, wrongScene, 0)
	defer func() { t.done("") }()
	t.harmless()
	id := t.provoke()
	if code := t.code(id); code != "" {
		t.verify(id, t.guess(code))
		t.verify(id, code)
	}
}

// reuse submits a code that was used: for its own challenge, and for the next.
func reuse(s Subject, ask Asking) {
	t := try(s, ask, reuseScene, 0)
	defer func() { t.done("") }()
	t.harmless()
	first := t.provoke()
	code := t.code(first)
	if code == "" || !t.verify(first, code).Succeeded() {
		return
	}
	second := t.provoke()
	if second == "" {
		return
	}
	t.verify(first, code)
	if now := challengeIn(t.say(s.Hints.Safety.VerifyHint), "autonomy_pause"); now != "" {
		second = now
	}
	t.verify(second, code)
	t.say(s.Hints.Safety.VerifyHint)
}

// blunder provokes errors around a challenge whose code is known: Section 8.8.4. The
// wrong code comes last, for it ends the challenge.
func blunder(s Subject, ask Asking) {
	t := try(s, ask, errorScene, 0)
	defer func() { t.done("") }()
	t.harmless()
	id := t.provoke()
	code := t.code(id)
	right, ok := t.verification(id, t.guess(code))
	if code == "" || !ok {
		return
	}
	o, _ := s.Operation(attempted)
	idName, codeName, _ := verifyParameters(o)
	t.send(right.With(idName, "aqlx-"+s.Nonce))
	t.send(right.Without(codeName))
	t.send(right.With(codeName, 7))
	t.send(right.With("aqlx_"+s.Nonce, true))
	t.send(right.With(codeName, strings.Repeat("aqlx", 1<<12)))
	t.send(right.With(codeName, []any{"aqlx"}))
	if astray, found := s.wrongTool(right.Tool); found {
		t.send(right.To(astray))
	}
	t.send(ill(right, codeName))
	t.send(right)
}

// wrongTool is a tool that does not take the operations of another.
func (s Subject) wrongTool(right string) (string, bool) {
	for _, tool := range s.AQL {
		if tool != right && tool != s.Unified && right != s.Unified {
			return tool, true
		}
	}
	return "", false
}

// ill is a request with bytes in a text that are no UTF-8.
func ill(p probes.Probe, name string) probes.Probe {
	const mark = "aqlx-ill"
	raw := p.With(name, mark).Payload()
	return p.WithRaw([]byte(strings.Replace(string(raw), mark, "aqlx-\xc0\xaf", 1)))
}
