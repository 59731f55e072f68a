package check

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The steps of the control. All checks share this script.
const (
	controlCreated  = "created"
	ControlAsked    = "call without token"
	ControlRedeemed = "call with token" // one for each token name
)

// RunControl redeems a token in the session that it was issued in. It returns the name of its parameter. ok is false if the control
// failed.
func (g Confirmable) RunControl(ask model.AskFunc) (name string, ok bool) {
	made, ok := g.CreateObject(ask, controlCreated)
	if !ok {
		return "", false
	}
	call := g.CallOn(made)
	asked := ask(call.Anew(g.Step(ControlAsked)))
	token := asked.ConfirmationToken()
	if token.Is(probes.Absent) {
		return "", false
	}
	for i, name := range g.TokenNames() {
		o := ask(call.With(name, token.Go()).Anew(g.Step(probes.Nth(ControlRedeemed, i))))
		if !tokenIgnored(o) {
			return name, o.Succeeded()
		}
		if fresh := o.ConfirmationToken(); !fresh.Is(probes.Absent) {
			token = fresh // the name was ignored, and the earlier token may be invalid now
		}
	}
	return "", false
}

// JudgeControl rules on the control. ok is true if it succeeded.
func (g Confirmable) JudgeControl(got probes.Answers) (why ruling.Ruling, ok bool) {
	if made, asked := got.Find(g.Step(controlCreated)); g.HasOwnObject && (!asked || !made.Succeeded()) {
		return ruling.NotProven("an object of our own for "+g.Name, made), false
	}
	asked := got.Step(g.Step(ControlAsked))
	last := asked
	for i := range g.TokenNames() {
		if o, tried := got.Find(g.Step(probes.Nth(ControlRedeemed, i))); tried {
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

// ConfirmableSubject returns the operation that asks for confirmation: the hinted one, else the first
// that documents it and can be tried. An adapter without confirmations is excused.
func ConfirmableSubject(f *model.Adapter) []model.Subject {
	all := EachConfirmable(f)
	return all[:min(len(all), 1)]
}

// mostConfirmables bounds how many operations of one adapter are tried.
const mostConfirmables = 3

// EachConfirmable returns the hinted operation that asks for confirmation, else those that document
// it and can be tried on objects of our own.
func EachConfirmable(f *model.Adapter) []model.Subject {
	if !UsesConfirmation(f) {
		return nil
	}
	if _, listed := f.Operation(f.Hints.Confirm.Operation); listed {
		g, why := NewConfirmable(f, f.Hints.Confirm.Operation)
		if why != nil {
			return []model.Subject{g.Subject.WithRuling(*why)}
		}
		return []model.Subject{g.Subject}
	}
	var all []model.Subject
	for _, name := range ConfirmableNames(f) {
		if g, why := NewConfirmable(f, name); why == nil && g.HasOwnObject && len(all) < mostConfirmables {
			all = append(all, g.Subject)
		}
	}
	if len(all) == 0 {
		s := model.Subject{Adapter: f, Name: "adapter"}
		all = append(all, s.WithRuling(model.HintMissing("confirm", "an operation that waits for a confirmation, and its parameters")))
	}
	return all
}

// ConfirmableOf returns the Confirmable of a subject from ConfirmableSubject.
func ConfirmableOf(s model.Subject) Confirmable {
	g, _ := NewConfirmable(s.Adapter, s.Name)
	return g
}
