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
	Reports       int             // of the current execution
	Used          map[string]bool // challenges with a verification attempt
	LastDirective probes.Value
}

// RequestCode runs the command that prints the code of a challenge. It returns "" without such a
// command or output.
func (t *ChallengeScenario) RequestCode(challenge string) string {
	if _, given := t.Hint("safety.code_cmd"); !given || challenge == "" {
		return ""
	}
	return t.Send(probes.Command(t.Conn, "safety.code_cmd", map[string]string{"agent": t.AgentName, "challenge": challenge})).Output()
}

// Verify submits a code.
func (t *ChallengeScenario) Verify(challenge, code string) probes.Observation {
	p, ok := t.VerifyRequest(challenge, code)
	if !ok {
		return probes.Observation{}
	}
	t.Used[challenge] = true
	return t.Send(p)
}

// VerifyRequest is the request that submits a code. It is not retried on a rate limit error,
// because that may be the required answer.
func (t *ChallengeScenario) VerifyRequest(challenge, code string) (probes.Probe, bool) {
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

// Solve gets the code of a challenge and submits it.
func (t *ChallengeScenario) Solve(challenge string) bool {
	code := t.RequestCode(challenge)
	return code != "" && t.Verify(challenge, code).Succeeded()
}

var (
	CodeParameter      = regexp.MustCompile(`(?i)code|otp|pin|secret|answer|response`)
	challengeParameter = regexp.MustCompile(`(?i)challenge|verif|^id$`)
)

// VerifyParameters returns the two parameters of verify_challenge. The specification does not name
// them.
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

// ChallengeIn returns the challenge id in an answer: from the last notification of the kind in a
// directive, or from a well-known member of an error.
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
		if v := findMember(o.Envelope(), name); v.Is(probes.String) {
			return v.Text()
		}
	}
	return ""
}

// WrongCode returns a wrong code of the same format with every character changed, so that the
// adapter cannot reject it for its format.
func WrongCode(code string) string {
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

// A TraceStep is one step of a trace: a report, a code command, a verification attempt, or another
// call.
type TraceStep struct {
	StepReport
	Operation string // operation, or command of the hints file
	Challenge string // of a code command or an attempt
	Code      string
}

const (
	ReportOperation = "record_execution_step"
	CodeCommand     = "safety.code_cmd"
	VerifyOperation = "verify_challenge"
)

// A Trace is the sequence of steps in a challenge scenario.
type Trace struct {
	model.Subject
	Steps []TraceStep
}

// TraceOf reads a trace from the observations.
func TraceOf(s model.Subject, got probes.Answers) Trace {
	o, _ := s.Operation("verify_challenge")
	idName, codeName, _ := VerifyParameters(o)
	t := Trace{Subject: s}
	for _, o := range got {
		text := func(name string) string { v, _ := o.Probe.Params()[name].(string); return v }
		a := TraceStep{StepReport: StepReport{Observation: o, Directive: DirectiveIn(o)}, Operation: o.Probe.Operation()}
		switch {
		case o.Probe.CommandName() != "":
			about, _ := probes.ParseValue(o.Probe.Raw())
			a.Operation, a.Challenge, a.Code = o.Probe.CommandName(), about.At("challenge").Text(), o.Output()
		case a.Operation == VerifyOperation:
			a.Challenge, a.Code = text(idName), text(codeName)
		default:
			a.Hint = text("nextActionHint")
		}
		t.Steps = append(t.Steps, a)
	}
	return t
}

// ForAgent keeps the steps of one agent in a scenario, and all pauses.
func (t Trace) ForAgent(s Scenario, index int) Trace {
	return t.Filter(func(a TraceStep) bool {
		return a.Observation.Probe.Under(s.Agent(index)) || IsPause(a)
	})
}

// IsPause reports whether the step is a pause of the script.
func IsPause(a TraceStep) bool { return a.Observation.Probe.Beside() && a.Operation == "" }

// Filter keeps the steps for which the condition holds.
func (t Trace) Filter(holds func(TraceStep) bool) Trace {
	t.Steps = slices.DeleteFunc(slices.Clone(t.Steps), func(a TraceStep) bool { return !holds(a) })
	return t
}

// After returns the first step for which the condition holds, and the steps after it.
func (t Trace) After(holds func(TraceStep) bool) (TraceStep, Trace, bool) {
	i := slices.IndexFunc(t.Steps, holds)
	if i < 0 {
		return TraceStep{}, Trace{Subject: t.Subject}, false
	}
	return t.Steps[i], Trace{t.Subject, t.Steps[i+1:]}, true
}

// First returns the first step for which the condition holds.
func (t Trace) First(holds func(TraceStep) bool) (TraceStep, bool) {
	a, _, found := t.After(holds)
	return a, found
}

// ReportsAction matches a report of the action.
func ReportsAction(hint string) func(TraceStep) bool {
	return func(a TraceStep) bool { return a.Operation == ReportOperation && a.Hint == hint }
}

// IsOperation matches a step by its operation or command.
func IsOperation(what string) func(TraceStep) bool {
	return func(a TraceStep) bool { return a.Operation == what }
}

// IsHarmlessReport matches a report of the harmless action.
func (t Trace) IsHarmlessReport() func(TraceStep) bool {
	return ReportsAction(HarmlessAction(t.Subject))
}

// IsVerifyReport matches a report of the action of the verify tier.
func (t Trace) IsVerifyReport() func(TraceStep) bool {
	return ReportsAction(t.Hints.Safety.VerifyHint)
}

// FirstChallenge returns the first pause with a challenge and the steps after it. why says why
// there is none.
func (t Trace) FirstChallenge() (first TraceStep, id string, rest Trace, why *ruling.Ruling) {
	if r, unusable := t.Unusable(); unusable {
		return first, "", rest, &r
	}
	first, rest, asked := t.After(t.IsVerifyReport())
	var r ruling.Ruling
	switch id = ChallengeIn(first.Observation, "autonomy_pause"); {
	case !asked:
		r = ruling.NotProven("a report of the action of the verify tier", "none")
	case !first.Paused() || first.Stopped():
		r = ruling.NotProven("a pause that a person has to verify", first.Observation).Because("AQL-8.8.1-02")
	case id == "":
		r = ruling.NotProven("a challenge id", first.Directive).By(first.Observation).Because("AQL-8.7.3-07")
	default:
		return first, id, rest, nil
	}
	return first, id, rest, &r
}

// Unusable returns the ruling on a trace whose agent did not start or could not report a harmless
// action.
func (t Trace) Unusable() (ruling.Ruling, bool) {
	start, started := t.First(func(a TraceStep) bool { return a.Operation == "execute_agent" && a.Observation.Succeeded() })
	if !started {
		shown, _ := t.First(IsOperation("execute_agent"))
		return ruling.NotProven("the start of an agent", shown.Observation), true
	}
	if harmless, asked := t.First(t.IsHarmlessReport()); asked && !harmless.Continues() {
		return ruling.NotProven("a harmless action to pass", harmless.Answer()).By(harmless.Observation, start.Observation), true
	}
	return ruling.Ruling{}, false
}

// Answer returns the directive of a report, or the whole answer if there is none.
func (a TraceStep) Answer() any {
	if a.Directive.Is(probes.Absent) {
		return a.Observation
	}
	return a.Directive
}
