package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A ChallengeScenario drives an agent through out-of-band verification: Section 8.8.
type ChallengeScenario struct {
	*Agent
	Reports int             // of the present execution
	Used    map[string]bool // challenges that were met or failed
	Last    probes.Value    // directive
}

// Code asks the author's person for the code of a challenge; empty where nobody can
// be asked or nothing is shown.
func (t *ChallengeScenario) Code(challenge string) string {
	if _, given := t.Hint("safety.code_cmd"); !given || challenge == "" {
		return ""
	}
	return t.Send(probes.Command(t.Conn, "safety.code_cmd", map[string]string{"agent": t.AgentName, "challenge": challenge})).Output()
}

// Verify submits a code.
func (t *ChallengeScenario) Verify(challenge, code string) probes.Observation {
	p, ok := t.Verification(challenge, code)
	if !ok {
		return probes.Observation{}
	}
	t.Used[challenge] = true
	return t.Send(p)
}

// Verification is the request that submits a code. Its answer is taken as it is: to
// ask for patience may be what the adapter is meant to do.
func (t *ChallengeScenario) Verification(challenge, code string) (probes.Probe, bool) {
	o, _ := t.Operation("verify_challenge")
	idName, codeName, ok := VerifyParameters(o)
	if !ok {
		return probes.Probe{}, false
	}
	params := map[string]any{idName: challenge, codeName: code}
	for _, p := range o.Parameters {
		if _, set := params[p.Name]; p.Required && !set {
			params[p.Name] = t.AgentName
		}
	}
	p := t.Request(o, params)
	p.AtOnce = true
	return p, true
}

// Solve has the author's person verify a challenge.
func (t *ChallengeScenario) Solve(challenge string) bool {
	code := t.Code(challenge)
	return code != "" && t.Verify(challenge, code).Succeeded()
}

var (
	CodeParameter      = regexp.MustCompile(`(?i)code|otp|pin|secret|answer|response`)
	challengeParameter = regexp.MustCompile(`(?i)challenge|verif|^id$`)
)

// VerifyParameters are the two parameters of verify_challenge, which the
// specification leaves without names.
func VerifyParameters(o probes.Operation) (challenge, code string, ok bool) {
	pick := func(fits func(probes.Parameter) bool) string {
		i := slices.IndexFunc(o.Parameters, fits)
		if i < 0 {
			return ""
		}
		return o.Parameters[i].Name
	}
	code = pick(func(p probes.Parameter) bool { return CodeParameter.MatchString(p.Name) })
	challenge = pick(func(p probes.Parameter) bool { return p.Name != code && challengeParameter.MatchString(p.Name) })
	return challenge, code, challenge != "" && code != ""
}

