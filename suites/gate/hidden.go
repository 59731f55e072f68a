package gate

import (
	"context"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A listing may leave out what is closed, archived or the like, and not say so. What it never shows tells:
// other values of the same field stand in its rows, and this one does not.

// shortText bounds the texts of rows that are remembered, and mostTexts their number.
const (
	shortText = 32
	mostTexts = 4096
)

// noteRows remembers the short texts of listed rows by their fields.
func (g *Gate) noteRows(op probes.Operation, rows []probes.Value) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, row := range rows {
		for _, m := range row.Members() {
			if text := m.Value.Text(); m.Value.Is(probes.String) && len(text) <= shortText && !g.invented(text) && len(g.rowTexts) < mostTexts {
				g.rowTexts[listedText{op.Name, m.Name, text}] = true
				g.rowTexts[listedText{op.Name, m.Name, ""}] = true // that the field has texts
			}
		}
	}
}

// A listedText is a text that a field of listed rows had.
type listedText struct{ list, field, text string }

// hidden reports whether an object was made with a listed value of a field that the rows of its listings
// have, and never with this value.
func (g *Gate) hidden(o *object) bool { return len(g.hiddenIn(o)) > 0 }

// hiddenIn returns the listings that hide an object, each with the value that it hides.
func (g *Gate) hiddenIn(o *object) (all []listedText) {
	rules := g.known()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, m := range o.params.Members() {
		if !m.Value.Is(probes.String) || len(rules.EnumOf(parameter(o.kind.Make, m.Name))) == 0 {
			continue
		}
		for _, l := range o.kind.Lists {
			if at := (listedText{l.Name, m.Name, m.Value.Text()}); g.rowTexts[listedText{l.Name, m.Name, ""}] && !g.rowTexts[at] {
				all = append(all, at)
			}
		}
	}
	return all
}

// uncover asks the listings for what they hide, by the parameter that is called like the field, where
// objects of the run are not found otherwise.
func (g *Gate) uncover(ctx context.Context, k Kind) {
	g.mu.Lock()
	made := slices.Clone(g.made.byMake[k.Make.Name])
	g.mu.Unlock()
	asked := map[listedText]bool{}
	for _, o := range made {
		if o.key != nil {
			continue
		}
		for _, at := range g.hiddenIn(o) {
			list, _ := g.known().Operation(at.list)
			if asked[at] || !takes(list, at.field) {
				continue
			}
			asked[at] = true
			for _, row := range g.pages(ctx, probes.Call(g.conn, list.Tool, list.Name, map[string]any{parameter(list, at.field).Name: at.text}), list).rows {
				key, ok := ListedKey(k, probes.Value{}, row)
				g.recover(ctx, k, key, ok, row)
			}
		}
	}
}

// burials are words by which a row says that its object was removed and is kept.
var burials = strings.Fields("deleted removed archived trashed discarded tombstone geloscht geloescht eliminado borrado supprime")

// askedFor returns the parameters of the creations that may have made a listed row, by the marks in it. A
// row may show some fields only.
func (g *Gate) askedFor(maker string, row probes.Value) (asked []probes.Value) {
	g.mu.Lock()
	defer g.mu.Unlock()
	most := 1
	for _, o := range g.made.byMake[maker] {
		n := 0
		for name, texts := range o.fields {
			if oneOf(texts, memberLike(row, name).Text()) {
				n++
			}
		}
		if n > most {
			most, asked = n, nil
		}
		if n == most {
			asked = append(asked, o.params)
		}
	}
	return asked
}

// buried reports whether a row says that its object was removed. What the creation asked for says
// nothing: an object may be made with the status "archived".
func buried(row probes.Value, asked ...probes.Value) bool {
	return slices.ContainsFunc(row.Members(), func(m probes.Member) bool {
		given := func(params probes.Value) bool { return memberLike(params, m.Name).Equal(m.Value) }
		if m.Value.Is(probes.String) && slices.ContainsFunc(asked, given) {
			return false
		}
		told := func(text string) bool {
			return slices.ContainsFunc(vocab.Words(text), func(w string) bool { return slices.Contains(burials, vocab.Fold(w)) })
		}
		return told(m.Name) && yes(m.Value) || m.Value.Is(probes.String) && len(m.Value.Text()) < 20 && told(m.Value.Text())
	})
}

// ShowsBurial reports whether the answer to a read shows an object as removed. asked are the parameters
// of its creation, where they are known.
func ShowsBurial(data probes.Value, asked ...probes.Value) bool {
	return slices.ContainsFunc(append(Rows(data), append(members(data), data)...), func(row probes.Value) bool { return buried(row, asked...) })
}

// members are the objects among the members of a value.
func members(v probes.Value) []probes.Value {
	var all []probes.Value
	for _, m := range v.Members() {
		if m.Value.Is(probes.Object) {
			all = append(all, m.Value)
		}
	}
	return all
}
