package model

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// ownReferences puts objects of the run first among the values of the references of a creation whose
// descriptions name the kind. Two references to one kind get two objects: a game has two players.
func (f *Adapter) ownReferences(ctx context.Context, ask probes.Asker, o probes.Operation, values map[string][]probes.Value) {
	if o.Category != "CREATE" || f.Rules == nil {
		return
	}
	given := map[string]bool{}
	for _, p := range o.Parameters {
		if of, changed := f.withOwn(o, p, first(values[p.Name])); changed {
			values[p.Name] = append([]probes.Value{probes.ValueOf(of)}, values[p.Name]...)
		}
		for _, maker := range slices.Sorted(maps.Keys(f.provenKeys)) {
			if len(values[p.Name]) == 0 || !f.Rules.Refers(o, p, maker) {
				continue
			}
			if v := f.ownReference(ctx, ask, maker, o.Name+"."+p.Name, given[maker]); !v.Is(probes.Absent) && f.Misfit(p, v) == "" {
				values[p.Name], given[maker] = append([]probes.Value{v}, values[p.Name]...), true
			}
			break
		}
	}
	f.ownTuple(o, values)
}

// ownTuple gives the parameters of a creation that are called like all parts of a key those of an object of the run: a
// claim lies in a policy of a member, which goes by two numbers. The longest key counts. A key of one part is given where
// nothing else is known for the parameter: it may be the name of another object by chance.
func (f *Adapter) ownTuple(o probes.Operation, values map[string][]probes.Value) {
	var longest provenKey
	for _, maker := range slices.Sorted(maps.Keys(f.provenKeys)) {
		k := f.provenKeys[maker]
		other := slices.ContainsFunc(k.kind.Key, func(name string) bool {
			known, required := values[name]
			return !required || len(k.kind.Key) == 1 && len(known) > 0
		})
		if maker != o.Name && !other && len(k.kind.Key) > len(longest.kind.Key) && len(k.values) == len(k.kind.Key) {
			longest = k
		}
	}
	for i, name := range longest.kind.Key {
		values[name] = append([]probes.Value{longest.values[i]}, values[name]...)
	}
}

// withOwn returns an object or a list with the keys of objects of the run in the fields that take them: the entries
// of a plan name recipes.
func (f *Adapter) withOwn(o probes.Operation, p probes.Parameter, v probes.Value) (with any, changed bool) {
	switch {
	case v.Is(probes.Object):
		object, fields := map[string]any{}, f.Fields(p)
		for _, m := range v.Members() {
			field := probes.Parameter{Name: m.Name}
			if i := slices.IndexFunc(fields, func(q probes.Parameter) bool { return q.Name == m.Name }); i >= 0 {
				field = fields[i]
			}
			inner, other := f.withOwn(o, field, m.Value)
			if own := f.ownKey(o, field, m.Value); !own.Is(probes.Absent) {
				inner, other = own.Go(), true
			}
			object[m.Name], changed = inner, changed || other
		}
		return object, changed
	case v.Is(probes.Array):
		list, items := []any{}, elementOf(p)
		for _, item := range v.Items() {
			inner, other := f.withOwn(o, items, item)
			list, changed = append(list, inner), changed || other
		}
		least, _ := p.Raw.At("minItems").Float()
		if len(list) > 0 && least <= 1 && (probes.IsReference(o, items) || !strings.Contains(string(v.Raw()), f.Gen.Marker(""))) {
			if own := f.ownKey(o, items, v.Items()[0]); !own.Is(probes.Absent) {
				return []any{own.Go()}, true
			}
		}
		return list, changed
	}
	return Native(v), false
}

// elementOf is a parameter for one element of a list. It is called like one thing: a list of works takes what one work
// goes by.
func elementOf(p probes.Parameter) probes.Parameter {
	return probes.Parameter{Name: vocab.Singular(p.Name), Type: p.Raw.At("items", "type").Text(), Raw: p.Raw.At("items")}
}

// ownKey returns the identifier of the first object of the run of which a field takes the identifier.
func (f *Adapter) ownKey(o probes.Operation, field probes.Parameter, v probes.Value) probes.Value {
	if v.Is(probes.Object) || v.Is(probes.Array) {
		return probes.Value{}
	}
	for _, maker := range slices.Sorted(maps.Keys(f.provenKeys)) {
		k := f.provenKeys[maker]
		if maker != o.Name && field.Type != "" && k.kind.GoesBy(o.Name, field) && len(k.values) == 1 && f.Misfit(field, k.values[0]) == "" {
			return k.values[0]
		}
	}
	return probes.Value{}
}

