package suites

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// A style is one of the three ways of paging that the operations document knows
// (4.2): the parameter that says how much, and the one that says from where.
type style struct{ size, from string }

var (
	cursorStyle = style{"first", "after"}
	offsetStyle = style{"limit", "offset"}
	pageStyle   = style{"page_size", "page"}
)

// offers reports whether the operation documents the style with usable types. A
// domain has parameters of these names too: after may be a day, first a name.
func (s Subject) offers(st style) bool {
	if st == cursorStyle {
		return s.counts(st.size) && s.holdsText(st.from) && !s.dated(st.from)
	}
	return s.counts(st.size) && s.counts(st.from)
}

// dated reports whether a parameter is a time by its format or description.
func (s Subject) dated(name string) bool {
	p, _ := s.parameter(name)
	return strings.HasPrefix(p.Raw.At("format").Text(), "date") || s.says(name, ofTimes) && !s.says(name, ofCursors)
}

// lists reports whether an operation answers a collection, as far as its name or its
// answer tells.
func (s Subject) lists() bool {
	_, _, ok := collection(s.Baseline().Reply.Data())
	return slices.Contains(listVerbs, Verb(s.Name)) || s.Baseline().State == Proven && ok
}

// counts reports whether a parameter is documented as a number.
func (s Subject) counts(name string) bool { return s.ofKind(name, "number", "integer") }

// holdsText reports whether a parameter is documented as text.
func (s Subject) holdsText(name string) bool { return s.ofKind(name, "string") }

func (s Subject) ofKind(name string, wanted ...string) bool {
	p, ok := s.parameter(name)
	kinds, understood := s.Kinds(p.Type)
	return ok && understood && slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(wanted, k) })
}

// paged is every READ operation that offers one of the styles, those without a
// request that works settled as not proven.
func paged(styles ...style) func(*Face) []Subject {
	return only(eachProven, func(s Subject) bool {
		return s.Op.Category == "READ" && slices.ContainsFunc(styles, s.offers)
	})
}

// smallest is the least size of a page that the parameter documents, 1 without any
// bound; ok is false when no number fits its record.
func (s Subject) smallest(name string) (n int, ok bool) {
	p, _ := s.parameter(name)
	n = 1
	if low, bounded := p.Raw.At("minimum").Float(); bounded {
		n = max(n, int(math.Ceil(low)))
	}
	if sizes := s.EnumOf(p); len(sizes) > 0 {
		n = math.MaxInt
		for _, v := range sizes {
			if size, number := v.Float(); number && size >= 1 {
				n = min(n, int(size))
			}
		}
	}
	if s.Misfit(p, probes.ValueOf(n)) != "" {
		return 1, false
	}
	return n, true
}

// largest is the greatest size up to most that the parameter documents.
func (s Subject) largest(name string, most int) int {
	p, _ := s.parameter(name)
	if high, bounded := p.Raw.At("maximum").Float(); bounded {
		most = min(most, int(high))
	}
	sizes := s.EnumOf(p)
	if len(sizes) == 0 {
		return most
	}
	best, _ := s.smallest(name)
	for _, v := range sizes {
		if size, number := v.Float(); number && int(size) <= most {
			best = max(best, int(size))
		}
	}
	return best
}

// opening is the request for a first page as small as may be.
func (s Subject) opening(st style) probes.Probe {
	n, _ := s.smallest(st.size)
	return s.ValidCall().With(st.size, n)
}

// collectionNames are what the array of a page is usually called.
var collectionNames = strings.Fields("items edges results nodes records entries rows data")

// collection returns the items of an answered page: those of the array that has one
// of the usual names, or of the only array there is. name is empty where data itself
// is the array; ok is false where no array can be told to be the collection.
func collection(data probes.Value) (items []probes.Value, name string, ok bool) {
	if data.Is(probes.Array) {
		return unwrapped(data.Items()), "", true
	}
	for _, usual := range collectionNames {
		if v := data.At(usual); v.Is(probes.Array) {
			return unwrapped(v.Items()), usual, true
		}
	}
	arrays := 0
	for _, m := range data.Members() {
		switch {
		case m.Value.Is(probes.Array):
			items, name, arrays = m.Value.Items(), m.Name, arrays+1
		case m.Value.Is(probes.Object):
			if inner, of, found := collection(m.Value); found {
				items, name, arrays = inner, m.Name+"."+of, arrays+1
			}
		}
	}
	return unwrapped(items), name, arrays == 1
}

// unwrapped takes the nodes out of edges.
func unwrapped(items []probes.Value) []probes.Value {
	if len(items) == 0 || slices.ContainsFunc(items, func(v probes.Value) bool { return !v.Has("node") || !v.Has("cursor") }) {
		return items
	}
	nodes := make([]probes.Value, 0, len(items))
	for _, edge := range items {
		nodes = append(nodes, edge.At("node"))
	}
	return nodes
}

// plenty is what proves something about pages: a collection of two items or more.
const plenty = "a collection of two items or more"

// several returns the items of an answer, or why they prove nothing about pages.
func several(o probes.Observation) (items []probes.Value, why *Ruling) {
	items, _, ok := collection(o.Data())
	switch {
	case !o.Succeeded():
		r := NotProven("the request without a page size to succeed", o)
		return nil, &r
	case !ok:
		r := NotProven("an array that is the collection", o.Data()).By(o)
		return nil, &r
	case len(items) < 2:
		r := NotProven(plenty, len(items)).By(o)
		return nil, &r
	}
	return items, nil
}

// A position is what an answer says about where its page stands.
type position struct{ more, cursor probes.Value }

// positionOf reads pageInfo, or what stands in its place elsewhere.
func positionOf(o probes.Observation) position {
	if info := o.Data().At("pageInfo"); info.Is(probes.Object) {
		return position{info.At("hasNextPage"), info.At("endCursor")}
	}
	return position{o.Envelope().HasMore(), o.Envelope().NextCursor()}
}

// says reports whether the description of a parameter matches.
func (s Subject) says(name string, words *regexp.Regexp) bool {
	p, ok := s.parameter(name)
	return ok && words.MatchString(p.Raw.At("description").Text())
}

// named returns those of the names that the operation documents.
func (s Subject) named(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !s.Op.HasParameter(name) })
}
