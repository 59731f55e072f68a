package suites

import (
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// An act is one step of an errand: a report, a code that was read, an attempt with a
// code, something else.
type act struct {
	stepReport
	what      string // operation, or command of the author
	challenge string // of a code or an attempt
	code      string
}

const (
	reported  = "record_execution_step"
	codeShown = "safety.code_cmd"
	attempted = "verify_challenge"
)

// A story is what happened in an errand.
type story struct {
	Subject
	acts []act
}

// tell reads an errand from what was asked.
func (s Subject) tell(got []probes.Observation) story {
	o, _ := s.Operation("verify_challenge")
	idName, codeName, _ := verifyParameters(o)
	t := story{Subject: s}
	for _, o := range got {
		text := func(name string) string { v, _ := o.Probe.Params()[name].(string); return v }
		a := act{stepReport: stepReport{o: o, directive: directiveIn(o)}, what: o.Probe.Operation()}
		switch {
		case o.Probe.CommandName() != "":
			about, _ := probes.ParseValue(o.Probe.Raw())
			a.what, a.challenge, a.code = o.Probe.CommandName(), about.At("challenge").Text(), o.Output()
		case a.what == attempted:
			a.challenge, a.code = text(idName), text(codeName)
		default:
			a.hint = text("nextActionHint")
		}
		t.acts = append(t.acts, a)
	}
	return t
}

// in keeps what an agent of a scene was asked about, and the waits of all.
func (t story) in(s scene, index int) story {
	return t.where(func(a act) bool { return a.o.Probe.Take/sceneTakes == int(s)*10+index || idling(a) })
}

// idling is a pause of the script.
func idling(a act) bool { return a.o.Probe.Beside() && a.what == "" }

func (t story) where(holds func(act) bool) story {
	t.acts = slices.DeleteFunc(slices.Clone(t.acts), func(a act) bool { return !holds(a) })
	return t
}

// after is what happened behind the first act of which something holds.
func (t story) after(holds func(act) bool) (act, story, bool) {
	i := slices.IndexFunc(t.acts, holds)
	if i < 0 {
		return act{}, story{Subject: t.Subject}, false
	}
	return t.acts[i], story{t.Subject, t.acts[i+1:]}, true
}

// before is what happened until the first act of which something holds.
func (t story) before(holds func(act) bool) story {
	if i := slices.IndexFunc(t.acts, holds); i >= 0 {
		t.acts = t.acts[:i]
	}
	return t
}

func (t story) first(holds func(act) bool) (act, bool) {
	a, _, found := t.after(holds)
	return a, found
}

// saying is a report of an action.
func saying(hint string) func(act) bool {
	return func(a act) bool { return a.what == reported && a.hint == hint }
}

// doing is another operation or command.
func doing(what string) func(act) bool { return func(a act) bool { return a.what == what } }

// granted is an attempt that was answered with success.
func granted(a act) bool { return a.what == attempted && a.o.Succeeded() }

// outside reports whether another process than the one that blocked had a part in how
// the first report was let pass: over stdio, where a request names no HTTP method, each
// connection has one of its own.
func (t story) outside(block act) bool {
	if block.o.Sent.Note != "" {
		return false
	}
	for _, a := range t.acts {
		if !a.o.Probe.Beside() && a.o.Probe.Conn != block.o.Probe.Conn {
			return true
		}
		if passing(a) {
			return false
		}
	}
	return false
}

// passing is a report that was let pass.
func passing(a act) bool { return a.what == reported && a.goesOn() }

func (t story) harmless() func(act) bool { return saying(t.harmlessAction()) }
func (t story) provoking() func(act) bool {
	return saying(t.Hints.Safety.VerifyHint)
}

// challenged is the first challenge of a pause and what followed on it. The ruling
// says why there is none.
func (t story) challenged() (first act, id string, rest story, why *Ruling) {
	if r, unsettled := t.quiet(); unsettled {
		return first, "", rest, &r
	}
	first, rest, asked := t.after(t.provoking())
	var r Ruling
	switch id = challengeIn(first.o, "autonomy_pause"); {
	case !asked:
		r = NotProven("a report of the action of the verify tier", "none")
	case !first.paused() || first.stopped():
		r = NotProven("a pause that a person has to verify", first.o).Because("AQL-8.8.1-02")
	case id == "":
		r = NotProven("a challenge id", first.directive).By(first.o).Because("AQL-8.7.3-07")
	default:
		return first, id, rest, nil
	}
	return first, id, rest, &r
}

// quiet rules out an errand in which the agent did not start, or was held up before
// anything had happened.
func (t story) quiet() (Ruling, bool) {
	start, started := t.first(func(a act) bool { return a.what == "execute_agent" && a.o.Succeeded() })
	if !started {
		shown, _ := t.first(doing("execute_agent"))
		return NotProven("the start of an agent", shown.o), true
	}
	if calm, asked := t.first(t.harmless()); asked && !calm.goesOn() {
		return NotProven("a harmless action to pass", calm.said()).By(calm.o, start.o), true
	}
	return Ruling{}, false
}

// blocked is what followed on the block of an agent, once that has been seen to last.
func (t story) blocked() (block act, id string, rest story, why *Ruling) {
	if r, unsettled := t.quiet(); unsettled {
		return block, "", rest, &r
	}
	block, rest, asked := t.after(saying(t.Hints.Safety.DenyHint))
	next, beyond, watched := rest.after(t.harmless())
	var r Ruling
	switch {
	case !asked:
		r = NotProven("a report of the denied action", "none")
	case !block.stopped():
		r = NotProven("a stop of the agent", block.o).Because("AQL-8.7.2-08")
	case !watched || next.goesOn():
		r = NotProven("a block that lasts", next.said()).By(next.o).Because("AQL-8.6.4-04")
	default:
		return block, challengeIn(block.o, "danger_zone"), beyond, nil
	}
	return block, "", rest, &r
}

// between is the time from the answer to one question to the sending of another.
func between(a, b act) time.Duration { return b.o.Sent.At - a.o.Received.At }

// said is what a report was told: its directive, else the whole answer.
func (a act) said() any {
	if a.directive.Is(probes.Absent) {
		return a.o
	}
	return a.directive
}

var limitWords = []string{"step limit", "maximum steps", "max steps"}

// outOfSteps reports whether a pause has its reason in the number of steps.
func (a act) outOfSteps() bool {
	reason := strings.ToLower(a.directive.At("reason").Text())
	return slices.ContainsFunc(limitWords, func(w string) bool { return strings.Contains(reason, w) })
}
