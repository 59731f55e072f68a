package suites

import "github.com/aql-conform/aql-conform/probes"

// The takes of the control, below the base of an operation: a token that is shown to
// the session that asked for it. It is one script, whichever check asks for it.
const (
	controlMade = iota
	controlAsked
	controlRedeemed // and as many as there are names
)

// control plays it and returns the name under which the token was taken; ok is false
// where nothing more is to be learned.
func (g guarded) control(ask Asking) (name string, ok bool) {
	made, ok := g.object(ask, controlMade)
	if !ok {
		return "", false
	}
	call := g.on(made)
	asked := ask(call.Anew(g.first + controlAsked))
	token := asked.ConfirmationToken()
	if token.Is(probes.Absent) {
		return "", false
	}
	for i, name := range g.names() {
		o := ask(call.With(name, token.Go()).Anew(g.first + controlRedeemed + i))
		if !spared(o) {
			return name, o.Succeeded()
		}
		if fresh := o.ConfirmationToken(); !fresh.Is(probes.Absent) {
			token = fresh // the name was overlooked, and the one before may be void
		}
	}
	return "", false
}

// controlled rules on the control; ok is true where it went as it should.
func (g guarded) controlled(got []probes.Observation) (why Ruling, ok bool) {
	if made, asked := at(got, g.first+controlMade); g.own && (!asked || !made.Succeeded()) {
		return NotProven("an object of our own for "+g.Name, made), false
	}
	asked, _ := at(got, g.first+controlAsked)
	last := asked
	for i := range g.names() {
		if o, tried := at(got, g.first+controlRedeemed+i); tried {
			last = o
		}
	}
	switch {
	case asked.Code() != "CONFIRMATION_REQUIRED":
		return NotProven("error CONFIRMATION_REQUIRED for "+g.Name, asked), false
	case asked.ConfirmationToken().Is(probes.Absent):
		return NotProven("a token that the caller is shown", "a confirmation through another channel").By(asked), false
	case !last.Succeeded():
		return NotProven("a token that is taken where it was issued", last).By(asked), false
	}
	return Conforms().By(last, asked), true
}

// onGuarded is the operation that the author names as waiting for a confirmation. An
// adapter without any sign of confirmations is excused.
func onGuarded(f *Face) []Subject {
	name := f.Hints.Confirm.Operation
	_, listed := f.Operation(name)
	s := Subject{Face: f, Name: "adapter"}
	switch {
	case !confirms(f):
		return nil
	case !listed:
		return []Subject{s.settle(unhinted("confirm", "an operation that waits for a confirmation, and its parameters"))}
	}
	g, why := f.guard(name)
	if why != nil {
		return []Subject{g.Subject.settle(*why)}
	}
	return []Subject{g.Subject}
}

// guardOf is what onGuarded found for a subject.
func guardOf(s Subject) guarded {
	g, _ := s.guard(s.Name)
	return g
}
