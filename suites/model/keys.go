package model

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// The identifier of an object is found by trial: it is the value in the answer to a CREATE with
// which a READ returns the object with the mark of the run.

// A provenKey is the identifier of the first object that an operation created.
type provenKey struct {
	kind   gate.Kind
	values []probes.Value
}

// learnKey tries the identifiers in the answer to a CREATE until a READ shows the object. It reports
// whether a READ shows another object under an identifier of the answer, one that was there before.
func (f *Adapter) learnKey(ctx context.Context, ask probes.Asker, o probes.Operation, made probes.Observation) (existing bool) {
	if f.Rules == nil {
		return false
	}
	k, ok := f.Rules.Kind(o.Name)
	if !ok {
		return false
	}
	fields := gate.MarkedIn(probes.ValueOf(made.Probe.Params()), f.Nonce) // an object of others may have the same status
	if len(fields) == 0 {
		for name, v := range made.Probe.Params() {
			if text := probes.ValueOf(v).Text(); text != "" {
				fields[name] = []string{text}
			}
		}
	}
	for _, key := range gate.Told(k, made) {
		for _, view := range k.Views {
			look := ask.Ask(ctx, f.Request(view, k.Asks(view, key)).Anew("find identifier"))
			if gate.Shows(look, k, key, fields) {
				f.provenKeys[o.Name] = provenKey{k, key}
				f.learnNewListings(ctx, ask, o, k, key, fields)
				return false
			}
			existing = existing || look.Succeeded() && f.showsAnother(look.Data(), fields)
		}
	}
	return existing || f.showsAnother(made.Data(), fields)
}

// showsAnother reports whether data show an object with a text of its own where a creation gave the
// mark of the run.
func (f *Adapter) showsAnother(data probes.Value, fields map[string][]string) bool {
	for name, given := range fields {
		if text := data.At(name).Text(); text != "" && strings.Contains(given[0], f.Nonce) && !strings.Contains(strings.ToLower(text), f.Nonce) {
			return true
		}
	}
	return slices.ContainsFunc(data.Members(), func(m probes.Member) bool { return m.Value.Is(probes.Object) && f.showsAnother(m.Value, fields) })
}

// path returns the path to the named identifier in the answer to a CREATE; nil if there is none, and
// empty if the answer is the identifier and nothing else. Where several members have the value, such as
// a version and an integer identifier, the name decides, then the depth.
func (k provenKey) path(data probes.Value, name string) []string {
	i := slices.IndexFunc(k.kind.Key, func(key string) bool { return vocab.Letters(key) == vocab.Letters(name) })
	if i < 0 || len(k.values) == 0 {
		return nil
	}
	if gate.SameOwn(data, k.values[i]) && (len(k.kind.Key) == 1 || !k.kind.Make.HasParameter(k.kind.Key[i])) { // not another part, which the client chose
		return []string{}
	}
	var best []string
	key := vocab.Letters(k.kind.Key[i])
	strange := func(path []string) int {
		last := vocab.Letters(path[len(path)-1])
		switch {
		case last == key:
			return 0
		case strings.HasSuffix(last, key) || strings.HasSuffix(key, last):
			return 1
		}
		return 2
	}
	nearer := func(path []string) bool {
		return best == nil || cmp.Or(cmp.Compare(strange(path), strange(best)), cmp.Compare(len(path), len(best))) < 0
	}
	var walk func(v probes.Value, path []string)
	walk = func(v probes.Value, path []string) {
		if gate.SameOwn(v, k.values[i]) && len(path) > 0 && nearer(path) {
			best = path
		}
		for _, m := range v.Members() {
			if len(path) < 5 {
				walk(m.Value, append(slices.Clone(path), m.Name))
			}
		}
	}
	walk(data, nil)
	return best
}

// ClientChosen reports whether a parameter of a CREATE is an identifier that the client chooses.
func (f *Adapter) ClientChosen(o probes.Operation, p probes.Parameter) bool {
	if f.Rules == nil || o.Category != "CREATE" || f.parents[o.Name+"."+p.Name] {
		return false
	}
	k, ok := f.Rules.Kind(o.Name)
	return ok && slices.ContainsFunc(k.Key, func(key string) bool { return vocab.Letters(key) == vocab.Letters(p.Name) }) && !f.Rules.Parent(k, p.Name)
}

