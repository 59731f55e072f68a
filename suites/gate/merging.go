package gate

import (
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// An adapter may take a creation for a change of the object that has the same text. A text without the
// mark of the run may be that of an object which no listing shows, so none is sent once a creation was
// seen to go into another object of ours. Two objects of ours that differ in fields with our texts alone show that
// one of these fields is compared.

// merge notes a creation whose answer names another object of ours, or that shares a text with one and is
// not found by the key that the client chose.
func (g *Gate) merge(ctx context.Context, o *object, params, data probes.Value) {
	if o.rehearsed() {
		return
	}
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

// rehearsed reports whether the creation was a dry run: what it answers may be the key of the next object.
func (o *object) rehearsed() bool {
	return slices.ContainsFunc(o.params.Members(), func(m probes.Member) bool { return vocab.IsDryRun(m.Name) && m.Value.True() })
}

// nothingMade reports whether the object was created by a dry run with a key that the run
// chose. No object has that key then, and no read finds one.
func (o *object) nothingMade() bool {
	_, chosen := o.kind.KeyIn(flat(o.params))
	return chosen && o.rehearsed()
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
			g.merges[o.op] = g.merges[o.op] || own && p != o && p.conn == o.conn && p.is(o.kind, key) && !o.rehearsed() && !p.rehearsed()
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

// keptApart reports whether the texts of the run keep a creation out of the objects of others. Two objects of ours that
// were made one beside the other differ in fields with our texts or keys alone: one of these fields is compared. The creation
// agrees with both in each other text that is not ours, so it chooses what lies beside them or in another object of ours.
func (g *Gate) keptApart(ctx context.Context, conn string, k Kind, params probes.Value) bool {
	g.mu.Lock()
	pair, made := g.apart[k.Make.Name], slices.Clone(g.made.byMake[k.Make.Name])
	g.mu.Unlock()
	if len(pair.fields) == 0 && pair.tries < mostTries {
		tries := pair.tries + 1
		pair = g.differing(ctx, conn, k, made[:min(len(made), mostCompared)])
		pair.tries = tries
		g.mu.Lock()
		g.apart[k.Make.Name] = pair
		g.mu.Unlock()
	}
	if len(pair.fields) == 0 || !g.ours(k, params, pair.fields) {
		return false
	}
	return !slices.ContainsFunc(params.Members(), func(m probes.Member) bool {
		return m.Value.Is(probes.String) && !g.ours(k, params, []string{m.Name}) && !m.Value.Equal(pair.params.At(m.Name))
	})
}

// Twins are two objects of ours that differ in texts of the run alone.
type twins struct {
	fields []string     // in which they differ, all with our texts or keys; empty where nothing is known
	params probes.Value // of one of them
	tries  int
}

// mostCompared is how many objects of a kind are compared with each other, so many times: a listing may lag behind.
const mostCompared, mostTries = 6, 3

// differing finds two objects that were made with equal values but for texts of the run, that were not written to since, and
// that stand side by side in a listing: two identifiers may be those of two versions of one object.
func (g *Gate) differing(ctx context.Context, conn string, k Kind, made []*object) twins {
	var rows []probes.Value
	for _, l := range g.listings(ctx, k) {
		rows = append(rows, l.rows...)
	}
	listed := func(o *object) (text string) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if o.written || o.conn != conn {
			return ""
		}
		for _, row := range rows {
			if key, ok := keyOf(k, row); ok && marksAll(row, o.fields) && (o.told(k, key) || identity("", k, o.key) == identity("", k, key)) {
				return keyText(key)
			}
		}
		return ""
	}
	for i, o := range made {
		for _, p := range made[:i] {
			fields := differing(o.params, p.params)
			if len(fields) == 0 || !g.ours(k, o.params, fields) || !g.ours(k, p.params, fields) {
				continue
			}
			if a, b := listed(o), listed(p); a != "" && b != "" && a != b {
				return twins{fields: fields, params: o.params}
			}
		}
	}
	return twins{}
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

// ours reports whether each of the parameters is a text of the run or the key of an object of the run, in which no object of others lies.
func (g *Gate) ours(k Kind, params probes.Value, names []string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !slices.ContainsFunc(names, func(name string) bool {
		v := params.At(name)
		return !(v.Is(probes.String) && g.invented(v.Text())) && !slices.ContainsFunc(g.made.all, func(o *object) bool {
			return o.sure && len(o.key) == 1 && SameOwn(o.key[0], v) && o.kind.Make.Name != k.Make.Name && o.kind.goesBy(k.Make.Name, name)
		})
	})
}
