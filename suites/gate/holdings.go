package gate

import (
	"cmp"
	"encoding/json"
	"maps"
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

// A Ledger keeps what a run made where it outlives the run. It is told before an object
// is made, when more is known of it, and when it is gone.
type Ledger interface {
	Begin(Entry) (n int, err error)
	Known(Entry)
	Gone(n int)
	Suspect(operation string) // after it, an object of others had changed
}

// An Entry is one object in a ledger.
type Entry struct {
	N      int                        `json:"n"`
	Made   string                     `json:"made"`             // operation
	Fields map[string][]string        `json:"fields,omitempty"` // what tells it: texts by field, with each value that a field was given
	Key    map[string]json.RawMessage `json:"key,omitempty"`    // what identifies it; empty until the adapter has told
	Remove json.RawMessage            `json:"remove,omitempty"` // arguments of the call that removes it
	Tool   string                     `json:"tool,omitempty"`   // and its tool
}

type noLedger struct{}

func (noLedger) Begin(Entry) (int, error) { return 0, nil }
func (noLedger) Known(Entry)              {}
func (noLedger) Gone(int)                 {}
func (noLedger) Suspect(string)           {}

// entry is the object as it stands in a ledger.
func (o *object) entry() Entry {
	e := Entry{N: o.n, Made: o.op, Fields: o.fields}
	if len(o.fields) > len(o.home) { // who cleans up later believes the marks alone
		e.Fields = maps.Clone(o.fields)
		maps.DeleteFunc(e.Fields, func(name string, _ []string) bool { return o.home[name] != nil })
	}
	key := o.key
	if key == nil && len(o.may) > 0 {
		key = o.may[0] // the likeliest; who cleans up believes nothing that a read does not show
	}
	if key == nil && o.kind.Listed() { // a later run finds the children within their parent
		e.Key = map[string]json.RawMessage{}
		for _, name := range o.kind.Within() {
			if v := memberLike(o.params, name); scalar(v) {
				e.Key[name] = v.Raw()
			}
		}
	}
	if key == nil {
		return e
	}
	e.Key = map[string]json.RawMessage{}
	for i, name := range o.kind.Key {
		e.Key[name] = key[i].Raw()
	}
	if call, ok := (&object{kind: o.kind, conn: o.conn, key: key}).removal(); ok {
		e.Tool, e.Remove = call.Tool, call.Arguments()
	}
	return e
}

// removal is the call that removes the object.
func (o *object) removal() (probes.Probe, bool) {
	d := o.kind.Remove
	if d.Name == "" || o.key == nil {
		return probes.Probe{}, false
	}
	params := map[string]any{}
	for i, name := range o.kind.Key {
		params[parameter(d, name).Name] = o.key[i].Go()
	}
	for _, p := range d.Parameters {
		if v, ok := plainValue(p); p.Required && params[p.Name] == nil && ok {
			params[p.Name] = v
		}
	}
	return probes.Call(o.conn, d.Tool, d.Name, params), true
}

// plainValue is what a removal is given beside the identifier: a reason, a confirmation,
// one of the values that are documented.
func plainValue(p probes.Parameter) (v any, ok bool) {
	for _, known := range []probes.Value{p.Raw.At("default"), p.Raw.At("example"), first(p.Raw.At("enum").Items())} {
		if !known.Is(probes.Absent) {
			return known.Go(), true
		}
	}
	switch p.Type {
	case "boolean":
		return true, true
	case "string":
		return "made by a conformance run", true
	}
	return nil, false
}
