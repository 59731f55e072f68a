package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Words that adapters use where the operations document (4.2) has first and after,
// limit and offset, page and page_size; and what a description says of them.
var (
	cursorWords = strings.Fields(`cursor page_token pageToken next_token nextToken next_cursor nextCursor starting_after continuation_token
		continuation after_cursor page_cursor scroll_id`)
	fromNames = strings.Fields("offset page skip start start_index start_at page_number pageNumber page_no page_index")
	sizeNames = strings.Fields("limit page_size pageSize take top per_page perPage max_results maxResults max_items count size")

	ofCursors = regexp.MustCompile(`(?i)cursor|page|continu|token`)
	ofTimes   = regexp.MustCompile(`(?i)\bdate|\btime|\bday\b|iso ?8601|created|updated|since`)
	OfItems   = regexp.MustCompile(`(?i)\bitems?\b|result|entr(y|ies)|record|\bpages?\b|\brows?\b|return|\bskip|at most|how many`)
)

// Cursors returns the parameters of an operation that mean paging by cursor.
func Cursors(s model.Subject) []string {
	var all []string
	for _, pair := range []Style{CursorStyle, {"last", "before"}} {
		both := s.Op.HasParameter(pair.Size) && s.Op.HasParameter(pair.From) && !dated(s, pair.From)
		if both && (Counts(s, pair.Size) || Says(s, pair.Size, OfItems) || Says(s, pair.From, ofCursors)) {
			all = append(all, pair.Size, pair.From)
		}
	}
	for _, name := range append(Named(s, cursorWords), Named(s, []string{"after", "before"})...) {
		if !slices.Contains(all, name) && Says(s, name, ofCursors) {
			all = append(all, name)
		}
	}
	return all
}

// Offsets returns the parameters by which an operation pages by offset or number:
// one that says from where and one that says how much. The standard pairs are
// believed as they stand, other names by what their description says.
func Offsets(s model.Subject) (from, size []string) {
	meant := func(name string) bool {
		standard := slices.ContainsFunc([]Style{OffsetStyle, PageStyle}, func(st Style) bool {
			return (name == st.Size || name == st.From) && s.Op.HasParameter(st.Size) && s.Op.HasParameter(st.From)
		})
		return standard || Says(s, name, OfItems)
	}
	from = slices.DeleteFunc(Named(s, fromNames), func(name string) bool { return !meant(name) })
	size = slices.DeleteFunc(Named(s, sizeNames), func(name string) bool { return !meant(name) })
	return from, size
}

func Skips(s model.Subject) bool {
	from, size := Offsets(s)
	return s.Op.Category == "READ" && ListsMany(s) && len(from) > 0 && len(size) > 0
}

// Apart is what tells the items of a collection apart: a member that each has,
// with another value on each, else the whole item. ok is false where two are equal.
// same says when two items are one: a member that is no identifier by its name alone
// may differ on one page by chance, as the author of each change.
func Apart(items []probes.Value) (of, same func(probes.Value) string, ok bool) {
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
		if values := Column(items, name); rank(name) < 3 && len(values) == len(items) && Distinct(values) == len(items) {
			of = func(v probes.Value) string { return v.At(name).Canonical(nil) }
			if rank(name) == 0 {
				return of, of, true
			}
			return of, func(v probes.Value) string { return of(v) + whole(v) }, true
		}
	}
	return whole, whole, len(items) == len(KeysOf(items, whole))
}

func KeysOf(items []probes.Value, of func(probes.Value) string) []string {
	var all []string
	for _, item := range items {
		all = append(all, of(item))
	}
	slices.Sort(all)
	return slices.Compact(all)
}
