package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Names that adapters use for the paging parameters of section 4.2 of the operations document, and
// patterns of their descriptions.
var (
	cursorNames = strings.Fields(`cursor page_token pageToken next_token nextToken next_cursor nextCursor starting_after continuation_token
		continuation after_cursor page_cursor scroll_id`)
	fromNames = strings.Fields("offset page skip start start_index start_at page_number pageNumber page_no page_index")
	sizeNames = strings.Fields("limit page_size pageSize take top per_page perPage max_results maxResults max_items count size")

	cursorPattern = regexp.MustCompile(`(?i)cursor|page|continu|token`)
	timePattern   = regexp.MustCompile(`(?i)\bdate|\btime|\bday\b|iso ?8601|created|updated|since`)
	ItemPattern   = regexp.MustCompile(`(?i)\bitems?\b|result|entr(y|ies)|record|\bpages?\b|\brows?\b|return|\bskip|at most|how many`)
)

// CursorParameters returns the parameters of an operation for paging by cursor.
func CursorParameters(s model.Subject) []string {
	var all []string
	for _, pair := range []PagingStyle{CursorStyle, {"last", "before"}} {
		both := s.Op.HasParameter(pair.Size) && s.Op.HasParameter(pair.From) && !isTime(s, pair.From)
		if both && (IsNumeric(s, pair.Size) || DescriptionMatches(s, pair.Size, ItemPattern) || DescriptionMatches(s, pair.From, cursorPattern)) {
			all = append(all, pair.Size, pair.From)
		}
	}
	for _, name := range append(DocumentedAmong(s, cursorNames), DocumentedAmong(s, []string{"after", "before"})...) {
		if !slices.Contains(all, name) && DescriptionMatches(s, name, cursorPattern) && !isTime(s, name) && IsListing(s) {
			all = append(all, name)
		}
	}
	return all
}

// OffsetParameters returns the parameters of an operation for paging by offset or page number:
// position and size. A standard pair counts by its names, other parameters by their description.
func OffsetParameters(s model.Subject) (from, size []string) {
	meant := func(name string) bool {
		standard := slices.ContainsFunc([]PagingStyle{OffsetStyle, PageStyle}, func(style PagingStyle) bool {
			return (name == style.Size || name == style.From) && s.Op.HasParameter(style.Size) && s.Op.HasParameter(style.From)
		})
		return standard || DescriptionMatches(s, name, ItemPattern) && !isTime(s, name)
	}
	from = slices.DeleteFunc(DocumentedAmong(s, fromNames), func(name string) bool { return !meant(name) })
	size = slices.DeleteFunc(DocumentedAmong(s, sizeNames), func(name string) bool { return !meant(name) })
	return from, size
}

// PagesByOffset reports whether a READ lists a collection by offset or page number.
func PagesByOffset(s model.Subject) bool {
	from, size := OffsetParameters(s)
	return s.Op.Category == "READ" && IsListing(s) && len(from) > 0 && len(size) > 0
}

// ItemKeys returns two functions that identify the items of a collection. of uses a member whose
// values are all different, or the whole item; same also compares the rest, unless the member is an
// identifier by its name. ok is false if two items are equal.
func ItemKeys(items []probes.Value) (of, same func(probes.Value) string, ok bool) {
	names := []string{}
	if len(items) > 0 {
		names = items[0].Names()
	}
	rank := func(name string) int {
		switch {
		case slices.Contains([]string{"id", "_id", "uuid", "key", "slug"}, name):
			return 0
		case strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "_number"):
			return 1
		case name == "name":
			return 2
		}
		return 3
	}
	slices.SortStableFunc(names, func(x, y string) int { return rank(x) - rank(y) })
	whole := func(v probes.Value) string { return v.Canonical(model.Volatile) }
	for _, name := range names {
		if values := Column(items, name); rank(name) < 3 && len(values) == len(items) && CountDistinct(values) == len(items) {
			of = func(v probes.Value) string { return v.At(name).Canonical(nil) }
			if rank(name) == 0 {
				return of, of, true
			}
			return of, func(v probes.Value) string { return of(v) + whole(v) }, true
		}
	}
	return whole, whole, len(items) == len(KeysOf(items, whole))
}

// KeysOf returns the distinct keys of the items, sorted.
func KeysOf(items []probes.Value, of func(probes.Value) string) []string {
	var all []string
	for _, item := range items {
		all = append(all, of(item))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
