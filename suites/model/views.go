package model

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Refused means inert: after each refused write the state is read back. An
// adapter that refuses and does it all the same is worse than one that obeys,
// because nobody looks again.

// EachMarked is every CREATE operation whose objects can be told by a mark of
// ours and found again in a listing.
func EachMarked(f *Adapter) []Subject {
	var all []Subject
	for _, s := range EachListed(f) {
		if s.Op.Category != "CREATE" || slices.Contains(Reserved, s.Name) {
			continue
		}
		switch b := f.Baselines[s.Name]; {
		case b.State != Proven:
			s = s.Settle(ruling.NotProven("an object of our own made by "+s.Name, b).Mend(b.Unlock()))
		case s.Mark(1) == "":
			s = s.Settle(ruling.NotProven("a free text parameter of "+s.Name+" to carry our mark", "none"))
		case len(s.Views("")) == 0:
			s = s.Settle(ruling.NotProven("a READ operation that lists what "+s.Name+" makes", "none"))
		}
		all = append(all, s)
	}
	return all
}

// Mark returns the text that tells the object of one take from all others.
func (s Subject) Mark(take int) string {
	for name, v := range s.Anew(take).Params() {
		text := probes.ValueOf(v).Text()
		if strings.HasPrefix(text, s.Gen.Marker("")) && probes.ValueOf(s.ValidCall().Params()[name]).Text() != text {
			return text
		}
	}
	return ""
}

// Views returns the reads in which an object carrying the mark would show up.
func (s Subject) Views(mark string) []probes.Probe {
	var ps []probes.Probe
	for _, t := range EachProven(s.Adapter) {
		if t.Settled != nil || t.Op.Category != "READ" || !s.Plays(TheLister, t.Name, s.Name) || s.NeedsReference(t.Op) {
			continue
		}
		p := t.Wide()
		if t.Op.HasParameter("query") {
			p = p.With("query", mark)
		}
		ps = append(ps, p)
	}
	return ps
}

// ItemsWith returns the objects that a listing shows and that hold a text beginning
// with mark.
func ItemsWith(data probes.Value, mark string) []probes.Value {
	var found []probes.Value
	for _, item := range ShownBy(data) {
		found = append(found, Holders(item, mark)...)
	}
	return found
}

// ShownBy returns what a listing shows: the elements of its lists, and objects that
// stand by themselves. What stands around them is the page: there an adapter may
// repeat what it was asked for, which is no object of ours.
func ShownBy(data probes.Value) []probes.Value {
	if data.Is(probes.Array) {
		return data.Items()
	}
	if standsAlone(data) {
		return []probes.Value{data}
	}
	var all []probes.Value
	for _, m := range data.Members() {
		all = append(all, ShownBy(m.Value)...)
	}
	return all
}

// standsAlone reports whether an object outside of any list is one of those listed:
// it has a name or an identifier, and is neither an echo of the query nor a page with
// a list of its own. An empty list may be its tags where it has an id; a page has at
// most the id of the request under a longer name.
func standsAlone(v probes.Value) bool {
	return ItemKey(v) != "" && !v.Has("query") && !slices.ContainsFunc(v.Members(), func(m probes.Member) bool {
		items := m.Value.Items()
		return m.Value.Is(probes.Array) && len(items) == 0 && !v.Has("id") || slices.ContainsFunc(items, func(item probes.Value) bool { return item.Is(probes.Object) })
	})
}

// Holders returns the objects at or below a value that hold a text beginning with mark.
func Holders(data probes.Value, mark string) []probes.Value {
	if data.Is(probes.Object) && slices.ContainsFunc(data.Members(), func(m probes.Member) bool { return strings.HasPrefix(m.Value.Text(), mark) }) {
		return []probes.Value{data}
	}
	var found []probes.Value
	for _, item := range data.Items() {
		found = append(found, Holders(item, mark)...)
	}
	for _, m := range data.Members() {
		found = append(found, Holders(m.Value, mark)...)
	}
	return found
}

// Wide returns the request of a listing for as much as it documents to give.
func (s Subject) Wide() probes.Probe {
	p := s.ValidCall()
	for _, size := range []string{"first", "limit", "page_size"} {
		i := slices.IndexFunc(s.Op.Parameters, func(q probes.Parameter) bool { return q.Name == size })
		if i < 0 {
			continue
		}
		if most, ok := s.Op.Parameters[i].Raw.At("maximum").Float(); ok && most <= 1000 {
			return p.With(size, most)
		}
	}
	return p
}

// ItemKey is what tells an item from the others of a listing, wherever it stands:
// a listing may be sorted by what was read last.
func ItemKey(item probes.Value) string {
	for _, telling := range []func(string) bool{
		func(name string) bool {
			return slices.Contains([]string{"id", "uuid", "key", "slug"}, name) || strings.HasSuffix(name, "_id")
		},
		func(name string) bool { return name == "name" || name == "title" },
	} {
		key := ""
		for _, m := range item.Members() {
			if telling(m.Name) {
				key += m.Name + "=" + m.Value.Canonical(nil) + ";"
			}
		}
		if key != "" {
			return key
		}
	}
	return ""
}
