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

// A PagingStyle is one of the three ways of paging in section 4.2 of the operations document: the
// parameter for the page size and the one for the position.
type PagingStyle struct{ Size, From string }

var (
	CursorStyle = PagingStyle{"first", "after"}
	OffsetStyle = PagingStyle{"limit", "offset"}
	PageStyle   = PagingStyle{"page_size", "page"}
)

// OffersPaging reports whether the operation documents the style with suitable types. A domain may
// use the same names: after may be a date, first a name.
func OffersPaging(s model.Subject, style PagingStyle) bool {
	if style == CursorStyle {
		return IsNumeric(s, style.Size) && IsText(s, style.From) && !isTime(s, style.From)
	}
	return IsNumeric(s, style.Size) && IsNumeric(s, style.From)
}

// isTime reports whether a parameter is a time by its format or description.
func isTime(s model.Subject, name string) bool {
	p, _ := Parameter(s, name)
	return strings.HasPrefix(p.Raw.At("format").Text(), "date") || DescriptionMatches(s, name, timePattern) && !DescriptionMatches(s, name, cursorPattern)
}

// IsListing reports whether an operation returns a collection, by its name or its answer.
func IsListing(s model.Subject) bool {
	_, _, ok := Collection(s.KnownGoodRequest().Reply.Data())
	return slices.Contains(ListVerbs, s.Verb(s.Name)) || s.KnownGoodRequest().State == model.Proven && ok
}

// MayPage reports whether a READ lists and has optional parameters that may be the size of a page and where it
// begins. Names are no evidence, because they may be of any language.
func MayPage(s model.Subject) bool {
	numbers := len(Unset(s, IsNumeric))
	return s.Op.Category == "READ" && IsListing(s) && numbers > 0 && numbers+len(Unset(s, IsText)) > 1
}

// Unset returns the optional parameters of a kind that the valid request leaves out and that take more
// than a few values.
func Unset(s model.Subject, is func(model.Subject, string) bool) (names []string) {
	for _, p := range s.Op.Parameters {
		if _, set := s.ValidCall().Params()[p.Name]; !set && !p.Required && len(s.EnumOf(p)) == 0 && is(s, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// IsNumeric reports whether a parameter is documented as a number.
func IsNumeric(s model.Subject, name string) bool { return HasKind(s, name, "number", "integer") }

// IsText reports whether a parameter is documented as a string.
func IsText(s model.Subject, name string) bool { return HasKind(s, name, "string") }

// HasKind reports whether a parameter is documented with one of the JSON kinds.
func HasKind(s model.Subject, name string, wanted ...string) bool {
	p, ok := Parameter(s, name)
	kinds, understood := s.Kinds(p.Type)
	return ok && understood && slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(wanted, k) })
}

// EachPaged returns every READ operation that offers one of the styles. Without a successful
// request it is not proven.
func EachPaged(styles ...PagingStyle) func(*model.Adapter) []model.Subject {
	return model.Only(model.EachProven, func(s model.Subject) bool {
		return s.Op.Category == "READ" && slices.ContainsFunc(styles, func(style PagingStyle) bool { return OffersPaging(s, style) })
	})
}

// SmallestPage returns the smallest documented page size, or 1 without a bound. ok is false if that
// number does not fit the record.
func SmallestPage(s model.Subject, name string) (n int, ok bool) {
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

// FirstPage is the request for the smallest first page.
func FirstPage(s model.Subject, style PagingStyle) probes.Probe {
	n, _ := SmallestPage(s, style.Size)
	return s.ValidCall().With(style.Size, n)
}

// collectionNames are the usual names of the array of a page.
var collectionNames = strings.Fields("items edges results nodes records entries rows data")

// Collection returns the items of a page: those of the array with a usual name, or of the only
// array. name is empty if data is the array. ok is false if there is no unique array.
func Collection(data probes.Value) (items []probes.Value, name string, ok bool) {
	if data.Is(probes.Array) {
		return unwrapEdges(data.Items()), "", true
	}
	for _, usual := range collectionNames {
		if v := data.At(usual); v.Is(probes.Array) {
			return unwrapEdges(v.Items()), usual, true
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
	return unwrapEdges(items), name, arrays == 1
}

// unwrapEdges returns the nodes of edges.
func unwrapEdges(items []probes.Value) []probes.Value {
	bare := func(v probes.Value) bool { return !v.Has("node") || !v.Has("cursor") && len(v.Members()) > 1 }
	if len(items) == 0 || slices.ContainsFunc(items, bare) {
		return items
	}
	nodes := make([]probes.Value, 0, len(items))
	for _, edge := range items {
		nodes = append(nodes, edge.At("node"))
	}
	return nodes
}

const wantSeveralItems = "a collection of two items or more"

// SeveralItems returns the items of an answer, or why they prove nothing about paging.
func SeveralItems(o probes.Observation) (items []probes.Value, why *ruling.Ruling) {
	items, _, ok := Collection(o.Data())
	switch {
	case !o.Succeeded():
		r := ruling.NotProven("the request without a page size to succeed", o)
		return nil, &r
	case !ok:
		r := ruling.NotProven("an array that is the collection", o.Data()).By(o)
		return nil, &r
	case len(items) < 2:
		r := ruling.NotProven(wantSeveralItems+" when it is asked, before the run makes objects", len(items)).By(o).
			Mend("start the adapter with two objects or more that each listing shows")
		return nil, &r
	}
	return items, nil
}

// A pagePosition is the paging information of an answer.
type pagePosition struct{ More, Cursor probes.Value }

// PositionOf reads pageInfo, or its usual alternatives.
func PositionOf(o probes.Observation) pagePosition {
	if info := o.Data().At("pageInfo"); info.Is(probes.Object) {
		return pagePosition{info.At("hasNextPage"), info.At("endCursor")}
	}
	return pagePosition{o.Envelope().HasMore(), o.Envelope().NextCursor()}
}

// DescriptionMatches reports whether the description of a parameter matches.
func DescriptionMatches(s model.Subject, name string, words *regexp.Regexp) bool {
	p, ok := Parameter(s, name)
	return ok && words.MatchString(p.Raw.At("description").Text())
}

// DocumentedAmong returns those of the names that the operation documents.
func DocumentedAmong(s model.Subject, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !s.Op.HasParameter(name) })
}

// ItemTotals are the usual names of the number of all items, TotalMembers those of pages as well.
var (
	ItemTotals   = strings.Fields("totalCount total_count totalItems total_items total")
	TotalMembers = append(slices.Clone(ItemTotals), "totalPages", "total_pages")
)

// HasAnyValue reports whether one of the members has a value.
func HasAnyValue(v probes.Value, names []string) bool {
	return HasValue(v.MemberNamed(names...))
}

// HasValue reports whether a value is neither absent nor null.
func HasValue(v probes.Value) bool { return !v.Is(probes.Absent) && !v.Is(probes.Null) }
