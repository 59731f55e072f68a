package check

import (
	"regexp"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A Confirmable is an operation that asks for confirmation: its first answer has a token, and the
// same call with the token is executed. It is tried on test objects, or with the call in the hints
// file.
type Confirmable struct {
	model.TestObject
	HasOwnObject bool // it acts on a test object
	hintedParams map[string]any
	Script       string // step above those of the operation
}

// confirmWords matches a description that announces confirmation.
var confirmWords = regexp.MustCompile(`(?i)\b(requires?|needs?|must be|asks? for|subject to|waits? for)\b[^.;]{0,40}\bconfirm(ed|ation)\b`)

// DocumentsConfirmation reports whether the record of an operation says that it requires
// confirmation. sure is false if the text may mean that the client asks the user first.
func DocumentsConfirmation(o probes.Operation) (says, sure bool) {
	d := o.Details
	for _, flag := range []probes.Value{d.At("requires_confirmation"), d.At("danger", "requires_confirmation"), d.At("danger_level", "requires_confirmation")} {
		if flag.True() {
			return true, true
		}
	}
	says = confirmWords.MatchString(o.Summary.At("description").Text()) || confirmWords.MatchString(d.At("description").Text())
	return says, says && HasTokenParameter(o)
}

// HasTokenParameter reports whether an operation documents a token parameter.
func HasTokenParameter(o probes.Operation) bool {
	return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Type == "string" && probes.TakesToken(p.Name) })
}

// AnnouncesConfirmation reports whether _protocol announces confirmations.
func AnnouncesConfirmation(f *model.Adapter) bool {
	return f.Protocol.At("capabilities", "confirmation").True()
}

// ConfirmableNames returns the operations that ask for confirmation as far as is known before they
// are called: the hinted one first, then those that document it or have already asked.
func ConfirmableNames(f *model.Adapter) []string {
	var all []string
	if _, listed := f.Operation(f.Hints.Confirm.Operation); listed {
		all = append(all, f.Hints.Confirm.Operation)
	}
	for _, o := range f.Operations {
		says, _ := DocumentsConfirmation(o)
		asked := f.KnownGood[o.Name].Reply.Code() == "CONFIRMATION_REQUIRED"
		if (says || asked || HasTokenParameter(o)) && !slices.Contains(model.Reserved, o.Name) && !slices.Contains(all, o.Name) {
			all = append(all, o.Name)
		}
	}
	return all
}

// UsesConfirmation reports whether the adapter uses confirmations at all.
func UsesConfirmation(f *model.Adapter) bool {
	return AnnouncesConfirmation(f) || len(ConfirmableNames(f)) > 0
}

// NewConfirmable returns the operation as a Confirmable, or the reason why it cannot be tried.
func NewConfirmable(f *model.Adapter, name string) (Confirmable, *ruling.Ruling) {
	at := slices.IndexFunc(f.Operations, func(o probes.Operation) bool { return o.Name == name })
	if at < 0 {
		r := ruling.NotProven("a listed operation in the hint confirm", name)
		return Confirmable{}, &r
	}
	o := f.Operations[at]
	g := Confirmable{TestObject: model.TestObject{Subject: model.Subject{Adapter: f, Name: name, Op: o}}, hintedParams: map[string]any{}, Script: probes.Nth("confirmation", at)}
	if ok, why := f.Callable(o); !ok {
		r := ruling.NotProven("leave to call "+name, why).Mend(model.KnownGood{State: model.NotPermitted, Why: why}.Unlock())
		return g, &r
	}
	if f.Hints.Confirm.Operation == name {
		for key, raw := range f.Hints.Confirm.Params {
			g.hintedParams[key] = raw
		}
	}
	open := func(p probes.Parameter) bool {
		return p.Required && f.TakesIdentifier(o, p) && g.hintedParams[p.Name] == nil
	}
	switch {
	case slices.ContainsFunc(o.Parameters, open):
		obj, why := model.FindTestObject(g.Subject, f.Makers())
		if why == nil { // else it has no subject, and what is not proven needs one
			g.TestObject, g.HasOwnObject = obj, true
		}
		return g, why
	case o.Category == "READ" || o.Category == "CREATE" || f.Hints.Confirm.Operation == name:
		return g, nil
	}
	r := ruling.NotProven("an object of our own for "+name, "an operation that names none").Mend(model.AddHint("confirm", "a call that may be confirmed"))
	return g, &r
}

// Step names a step of the script on the operation.
func (g Confirmable) Step(step string) string { return g.Script + ": " + step }

// CreateObject creates the test object in a step. It does nothing if the operation does not act on
// one.
func (g Confirmable) CreateObject(ask model.AskFunc, step string) (made probes.Observation, ok bool) {
	if !g.HasOwnObject {
		return probes.Observation{}, true
	}
	p, _ := g.Create(g.Step(step), nil)
	made = ask(p)
	return made, made.Succeeded()
}

// CallOn is the call on the created object.
func (g Confirmable) CallOn(made probes.Observation) probes.Probe {
	p := g.plainCall()
	if g.HasOwnObject {
		obj := g.TestObject
		obj.Base = 0
		p, _ = obj.RequestFor(obj.Op, obj.IDs).Resolve([]probes.Observation{made})
	}
	for name, v := range g.hintedParams {
		p = p.With(name, v)
	}
	if input := slices.IndexFunc(g.Op.Parameters, func(q probes.Parameter) bool { return q.Name == "input" && q.Required }); input >= 0 && p.Params()["input"] == nil {
		p = p.With("input", g.ChangeValue(g.Op, g.Op.Parameters[input]).Go())
	}
	return p
}

// plainCall is the call with sample values for its required parameters.
func (g Confirmable) plainCall() probes.Probe {
	params := map[string]any{}
	for _, q := range g.Op.Parameters {
		if values := g.Gen.Values(g.Op, q); q.Required && len(values) > 0 {
			params[q.Name] = values[0].Go()
		}
	}
	return g.Request(g.Op, params)
}

// ReadObject reads the created object if there is a READ for it.
func (g Confirmable) ReadObject(ask model.AskFunc, made probes.Observation, step string) {
	if !g.HasOwnObject || g.Viewer.Name == "" {
		return
	}
	obj := g.TestObject
	obj.Base = 0
	if p, ok := obj.RequestFor(obj.Viewer, obj.ViewerIDs).Resolve([]probes.Observation{made}); ok {
		ask(p.Anew(g.Step(step)))
	}
}

// NotFoundAt reports whether the read in the step did not find the object.
func NotFoundAt(got probes.Answers, step string) bool {
	o := got.Step(step)
	return o.Refused() && o.Code() == "NOT_FOUND_RESOURCE"
}

// FoundAt reports whether the read in the step found the object.
func FoundAt(got probes.Answers, step string) bool {
	o := got.Step(step)
	return o.Succeeded() && !o.Data().Is(probes.Null)
}

// TokenNames are the possible names of the token parameter, the hinted one first.
func (g Confirmable) TokenNames() []string {
	if c := g.Hints.Confirm; c.Operation == g.Name && c.TokenParam != "" {
		return []string{c.TokenParam}
	}
	return g.Op.TokenNames()
}

// tokenIgnored reports whether the adapter did not evaluate the token: it issued another one, or
// rejected the parameter.
func tokenIgnored(o probes.Observation) bool {
	return !o.ConfirmationToken().Is(probes.Absent) || len(o.Code()) > 11 && o.Code()[:11] == "VALIDATION_"
}
