package model

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A READ that requires identifiers is tried with identifiers that belong together: those of an
// object that the run created, those of one listed row, and those of a documented example. A READ
// has no effect, so each of them may be tried until one works.

// maxReadTrials is how many identifiers a READ is tried with.
const maxReadTrials = 8

// knownRead tries a READ with identifiers that belong together. ok is false if none works, or if
// the author gives sample values.
func (f *Adapter) knownRead(ctx context.Context, ask probes.Asker, o probes.Operation) (b KnownGood, ok bool) {
	if o.Category != "READ" || len(f.keyNames(o)) == 0 || len(f.Hints.Samples[o.Name]) > 0 {
		return b, false
	}
	tuples := f.identifierTuples(o, f.keyNames(o))
	for _, params := range tuples[:min(len(tuples), maxReadTrials)] {
		if params = f.completed(o, params); params == nil {
			continue
		}
		probe := f.Request(o, params)
		if b = f.classify(ctx, ask, o, probe, ask.Ask(ctx, probe)); b.State == Proven {
			return b, true
		}
	}
	return b, false
}

// keyNames are the required parameters of a READ that are identifiers: by their names, or else
// because an object of the run has identifiers of these names.
func (f *Adapter) keyNames(o probes.Operation) (names []string) {
	for _, p := range o.Parameters {
		if p.Required && probes.IsReference(o, p) {
			names = append(names, p.Name)
		}
	}
	for _, maker := range slices.Sorted(maps.Keys(f.provenKeys)) {
		proven := f.provenKeys[maker]
		all := !slices.ContainsFunc(proven.kind.Key, func(name string) bool {
			return !slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Required && p.Name == name })
		})
		if all && len(proven.kind.Key) > len(names) {
			names = proven.kind.Key
		}
	}
	return names
}

// maxFullerTrials is how many identifiers a listing is tried with beside those of its known good request.
const maxFullerTrials = 4

// findFuller finds, for each listing of what belongs to one object, an object with more in it than the one that the known
// good request names. That is often one of the run, of which nothing differs.
func (f *Adapter) findFuller(ctx context.Context, ask probes.Asker) {
	for _, o := range f.Operations {
		best := f.KnownGood[o.Name]
		if o.Category != "READ" || best.State != Proven || o.Name == "introspect" || len(f.Hints.Samples[o.Name]) > 0 {
			continue
		}
		names := f.keyNames(o)
		if len(names) == 0 || len(names) == len(o.Parameters) {
			continue
		}
		tried := map[string]bool{best.Probe.Key(): true}
		for _, params := range f.identifierTuples(o, names) {
			if params = f.completed(o, params); params == nil || len(tried) > maxFullerTrials {
				continue
			}
			probe := f.Request(o, params)
			if tried[probe.Key()] {
				continue
			}
			tried[probe.Key()] = true
			reply := ask.Ask(ctx, probe)
			if reply.Succeeded() && len(gate.Rows(reply.Data())) > len(gate.Rows(best.Reply.Data())) {
				best = KnownGood{Probe: probe, Reply: reply, State: Proven}
				f.fuller[o.Name] = best
			}
		}
	}
}

// Fullest has a check on READ operations use the request of each that lists most, where several objects have lists of
// their own.
func Fullest(on func(*Adapter) []Subject) func(*Adapter) []Subject {
	return func(f *Adapter) []Subject {
		all := slices.Clone(on(f))
		for i := range all {
			all[i].full = true
		}
		return all
	}
}

// Full reports whether the known-good request of a subject is the one that lists most.
func (s Subject) Full() bool { return s.full }

// retryReads tries the READ operations again that found nothing before objects of the run existed.
func (f *Adapter) retryReads(ctx context.Context, ask probes.Asker) {
	for _, o := range f.Operations {
		b := f.KnownGood[o.Name]
		if o.Category != "READ" || b.State != NoneKnown || f.NeedsReference(o) || !strings.HasPrefix(b.Reply.Code(), "NOT_FOUND_") {
			continue
		}
		if again, ok := f.knownRead(ctx, ask, o); ok {
			f.KnownGood[o.Name] = again
		}
	}
}

// completed adds the required parameters that are no identifiers; nil where one has no value, or
// where a value is not valid by its documentation.
func (f *Adapter) completed(o probes.Operation, params map[string]any) map[string]any {
	for _, p := range o.Parameters {
		if v, given := params[p.Name]; given {
			if f.Misfit(p, probes.ValueOf(v)) != "" {
				return nil
			}
			continue
		}
		if !p.Required {
			continue
		}
		values := f.valuesFor(o, p)
		if len(values) == 0 {
			return nil
		}
		params[p.Name] = values[0].Go()
	}
	return params
}

// identifierTuples returns values of identifiers that belong together, best first.
func (f *Adapter) identifierTuples(o probes.Operation, names []string) []map[string]any {
	k := gate.Kind{Views: []probes.Operation{o}, Key: names}
	var own, near, parents, far, told []map[string]any
	tuple := func(key []probes.Value) map[string]any {
		params := map[string]any{}
		for i, name := range k.Key {
			params[name] = key[i].Go()
		}
		return params
	}
	for _, made := range f.Operations {
		key, whole := f.provenKeys[made.Name].of(k.Key)
		switch {
		case !whole || len(k.Key) == 0:
		case f.Rules.SameKind(made, o):
			own = append(own, tuple(key))
		default: // a listing of what belongs to one object
			parents = append(parents, tuple(key))
		}
	}
	for _, l := range f.Operations {
		b := f.KnownGood[l.Name]
		if l.Category != "READ" || l.Name == "introspect" || b.State != Proven || f.NeedsReference(l) {
			continue
		}
		rows := gate.Rows(b.Reply.Data())
		for _, row := range rows[:min(len(rows), maxTrialRows)] {
			if key, whole := gate.ListedKey(k, probes.Value{}, row); !whole {
				continue
			} else if f.Rules.SameKind(l, o) {
				near = append(near, tuple(key))
			} else {
				far = append(far, tuple(key))
			}
		}
	}
	for _, example := range o.Details.At("examples").Items() {
		if params, ok := Native(example.At("request", "params")).(map[string]any); ok && !slices.ContainsFunc(k.Key, func(name string) bool { return params[name] == nil }) {
			maps.DeleteFunc(params, func(name string, _ any) bool { // the known good request leaves out what may be left out
				return !slices.ContainsFunc(o.Parameters, func(p probes.Parameter) bool { return p.Name == name && p.Required })
			})
			told = append(told, params)
		}
	}
	if o.Category == "CREATE" { // in what is ours, if it can be
		return slices.Concat(own, parents, told, near, far)
	}
	return slices.Concat(own, near, parents, told, far)
}

// of returns the values of the identifier under the names of a READ.
func (k provenKey) of(names []string) (key []probes.Value, whole bool) {
	identity := map[string]any{}
	for i, name := range k.kind.Key {
		identity[name] = k.values[i].Go()
	}
	return gate.Kind{Key: names}.KeyIn(probes.ValueOf(identity))
}
