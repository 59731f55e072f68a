package model

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// EachMarked returns every CREATE operation whose objects can be recognized by the mark of the run
// and found in a listing.
func EachMarked(f *Adapter) []Subject {
	all := EachMade(f)
	for i, s := range all {
		if s.Ruling == nil && len(s.Views("")) == 0 {
			all[i] = s.WithRuling(ruling.NotProven("a READ operation that lists what "+s.Name+" makes", "none"))
		}
	}
	return all
}

// EachMade returns every CREATE operation whose objects can be recognized by the mark of the run.
func EachMade(f *Adapter) []Subject { return slices.Clone(f.Makers()) }

// Makers is EachMade as a shared list, because each kind of object looks for its maker. Before all trials
// have shown which texts a creation may change, the list is made anew.
func (f *Adapter) Makers() []Subject {
	if !f.tried {
		return f.makers()
	}
	return f.Remember("makers", func() any { return f.makers() }).([]Subject)
}

func (f *Adapter) makers() []Subject {
	var all []Subject
	for _, o := range f.Operations {
		s := Subject{Adapter: f, Name: o.Name, Op: o}
		if o.Category != "CREATE" || slices.Contains(Reserved, o.Name) {
			continue
		}
		switch b := f.KnownGood[s.Name]; {
		case b.State != Proven:
			s = s.WithRuling(ruling.NotProven("an object of our own made by "+s.Name, b).Mend(b.Unlock()))
		case s.unmarked():
			s = s.WithRuling(ruling.NotProven("a free text parameter of "+s.Name+" to carry our mark", "none"))
		}
		all = append(all, s)
	}
	return slices.Clip(all)
}

// unmarked reports whether objects can be made of which no text carries the mark of the run.
func (s Subject) unmarked() bool {
	return s.KnownGood[s.Name].State == Proven && s.mark(1) == ""
}

// Mark returns the text that identifies the object that a step creates.
func (s Subject) Mark(step string) string { return s.mark(probes.StepNumber(step)) }

// Views returns the reads that would show an object with the mark.
func (s Subject) Views(mark string) []probes.Probe {
	var ps []probes.Probe
	shows := func(t Subject) bool { return s.HasRole(ListerRole, t.Name, s.Op.Name) }
	for _, t := range s.RememberReads("listings of "+s.Op.Name, (*Adapter).ProvenListings, shows) {
		p := t.LargestPage()
		if t.Op.HasParameter("query") {
			p = p.With("query", mark)
		}
		ps = append(ps, p)
	}
	return ps
}

// NextPage returns the request for the page of a listing behind the one that was answered; more is false at the end.
func (f *Adapter) NextPage(page probes.Probe, o probes.Observation) (next probes.Probe, more bool) {
	list, _ := f.Operation(page.Operation())
	return gate.NextPage(list, page, o)
}

// kind is the kind of object that the operation makes.
func (s Subject) kind() (k gate.Kind, known bool) {
	if s.Rules == nil {
		return k, false
	}
	return s.Rules.Kind(s.Name)
}

// findLister returns the READ that lists what lies in the parent of what the maker created. A list in
// pages may show a new object on any of them, so it is left out unless each object has a home.
func (s Subject) findLister(k gate.Kind) (lister probes.Operation, ids map[string][]string) {
	for _, o := range k.Views {
		way, found := s.parentPaths(k, o)
		if found && s.KnownGood[o.Name].State == Proven && (!gate.Paged(o) || s.crowded(s.Name)) {
			return o, way
		}
	}
	return lister, nil
}

// parentPaths returns the path to each part of the identifier that a list of what lies in one parent takes, in the
// data of the maker's answer.
func (s Subject) parentPaths(k gate.Kind, list probes.Operation) (map[string][]string, bool) {
	paths, within := map[string][]string{}, k.Within()
	for _, p := range list.Parameters {
		if !slices.ContainsFunc(within, func(name string) bool { return vocab.Letters(name) == vocab.Letters(p.Name) }) {
			continue
		}
		path, told := s.IdentifierPath(s.KnownGoodRequest().Reply, s.Op, list, p)
		if !told {
			return nil, false
		}
		paths[p.Name] = path
	}
	return paths, len(paths) > 0
}

