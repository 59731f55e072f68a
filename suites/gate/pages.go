package gate

import (
	"context"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// maxPages bounds how far one listing is followed.
const maxPages = 40

// A listing is what the pages of one showed.
type listing struct {
	params probes.Value // of its request
	rows   []probes.Value
	ended  bool         // the last page was seen
	pages  int          // that were seen
	last   string       // what the last one held
	wider  string       // the parameter that may ask for a larger page, where no other page can be asked for
	widest probes.Probe // the request that showed most rows at once
	data   probes.Value // its answer
}

// add takes in a page. It returns the request for the next one; more is false at the end.
func (l *listing) add(op probes.Operation, o probes.Observation) (next probes.Probe, more bool) {
	if !o.Succeeded() {
		return next, false
	}
	rows := Rows(o.Data())
	if size, sent := probes.ValueOf(o.Probe.Params()[l.wider]).Float(); sent && l.wider != "" {
		return l.resize(o, rows, int(size))
	}
	held := o.Data().String()
	same := l.pages > 0 && held == l.last
	if l.pages, l.last = l.pages+1, held; !same {
		l.rows = append(l.rows, rows...)
		l.widest, l.data = o.Probe, o.Data()
	}
	next, more = NextPage(op, o.Probe, o)
	// The second request may show the first page again: the first page may be number 1.
	end := !more || same && l.pages > 2
	l.ended = end && !(!more && o.Envelope().HasMore().True()) // there are more, and nobody knows how to ask for them
	if !Paged(op) && !o.Envelope().HasMore().False() {
		i := slices.IndexFunc(op.Parameters, func(p probes.Parameter) bool { return fills(p, len(rows)) })
		if i >= 0 { // there may be more
			l.ended, l.wider = false, op.Parameters[i].Name
			most, ok := op.Parameters[i].Raw.At("maximum").Float()
			return o.Probe.With(l.wider, int(most)), ok && most > float64(len(rows)) && most <= mostRows
		}
	}
	return next, !end
}

// resize takes in the answer to a request for a page of another size. A size that changes nothing may be that
// of the page, if all there is fits on it, or another number: one that is too small for all then shows which.
func (l *listing) resize(o probes.Observation, rows []probes.Value, size int) (next probes.Probe, more bool) {
	l.pages++
	switch before := len(l.rows); {
	case size < before:
		l.ended = len(rows) == size
	case len(rows) > before:
		l.rows, l.ended = rows, len(rows) < size
		l.widest, l.data = o.Probe, o.Data()
	case len(rows) == before && before > 1:
		return o.Probe.With(l.wider, before-1), true
	}
	return next, false
}

// mostRows is the largest page that is asked for.
const mostRows = 1000

// fills reports whether a number of rows is the documented default of a parameter: it may be the size of a
// page, by whatever name.
func fills(p probes.Parameter, rows int) bool {
	usual, ok := p.Raw.At("default").Float()
	return ok && p.Type == "integer" && usual > 1 && int(usual) == rows
}

// pages follows a listing to its end.
func (g *Gate) pages(ctx context.Context, view probes.Probe, op probes.Operation) listing {
	l := walk(view, op, func(p probes.Probe) probes.Observation { return g.look(ctx, p) })
	if !l.ended && l.wider != "" && len(l.rows) > 1 {
		g.turn(ctx, op, &l)
	}
	g.noteRows(op, l.rows)
	return l
}

// A showing is a request that lists objects of a kind.
type showing struct {
	op     probes.Operation
	params map[string]any
}

// shows are the listings of a kind, and those of the children within each of some parents.
func (k Kind) shows(parents ...probes.Value) (all []showing) {
	for _, list := range k.Lists {
		all = append(all, showing{list, map[string]any{}})
	}
	if !k.Listed() {
		return all
	}
	for _, in := range parents {
		if key, ok := k.Asked(in); ok {
			all = append(all, showing{k.Views[0], Kind{Views: k.Views, Key: k.Within()}.Asks(k.Views[0], key)})
		}
	}
	return all
}

// listings follows each listing of a kind to its end.
func (g *Gate) listings(ctx context.Context, k Kind, parents ...probes.Value) []listing {
	shows := k.shows(parents...)
	all := make([]listing, len(shows))
	probes.SideBySide(len(all), probes.AtOnce(g.asker), func(i int) {
		list := shows[i]
		all[i] = g.pages(ctx, probes.Call(g.conn, list.op.Tool, list.op.Name, list.params), list.op)
		all[i].params = probes.ValueOf(list.params)
	})
	return all
}

func walk(view probes.Probe, op probes.Operation, ask func(probes.Probe) probes.Observation) listing {
	var l listing
	for range maxPages {
		next, more := l.add(op, ask(view))
		if !more {
			break
		}
		view = next
	}
	return l
}

var cursorParameters = strings.Fields("after cursor page_token next_cursor next_token starting_after")

// placeParameters say by a number where a page begins.
var placeParameters = []string{"page", "offset", "skip"}

// Paged reports whether an operation documents a parameter that asks for a later page.
func Paged(op probes.Operation) bool {
	return slices.ContainsFunc(append(slices.Clip(cursorParameters), placeParameters...), func(name string) bool { return takes(op, name) })
}

// ChoosesPage reports whether a parameter of this name asks for a later page.
func ChoosesPage(name string) bool {
	return slices.ContainsFunc(append(slices.Clip(cursorParameters), placeParameters...), func(other string) bool { return alike(other, name) })
}

// NextPage returns the request for the page behind the one that was answered, in
// whichever of the usual ways the operation documents; more is false at the end.
func NextPage(op probes.Operation, view probes.Probe, o probes.Observation) (next probes.Probe, more bool) {
	rows := o.Data().LongestList()
	if !o.Succeeded() || rows == 0 {
		return view, false
	}
	if m := o.Envelope().HasMore(); m.False() {
		return view, false
	}
	for _, name := range cursorParameters {
		if p := parameter(op, name); p.Type != "" {
			cursor := o.Envelope().NextCursor()
			return view.With(p.Name, cursor.Go()), cursor.Text() != ""
		}
	}
	for _, name := range placeParameters {
		p := parameter(op, name)
		if p.Type == "" {
			continue
		}
		step := rows
		if name == "page" {
			step = 1
		}
		at, asked := probes.ValueOf(view.Params()[p.Name]).Float()
		if !asked {
			at, _ = o.Data().MemberNamed(p.Name).Float()
		}
		return view.With(p.Name, int(at)+step), true
	}
	return view, false
}

// unwrapped returns the object of an element of a list: in the style of GraphQL it is the node of
// an edge, and an object that holds nothing but another one is its wrapper.
func unwrapped(item probes.Value) probes.Value {
	if node := item.At("node"); node.Is(probes.Object) {
		return node
	}
	if all := item.Members(); len(all) == 1 && all[0].Value.Is(probes.Object) {
		return all[0].Value
	}
	return item
}

// Rows returns the objects that a listing shows: the elements of its lists that stand in
// no other list, at any depth of objects.
func Rows(data probes.Value) []probes.Value {
	if data.Is(probes.Array) {
		var rows []probes.Value
		for _, item := range data.Items() {
			if item.Is(probes.Object) {
				rows = append(rows, unwrapped(item))
			}
		}
		return rows
	}
	var all []probes.Value
	for _, m := range data.Members() {
		all = append(all, Rows(m.Value)...)
	}
	return all
}
