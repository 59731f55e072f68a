package model

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// Scripts create objects with fields of certain roles. A record does not tell everything: a field
// of type object may take the members of one type alone, which only its description names. So the
// fields are tried once, and what is refused plays no role.

// maxFittings bounds the rounds of trials for one operation: each refused field may have a successor.
const maxFittings = 4

// tryTwins makes a second object with the texts of the first, beside another one. The gate sees whether
// it becomes an object of its own.
func (f *Adapter) tryTwins(ctx context.Context, ask probes.Asker) {
	for i, s := range f.Makers() {
		step := probes.Nth("objects of the same text: operation", i)
		if s.Ruling != nil {
			continue
		}
		parents := maps.Clone(f.parents)
		for _, p := range s.Op.Parameters {
			if slices.Contains(s.renewed(step), p.Name) && !f.ClientChosen(s.Op, p) {
				f.parents[s.Name+"."+p.Name] = true // its text is that of the first
			}
		}
		twin := s.FreshCall(step).Anew(step)
		f.parents = parents
		ask.Ask(ctx, twin)
	}
}

// maxMakings bounds the values that are tried to make an object rather than to be given one.
const maxMakings = 8

// made tries the values of documented enumerations with a creation that answered an object which
// was there before, such as the draft that nobody has published yet, until one makes an object. Its
// request is the valid one from then on.
func (f *Adapter) made(ctx context.Context, ask probes.Asker, o probes.Operation, answered KnownGood) KnownGood {
	tried := 0
	for _, p := range o.Parameters {
		if _, given := answered.Probe.Params()[p.Name]; given || probes.IsReference(o, p) {
			continue
		}
		for _, v := range f.EnumOf(p) {
			if tried++; tried > maxMakings {
				return answered
			}
			b := f.repaired(ctx, ask, o, answered.Probe.With(p.Name, v.Go()))
			if _, proven := f.provenKeys[o.Name]; proven && b.State == Proven && !b.Existing {
				return b
			}
		}
	}
	return answered
}

// repaired is the answer to a request, or to one with what its refusals tell. An adapter that answers what was there before may have read
// a part of the request alone.
func (f *Adapter) repaired(ctx context.Context, ask probes.Asker, o probes.Operation, probe probes.Probe) (last KnownGood) {
	for range maxRepairs {
		last = f.classify(ctx, ask, o, probe, ask.Ask(ctx, probe))
		values, chosen := map[string][]probes.Value{}, map[string]int{}
		for name, v := range probe.Params() {
			values[name] = []probes.Value{probes.ValueOf(v)}
		}
		if last.State == Proven || !f.repair(o, last.Reply, values, chosen) {
			return last
		}
		for name, at := range chosen {
			probe = probe.With(name, values[name][at].Go())
		}
	}
	return last
}

// fitFields tries the fields that play a role in scripts, for each CREATE operation whose objects
// may be changed.
func (f *Adapter) fitFields(ctx context.Context, ask probes.Asker) {
	f.makeReady(ctx, ask)
	f.findBodyTexts(ctx, ask)
	f.findParents(ctx, ask)
	f.findOneEach(ctx, ask)
	f.findSole(ctx, ask)
	f.tryTwins(ctx, ask)
	f.findDistinct(ctx, ask)
	f.tryRemovals(ctx, ask)
	makers := f.Makers()
	for i, s := range EachListed(f) {
		if s.Op.Category != "UPDATE" && s.Op.Category != "CREATE" || slices.Contains(Reserved, s.Name) {
			continue
		}
		obj, why := FindTestObject(s, makers)
		if why != nil {
			continue
		}
		for round := range maxFittings {
			if !f.fit(ctx, ask, obj, probes.Nth(probes.Nth("fields of scripts: operation", i)+": round", round)) {
				break
			}
		}
		if s.Op.Category == "UPDATE" {
			f.findNamed(ctx, ask, obj, probes.Nth("fields of scripts: operation", i))
		}
	}
}

// tryRemovals makes one object of each kind and removes it at once. Where that is a conflict, the gate finds out what has to
// be done before, or makes few objects of the kind.
func (f *Adapter) tryRemovals(ctx context.Context, ask probes.Asker) {
	makers := f.Makers()
	for i, s := range EachListed(f) {
		if s.Op.Category != "DELETE" || slices.Contains(Reserved, s.Name) {
			continue
		}
		obj, why := FindTestObject(s, makers)
		if why != nil {
			continue
		}
		var parents OwnParents
		creation, _ := obj.Create(probes.Nth("object for the trial of a removal", i), nil)
		made := parents.Ask(f, creation, func(p probes.Probe) probes.Observation { return ask.Ask(ctx, p) })
		if removal, ok := obj.Apply(gate.RemovalTrial).Resolve(probes.Answers{made}); ok && made.Succeeded() {
			ask.Ask(ctx, f.WithVersion(removal, func(p probes.Probe) probes.Observation { return ask.Ask(ctx, p) }))
		}
	}
}

