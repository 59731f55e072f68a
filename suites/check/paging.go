package check

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A Style is one of the three ways of paging that the operations document knows
// (4.2): the parameter that says how much, and the one that says from where.
type Style struct{ Size, From string }

var (
	CursorStyle = Style{"first", "after"}
	OffsetStyle = Style{"limit", "offset"}
	PageStyle   = Style{"page_size", "page"}
)

// Offers reports whether the operation documents the style with usable types. A
// domain has parameters of these names too: after may be a day, first a name.
func Offers(s model.Subject, st Style) bool {
	if st == CursorStyle {
		return Counts(s, st.Size) && HoldsText(s, st.From) && !dated(s, st.From)
	}
	return Counts(s, st.Size) && Counts(s, st.From)
}

// dated reports whether a parameter is a time by its format or description.
func dated(s model.Subject, name string) bool {
	p, _ := Parameter(s, name)
	return strings.HasPrefix(p.Raw.At("format").Text(), "date") || Says(s, name, ofTimes) && !Says(s, name, ofCursors)
}

// ListsMany reports whether an operation answers a collection, as far as its name or its
// answer tells.
func ListsMany(s model.Subject) bool {
	_, _, ok := Collection(s.KnownGoodRequest().Reply.Data())
	return slices.Contains(ListVerbs, model.Verb(s.Name)) || s.KnownGoodRequest().State == model.Proven && ok
}

// Counts reports whether a parameter is documented as a number.
func Counts(s model.Subject, name string) bool { return OfKind(s, name, "number", "integer") }

// HoldsText reports whether a parameter is documented as text.
func HoldsText(s model.Subject, name string) bool { return OfKind(s, name, "string") }

func OfKind(s model.Subject, name string, wanted ...string) bool {
	p, ok := Parameter(s, name)
	kinds, understood := s.Kinds(p.Type)
	return ok && understood && slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(wanted, k) })
}

// Paged is every READ operation that offers one of the styles, those without a
// request that works settled as not proven.
func Paged(styles ...Style) func(*model.Adapter) []model.Subject {
	return model.Only(model.EachProven, func(s model.Subject) bool {
		return s.Op.Category == "READ" && slices.ContainsFunc(styles, func(st Style) bool { return Offers(s, st) })
	})
}

// Smallest is the least size of a page that the parameter documents, 1 without any
// bound; ok is false when no number fits its record.
func Smallest(s model.Subject, name string) (n int, ok bool) {
	p, _ := Parameter(s, name)
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

// Opening is the request for a first page as small as may be.
func Opening(s model.Subject, st Style) probes.Probe {
	n, _ := Smallest(s, st.Size)
	return s.ValidCall().With(st.Size, n)
}

// collectionNames are what the array of a page is usually called.
var collectionNames = strings.Fields("items edges results nodes records entries rows data")

// Collection returns the items of an answered page: those of the array that has one
// of the usual names, or of the only array there is. name is empty where data itself
// is the array; ok is false where no array can be told to be the collection.
func Collection(data probes.Value) (items []probes.Value, name string, ok bool) {
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
			if inner, of, found := Collection(m.Value); found {
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

// Several returns the items of an answer, or why they prove nothing about pages.
func Several(o probes.Observation) (items []probes.Value, why *ruling.Ruling) {
	items, _, ok := Collection(o.Data())
	switch {
	case !o.Succeeded():
		r := ruling.NotProven("the request without a page size to succeed", o)
		return nil, &r
	case !ok:
		r := ruling.NotProven("an array that is the collection", o.Data()).By(o)
		return nil, &r
	case len(items) < 2:
		r := ruling.NotProven(plenty, len(items)).By(o)
		return nil, &r
	}
	return items, nil
}

// A position is what an answer says about where its page stands.
type position struct{ More, Cursor probes.Value }

// PositionOf reads pageInfo, or what stands in its place elsewhere.
func PositionOf(o probes.Observation) position {
	if info := o.Data().At("pageInfo"); info.Is(probes.Object) {
		return position{info.At("hasNextPage"), info.At("endCursor")}
	}
	return position{o.Envelope().HasMore(), o.Envelope().NextCursor()}
}

// Says reports whether the description of a parameter matches.
func Says(s model.Subject, name string, words *regexp.Regexp) bool {
	p, ok := Parameter(s, name)
	return ok && words.MatchString(p.Raw.At("description").Text())
}

// Named returns those of the names that the operation documents.
func Named(s model.Subject, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !s.Op.HasParameter(name) })
}

var TotalMembers = strings.Fields("totalCount total_count totalItems total_items total totalPages total_pages")

// Tells reports whether one of the members says something.
func Tells(v probes.Value, names []string) bool {
	return HasValue(v.MemberNamed(names...))
}

func HasValue(v probes.Value) bool { return !v.Is(probes.Absent) && !v.Is(probes.Null) }
