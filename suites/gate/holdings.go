package gate

import (
	"cmp"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// holdings are the objects that the run made and has not removed. A run may make thousands, so
// they are found by what makes them and by what identifies them.
type holdings struct {
	all    []*object            // as they were made
	byMake map[string][]*object // by the operation that made them
	byKey  map[string][]*object // by each identity that one has or may have, without the connection
	rests  map[string]bool      // the parts that tell children apart, of all that were ever made
	proven map[string]bool      // the identities that were ever proven to be ours
	count  int                  // of all that were ever added
}

// add takes an object over.
func (h *holdings) add(o *object) {
	if h.byMake == nil {
		h.byMake, h.byKey = map[string][]*object{}, map[string][]*object{}
	}
	h.count++
	o.place = h.count
	h.all = append(h.all, o)
	h.byMake[o.op] = append(h.byMake[o.op], o)
	for _, id := range o.ids {
		h.byKey[id] = append(h.byKey[id], o)
	}
}

// remove gives an object up. Objects are in the order of their places.
func (h *holdings) remove(o *object) {
	h.all = without(h.all, o)
	h.byMake[o.op] = without(h.byMake[o.op], o)
	for _, id := range o.ids {
		if h.byKey[id] = slices.DeleteFunc(h.byKey[id], func(p *object) bool { return p == o }); len(h.byKey[id]) == 0 {
			delete(h.byKey, id)
		}
	}
}

// without returns the objects, in the order of their places, without one of them.
func without(list []*object, o *object) []*object {
	i, found := slices.BinarySearchFunc(list, o.place, func(p *object, place int) int { return cmp.Compare(p.place, place) })
	if !found || list[i] != o {
		return list
	}
	return slices.Delete(list, i, i+1)
}

// holds reports whether the object is among them.
func (h *holdings) holds(o *object) bool { return slices.Contains(h.byMake[o.op], o) }

// may notes that an object has or may have an identifier.
func (h *holdings) may(o *object, key []probes.Value) {
	id := identity("", o.kind, key)
	if slices.Contains(o.ids, id) {
		return
	}
	if h.rests == nil {
		h.rests = map[string]bool{}
	}
	for i, name := range o.kind.Key {
		if o.kind.Listed() && !takes(o.kind.Views[0], name) {
			h.rests[restOf(o.kind, name, key[i])] = true
		}
	}
	o.ids = append(o.ids, id)
	if h.holds(o) {
		h.byKey[id] = append(h.byKey[id], o)
	}
}

// namesakes are the objects that an identifier names or may name, as they were made.
func (h *holdings) namesakes(k Kind, key []probes.Value) []*object {
	id := identity("", k, key)
	return slices.SortedFunc(slices.Values(h.byKey[id]), func(a, b *object) int { return cmp.Compare(a.place, b.place) })
}

// is reports whether an identifier is that of the object, or may be while it is not proven.
func (o *object) is(k Kind, key []probes.Value) bool {
	if o.key == nil {
		return o.told(k, key)
	}
	return identity("", o.kind, o.key) == identity("", k, key)
}

// told reports whether the answer to the creation may have told an identifier.
func (o *object) told(k Kind, key []probes.Value) bool {
	return slices.ContainsFunc(o.may, func(may []probes.Value) bool { return identity("", o.kind, may) == identity("", k, key) })
}

// prove notes that an identifier was shown to be that of an object of ours.
func (h *holdings) prove(o *object, key []probes.Value) {
	if h.proven == nil {
		h.proven = map[string]bool{}
	}
	h.proven[identity("", o.kind, key)] = true
}
