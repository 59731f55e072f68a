package gate

import (
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
)

// A turning is the way to the next page of a listing, where no usual name tells it: a number that says which page or
// which row comes first, or a text that the answers carry. It is found by trial, and is known by what the pages show.
type turning struct {
	name  string   // of the parameter; empty where no parameter turns a page
	from  int      // of the page that is shown first
	step  int      // to the next page; 0 where the number is that of a row
	token []string // path of the text in the data; nil where a number is sent
}

// mostTurnings bounds how many parameters are tried.
const mostTurnings = 4

// turn follows a listing behind its first page, which is full. The way is learned once for each operation.
func (g *Gate) turn(ctx context.Context, op probes.Operation, l *listing) {
	g.mu.Lock()
	t, known := g.turnings[op.Name]
	g.mu.Unlock()
	ask := func(name string, v any) ([]probes.Value, probes.Value) {
		o := g.look(ctx, l.widest.With(name, v))
		if !o.Succeeded() {
			return nil, probes.Value{}
		}
		return Rows(o.Data()), o.Data()
	}
	if !known {
		t = l.learn(op, ask)
		g.mu.Lock()
		g.turnings[op.Name] = t
		g.mu.Unlock()
	}
	if t.name == "" || ctx.Err() != nil {
		return
	}
	full, at, data := len(l.rows), t.from, l.data
	for range maxPages {
		var next any = data.At(t.token...).Text()
		if t.token == nil {
			if at += t.step; t.step == 0 {
				at = t.from + len(l.rows)
			}
			next = at
		}
		if next == "" {
			l.ended = true
			return
		}
		var rows []probes.Value
		rows, data = ask(t.name, next)
		fresh := slices.DeleteFunc(rows, func(row probes.Value) bool { return holdsRow(l.rows, row) })
		if l.rows = append(l.rows, fresh...); data.Is(probes.Absent) || len(rows) > 0 && len(fresh) == 0 {
			return // refused, or the same page again
		}
		if l.ended = len(rows) < full && t.token == nil; l.ended {
			return
		}
	}
}

// learn tries which parameter leads to rows behind those of the first page.
func (l *listing) learn(op probes.Operation, ask func(name string, v any) ([]probes.Value, probes.Value)) turning {
	tried := 0
	for _, p := range op.Parameters {
		if p.Required || p.Name == l.wider || p.Type != "integer" || tried == mostTurnings {
			continue
		}
		tried++
		from, _ := p.Raw.At("minimum").Float()
		if usual, told := p.Raw.At("default").Float(); told {
			from = usual
		}
		first, _ := ask(p.Name, int(from))
		second, _ := ask(p.Name, int(from)+1)
		switch {
		case len(first) != len(l.rows) || !slices.EqualFunc(first, l.rows, probes.Value.Equal) || len(second) == 0:
		case !slices.ContainsFunc(second, func(row probes.Value) bool { return holdsRow(l.rows, row) }):
			return turning{name: p.Name, from: int(from), step: 1}
		case len(second) > 1 && slices.EqualFunc(second[:len(second)-1], l.rows[1:len(second)], probes.Value.Equal):
			return turning{name: p.Name, from: int(from)}
		}
	}
	for _, p := range op.Parameters {
		if p.Required || p.Type != "string" || len(p.Raw.At("enum").Items()) > 0 {
			continue
		}
		for _, path := range textsOutside(l.data, nil) {
			if tried++; tried > 2*mostTurnings {
				return turning{}
			}
			next, _ := ask(p.Name, l.data.At(path...).Text())
			if len(next) > 0 && !slices.ContainsFunc(next, func(row probes.Value) bool { return holdsRow(l.rows, row) }) {
				return turning{name: p.Name, token: path}
			}
		}
	}
	return turning{}
}

func holdsRow(rows []probes.Value, row probes.Value) bool {
	return slices.ContainsFunc(rows, row.Equal)
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