// ChallengeIn is the challenge that an answer names: in the last notification of the
// kind where it is a directive, else under a telling name anywhere in a refusal.
func ChallengeIn(o probes.Observation, kind string) string {
	id := ""
	for _, n := range DirectiveIn(o).At("notifications").Items() {
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

// WrongLike is a code of the shape of another, with no letter in its place: what
// guards the form of a code shall not be what refuses it.
func WrongLike(code string) string {
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

// A TraceStep is one step of an errand: a report, a code that was read, an attempt with a
// code, something else.
type TraceStep struct {
	StepReport
	What      string // operation, or command of the author
	Challenge string // of a code or an attempt
	Code      string
}

const (
	Reported  = "record_execution_step"
	CodeShown = "safety.code_cmd"
	Attempted = "verify_challenge"
)

// A Trace is what happened in an errand.
type Trace struct {
	model.Subject
	Acts []TraceStep
}

// Tell reads an errand from what was asked.
func Tell(s model.Subject, got []probes.Observation) Trace {
	o, _ := s.Operation("verify_challenge")
	idName, codeName, _ := VerifyParameters(o)
	t := Trace{Subject: s}
	for _, o := range got {
		text := func(name string) string { v, _ := o.Probe.Params()[name].(string); return v }
		a := TraceStep{StepReport: StepReport{O: o, Directive: DirectiveIn(o)}, What: o.Probe.Operation()}
		switch {
		case o.Probe.CommandName() != "":
			about, _ := probes.ParseValue(o.Probe.Raw())
			a.What, a.Challenge, a.Code = o.Probe.CommandName(), about.At("challenge").Text(), o.Output()
		case a.What == Attempted:
			a.Challenge, a.Code = text(idName), text(codeName)
		default:
			a.Hint = text("nextActionHint")
		}
		t.Acts = append(t.Acts, a)
	}
	return t
}

// In keeps what an agent of a scene was asked about, and the waits of all.
func (t Trace) In(s Scene, index int) Trace {
	return t.Where(func(a TraceStep) bool { return a.O.Probe.Take/SceneTakes == int(s)*10+index || Idling(a) })
}

// Idling is a pause of the script.
func Idling(a TraceStep) bool { return a.O.Probe.Beside() && a.What == "" }

func (t Trace) Where(holds func(TraceStep) bool) Trace {
	t.Acts = slices.DeleteFunc(slices.Clone(t.Acts), func(a TraceStep) bool { return !holds(a) })
	return t
}

// After is what happened behind the first act of which something holds.
func (t Trace) After(holds func(TraceStep) bool) (TraceStep, Trace, bool) {
	i := slices.IndexFunc(t.Acts, holds)
	if i < 0 {
		return TraceStep{}, Trace{Subject: t.Subject}, false
	}
	return t.Acts[i], Trace{t.Subject, t.Acts[i+1:]}, true
}

func (t Trace) First(holds func(TraceStep) bool) (TraceStep, bool) {
	a, _, found := t.After(holds)
	return a, found
}

// Saying is a report of an action.
func Saying(hint string) func(TraceStep) bool {
	return func(a TraceStep) bool { return a.What == Reported && a.Hint == hint }
}

// Doing is another operation or command.
func Doing(what string) func(TraceStep) bool { return func(a TraceStep) bool { return a.What == what } }

func (t Trace) Harmless() func(TraceStep) bool { return Saying(HarmlessAction(t.Subject)) }
func (t Trace) Provoking() func(TraceStep) bool {
	return Saying(t.Hints.Safety.VerifyHint)
}

// Challenged is the first challenge of a pause and what followed on it. The ruling
// says why there is none.
func (t Trace) Challenged() (first TraceStep, id string, rest Trace, why *ruling.Ruling) {
	if r, unsettled := t.Quiet(); unsettled {
		return first, "", rest, &r
	}
	first, rest, asked := t.After(t.Provoking())
	var r ruling.Ruling
	switch id = ChallengeIn(first.O, "autonomy_pause"); {
	case !asked:
		r = ruling.NotProven("a report of the action of the verify tier", "none")
	case !first.Paused() || first.Stopped():
		r = ruling.NotProven("a pause that a person has to verify", first.O).Because("AQL-8.8.1-02")
	case id == "":
		r = ruling.NotProven("a challenge id", first.Directive).By(first.O).Because("AQL-8.7.3-07")
	default:
		return first, id, rest, nil
	}
	return first, id, rest, &r
}

// Quiet rules out an errand in which the agent did not start, or was held up before
// anything had happened.
func (t Trace) Quiet() (ruling.Ruling, bool) {
	start, started := t.First(func(a TraceStep) bool { return a.What == "execute_agent" && a.O.Succeeded() })
	if !started {
		shown, _ := t.First(Doing("execute_agent"))
		return ruling.NotProven("the start of an agent", shown.O), true
	}
	if calm, asked := t.First(t.Harmless()); asked && !calm.GoesOn() {
		return ruling.NotProven("a harmless action to pass", calm.Said()).By(calm.O, start.O), true
	}
	return ruling.Ruling{}, false
}

// Said is what a report was told: its directive, else the whole answer.
func (a TraceStep) Said() any {
	if a.Directive.Is(probes.Absent) {
		return a.O
	}
	return a.Directive
}
