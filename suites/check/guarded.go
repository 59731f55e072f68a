package check

import (
	"regexp"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A Guarded operation waits for a confirmation: its first answer hands out a token,
// and the same call with the token is carried out. What is tried on it is tried on
// objects of our own, or is the call that the author wrote down.
type Guarded struct {
	model.TestObject
	Own   bool           // it acts on an object of ours
	given map[string]any // parameters that the author wrote down
	First int            // of its takes
}

// The takes of the scripts on guarded operations; each operation has its own range.
const (
	guardTake  = 400 * model.TakesPerScript
	guardRange = 50 * model.TakesPerScript
)

// confirmWords are words by which an operation says that it waits for one.
var confirmWords = regexp.MustCompile(`(?i)\b(requires?|needs?|must be|asks? for|subject to|waits? for)\b[^.;]{0,40}\bconfirm(ed|ation)\b`)

// SaysGuarded reports whether the record of an operation says that it requires a
// confirmation. sure is false where the words may be meant for the client, who is to
// ask a person first.
func SaysGuarded(o probes.Operation) (says, sure bool) {
	d := o.Details
	for _, flag := range []probes.Value{d.At("requires_confirmation"), d.At("danger", "requires_confirmation"), d.At("danger_level", "requires_confirmation")} {
		if flag.True() {
			return true, true
		}
	}
	says = confirmWords.MatchString(o.Summary.At("description").Text()) || confirmWords.MatchString(d.At("description").Text())
	return says, says && TakesToken(o)
}

// TakesToken reports whether an operation documents the parameter for a token.
func TakesToken(o probes.Operation) bool {
	return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Type == "string" && probes.TakesToken(p.Name) })
}

// AnnouncesConfirmation reports whether _protocol says that confirmations are asked
// for.
func AnnouncesConfirmation(f *model.Adapter) bool {
	return f.Protocol.At("capabilities", "confirmation").True()
}

// GuardedNames are the operations that wait for a confirmation as far as can be told
// before they are called: the author's first, then those that document it, or have
// asked for one already.
func GuardedNames(f *model.Adapter) []string {
	var all []string
	if _, listed := f.Operation(f.Hints.Confirm.Operation); listed {
		all = append(all, f.Hints.Confirm.Operation)
	}
	for _, o := range f.Operations {
		says, _ := SaysGuarded(o)
		asked := f.KnownGood[o.Name].Reply.Code() == "CONFIRMATION_REQUIRED"
		if (says || asked || TakesToken(o)) && !slices.Contains(model.Reserved, o.Name) && !slices.Contains(all, o.Name) {
			all = append(all, o.Name)
		}
	}
	return all
}

// Confirms reports whether the adapter shows any sign of confirmations.
func Confirms(f *model.Adapter) bool { return AnnouncesConfirmation(f) || len(GuardedNames(f)) > 0 }

// AsGuarded returns what is needed to try an operation that waits for a confirmation, or
// why it cannot be tried.
func AsGuarded(f *model.Adapter, name string) (Guarded, *ruling.Ruling) {
	at := slices.IndexFunc(f.Operations, func(o probes.Operation) bool { return o.Name == name })
	if at < 0 {
		r := ruling.NotProven("a listed operation in the hint confirm", name)
		return Guarded{}, &r
	}
	o := f.Operations[at]
	g := Guarded{TestObject: model.TestObject{Subject: model.Subject{Adapter: f, Name: name, Op: o}}, given: map[string]any{}, First: guardTake + at*guardRange}
	if ok, why := f.Callable(o); !ok {
		r := ruling.NotProven("leave to call "+name, why).Mend(model.KnownGood{State: model.NotPermitted, Why: why}.Unlock())
		return g, &r
	}
	if f.Hints.Confirm.Operation == name {
		for key, raw := range f.Hints.Confirm.Params {
			g.given[key] = raw
		}
	}
	open := func(p probes.Parameter) bool { return p.Required && f.TakesIdentifier(o, p) && g.given[p.Name] == nil }
	switch {
	case slices.ContainsFunc(o.Parameters, open):
		obj, why := model.FindTestObject(g.Subject, model.EachMarked(f))
		g.TestObject, g.Own = obj, why == nil
		return g, why
	case o.Category == "READ" || o.Category == "CREATE" || f.Hints.Confirm.Operation == name:
		return g, nil
	}
	r := ruling.NotProven("an object of our own for "+name, "an operation that names none").Mend("confirm" + model.InHints + "a call that may be confirmed")
	return g, &r
}

// Object makes the object for a take of the script; nothing where the operation acts on
// none of ours.
func (g Guarded) Object(ask model.AskFunc, take int) (made probes.Observation, ok bool) {
	if !g.Own {
		return probes.Observation{}, true
	}
	p, _ := g.Create(g.First+take, nil)
	made = ask(p)
	return made, made.Succeeded()
}

// On is the call on what was made.
func (g Guarded) On(made probes.Observation) probes.Probe {
	p := g.plain()
	if g.Own {
		obj := g.TestObject
		obj.Base = 0
		p, _ = obj.RequestFor(obj.Op, obj.IDs).Resolve([]probes.Observation{made})
	}
	for name, v := range g.given {
		p = p.With(name, v)
	}
	if input := slices.IndexFunc(g.Op.Parameters, func(q probes.Parameter) bool { return q.Name == "input" && q.Required }); input >= 0 && p.Params()["input"] == nil {
		p = p.With("input", g.ChangeValue(g.Op, g.Op.Parameters[input]).Go())
	}
	return p
}

// plain is the call that names no object, its required parameters as they can be
// filled.
func (g Guarded) plain() probes.Probe {
	params := map[string]any{}
	for _, q := range g.Op.Parameters {
		if values := g.Gen.Values(g.Op, q); q.Required && len(values) > 0 {
			params[q.Name] = values[0].Go()
		}
	}
	return g.Request(g.Op, params)
}

// Looks asks the READ that shows what was made, where there is one.
func (g Guarded) Looks(ask model.AskFunc, made probes.Observation, take int) {
	if !g.Own || g.Viewer.Name == "" {
		return
	}
	obj := g.TestObject
	obj.Base = 0
	if p, ok := obj.RequestFor(obj.Viewer, obj.ViewerIDs).Resolve([]probes.Observation{made}); ok {
		ask(p.Anew(g.First + take))
	}
}

// GoneAt reports whether a look found nothing where the object had been.
func GoneAt(got []probes.Observation, take int) bool {
	o, asked := At(got, take)
	return asked && o.Refused() && o.Code() == "NOT_FOUND_RESOURCE"
}

// ThereAt reports whether a look showed the object.
func ThereAt(got []probes.Observation, take int) bool {
	o, asked := At(got, take)
	return asked && o.Succeeded() && !o.Data().Is(probes.Null)
}

// Names are those under which the token is sent back, the author's word first.
func (g Guarded) Names() []string {
	if c := g.Hints.Confirm; c.Operation == g.Name && c.TokenParam != "" {
		return []string{c.TokenParam}
	}
	return g.Op.TokenNames()
}

// spared reports whether the token was not looked at: it went unnoticed, or its name
// was refused.
func spared(o probes.Observation) bool {
	return !o.ConfirmationToken().Is(probes.Absent) || len(o.Code()) > 11 && o.Code()[:11] == "VALIDATION_"
}
