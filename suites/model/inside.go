package model

import (
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// Some objects lie in others that the adapter cannot make, as a bench in a house. The key of such an
// object begins with that of the other one, so a key that is new in all its parts names nothing. With
// the permission of that creation it is tried in what is there: in an object of the run, in that of the
// documented example, in one that is listed.

// maxInside is how many places a creation is tried in.
const maxInside = 8

// inside tries a creation once more that was refused with a key that is new in all its parts: the first
// parts name something that is there, and the others are new.
func (f *Adapter) inside(ctx context.Context, ask probes.Asker, o probes.Operation, last KnownGood) KnownGood {
	if o.Category != "CREATE" || last.State != NoneKnown || !last.Reply.Refused() || last.Reply.Deferred() {
		return last
	}
	var keys []string
	for _, p := range o.Parameters {
		if p.Required && f.ClientChosen(o, p) {
			keys = append(keys, p.Name)
		}
	}
	most := len(keys) - 1
	if f.givesRest(o) {
		most = len(keys)
	}
	tried := 0
	for n := most; n > 0; n-- {
		for _, params := range f.identifierTuples(o, keys[:n]) {
			params = f.completed(o, alone(params, keys[:n]))
			if params == nil || f.occupied(ctx, ask, o, params) {
				continue
			}
			if tried++; tried > maxInside {
				return last
			}
			probe := f.Request(o, f.marked(o, params, f.Gen.Marker("")))
			b := f.classify(ctx, ask, o, probe, ask.Ask(ctx, probe))
			if b.State == NotPermitted {
				return last // the answer to the first request says more
			}
			if b.State == Proven && !b.Existing {
				for _, name := range keys[:n] {
					f.parents[o.Name+"."+name] = true
				}
				return b
			}
		}
	}
	return last
}

// givesRest reports whether the adapter gives the last part of the key of a new object, as the number of an
// issue in a project: all that the client chooses may name where the object lies.
func (f *Adapter) givesRest(o probes.Operation) bool {
	k, _ := f.Rules.Kind(o.Name)
	return len(k.Key) > 1 && !slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return vocab.Letters(p.Name) == vocab.Letters(k.Key[len(k.Key)-1]) })
}

// alone are those parameters alone that name where an object lies.
func alone(params map[string]any, names []string) map[string]any {
	in := map[string]any{}
	for _, name := range names {
		in[name] = params[name]
	}
	return in
}

// occupied reports whether a READ shows an object under the key of a creation.
func (f *Adapter) occupied(ctx context.Context, ask probes.Asker, o probes.Operation, params map[string]any) bool {
	k, known := f.Rules.Kind(o.Name)
	key, whole := k.KeyIn(probes.ValueOf(params))
	if !known || !whole || len(k.Views) == 0 {
		return false
	}
	look := ask.Ask(ctx, f.Request(k.Views[0], k.Asks(k.Views[0], key)))
	return look.Succeeded() && !k.Lacks(look, key)
}

// A parentOf is the CREATE operation that makes what objects lie in, and the paths to its identifier.
type parentOf struct {
	maker Subject
	paths map[string][]string
}

// PlaceOf returns the CREATE operation that makes what a new object lies in, and the path to each part of
// its identifier, by the parameters that take them; none where there is no such operation.
func (f *Adapter) PlaceOf(operation string) (maker Subject, paths map[string][]string) {
	find := func() any {
		if in := f.tuplePlace(operation); in.paths != nil {
			return in
		}
		if all := f.placesOf(operation, false); len(all) > 0 {
			return parentOf{all[0].maker, map[string][]string{all[0].parameter: all[0].path}}
		}
		if in, ok := f.holderOf(operation); ok {
			return in
		}
		return f.triedPlace(operation)
	}
	if !f.explored {
		in := find().(parentOf)
		return in.maker, in.paths
	}
	in := f.Remember("place of "+operation, find).(parentOf)
	return in.maker, in.paths
}

// tuplePlace is the place whose key has several parts, all of which a creation requires under the same names.
func (f *Adapter) tuplePlace(operation string) (in parentOf) {
	o, _ := f.Operation(operation)
	for _, s := range f.Makers() {
		proven := f.provenKeys[s.Name]
		if s.Name == o.Name || s.Ruling != nil || len(proven.kind.Key) < 2 || len(proven.kind.Key) <= len(in.paths) {
			continue
		}
		paths := map[string][]string{}
		for _, name := range proven.kind.Key {
			required := slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Required && p.Name == name })
			if path := proven.path(s.KnownGoodRequest().Reply.Data(), name); required && path != nil {
				paths[name] = path
			}
		}
		if len(paths) == len(proven.kind.Key) {
			in = parentOf{s, paths}
		}
	}
	return in
}

// triedPlace is the place of objects whose parameters have been found by trial to name it.
func (f *Adapter) triedPlace(operation string) parentOf {
	o, _ := f.Operation(operation)
	var in []string
	for _, p := range o.Parameters {
		if f.parents[o.Name+"."+p.Name] {
			in = append(in, p.Name)
		}
	}
	for _, s := range f.Makers() {
		proven := f.provenKeys[s.Name]
		if len(in) == 0 || s.Name == o.Name || s.Ruling != nil || len(proven.kind.Key) != len(in) {
			continue
		}
		paths := map[string][]string{}
		for _, name := range in {
			if path := proven.path(s.KnownGoodRequest().Reply.Data(), name); path != nil {
				paths[name] = path
			}
		}
		if len(paths) == len(in) {
			return parentOf{s, paths}
		}
	}
	return parentOf{}
}

// An Inner is a CREATE operation whose object lies in another one, or has to name one.
type Inner struct {
	Operation, Parameter string   // the parameter takes the identifier of the other object
	Path                 []string // to that identifier, in the answer that creates the other object
}

// Inside returns the CREATE operations whose objects lie in the objects of another one, or have to name one of them.
func (f *Adapter) Inside(maker string) []Inner {
	return f.Remember("what lies in what", func() any {
		by := map[string][]Inner{}
		for _, o := range f.Operations {
			for _, in := range f.placesOf(o.Name, true) {
				if in.maker.Name != o.Name {
					by[in.maker.Name] = append(by[in.maker.Name], Inner{o.Name, in.parameter, in.path})
				}
			}
		}
		return by
	}).(map[string][]Inner)[maker]
}

// A Stateful is an object that a CREATE operation may name in a parameter and that has states. No state is listed whose name promises
// an effect on others.
type Stateful struct {
	Parameter string
	Path      []string   // to its identifier, in the answer that creates it
	Update    TestObject // the UPDATE operation that changes its state
	Field     string     // the field of input for the state
	States    []probes.Value
}

// NamedWithStates returns the objects with states that a CREATE operation may name.
func (f *Adapter) NamedWithStates(operation string) []Stateful {
	return f.Remember("named with states by "+operation, func() any {
		var all []Stateful
		for _, in := range f.placesOf(operation, true) {
			for _, u := range f.Operations {
				obj, why := f.TestObject(u.Name)
				if u.Category != "UPDATE" || why != nil || obj.Maker.Name != in.maker.Name {
					continue
				}
				for _, p := range obj.Fields {
					states := slices.DeleteFunc(f.statesOf(u, p, probes.Observation{}), func(v probes.Value) bool { return gate.ReachesOut(v.Text()) })
					if len(f.EnumOf(p)) > 0 && len(states) > 0 {
						all = append(all, Stateful{in.parameter, in.path, obj, p.Name, states})
					}
				}
			}
		}
		return all
	}).([]Stateful)
}