// fit tries the fields of one object together and, where that is refused, each by itself. It
// reports whether another field may take the role of one that was refused.
func (f *Adapter) fit(ctx context.Context, ask probes.Asker, obj TestObject, step string) (again bool) {
	fields := obj.scriptFields()
	known := f.fits[fittingKey(obj, fields)]
	whole := probes.Observation{}
	if len(fields) > 0 && !known {
		whole = f.fitted(ctx, ask, obj, step, fields)
	}
	// One of the fields may name something: what is absent, or what the gate takes for that of others.
	names := func(o probes.Observation) bool {
		return strings.HasPrefix(o.Code(), "NOT_FOUND_") || o.Outcome == probes.Unasked && len(o.Probe.Params()) > 0
	}
	if !refusedFor(whole) && !(names(whole) && ask.Ask(ctx, obj.Maker.FreshCall(step+": none").Anew(step+": none")).Succeeded()) {
		if !known {
			f.fitSole(ctx, ask, obj, step)
		}
		f.fits[fittingKey(obj, fields)] = true
		return false
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		o := f.fitted(ctx, ask, obj, step+": "+name, map[string]any{name: fields[name]})
		if !refusedFor(o) && !(names(whole) && names(o)) {
			continue
		}
		if p, ok := obj.ObjectField(); ok && p.Name == name {
			texts := map[string]any{name: map[string]any{"alpha": "low", "gamma": "y"}}
			f.flat[obj.Maker.Name+"."+name] = f.fitted(ctx, ask, obj, step+": "+name+" of texts", texts).Succeeded()
		}
		f.unfit[obj.Maker.Name+"."+name], again = true, true
	}
	return again
}

// fitSole finds out whether two objects may share the value of the optional field that scripts set: the number of an
// edition may be that of one book alone.
func (f *Adapter) fitSole(ctx context.Context, ask probes.Asker, obj TestObject, step string) {
	p, v, ok := obj.OptionalField()
	id := obj.Maker.Name + "." + p.Name
	if !ok || f.sole[id] || len(f.EnumOf(p)) > 0 || !v.Is(probes.String) && !v.Is(probes.Number) {
		return
	}
	again := func(step string) probes.Observation {
		return f.fitted(ctx, ask, obj, step, map[string]any{p.Name: v.Go()})
	}
	if !strings.HasPrefix(again(step+": the same value").Code(), "CONFLICT_") {
		return
	}
	f.makeSole(id, p, v, func(attempt string) probes.Observation { return again(step + ": another value" + attempt) })
}

// unshared returns the value of a field for a new object: another one for the value that all scripts would share, where no
// two objects may.
func (obj TestObject) unshared(p probes.Parameter, v any, number int) any {
	q, shared, ok := obj.OptionalField()
	if !obj.sole[obj.Maker.Name+"."+p.Name] || !ok || q.Name != p.Name || !shared.Equal(probes.ValueOf(v)) {
		return v
	}
	return obj.Maker.anew(p, probes.ValueOf(v), number).Go()
}

// fittingKey is one for equal creations with fields of equal roles.
func fittingKey(obj TestObject, fields map[string]any) string {
	return fmt.Sprint(obj.Maker.Name, probes.ValueOf(fields).Canonical(nil))
}

// fitted is the answer to a creation with these fields; the zero observation if it takes none.
func (f *Adapter) fitted(ctx context.Context, ask probes.Asker, obj TestObject, step string, fields map[string]any) probes.Observation {
	p, rest := obj.Create(step, fields)
	if len(rest) == len(fields) {
		return probes.Observation{}
	}
	var parents OwnParents
	return parents.Ask(f, p, func(p probes.Probe) probes.Observation { return ask.Ask(ctx, p) })
}

func refusedFor(o probes.Observation) bool {
	return o.Refused() && !o.Deferred() && o.Code() != "INTERNAL_ERROR" && !strings.HasPrefix(o.Code(), "NOT_FOUND_")
}

// scriptFields are the optional fields that scripts set when they create an object.
func (obj TestObject) scriptFields() map[string]any {
	fields := map[string]any{}
	if p, ok := obj.SpareField(); ok {
		fields[p.Name] = obj.Gen.Marker("-spare")
	}
	if p, ok := obj.ObjectField(); ok {
		fields[p.Name] = map[string]any{"keep": "y", "a": map[string]any{"b": map[string]any{"x": 1}}}
	}
	if p, ok := obj.ListField(); ok {
		fields[p.Name] = obj.Elements("fields of scripts", "a", "b", "c")
	}
	if p, v, ok := obj.OptionalField(); ok {
		fields[p.Name] = v.Go()
	}
	return fields
}
