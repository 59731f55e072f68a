package suites

import (
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// openings asks for a first page in each style that the operation offers, after the
// request without a size.
func openings(s Subject) []probes.Probe {
	ps := []probes.Probe{s.ValidCall()}
	for _, st := range []style{cursorStyle, offsetStyle, pageStyle} {
		if _, ok := s.smallest(st.size); ok && s.offers(st) {
			ps = append(ps, s.opening(st))
		}
	}
	return ps
}

// Operations document, section 4.4.3. Where the page stands is looked for beside the
// items, under one name.
var _ = register(Check{
	Requirement: "OPS-4.4.3-02",
	On:          paged(cursorStyle),
	Ask:         openings,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		const want = "data.pageInfo beside items or edges"
		page := got[min(1, len(got)-1)]
		items, name, _ := collection(page.Data())
		switch {
		case !page.Succeeded():
			return NotProven("an answer to a first page", page).Because("INT-4.1.1-15")
		case !page.Data().At("pageInfo").Is(probes.Object):
			return Violates(want, page.Data()).By(page, got[0])
		case !page.Data().At("items").Is(probes.Array) && !page.Data().At("edges").Is(probes.Array) && (len(items) > 0 || name != ""):
			return Violates(want, "the items in "+name).By(page)
		}
		return Conforms().By(page)
	},
	Fix: "answer {items: […], pageInfo: {hasNextPage, hasPreviousPage, startCursor, endCursor}}",
})

// informed judges each answer that carries pageInfo.
func informed(judge func(info probes.Value, o probes.Observation) Ruling) func(Subject, []probes.Observation) Ruling {
	return func(_ Subject, got []probes.Observation) Ruling {
		var rs []Ruling
		for _, o := range got {
			if info := o.Data().At("pageInfo"); info.Is(probes.Object) {
				rs = append(rs, judge(info, o).By(o))
			}
		}
		if len(rs) == 0 {
			return NotApplicable("does not hold: data.pageInfo is present")
		}
		return Worst(rs...)
	}
}

// Operations document, section 4.4.3. The text "false" is true in most languages.
var _ = register(Check{
	Requirement: "OPS-4.4.3-03",
	On:          paged(cursorStyle),
	Ask:         openings,
	Judge: informed(func(info probes.Value, _ probes.Observation) Ruling {
		for _, name := range []string{"hasNextPage", "hasPreviousPage"} {
			if v := info.At(name); !v.Is(probes.Boolean) {
				return Violates("a boolean pageInfo."+name, v)
			}
		}
		return Conforms()
	}),
	Fix: "answer hasNextPage and hasPreviousPage as true or false",
})

// Operations document, section 4.4.3. The cursor goes back as it came, into a
// parameter that is text.
var _ = register(Check{
	Requirement: "OPS-4.4.3-05",
	On:          paged(cursorStyle),
	Ask:         openings,
	Judge: informed(func(info probes.Value, o probes.Observation) Ruling {
		items, _, ok := collection(o.Data())
		if !ok || len(items) == 0 {
			return NotProven("a page with items", len(items))
		}
		for _, name := range []string{"startCursor", "endCursor"} {
			if v := info.At(name); !v.Is(probes.String) || v.Text() == "" {
				return Violates("text in pageInfo."+name, v)
			}
		}
		return Conforms()
	}),
	Fix: "answer startCursor and endCursor as text on every page with items",
})

// Operations document, section 4.4.3. A total is counted with.
var _ = register(Check{
	Requirement: "OPS-4.4.3-07",
	On:          paged(cursorStyle),
	Ask:         openings,
	Judge: informed(func(info probes.Value, _ probes.Observation) Ruling {
		total := info.At("totalCount")
		n, _ := total.Float()
		switch {
		case total.Is(probes.Absent):
			return NotApplicable("does not hold: pageInfo.totalCount is present")
		case !total.Whole() || n < 0:
			return Violates("a whole number pageInfo.totalCount", total)
		}
		return Conforms()
	}),
	Fix: "answer totalCount as a number, or leave it out",
})

// totalMembers say how much there is, followers how to go on: where either stands,
// a client knows whether more follows.
var (
	totalMembers = strings.Fields("totalCount total_count totalItems total_items total totalPages total_pages")
	followers    = strings.Fields("nextCursor next_cursor nextPageToken next_page_token next_token next_page nextPage next_offset nextOffset next")
)

// Operations document, section 4.4.3. Without a total and without a flag the end of
// a collection is found only by asking for a page too many.
var _ = register(Check{
	Requirement: "OPS-4.4.3-13",
	On:          paged(cursorStyle, offsetStyle, pageStyle),
	Ask:         openings,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		all, why := several(got[0])
		if why != nil {
			return *why
		}
		var rs []Ruling
		for _, page := range got[1:] {
			items, _, _ := collection(page.Data())
			switch {
			case !page.Succeeded() || len(items) >= len(all):
				rs = append(rs, NotProven("a page smaller than the collection", page).By(got[0]))
			case tells(page.Envelope(), totalMembers) || hasValue(page.Envelope().HasMore()) || tells(page.Envelope(), followers):
				rs = append(rs, Conforms().By(page))
			default:
				rs = append(rs, Violates("a total, or a flag that says whether more follows", page.Data()).By(page, got[0]))
			}
		}
		return Worst(rs...)
	},
	Fix: "answer has_more or hasNextPage, or a total",
})

// tells reports whether one of the members says something.
func tells(v probes.Value, names []string) bool {
	return hasValue(v.MemberNamed(names...))
}

func hasValue(v probes.Value) bool { return !v.Is(probes.Absent) && !v.Is(probes.Null) }

var snakeMember = regexp.MustCompile(`\A[a-z_][a-z0-9_]*\z`)

// Operations document, section 4.4.3. The metadata of the compatible styles are
// spelt like the parameters that they answer.
var _ = register(Check{
	Requirement: "OPS-4.4.3-14",
	On:          paged(cursorStyle, offsetStyle, pageStyle),
	Ask:         openings,
	Judge: func(_ Subject, got []probes.Observation) Ruling {
		rs := []Ruling{NotApplicable("does not hold: data.pagination is present")}
		for _, o := range got {
			for _, name := range o.Data().At("pagination").Names() {
				if snakeMember.MatchString(name) {
					rs = append(rs, Conforms().By(o))
				} else {
					rs = append(rs, Violates("members of data.pagination in snake_case", name).By(o))
				}
			}
		}
		return Worst(rs...)
	},
	Fix: "spell the members of data.pagination in snake_case",
})