// ItemsWith returns the objects in a listing that have a text beginning with mark.
func ItemsWith(data probes.Value, mark string) []probes.Value {
	var found []probes.Value
	for _, item := range ListedItems(data) {
		found = append(found, ObjectsWith(item, mark)...)
	}
	return found
}

// ListedItems returns the items of a listing: the elements of its lists, and single objects. The
// page object itself is not an item, because an adapter may repeat the query there.
func ListedItems(data probes.Value) []probes.Value {
	if data.Is(probes.Array) {
		return data.Items()
	}
	if isSingleItem(data) {
		return []probes.Value{data}
	}
	var all []probes.Value
	for _, m := range data.Members() {
		all = append(all, ListedItems(m.Value)...)
	}
	return all
}

// isSingleItem reports whether an object outside of any list is an item: it has a name or an
// identifier, and is neither an echo of the query nor a page with its own list. An item with an id
// may have an empty list; a page has no id member.
func isSingleItem(v probes.Value) bool {
	return ItemKey(v) != "" && !v.Has("query") && !slices.ContainsFunc(v.Members(), func(m probes.Member) bool {
		items := m.Value.Items()
		return m.Value.Is(probes.Array) && len(items) == 0 && !v.Has("id") || slices.ContainsFunc(items, func(item probes.Value) bool { return item.Is(probes.Object) })
	})
}

// RowsIn returns the objects that a listing shows, without their wrappers.
func RowsIn(data probes.Value) []probes.Value { return gate.Rows(data) }

// ObjectsWith returns the objects at or below a value that have a text beginning with mark, alone, in a list or in a map.
func ObjectsWith(data probes.Value, mark string) []probes.Value {
	begins := func(v probes.Value) bool { return strings.HasPrefix(v.Text(), mark) && v.Is(probes.String) }
	if data.Is(probes.Object) && slices.ContainsFunc(data.Members(), func(m probes.Member) bool {
		return begins(m.Value) && m.Name != markEntry || begins(m.Value.At(markEntry)) || slices.ContainsFunc(m.Value.Items(), begins)
	}) {
		return []probes.Value{data}
	}
	var found []probes.Value
	for _, item := range data.Items() {
		found = append(found, ObjectsWith(item, mark)...)
	}
	for _, m := range data.Members() {
		found = append(found, ObjectsWith(m.Value, mark)...)
	}
	return found
}

// LargestPage returns the request of a listing with the largest documented page size.
func (s Subject) LargestPage() probes.Probe {
	p := s.ValidCall()
	if size, most, ok := pageSize(s.Op); ok {
		return p.With(size, most)
	}
	return p
}

// pageSize returns the parameter that makes a page of a listing larger, and its largest value. It has one of
// the usual names, or else it is the only optional number with a default of five or more and a larger maximum.
func pageSize(o probes.Operation) (name string, most float64, ok bool) {
	var others []string
	largest := map[string]float64{}
	for _, p := range o.Parameters {
		usual, _ := p.Raw.At("default").Float()
		most, told := p.Raw.At("maximum").Float()
		if !told || most > 1000 {
			continue
		}
		if largest[p.Name] = most; usual >= 5 && usual < most && (p.Type == "integer" || p.Type == "number") && !p.Required {
			others = append(others, p.Name)
		}
	}
	for _, usual := range PageSizes {
		if most, told := largest[usual]; told && usual != "last" { // which asks for the other end
			return usual, most, true
		}
	}
	if len(others) == 1 {
		return others[0], largest[others[0]], true
	}
	return "", 0, false
}

// ItemKey identifies an item independently of its position, because the order of a listing may
// change.
func ItemKey(item probes.Value) string {
	for _, identifies := range []func(string) bool{
		func(name string) bool {
			return slices.Contains([]string{"id", "uuid", "key", "slug"}, name) || strings.HasSuffix(name, "_id")
		},
		func(name string) bool { return name == "name" || name == "title" },
	} {
		key := ""
		for _, m := range item.Members() {
			if identifies(m.Name) {
				key += m.Name + "=" + m.Value.Canonical(nil) + ";"
			}
		}
		if key != "" {
			return key
		}
	}
	return ""
}
