package gate

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// changing notes what an update does to the fields that carry our mark. It is called before the update is
// sent, because another request may read the object before the answer comes. An object without any mark is
// known by the object of ours in which it lies. That holds for this run alone: identifiers may be given anew
// where the adapter starts again, so the ledger does not say it.
func (g *Gate) changing(c *asked) {
	g.mu.Lock()
	defer g.mu.Unlock()
	o := c.object
	if AddChanges(o.fields, c.params) {
		g.ledger.Known(o.entry())
	}
	o.write()
	o.noteItems(c.params)
	o.removed = o.removedBy(c.params)
	if o.bareAfter(o.removed) {
		maps.Copy(o.fields, o.home)
	}
}

// updated notes that an update of an object succeeded.
func (g *Gate) updated(o *object) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if o.changed = true; o.root != nil {
		o.root.changed = true
	}
}

// write notes that an update or a removal of the object is sent.
func (o *object) write() {
	o.written = true
	if o.root != nil {
		o.root.written = true
	}
}

// removedBy returns the fields that hold null or an empty list after an update, if it succeeds, and what the creation had put into
// them: null for labels removes each label.
func (o *object) removedBy(params probes.Value) map[string]bool {
	removed := map[string]bool{}
	maps.Copy(removed, o.removed)
	var note func(v probes.Value, gone bool, depth int)
	note = func(v probes.Value, gone bool, depth int) {
		for _, m := range v.Members() {
			gone := gone || m.Value.Is(probes.Null) || m.Value.Is(probes.Array) && len(m.Value.Items()) == 0
			removed[m.Name] = gone
			inner := m.Value
			if gone {
				inner = memberAnywhere(o.params, m.Name)
			}
			if depth < 3 {
				note(inner, gone, depth+1)
			}
		}
	}
	note(params, false, 0)
	return removed
}

// memberAnywhere is the object that a creation gave under a name, as a parameter or in one.
func memberAnywhere(params probes.Value, name string) probes.Value {
	for _, v := range append([]probes.Value{params}, members(params)...) {
		if inner := v.At(name); inner.Is(probes.Object) {
			return inner
		}
	}
	return probes.Value{}
}

// bareAfter reports whether no field is left by which an object is known to be ours.
func (o *object) bareAfter(removed map[string]bool) bool {
	for name := range o.fields {
		if !removed[name] {
			return false
		}
	}
	return len(o.fields) > 0
}

// bare says why an update must not remove the texts by which an object is known, where the object lies in none
// of ours: nobody could tell afterwards whose it is. An adapter has to refuse to remove a required field, so
// that may be tried.
func (g *Gate) bare(c *asked) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	o := c.object
	if o == nil || c.op.Category != "UPDATE" || len(o.home) > 0 || !o.bareAfter(o.removedBy(c.params)) {
		return ""
	}
	for name := range o.fields {
		if parameter(o.kind.Make, name).Required {
			return ""
		}
	}
	return "it would remove the only text by which the object is known to be ours"
}

// AddChanges adds the texts that the parameters of an update give to the fields that carry our
// mark, and reports whether there are any.
func AddChanges(fields map[string][]string, params probes.Value) (changed bool) {
	var walk func(v probes.Value, depth int)
	walk = func(v probes.Value, depth int) {
		for _, m := range v.Members() {
			for _, text := range append(slices.Clip(m.Value.Items()), m.Value) {
				if texts, marked := fields[m.Name]; marked && text.Is(probes.String) && !slices.Contains(texts, text.Text()) {
					fields[m.Name], changed = append(texts, text.Text()), true
				}
			}
			if depth < 2 {
				walk(m.Value, depth+1)
			}
		}
	}
	walk(params, 0)
	return changed
}
