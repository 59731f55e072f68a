package check

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The takes of the control, below the base of an operation: a token that is shown to
// the session that asked for it. It is one script, whichever check asks for it.
const (
	controlMade = iota
	ControlAsked
	ControlRedeemed // and as many as there are names
)

// Control plays it and returns the name under which the token was taken; ok is false
// where nothing more is to be learned.
func (g Guarded) Control(ask model.AskFunc) (name string, ok bool) {
	made, ok := g.Object(ask, controlMade)
	if !ok {
		return "", false
	}
	call := g.On(made)
	asked := ask(call.Anew(g.First + ControlAsked))
	token := asked.ConfirmationToken()
	if token.Is(probes.Absent) {
		return "", false
	}
	for i, name := range g.Names() {
		o := ask(call.With(name, token.Go()).Anew(g.First + ControlRedeemed + i))
		if !spared(o) {
			return name, o.Succeeded()
		}
		if fresh := o.ConfirmationToken(); !fresh.Is(probes.Absent) {
			token = fresh // the name was overlooked, and the one before may be void
		}
	}
	return "", false
}

// Controlled rules on the control; ok is true where it went as it should.
func (g Guarded) Controlled(got []probes.Observation) (why ruling.Ruling, ok bool) {
	if made, asked := At(got, g.First+controlMade); g.Own && (!asked || !made.Succeeded()) {
		return ruling.NotProven("an object of our own for "+g.Name, made), false
	}
	asked, _ := At(got, g.First+ControlAsked)
	last := asked
	for i := range g.Names() {
		if o, tried := At(got, g.First+ControlRedeemed+i); tried {
			last = o
		}
	}
	switch {
	case asked.Code() != "CONFIRMATION_REQUIRED":
		return ruling.NotProven("error CONFIRMATION_REQUIRED for "+g.Name, asked), false
	case asked.ConfirmationToken().Is(probes.Absent):
		return ruling.NotProven("a token that the caller is shown", "a confirmation through another channel").By(asked), false
	case !last.Succeeded():
		return ruling.NotProven("a token that is taken where it was issued", last).By(asked), false
	}
	return ruling.Conforms().By(last, asked), true
}

// OnGuarded is the operation that the author names as waiting for a confirmation. An
// adapter without any sign of confirmations is excused.
func OnGuarded(f *model.Adapter) []model.Subject {
	name := f.Hints.Confirm.Operation
	_, listed := f.Operation(name)
	s := model.Subject{Adapter: f, Name: "adapter"}
	switch {
	case !Confirms(f):
		return nil
	case !listed:
		return []model.Subject{s.WithRuling(model.HintMissing("confirm", "an operation that waits for a confirmation, and its parameters"))}
	}
	g, why := AsGuarded(f, name)
	if why != nil {
		return []model.Subject{g.Subject.WithRuling(*why)}
	}
	return []model.Subject{g.Subject}
}

// GuardOf is what onGuarded found for a subject.
func GuardOf(s model.Subject) Guarded {
	g, _ := AsGuarded(s.Adapter, s.Name)
	return g
}
