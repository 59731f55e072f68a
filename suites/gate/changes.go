package gate

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// changing notes the values that an update gives to the fields that carry our mark. It is
// called before the update is sent, because another request may read the object before the
// answer comes.
func (g *Gate) changing(c *asked) {
	g.mu.Lock()
	defer g.mu.Unlock()
	o := c.object
	changed := AddChanges(o.fields, c.params)
	if o.unmarkedBy(c.params) && len(o.home) > 0 {
		maps.Copy(o.fields, o.home)
		changed = true
	}
	if changed {
		g.ledger.Known(o.entry())
	}
}

// unmarkedBy reports whether an update removes all texts by which an object is known to be ours.
func (o *object) unmarkedBy(params probes.Value) bool {
	removed := map[string]bool{}
	for _, v := range append(members(params), params) {
		for _, m := range v.Members() {
			removed[m.Name] = removed[m.Name] || m.Value.Is(probes.Null)
		}
	}
	for name := range o.fields {
		if !removed[name] {
			return false
		}
	}
	return len(o.fields) > 0
}

// bare says why an update of an object that lies in none of ours must not remove the texts by which the object
// is known: nobody could tell afterwards whose it is. What an adapter has to keep may be tried.
func (g *Gate) bare(c *asked) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	o := c.object
	if o == nil || c.op.Category != "UPDATE" || len(o.home) > 0 || !o.unmarkedBy(c.params) {
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
			if texts, marked := fields[m.Name]; marked && m.Value.Is(probes.String) && !slices.Contains(texts, m.Value.Text()) {
				fields[m.Name], changed = append(texts, m.Value.Text()), true
			}
			if depth < 2 {
				walk(m.Value, depth+1)
			}
		}
	}
	walk(params, 0)
	return changed
}
