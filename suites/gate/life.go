package gate

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A Life is the documented life of one kind of object: the operations that make one, show
// it, list it, change it and remove it. It says nothing about what may be called. An operation
// that is documented and cannot be followed by an identifier belongs to the life as well.
type Life struct {
	Kind                       // Lists may require a parent
	Reads   []probes.Operation // the Views, or where there are none, the reads that are named so
	Updates []probes.Operation
	Removes []probes.Operation
}

// Documented reports whether an operation other than the one that makes an object is
// documented for its kind. What nobody can see again is no kind of object.
func (l Life) Documented() bool { return len(l.Reads)+len(l.Lists)+len(l.Updates)+len(l.Removes) > 0 }

// Lives returns the life of what each CREATE operation makes, as introspection and the
// author document it. What may be called plays no part: a life that the operator does not
// permit is documented all the same.
func (r *Rules) Lives() []Life {
	open := r.opened()
	var all []Life
	seen := map[string]bool{}
	for _, o := range r.Operations {
		if o.Category != "CREATE" || slices.Contains(Reserved, o.Name) || seen[o.Name] {
			continue
		}
		seen[o.Name] = true
		if l := open.life(o); l.Documented() {
			all = append(all, l)
		}
	}
	return all
}

// opened returns the rules of the same adapter with every operation permitted.
func (r *Rules) opened() *Rules {
	open := &Rules{Adapter: r.Adapter, Hints: r.Hints, recurs: r.recurs, leads: r.leads, acted: r.acted, adopted: r.adopted, categories: r.categories, listed: r.listed, known: map[string]standing{}, kinds: map[string]Kind{}, complete: true}
	for _, o := range r.Operations {
		open.known[o.Name] = standing{}
	}
	return open
}

func (r *Rules) life(made probes.Operation) Life {
	k, removable := r.kind(made)
	if !removable {
		k.Views, k.Key = r.views(made)
	}
	l := Life{Kind: k, Reads: k.Views}
	if k.Plain() {
		l.Reads = nil // all that shows one is a listing
	} else if k.Listed() {
		l.Lists, l.Reads = append(slices.Clip(k.Lists), k.Views...), nil
	}
	told, _ := r.resource(made.Name)
	for _, o := range r.Operations {
		switch {
		case slices.ContainsFunc(l.Lists, func(known probes.Operation) bool { return known.Name == o.Name }):
		case o.Category == "READ" && r.listsSome(made, told.List, o):
			l.Lists = append(l.Lists, o)
		case !r.related(made, o):
		case o.Category == "UPDATE":
			l.Updates = append(l.Updates, o)
		case o.Category == "DELETE":
			l.Removes = append(l.Removes, o)
		case o.Category == "READ" && len(k.Views) == 0 && plainness(o) < len(plainReads) && o.Name != told.List:
			l.Reads = append(l.Reads, o)
		}
	}
	return l
}

// listsSome reports whether a read lists objects of a kind below a parent that it requires.
func (r *Rules) listsSome(made probes.Operation, told string, o probes.Operation) bool {
	words := vocab.Words(o.Name)
	if len(words) == 0 || !slices.ContainsFunc(o.Parameters, required) {
		return false
	}
	named := words[0] == "list" || words[len(words)-1] == "list"
	return o.Name == told || told == "" && named && r.speaksOf(made, o)
}

// ListedKey returns the identifiers of a row in the answer to a listing. What the row leaves
// out may stand in the parameters of the call: the parent whose objects are listed.
func ListedKey(k Kind, params, row probes.Value) (key []probes.Value, ok bool) {
	for _, name := range k.Key {
		m := identifierOf(row, k, name)
		if scalar(m) {
			ok = true
		} else if m = memberLike(params, name); !scalar(m) {
			return nil, false
		}
		key = append(key, m)
	}
	return key, ok
}

// views returns the reads that show what an operation makes and nothing removes: those of
// an update, or else those that require an identifier and nothing else.
func (r *Rules) views(made probes.Operation) (views []probes.Operation, key []string) {
	for _, o := range r.Operations {
		if o.Category == "UPDATE" && r.related(made, o) {
			if views, key, single := r.acts(o); single {
				return views, key
			}
		}
	}
	for _, v := range r.Operations {
		if v.Category != "READ" || v.Name == "introspect" || !r.related(made, v) {
			continue
		}
		names, single := identifiers(v)
		if single && (key == nil || slices.Equal(key, names)) {
			views, key = append(views, v), names
		}
	}
	slices.SortStableFunc(views, func(x, y probes.Operation) int { return plainness(x) - plainness(y) })
	return views[:min(len(views), maxViews)], key
}

// identifiers are the required parameters of a read, where each takes one reference.
func identifiers(view probes.Operation) (key []string, ok bool) {
	for _, p := range view.Parameters {
		if !p.Required {
			continue
		}
		if !single(p) || !probes.IsReference(view, p) {
			return nil, false
		}
		key = append(key, p.Name)
	}
	return key, len(key) > 0
}

// Permitted reports whether the gate lets a valid request of an operation through. Beside
// what is callable these are the reserved protocol operations, where it is permitted to
// execute: they have checks of their own.
func (r *Rules) Permitted(o probes.Operation) bool {
	if slices.Contains(Reserved, o.Name) && !r.Denies(o.Name) {
		return r.May.Execute && !r.May.ReadOnly || r.Lifted(o)
	}
	return r.usable(o)
}
