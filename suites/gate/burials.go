package gate

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

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
