package gate

import (
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// An adapter may take a creation for a change of the object that has the same text. A text without the
// mark of the run may be that of an object which no listing shows, so none is sent once a creation was
// seen to go into another object of ours.

// merge notes a creation whose answer names another object of ours, or that shares a text with one and is
// not found by the key that the client chose.
func (g *Gate) merge(ctx context.Context, o *object, params, data probes.Value) {
	g.mu.Lock()
	told := Candidates(o.kind, probes.Value{}, data)
	merges := len(told) > 0 && len(told[0]) > 0 && g.named(o, told[0])
	twin := slices.ContainsFunc(g.made.byMake[o.op], func(p *object) bool { return p != o && p.conn == o.conn && sharesText(p, o) })
	g.mu.Unlock()
	if key, chosen := o.kind.KeyIn(flat(params)); !merges && twin && chosen {
		merges = g.absent(ctx, o.conn, o.kind, key)
	}
	if merges {
		g.mu.Lock()
		g.merges[o.op] = true
		g.mu.Unlock()
	}
}

// sharesText reports whether two objects were made with the same text in a field.
func sharesText(p, o *object) bool {
	for name, texts := range o.fields {
		if slices.ContainsFunc(texts, func(text string) bool { return slices.Contains(p.fields[name], text) }) {
			return true
		}
	}
	return false
}

// mergedInto notes a creation whose texts a listing shows in another object of ours, which was not made
// with all of them. The lock is held.
func (g *Gate) mergedInto(o *object, key []probes.Value) {
	for _, p := range g.made.namesakes(o.kind, key) {
		for name, texts := range o.fields {
			own := slices.ContainsFunc(texts, func(text string) bool { return !slices.Contains(p.fields[name], text) })
			g.merges[o.op] = g.merges[o.op] || own && p != o && p.conn == o.conn && p.is(o.kind, key)
		}
	}
}

// mayBeTheirs reports whether a text without the mark may choose an object of others. What an identifier
// names is asked for elsewhere.
func (g *Gate) mayBeTheirs(k Kind, p probes.Parameter, v probes.Value) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.merges[k.Make.Name] && v.Is(probes.String) && !g.invented(v.Text()) && !p.Raw.Has("format")
}