// first returns the first of some values.
func first(values []probes.Value) (v probes.Value) {
	if len(values) > 0 {
		v = values[0]
	}
	return v
}

// ownReference returns the identifier of the first object that an operation made, or of another one.
func (f *Adapter) ownReference(ctx context.Context, ask probes.Asker, maker, of string, another bool) probes.Value {
	proven := f.provenKeys[maker]
	if !another {
		return proven.values[0]
	}
	made, _ := f.Operation(maker)
	s := Subject{Adapter: f, Name: maker, Op: made}
	path := proven.path(s.KnownGoodRequest().Reply.Data(), proven.kind.Key[0])
	if path == nil {
		return probes.Value{}
	}
	step := "another object for " + of
	return ask.Ask(ctx, s.FreshCall(step).Anew(step)).Told(path...)
}

// findParents finds the parameters of a CREATE operation that name another object, such as the
// customer of an invoice: with a new text there the object does not exist. The proven request names
// one that does.
func (f *Adapter) findParents(ctx context.Context, ask probes.Asker) {
	for i, s := range f.Makers() {
		step := probes.Nth("parents of new objects: operation", i)
		names := s.renewed(step)
		if s.Ruling != nil || len(names) < 2 || !strings.HasPrefix(ask.Ask(ctx, s.FreshCall(step).Anew(step)).Code(), "NOT_FOUND_") {
			continue
		}
		f.parentsOf(ctx, ask, s, step)
	}
}

// parentsOf is findParents for one operation, whose new call of a step did not find something. It reports whether keeping one value
// makes the call succeed.
func (f *Adapter) parentsOf(ctx context.Context, ask probes.Asker, s Subject, step string) bool {
	for _, at := range s.renewedPlaces(s.renewed(step), step) {
		path := strings.Join(at, ".")
		fresh := s.FreshCall(step + ": " + path)
		kept := s.ValidCall().Params()[at[0]]
		if object, whole := Native(ValueIn(fresh, at[0])).(map[string]any); whole && len(at) > 1 {
			object[at[1]] = Native(ValueIn(s.ValidCall(), at[0]).At(at[1]))
			kept = object
		}
		if ask.Ask(ctx, fresh.With(at[0], kept).Anew(step+": "+path)).Succeeded() {
			f.parents[s.Name+"."+path] = true
			return true
		}
	}
	return f.namesSeveral(ctx, ask, s, step)
}

// namesSeveral finds the parameters that name other objects together, as a rule names a flag and an environment of one project: none of
// them alone may be new. It reports whether a creation with new texts in the others succeeds.
func (f *Adapter) namesSeveral(ctx context.Context, ask probes.Asker, s Subject, step string) bool {
	names := s.renewed(step)
	var several []string
	for _, name := range names[:min(len(names), mostNamed)] {
		at := step + ": " + name + " alone"
		if strings.HasPrefix(ask.Ask(ctx, s.ValidCall().With(name, Native(ValueIn(s.FreshCall(at), name))).Anew(at)).Code(), "NOT_FOUND_") {
			several = append(several, s.Name+"."+name)
		}
	}
	for _, name := range several {
		f.parents[name] = true
	}
	at := step + ": others alone"
	if len(several) > 1 && ask.Ask(ctx, s.FreshCall(at).Anew(at)).Succeeded() {
		return true
	}
	for _, name := range several {
		delete(f.parents, name)
	}
	return false
}

// mostNamed bounds the parameters that are looked at one by one.
const mostNamed = 6

// renewedPlaces are the given parameters, and the fields of the body among them that get another text in each step.
func (s Subject) renewedPlaces(names []string, step string) (places [][]string) {
	body, _, ok := s.body(s.Op)
	fresh := s.FreshCall(step)
	for _, name := range names {
		if ok && name == body.Name {
			for _, m := range ValueIn(s.ValidCall(), name).Members() {
				if m.Value.Is(probes.String) && !m.Value.Equal(ValueIn(fresh, name).At(m.Name)) {
					places = append(places, []string{name, m.Name})
				}
			}
		}
		places = append(places, []string{name})
	}
	return places
}

// renewed are the parameters that a creation gives another value in each step.
func (s Subject) renewed(step string) (names []string) {
	fresh := s.FreshCall(step)
	for _, p := range s.Op.Parameters {
		if !ValueIn(fresh, p.Name).Equal(ValueIn(s.ValidCall(), p.Name)) {
			names = append(names, p.Name)
		}
	}
	return names
}
