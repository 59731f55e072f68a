package gate

import (
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// An adapter may take a creation for a change of the object that has the same text. A text without the
// mark of the run may be that of an object which no listing shows, so none is sent once a creation was
// seen to go into another object of ours. Two objects of ours that differ in fields with our texts alone show that
// one of these fields is compared.

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

// keptApart reports whether the texts of the run keep a creation out of the objects of others: it has them in all
// fields in which two objects of ours differ, whose creations agreed in the rest.
func (g *Gate) keptApart(ctx context.Context, conn string, k Kind, params probes.Value) bool {
	g.mu.Lock()
	sets, made := g.apart[k.Make.Name], slices.Clone(g.made.byMake[k.Make.Name])
	g.mu.Unlock()
	if len(sets) == 0 {
		if set := g.difference(ctx, conn, made[:min(len(made), mostCompared)]); set != nil {
			sets = append(sets, set)
			g.mu.Lock()
			g.apart[k.Make.Name] = sets
			g.mu.Unlock()
		}
	}
	return slices.ContainsFunc(sets, func(set []string) bool { return g.ourTexts(params, set) })
}

// mostCompared is how many objects of a kind are compared with each other.
const mostCompared = 6

// difference returns the fields in which two of some objects differ, where all of these have texts of the run.
func (g *Gate) difference(ctx context.Context, conn string, made []*object) []string {
	for i, o := range made {
		for _, p := range made[:i] {
			if set := differing(o.params, p.params); len(set) > 0 && g.ourTexts(o.params, set) && g.ourTexts(p.params, set) && g.areTwo(ctx, conn, o, p) {
				return set
			}
		}
	}
	return nil
}

// areTwo reports whether the reads show two objects, and not the same one.
func (g *Gate) areTwo(ctx context.Context, conn string, o, p *object) bool {
	names := func(o *object) (key []probes.Value) {
		for _, may := range append([][]probes.Value{o.key}, o.may...) {
			if len(may) > 0 && g.claim(ctx, conn, o.kind, may) == o {
				return may
			}
		}
		return nil
	}
	a, b := names(o), names(p)
	return a != nil && b != nil && identity(conn, o.kind, a) != identity(conn, p.kind, b)
}

// differing returns the names of the parameters in which two creations differ.
func differing(a, b probes.Value) (names []string) {
	for _, m := range a.Members() {
		if !m.Value.Equal(b.At(m.Name)) {
			names = append(names, m.Name)
		}
	}
	for _, m := range b.Members() {
		if !a.Has(m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// ourTexts reports whether each of the parameters is a text of the run.
func (g *Gate) ourTexts(params probes.Value, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !params.At(name).Is(probes.String) || !g.invented(params.At(name).Text())
	})
}