// A parentPlace is the CREATE operation that makes the parent of an object, the parameter that names the parent, and the path to its
// identifier in the data of the maker's answer.
type parentPlace struct {
	maker     Subject
	parameter string
	path      []string
}

// placesOf are the parents of what an operation makes. The identifier of a parent is part of that of the object; a parent that only
// holds it need not be.
func (f *Adapter) placesOf(operation string, holds bool) (all []parentPlace) {
	o, listed := f.Operation(operation)
	if !listed || o.Category != "CREATE" || f.Rules == nil {
		return nil
	}
	k, _ := f.Rules.Kind(o.Name)
	for _, p := range o.Parameters {
		parents := f.Rules.ParentsOf(k, p.Name)
		if holds && p.Required {
			parents = f.Rules.HoldersOf(k, p.Name)
		}
		for _, s := range f.Makers() {
			made := slices.IndexFunc(parents, func(parent gate.Kind) bool { return parent.Make.Name == s.Name })
			able := s.Ruling == nil || holds && s.unmarked() // the gate knows a parent by its key
			if !able || made < 0 {                           // what others make may name a parent as well
				continue
			}
			path, ok := f.IdentifierPath(s.KnownGoodRequest().Reply, s.Op, o, p)
			if !ok { // the parameter may be called like the kind, and not like its key
				path, ok = f.keyPath(s, parents[made])
			}
			if ok {
				all = append(all, parentPlace{s, p.Name, path})
				break
			}
		}
	}
	return all
}

// keyPath is the path in the answer to a creation to the one identifier of what it makes.
func (f *Adapter) keyPath(maker Subject, k gate.Kind) (path []string, ok bool) {
	if len(k.Views) == 0 {
		return nil, false
	}
	for _, p := range k.Views[0].Parameters {
		if p.Name == k.Key[0] {
			return f.IdentifierPath(maker.KnownGoodRequest().Reply, maker.Op, k.Views[0], p)
		}
	}
	return nil, false
}

// maxFreshKeys is how many new identifiers a CREATE may try; the first may exist already.
const maxFreshKeys = 3

// valuesFor returns the values to try for a required parameter, best first. An identifier that the
// client chooses is always new, because an observed one belongs to an existing object.
func (f *Adapter) valuesFor(o probes.Operation, p probes.Parameter) []probes.Value {
	values := f.Gen.Values(o, p)
	if body, fields, ok := f.body(o); ok && body.Name == p.Name {
		return f.withFreshKeys(o, fields, values)
	}
	if v, made := f.Gen.Lettered(p); made && p.Raw.Has("pattern") && probes.IsSecret(o, p) && len(f.Samples(o.Name, p.Name)) == 0 {
		return append([]probes.Value{v}, values...) // no two objects may have the same
	}
	if !f.ClientChosen(o, p) {
		return values
	}
	own := slices.DeleteFunc(slices.Clone(values), func(v probes.Value) bool { return !slices.ContainsFunc(f.Samples(o.Name, p.Name), v.Equal) })
	for n := range maxFreshKeys {
		if v := f.freshKey(p, n); !v.Is(probes.Absent) {
			own = append(own, v)
		}
	}
	return own
}

// bestIdentifierPath returns the path to the value that fits the parameter best.
func (f *Adapter) bestIdentifierPath(data probes.Value, made, d probes.Operation, p probes.Parameter) ([]string, bool) {
	var best []string
	score := 0
	var walk func(v probes.Value, path []string)
	walk = func(v probes.Value, path []string) {
		if v.Is(probes.String) || v.Is(probes.Number) {
			l := Scalar{op: made.Name, noun: f.Noun(made.Name), key: path[len(path)-1], depth: len(path), Value: v}
			if s := 10*f.Affinity(d, p, l) - len(path); s > score && s > 0 {
				best, score = path, s
			}
		}
		for _, m := range v.Members() {
			if len(path) < 4 {
				walk(m.Value, append(slices.Clone(path), m.Name))
			}
		}
	}
	if data.Is(probes.Object) {
		walk(data, nil)
	}
	return best, score > 0
}
