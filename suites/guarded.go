package suites

import (
	"regexp"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// A guarded operation waits for a confirmation: its first answer hands out a token,
// and the same call with the token is carried out. What is tried on it is tried on
// objects of our own, or is the call that the author wrote down.
type guarded struct {
	specimen
	own   bool           // it acts on an object of ours
	given map[string]any // parameters that the author wrote down
	first int            // of its takes
}

// The takes of the scripts on guarded operations; each operation has its own range.
const (
	guardTake  = 400 * specimenStage
	guardRange = 50 * specimenStage
)

// confirmWords are words by which an operation says that it waits for one.
var confirmWords = regexp.MustCompile(`(?i)\b(requires?|needs?|must be|asks? for|subject to|waits? for)\b[^.;]{0,40}\bconfirm(ed|ation)\b`)

// saysGuarded reports whether the record of an operation says that it requires a
// confirmation. sure is false where the words may be meant for the client, who is to
// ask a person first.
func saysGuarded(o probes.Operation) (says, sure bool) {
	d := o.Details
	for _, flag := range []probes.Value{d.At("requires_confirmation"), d.At("danger", "requires_confirmation"), d.At("danger_level", "requires_confirmation")} {
		if flag.True() {
			return true, true
		}
	}
	says = confirmWords.MatchString(o.Summary.At("description").Text()) || confirmWords.MatchString(d.At("description").Text())
	return says, says && takesToken(o)
}

// takesToken reports whether an operation documents the parameter for a token.
func takesToken(o probes.Operation) bool {
	return slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Type == "string" && probes.TakesToken(p.Name) })
}

// announcesConfirmation reports whether _protocol says that confirmations are asked
// for.
func announcesConfirmation(f *Face) bool { return f.Protocol.At("capabilities", "confirmation").True() }

// guardedNames are the operations that wait for a confirmation as far as can be told
// before they are called: the author's first, then those that document it, or have
// asked for one already.
func guardedNames(f *Face) []string {
	var all []string
	if _, listed := f.Operation(f.Hints.Confirm.Operation); listed {
		all = append(all, f.Hints.Confirm.Operation)
	}
	for _, o := range f.Operations {
		says, _ := saysGuarded(o)
		asked := f.Baselines[o.Name].Reply.Code() == "CONFIRMATION_REQUIRED"
		if (says || asked || takesToken(o)) && !slices.Contains(reserved, o.Name) && !slices.Contains(all, o.Name) {
			all = append(all, o.Name)
		}
	}
	return all
}

// confirms reports whether the adapter shows any sign of confirmations.
func confirms(f *Face) bool { return announcesConfirmation(f) || len(guardedNames(f)) > 0 }

// guard returns what is needed to try an operation that waits for a confirmation, or
// why it cannot be tried.
func (f *Face) guard(name string) (guarded, *Ruling) {
	at := slices.IndexFunc(f.Operations, func(o probes.Operation) bool { return o.Name == name })
	if at < 0 {
		r := NotProven("a listed operation in the hint confirm", name)
		return guarded{}, &r
	}
	o := f.Operations[at]
	g := guarded{specimen: specimen{Subject: Subject{Face: f, Name: name, Op: o}}, given: map[string]any{}, first: guardTake + at*guardRange}
	if ok, why := f.Callable(o); !ok {
		r := NotProven("leave to call "+name, why).Mend(Baseline{State: Barred, Why: why}.unlock())
		return g, &r
	}
	if f.Hints.Confirm.Operation == name {
		for key, raw := range f.Hints.Confirm.Params {
			g.given[key] = raw
		}
	}
	open := func(p probes.Parameter) bool { return p.Required && f.refers(o, p) && g.given[p.Name] == nil }
	switch {
	case slices.ContainsFunc(o.Parameters, open):
		sp, why := find(g.Subject, eachMarked(f))
		g.specimen, g.own = sp, why == nil
		return g, why
	case o.Category == "READ" || o.Category == "CREATE" || f.Hints.Confirm.Operation == name:
		return g, nil
	}
	r := NotProven("an object of our own for "+name, "an operation that names none").Mend("confirm" + inHints + "a call that may be confirmed")
	return g, &r
}

// object makes the object for a take of the script; nothing where the operation acts on
// none of ours.
func (g guarded) object(ask Asking, take int) (made probes.Observation, ok bool) {
	if !g.own {
		return probes.Observation{}, true
	}
	p, _ := g.create(g.first+take, nil)
	made = ask(p)
	return made, made.Succeeded()
}

// on is the call on what was made.
func (g guarded) on(made probes.Observation) probes.Probe {
	p := g.plain()
	if g.own {
		sp := g.specimen
		sp.base = 0
		p, _ = sp.request(sp.Op, sp.ids).Resolve([]probes.Observation{made})
	}
	for name, v := range g.given {
		p = p.With(name, v)
	}
	if input := slices.IndexFunc(g.Op.Parameters, func(q probes.Parameter) bool { return q.Name == "input" && q.Required }); input >= 0 && p.Params()["input"] == nil {
		p = p.With("input", g.changeValue(g.Op, g.Op.Parameters[input]).Go())
	}
	return p
}

// plain is the call that names no object, its required parameters as they can be
// filled.
func (g guarded) plain() probes.Probe {
	params := map[string]any{}
	for _, q := range g.Op.Parameters {
		if values := g.Gen.Values(g.Op, q); q.Required && len(values) > 0 {
			params[q.Name] = values[0].Go()
		}
	}
	return g.Request(g.Op, params)
}

// looks asks the READ that shows what was made, where there is one.
func (g guarded) looks(ask Asking, made probes.Observation, take int) {
	if !g.own || g.viewer.Name == "" {
		return
	}
	sp := g.specimen
	sp.base = 0
	if p, ok := sp.request(sp.viewer, sp.viewerIDs).Resolve([]probes.Observation{made}); ok {
		ask(p.Anew(g.first + take))
	}
}

// goneAt reports whether a look found nothing where the object had been.
func goneAt(got []probes.Observation, take int) bool {
	o, asked := at(got, take)
	return asked && o.Refused() && o.Code() == "NOT_FOUND_RESOURCE"
}

// thereAt reports whether a look showed the object.
func thereAt(got []probes.Observation, take int) bool {
	o, asked := at(got, take)
	return asked && o.Succeeded() && !o.Data().Is(probes.Null)
}

// names are those under which the token is sent back, the author's word first.
func (g guarded) names() []string {
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
