package pagination

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Operations document, section 4.2.
var cursorPagingUsesFirstAndAfter = check.Check{
	Requirement: "OPS-4.2-02",
	Rule:        "Cursor paging takes first and after (last and before backwards): numbers for sizes, strings for cursors.",
	Why:         "A client that has used first and after on one adapter can use them on the next.",
	On:          model.Only(model.EachDomain, func(s model.Subject) bool { return s.Op.Category == "READ" && len(check.CursorParameters(s)) > 0 }),
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		const want = "first, a number, and after, a string"
		used := check.CursorParameters(s)
		if i := slices.IndexFunc(used, func(name string) bool { return !slices.Contains(strings.Fields("first after last before"), name) }); i >= 0 {
			return ruling.Violates(want, "the parameter "+used[i])
		}
		for name, other := range map[string]string{"after": "first", "before": "last"} {
			if slices.Contains(used, name) && !s.Op.HasParameter(other) {
				return ruling.Violates(want, name+" without "+other)
			}
		}
		for _, name := range used {
			if r := pagingType(s, name, want, map[string]string{"first": "number", "last": "number"}[name]); r.Verdict != ruling.Conforms().Verdict {
				return r
			}
		}
		return ruling.Conforms()
	},
	Fix: "page by first and after, backwards by last and before",
}

// pagingType rules on the type of a paging parameter: a number, or else text.
func pagingType(s model.Subject, name, want, kind string) ruling.Ruling {
	p, _ := check.Parameter(s, name)
	_, understood := s.Kinds(p.Type)
	switch {
	case !understood:
		return ruling.NotProven("a type of "+name+" that is understood", probes.ValueOf(p.Type))
	case kind == "number" && !check.IsNumeric(s, name), kind != "number" && !check.IsText(s, name):
		return ruling.Violates(want, name+" of type "+p.Type)
	}
	return ruling.Conforms()
}

// Operations document, section 4.2.
var offsetPagingUsesStandardNames = check.Check{
	Requirement: "OPS-4.2-03",
	Rule:        "Offset paging takes limit and offset, page paging page and page_size, all numbers.",
	Why:         "A parameter name should mean the same in every adapter.",
	On:          model.Only(model.EachDomain, check.PagesByOffset),
	Ask: func(s model.Subject) []probes.Probe {
		_, size := check.OffsetParameters(s)
		n, ok := check.SmallestPage(s, size[0])
		ps := model.Details(s)
		if ok && s.KnownGoodRequest().State == model.Proven {
			ps = append(ps, s.ValidCall().As("paging by its names: whole"), s.ValidCall().With(size[0], n).As("paging by its names: smallest page"))
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		const want = "limit and offset, or page and page_size, all numbers"
		from, size := check.OffsetParameters(s)
		for _, st := range []check.PagingStyle{check.OffsetStyle, check.PageStyle} {
			if slices.Contains(from, st.From) && slices.Contains(size, st.Size) {
				return ruling.Worst(pagingType(s, st.Size, want, "number"), pagingType(s, st.From, want, "number"))
			}
		}
		// Any domain may have a count or a page of its own: a page size shows by shorter answers.
		whole, short := got.Step("paging by its names: whole"), got.Step("paging by its names: smallest page")
		all, why := check.SeveralItems(whole)
		page, _, _ := check.Collection(short.Data())
		n, _ := check.SmallestPage(s, size[0])
		switch {
		case why != nil:
			return *why
		case !short.Succeeded() || len(all) <= n:
			return ruling.NotProven("a collection of more items than the smallest page", short).By(whole)
		case len(page) > n:
			return ruling.NotApplicable("does not hold: "+size[0]+" is the size of a page").By(short, whole)
		}
		return ruling.Violates(want, from[0]+" and "+size[0]).By(short, whole)
	},
	Fix: "page by limit and offset, or by page and page_size",
}

// eachPagingDefault is every default of a parameter that says how much or from
// where, on operations that page.
func eachPagingDefault(f *model.Adapter) []model.Subject {
	return model.Only(model.EachParameterWith("default"), func(s model.Subject) bool {
		pages := slices.ContainsFunc([]check.PagingStyle{check.CursorStyle, check.OffsetStyle, check.PageStyle}, func(st check.PagingStyle) bool { return check.OffersPaging(s, st) })
		return pages && slices.Contains(strings.Fields("page page_size limit first last"), s.Par.Name) && !s.Par.Raw.At("default").Is(probes.Null)
	})(f)
}

// Operations document, section 4.4.2.
var pagingDefaultsAreSensible = check.Check{
	Requirement: "OPS-4.4.2-03",
	Rule:        "Page sizes default consistently (sample value 25) and page numbers start at 1.",
	Why:         "The first page is page 1, and a size that nobody asked for has to be one that could be asked for.",
	On:          eachPagingDefault,
	Ask:         model.Details,
	Judge: func(s model.Subject, _ probes.Answers) ruling.Ruling {
		v := s.Par.Raw.At("default")
		n, number := v.Float()
		high, bounded := check.NumericBound(s, "maximum")
		pair, reversed := check.ReversedBounds(s)
		switch {
		case reversed:
			return ruling.NotProven("limits that some value fits", pair).Because("INT-3.4-15")
		case !number:
			return ruling.NotProven("a default that is a number", v).Because("INT-3.4-05")
		case s.Par.Name == "page" && n < 1:
			return ruling.Violates("pages counted from 1", "page "+v.String()+" by default")
		case bounded && n > high:
			return ruling.Violates("a default within the bounds of "+check.Quoted(s.Par.Name), v)
		}
		return ruling.Conforms()
	},
	Fix: "start at page 1, and let the default size lie within its own bounds",
}
