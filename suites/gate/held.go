package gate

import (
	"context"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// mostEmptied is how many lists of one object are emptied.
const mostEmptied = 4

// removeHeld empties lists of an object of the run whose removal is a conflict, one after the other, until the removal
// works: what stands in one may hold the object, as the finalizers of Kubernetes do. A list is emptied if the run has
// sent all that is in it. The gate judges each update as it judges those of the checks. It returns the answer to the last removal.
func (g *Gate) removeHeld(ctx context.Context, o *object, removal probes.Probe, answer probes.Observation) probes.Observation {
	if o.kind.Listed() {
		return answer
	}
	rules, tried := g.known(), 0
	shown := g.see(ctx, g.conn, o.kind.Views[0], o.kind, o.key).Data()
	for _, u := range rules.Operations {
		if views, _, acts := rules.acts(u); u.Category != "UPDATE" || !acts || views[0].Name != o.kind.Views[0].Name {
			continue
		}
		for _, path := range rules.listFields(parameter(u, "input")) {
			if !strings.HasPrefix(answer.Code(), "CONFLICT") || tried == mostEmptied {
				return answer
			}
			if !g.sentAll(o, shown, path[len(path)-1]) {
				continue
			}
			tried++
			if g.emptied(ctx, o, u, path) {
				answer = g.confirmed(ctx, removal)
			}
		}
	}
	return answer
}

// emptied sends the update that empties a list and reports whether it worked.
func (g *Gate) emptied(ctx context.Context, o *object, u probes.Operation, path []string) bool {
	params := map[string]any{}
	for i, name := range o.kind.Key {
		params[parameter(u, name).Name] = o.key[i].Go()
	}
	var input any = []any{}
	for _, name := range slices.Backward(path) {
		input = map[string]any{name: input}
	}
	call := probes.Call(o.conn, u.Tool, u.Name, params).With("input", input)
	leave, why := g.Enter(ctx, call)
	if why != "" {
		return false
	}
	answer := g.confirmed(ctx, call)
	leave(answer)
	return answer.Succeeded()
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

// noteItems remembers the texts in lists that a request for an object of the run sends. The lock is held.
func (o *object) noteItems(v probes.Value) {
	for _, m := range v.Members() {
		for _, item := range m.Value.Items() {
			if item.Is(probes.String) {
				if o.items == nil {
					o.items = map[string]bool{}
				}
				o.items[item.Text()] = true
			}
		}
		o.noteItems(m.Value)
	}
}

// sentAll reports whether a list of this name stands in an answer, at any depth of objects, and holds nothing but texts
// that the run has sent for this object.
func (g *Gate) sentAll(o *object, v probes.Value, name string) bool {
	return slices.ContainsFunc(v.Members(), func(m probes.Member) bool {
		if !alike(m.Name, name) {
			return g.sentAll(o, m.Value, name)
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		items := m.Value.Items()
		return len(items) > 0 && !slices.ContainsFunc(items, func(item probes.Value) bool { return !item.Is(probes.String) || !o.items[item.Text()] })
	})
}
