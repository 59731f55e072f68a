package suites

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
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
	ofItems   = regexp.MustCompile(`(?i)\bitems?\b|result|entr(y|ies)|record|\bpages?\b|\brows?\b|return|\bskip|at most|how many`)
)

// cursors returns the parameters of an operation that mean paging by cursor.
func cursors(s Subject) []string {
	var all []string
	for _, pair := range []style{cursorStyle, {"last", "before"}} {
		both := s.Op.HasParameter(pair.size) && s.Op.HasParameter(pair.from) && !s.dated(pair.from)
		if both && (s.counts(pair.size) || s.says(pair.size, ofItems) || s.says(pair.from, ofCursors)) {
			all = append(all, pair.size, pair.from)
		}
	}
	for _, name := range append(s.named(cursorWords), s.named([]string{"after", "before"})...) {
		if !slices.Contains(all, name) && s.says(name, ofCursors) {
			all = append(all, name)
		}
	}
	return all
}

// Operations document, section 4.2. Whoever has paged through one adapter by first
// and after can page through the next without reading up.
var _ = register(Check{
	Requirement: "OPS-4.2-02",
	On:          only(eachDomain, func(s Subject) bool { return s.Op.Category == "READ" && len(cursors(s)) > 0 }),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		const want = "first, a number, and after, a string"
		used := cursors(s)
		if i := slices.IndexFunc(used, func(name string) bool { return !slices.Contains(strings.Fields("first after last before"), name) }); i >= 0 {
			return Violates(want, "the parameter "+used[i])
		}
		for name, other := range map[string]string{"after": "first", "before": "last"} {
			if slices.Contains(used, name) && !s.Op.HasParameter(other) {
				return Violates(want, name+" without "+other)
			}
		}
		for _, name := range used {
			if r := pagingType(s, name, want, map[string]string{"first": "number", "last": "number"}[name]); r.verdict != Conforms().verdict {
				return r
			}
		}
		return Conforms()
	},
	Fix: "page by first and after, backwards by last and before",
})

// pagingType rules on the type of a paging parameter: a number, or else text.
func pagingType(s Subject, name, want, kind string) Ruling {
	p, _ := s.parameter(name)
	_, understood := s.Kinds(p.Type)
	switch {
	case !understood:
		return NotProven("a type of "+name+" that is understood", probes.ValueOf(p.Type))
	case kind == "number" && !s.counts(name), kind != "number" && !s.holdsText(name):
		return Violates(want, name+" of type "+p.Type)
	}
	return Conforms()
}

// offsets returns the parameters by which an operation pages by offset or number:
// one that says from where and one that says how much. The standard pairs are
// believed as they stand, other names by what their description says.
func offsets(s Subject) (from, size []string) {
	meant := func(name string) bool {
		standard := slices.ContainsFunc([]style{offsetStyle, pageStyle}, func(st style) bool {
			return (name == st.size || name == st.from) && s.Op.HasParameter(st.size) && s.Op.HasParameter(st.from)
		})
		return standard || s.says(name, ofItems)
	}
	from = slices.DeleteFunc(s.named(fromNames), func(name string) bool { return !meant(name) })
	size = slices.DeleteFunc(s.named(sizeNames), func(name string) bool { return !meant(name) })
	return from, size
}

func skips(s Subject) bool {
	from, size := offsets(s)
	return s.Op.Category == "READ" && s.lists() && len(from) > 0 && len(size) > 0
}

// Operations document, section 4.2. What skips in one adapter and takes in another
// has to be looked up in each.
var _ = register(Check{
	Requirement: "OPS-4.2-03",
	On:          only(eachDomain, skips),
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		const want = "limit and offset, or page and page_size, all numbers"
		from, size := offsets(s)
		for _, st := range []style{offsetStyle, pageStyle} {
			if slices.Contains(from, st.from) && slices.Contains(size, st.size) {
				return Worst(pagingType(s, st.size, want, "number"), pagingType(s, st.from, want, "number"))
			}
		}
		return Violates(want, from[0]+" and "+size[0])
	},
	Fix: "page by limit and offset, or by page and page_size",
})

// eachPagingDefault is every default of a parameter that says how much or from
// where, on operations that page.
func eachPagingDefault(f *Face) []Subject {
	return only(eachWith("default"), func(s Subject) bool {
		pages := slices.ContainsFunc([]style{cursorStyle, offsetStyle, pageStyle}, s.offers)
		return pages && slices.Contains(strings.Fields("page page_size limit first last"), s.Par.Name) && !s.Par.Raw.At("default").Is(probes.Null)
	})(f)
}

// Operations document, section 4.4.2. The first page is page 1, and a size that
// nobody asked for has to be one that could be asked for.
var _ = register(Check{
	Requirement: "OPS-4.4.2-03",
	On:          eachPagingDefault,
	Ask:         details,
	Judge: func(s Subject, _ []probes.Observation) Ruling {
		v := s.Par.Raw.At("default")
		n, number := v.Float()
		high, bounded := s.bound("maximum")
		switch {
		case !number:
			return NotProven("a default that is a number", v).Because("INT-3.4-05")
		case s.Par.Name == "page" && n < 1:
			return Violates("pages counted from 1", "page "+v.String()+" by default")
		case bounded && n > high:
			return Violates("a default within the bounds of "+cited(s.Par.Name), v)
		}
		return Conforms()
	},
	Fix: "start at page 1, and let the default size lie within its own bounds",
})
