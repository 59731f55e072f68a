package verification

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// consent lets a person verify one action after the other: the first with a look at
// what the agent may do before and after, the others for their codes. Debug logging
// is asked for first where it is offered: there a code would be found.
func consent(s model.Subject, ask model.AskFunc) {
	if ask(check.Handshake(s)).Result().At("capabilities").Has("logging") {
		ask(probes.Request(s.Conn, "logging/setLevel", map[string]any{"level": "debug"}))
	}
	t := try(s, ask, check.CollectCodesScenario, 0)
	defer func() { done(t, "") }()
	if !t.Started() {
		return
	}
	harmless(t)
	for round := range check.MinCodes {
		id := provoke(t)
		if round == 0 {
			harmless(t)
		}
		if id == "" || !t.Solve(id) {
			return
		}
		if round == 0 {
			renew(t, 2)
			harmless(t)
			harmless(t)
		}
	}
}

// ways tries all ways past a challenge but the one: Section 8.8.
func ways(s model.Subject, ask model.AskFunc) {
	t := try(s, ask, check.BypassScenario, 0)
	if !t.Started() {
		return
	}
	harmless(t)
	id := provoke(t)
	harmless(t)
	say(t, s.Hints.Safety.VerifyHint)
	say(over(t, s.Conn+"/2", "second session"), s.Hints.Safety.VerifyHint)
	t.Call("confirm_operation", nil)
	harmless(t)
	say(t, s.Hints.Safety.VerifyHint)
	if id != "" {
		t.Verify(id, guess(t, ""))
		say(t, s.Hints.Safety.VerifyHint)
	}
	restartSafely(t)
	if id = provoke(t); id != "" && t.Solve(id) {
		harmless(t)
	}
	done(t, id)
}

// danger reports an action of the danger tier: Section 8.8.1.
func danger(s model.Subject, ask model.AskFunc) {
	t := try(s, ask, check.DangerTierScenario, 0)
	harmless(t)
	done(t, check.ChallengeIn(say(t, s.Hints.Safety.DangerHint), "danger_zone"))
}

// calm reports what needs nobody's code: Section 8.8.1.
func calm(s model.Subject, ask model.AskFunc) {
	t := try(s, ask, check.NoChallengeScenario, 0)
	harmless(t)
	say(t, s.Hints.Safety.ConfirmHint)
	done(t, "")
}

// wrongFirst spends a code on a wrong attempt before the right one: Section 8.8.2.
func wrongFirst(s model.Subject, ask model.AskFunc) {
	t := try(s, ask, check.WrongCodeScenario, 0)
	defer func() { done(t, "") }()
	harmless(t)
	id := provoke(t)
	if code := t.RequestCode(id); code != "" {
		t.Verify(id, guess(t, code))
		t.Verify(id, code)
	}
}

// reuse submits a code that was used: for its own challenge, and for the next.
func reuse(s model.Subject, ask model.AskFunc) {
	t := try(s, ask, check.CodeReuseScenario, 0)
	defer func() { done(t, "") }()
	harmless(t)
	first := provoke(t)
	code := t.RequestCode(first)
	if code == "" || !t.Verify(first, code).Succeeded() {
		return
	}
	second := provoke(t)
	if second == "" {
		return
	}
	t.Verify(first, code)
	if now := check.ChallengeIn(say(t, s.Hints.Safety.VerifyHint), "autonomy_pause"); now != "" {
		second = now
	}
	t.Verify(second, code)
	say(t, s.Hints.Safety.VerifyHint)
}

// blunder provokes errors around a challenge whose code is known: Section 8.8.4. The
// wrong code comes behind the rest, for it ends the challenge.
func blunder(s model.Subject, ask model.AskFunc) {
	t := try(s, ask, check.VerifyErrorScenario, 0)
	defer func() { done(t, "") }()
	harmless(t)
	id := provoke(t)
	code := t.RequestCode(id)
	right, ok := t.VerifyRequest(id, guess(t, code))
	if code == "" || !ok {
		return
	}
	o, _ := s.Operation(check.VerifyOperation)
	idName, codeName, _ := check.VerifyParameters(o)
	t.Send(right.With(idName, "aqlx-"+s.Nonce))
	t.Send(right.Without(codeName))
	t.Send(right.With(codeName, 7))
	t.Send(right.With("aqlx_"+s.Nonce, true))
	t.Send(right.With(codeName, strings.Repeat("aqlx", 1<<12)))
	t.Send(right.With(codeName, []any{"aqlx"}))
	if astray, found := wrongTool(s, right.Tool); found {
		t.Send(right.To(astray))
	}
	t.Send(ill(right, codeName))
	t.Send(right)
	t.Send(right) // a challenge that is over has errors of its own
}

// wrongTool is a tool that does not take the operations of another.
func wrongTool(s model.Subject, right string) (string, bool) {
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
