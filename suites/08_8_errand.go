package suites

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// An errand drives an agent through out-of-band verification: Section 8.8.
type errand struct {
	*agent
	reports int             // of the present execution
	used    map[string]bool // challenges that were met or failed
	last    probes.Value    // directive
}

// try starts an agent for a scene.
func try(s Subject, ask Asking, in scene, index int) *errand {
	return &errand{agent: enter(s, ask, in, index, nil), used: map[string]bool{}}
}

// over is the same errand over another connection, with an execution of its own to
// begin.
func (t *errand) over(conn string) *errand {
	a := *t.agent
	a.over = conn
	a.starts = nil
	return &errand{agent: &a, used: maps.Clone(t.used)}
}

// defaultBudget is how many reports of one execution are taken to pass where the
// author does not say what the limit is.
const defaultBudget = 5

// budget is how many reports an execution may make before the limit of steps pauses
// it for a reason of its own.
func (t *errand) budget() int {
	word, _ := t.Hint("safety.step_limit")
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	return defaultBudget
}

// say reports a next action.
func (t *errand) say(hint string) probes.Observation {
	t.reports++
	o := t.report(hint, nil)
	t.last = directiveIn(o)
	return o
}

// harmless reports an action that nobody minds.
func (t *errand) harmless() probes.Observation { return t.say(t.harmlessAction()) }

// renew ends the execution and begins another, where the limit of steps is near.
func (t *errand) renew(steps int) {
	if t.reports+steps > t.budget() {
		t.restart()
	}
}

// restart ends the execution and begins another.
func (t *errand) restart() {
	t.end()
	t.begin(nil)
	t.reports = 0
}

// end ends whatever the errand has started: a last start that was refused says nothing
// of those before it.
func (t *errand) end() {
	if slices.ContainsFunc(t.starts, probes.Observation.Succeeded) && !t.call("complete_execution", nil).Succeeded() {
		t.call("abort_execution", nil)
	}
}

// provoke reports the action that needs verification until it raises a challenge,
// and returns the challenge: what was verified once may pass once, or as long as the
// execution lasts.
func (t *errand) provoke() string {
	t.renew(2)
	for round := range 3 {
		if round == 2 {
			t.restart()
		}
		if id := challengeIn(t.say(t.Hints.Safety.VerifyHint), "autonomy_pause"); id != "" && !t.used[id] {
			return id
		}
	}
	return ""
}

// code asks the author's person for the code of a challenge; empty where nobody can
// be asked or nothing is shown.
func (t *errand) code(challenge string) string {
	if _, given := t.Hint("safety.code_cmd"); !given || challenge == "" {
		return ""
	}
	return t.send(probes.Command(t.Conn, "safety.code_cmd", map[string]string{"agent": t.name, "challenge": challenge})).Output()
}

// verify submits a code.
func (t *errand) verify(challenge, code string) probes.Observation {
	p, ok := t.verification(challenge, code)
	if !ok {
		return probes.Observation{}
	}
	t.used[challenge] = true
	return t.send(p)
}

// verification is the request that submits a code. Its answer is taken as it is: to
// ask for patience may be what the adapter is meant to do.
func (t *errand) verification(challenge, code string) (probes.Probe, bool) {
	o, _ := t.Operation("verify_challenge")
	idName, codeName, ok := verifyParameters(o)
	if !ok {
		return probes.Probe{}, false
	}
	params := map[string]any{idName: challenge, codeName: code}
	for _, p := range o.Parameters {
		if _, set := params[p.Name]; p.Required && !set {
			params[p.Name] = t.name
		}
	}
	p := t.Request(o, params)
	p.AtOnce = true
	return p, true
}

// solve has the author's person verify a challenge.
func (t *errand) solve(challenge string) bool {
	code := t.code(challenge)
	return code != "" && t.verify(challenge, code).Succeeded()
}

// done ends the execution and lifts what the scene has caused, by the code of the
// last challenge or by the author's command.
func (t *errand) done(challenge string) {
	if t.blocked && t.solve(challenge) {
		t.blocked = false
	}
	t.lift()
	t.end()
}

var (
	codeParameter      = regexp.MustCompile(`(?i)code|otp|pin|secret|answer|response`)
	challengeParameter = regexp.MustCompile(`(?i)challenge|verif|^id$`)
)

// verifyParameters are the two parameters of verify_challenge, which the
// specification leaves without names.
func verifyParameters(o probes.Operation) (challenge, code string, ok bool) {
	pick := func(fits func(probes.Parameter) bool) string {
		i := slices.IndexFunc(o.Parameters, fits)
		if i < 0 {
			return ""
		}
		return o.Parameters[i].Name
	}
	code = pick(func(p probes.Parameter) bool { return codeParameter.MatchString(p.Name) })
	challenge = pick(func(p probes.Parameter) bool { return p.Name != code && challengeParameter.MatchString(p.Name) })
	return challenge, code, challenge != "" && code != ""
}

// challengeIn is the challenge that an answer names: in the last notification of the
// kind where it is a directive, else under a telling name anywhere in a refusal.
func challengeIn(o probes.Observation, kind string) string {
	id := ""
	for _, n := range directiveIn(o).At("notifications").Items() {
		if v := n.At("metadata", "verificationId").Text(); v != "" && n.At("type").Text() == kind {
			id = v
		}
	}
	if id != "" || o.Succeeded() {
		return id
	}
	for _, name := range strings.Fields("verificationId verification_id challengeId challenge_id") {
		if v := member(o.Envelope(), name); v.Is(probes.String) {
			return v.Text()
		}
	}
	return ""
}

// wrongLike is a code of the shape of another, with no letter in its place: what
// guards the form of a code shall not be what refuses it.
func wrongLike(code string) string {
	next := func(r, first, last rune) rune {
		if r == last {
			return first
		}
		return r + 1
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '2' && r <= '7': // also the digits of base32
			return next(r, '2', '7')
		case r >= '0' && r <= '9':
			return '0' + ('9' - r)
		case r >= 'a' && r <= 'f':
			return next(r, 'a', 'f')
		case r >= 'A' && r <= 'F':
			return next(r, 'A', 'F')
		case r >= 'g' && r <= 'z':
			return next(r, 'g', 'z')
		case r >= 'G' && r <= 'Z':
			return next(r, 'G', 'Z')
		}
		return r
	}, code)
}

// guess is a wrong code: of the shape of a right one where one is known.
func (t *errand) guess(code string) string {
	if code == "" {
		code = strings.Repeat(t.Nonce, 4)
	}
	return wrongLike(code)
}
