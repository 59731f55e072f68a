package gate

import (
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// loosen empties the lists of an object of the run whose removal is refused, one after the other. What stands in one
// may hold the object, as the finalizers of Kubernetes do. It reports whether an update worked.
func (g *Gate) loosen(ctx context.Context, o *object) (changed bool) {
	rules, read := g.known(), o.kind.Views[0]
	if o.kind.Listed() {
		return false
	}
	shown := g.see(ctx, g.conn, read, o.kind, o.key).Data()
	for _, u := range rules.Operations {
		if views, _, acts := rules.acts(u); u.Category != "UPDATE" || !acts || views[0].Name != read.Name {
			continue
		}
		params := map[string]any{}
		for i, name := range o.kind.Key {
			params[parameter(u, name).Name] = o.key[i].Go()
		}
		call := probes.Call(o.conn, u.Tool, u.Name, params)
		for _, path := range rules.listFields(parameter(u, "input")) {
			if !holdsItems(shown, path[len(path)-1]) {
				continue
			}
			var input any = []any{}
			for _, name := range slices.Backward(path) {
				input = map[string]any{name: input}
			}
			changed = g.confirmed(ctx, call.With("input", input)).Succeeded() || changed
		}
	}
	return changed
}

// listFields are the paths of the documented lists in an object, and in the objects in it.
func (r *Rules) listFields(of probes.Parameter) (paths [][]string) {
	for _, field := range r.Fields(of) {
		if takesList(field) {
			paths = append(paths, []string{field.Name})
			continue
		}
		for _, inner := range r.Fields(field) {
			if takesList(inner) {
				paths = append(paths, []string{field.Name, inner.Name})
			}
		}
	}
	return paths
}

// takesList reports whether a parameter takes a list.
func takesList(p probes.Parameter) bool {
	e, err := probes.ParseType(p.Type)
	return p.Type == "array" || err == nil && e.Form == probes.ListOf
}

// holdsItems reports whether a list of this name with an item in it stands in an answer, at any depth of objects.
func holdsItems(v probes.Value, name string) bool {
	return slices.ContainsFunc(v.Members(), func(m probes.Member) bool {
		return alike(m.Name, name) && len(m.Value.Items()) > 0 || holdsItems(m.Value, name)
	})
}
