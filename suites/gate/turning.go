package gate

import (
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// A turning is the way to the next page of a listing, where no usual name tells it. It is found by trial, and is known by
// what the pages show. A filter by a number may show the same by chance, so a listing that is turned by one is never known
// to be at its end.
type turning struct {
	name  string   // of the parameter; empty where none is found
	first int      // number of the first page, or of the first row
	rows  bool     // the number is that of a row
	token []string // path of the text in the data that the next request sends; nil where a number is sent
}

// Bounds of what is tried, and of what is followed.
const (
	mostTurnings = 4
	mostTurned   = 2000 // rows
)

// A turner follows one listing beyond its first page.
type turner struct {
	listing *listing
	ask     func(name string, v any) (rows []probes.Value, data probes.Value)
	seen    map[string]bool // rows, in canonical form
	open    bool            // a request got no answer, so nothing is learned
}

// turn follows a listing beyond its first page, which is full. The way is learned once for each operation.
func (g *Gate) turn(ctx context.Context, op probes.Operation, l *listing) {
	g.mu.Lock()
	way, known := g.turnings[op.Name]
	g.mu.Unlock()
	t := &turner{listing: l, seen: map[string]bool{}}
	t.ask = func(name string, v any) ([]probes.Value, probes.Value) {
		o := g.look(ctx, l.widest.With(name, v))
		t.open = t.open || !o.Succeeded() && !o.Refused()
		if !o.Succeeded() {
			return nil, probes.Value{}
		}
		return Rows(o.Data()), o.Data()
	}
	t.fresh(l.rows)
	if !known {
		way = t.learn(op)
		if t.open || ctx.Err() != nil {
			return
		}
		g.mu.Lock()
		g.turnings[op.Name] = way
		g.mu.Unlock()
	}
	if way.name != "" {
		t.follow(ctx, way)
	}
}

// fresh returns the rows that were not seen before, and notes them.
func (t *turner) fresh(rows []probes.Value) (fresh []probes.Value) {
	for _, row := range rows {
		if text := row.Canonical(nil); !t.seen[text] {
			t.seen[text] = true
			fresh = append(fresh, row)
		}
	}
	return fresh
}

// follow adds the rows of the further pages.
func (t *turner) follow(ctx context.Context, way turning) {
	l, at, data := t.listing, way.first, t.listing.data
	for range maxPages {
		var next any
		switch {
		case way.token != nil:
			next = data.At(way.token...).Text()
		case way.rows:
			next = way.first + len(l.rows)
		default:
			at++
			next = at
		}
		if l.ended = next == "" && !data.HasMore().True(); l.ended {
			return
		}
		if next == "" || ctx.Err() != nil || len(l.rows) > mostTurned {
			return
		}
		var rows []probes.Value
		rows, data = t.ask(way.name, next)
		fresh := t.fresh(rows)
		if len(fresh) == 0 {
			return // the end, a refusal, or the same page again
		}
		l.rows = append(l.rows, fresh...)
	}
}

// learn tries which parameter leads to rows behind those of the first page.
func (t *turner) learn(op probes.Operation) turning {
	for _, p := range t.candidates(op, "integer") {
		first, told := p.Raw.At("default").Float()
		if !told {
			first, _ = p.Raw.At("minimum").Float()
		}
		same, _ := t.ask(p.Name, int(first))
		next, _ := t.ask(p.Name, int(first)+1)
		shown := t.listing.rows
		switch {
		case !slices.EqualFunc(same, shown, probes.Value.Equal) || len(next) == 0:
		case t.others(next):
			return turning{name: p.Name, first: int(first)}
		case len(next) > 1 && slices.EqualFunc(next[:len(next)-1], shown[1:len(next)], probes.Value.Equal):
			return turning{name: p.Name, first: int(first), rows: true}
		}
	}
	for _, p := range t.candidates(op, "string") {
		for _, path := range textsOutside(t.listing.data, nil) {
			if !alike(path[len(path)-1], p.Name) {
				continue
			}
			if next, _ := t.ask(p.Name, t.listing.data.At(path...).Text()); len(next) > 0 && t.others(next) {
				return turning{name: p.Name, token: path}
			}
		}
	}
	return turning{}
}

// candidates are the first optional parameters of a type that may turn a page.
func (t *turner) candidates(op probes.Operation, kind string) []probes.Parameter {
	all := slices.DeleteFunc(slices.Clone(op.Parameters), func(p probes.Parameter) bool {
		return p.Required || p.Type != kind || p.Name == t.listing.wider || len(p.Raw.At("enum").Items()) > 0
	})
	return all[:min(len(all), mostTurnings)]
}

// others reports whether none of some rows was seen.
func (t *turner) others(rows []probes.Value) bool {
	return !slices.ContainsFunc(rows, func(row probes.Value) bool { return t.seen[row.Canonical(nil)] })
}

// textsOutside returns where texts stand in an answer outside of its lists.
func textsOutside(v probes.Value, path []string) (all [][]string) {
	for _, m := range v.Members() {
		at := append(slices.Clone(path), m.Name)
		if m.Value.Is(probes.String) && m.Value.Text() != "" {
			all = append(all, at)
		}
		all = append(all, textsOutside(m.Value, at)...)
	}
	return all
}
