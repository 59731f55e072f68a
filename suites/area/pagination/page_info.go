package pagination

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// openings asks for a first page in each style that the operation offers, after the
// request without a size.
func openings(s model.Subject) []probes.Probe {
	ps := []probes.Probe{s.ValidCall()}
	for _, st := range []check.PagingStyle{check.CursorStyle, check.OffsetStyle, check.PageStyle} {
		if _, ok := check.SmallestPage(s, st.Size); ok && check.OffersPaging(s, st) {
			ps = append(ps, check.FirstPage(s, st).As("first page: "+st.Size))
		}
	}
	return ps
}

// The pages that the cursors lead to are of the usual size, so that few requests reach the last one.
const (
	behindCursor = "page behind a cursor"
	mostFollowed = 5
)

// followed asks for the first pages, and for the pages behind the cursors.
func followed(s model.Subject, ask model.AskFunc) {
	var page probes.Observation
	for i, p := range openings(s) {
		if o := ask(p); i < 2 { // the first page by cursor, or else the plain listing
			page = o
		}
	}
	for i := range mostFollowed {
		end, more := page.Data().At("pageInfo", "endCursor"), page.Data().At("pageInfo", "hasNextPage")
		if !more.True() || end.Text() == "" {
			return
		}
		page = ask(s.ValidCall().With(check.CursorStyle.From, end.Go()).As(probes.Nth(behindCursor, i)))
	}
}

// Operations document, section 4.4.3.
var cursorAnswersCarryPageInfo = check.Check{
	Requirement: "OPS-4.4.3-02",
	Rule:        "Cursor-paged operations return pageInfo next to the items.",
	Why:         "Clients look for the page metadata beside the items, under one name.",
	On:          check.EachPaged(check.CursorStyle),
	Drive:       followed,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		const want = "data.pageInfo beside items or edges"
		page := got[0]
		if pages := got.Under("first page"); len(pages) > 0 {
			page = pages[0]
		}
		items, name, _ := check.Collection(page.Data())
		switch {
		case !page.Succeeded():
			return ruling.NotProven("an answer to a first page", page).Because("INT-4.1.1-15")
		case !page.Data().At("pageInfo").Is(probes.Object):
			return ruling.Violates(want, page.Data()).By(page, got[0])
		case !page.Data().At("items").Is(probes.Array) && !page.Data().At("edges").Is(probes.Array) && (len(items) > 0 || name != ""):
			return ruling.Violates(want, "the items in "+name).By(page)
		}
		for _, o := range got.Under(behindCursor) { // a listing that fits on its first page may do without
			if _, _, ok := check.Collection(o.Data()); ok && !o.Data().At("pageInfo").Is(probes.Object) {
				return ruling.Violates("data.pageInfo of a page that a cursor leads to", o.Data()).By(o, page)
			}
		}
		return ruling.Conforms().By(page)
	},
	Fix: "answer {items: […], pageInfo: {hasNextPage, hasPreviousPage, startCursor, endCursor}}",
}

// informed judges each answer that carries pageInfo, of all pages that were asked for.
func informed(judge func(info probes.Value, o probes.Observation) ruling.Ruling) func(model.Subject, probes.Answers) ruling.Ruling {
	return func(_ model.Subject, got probes.Answers) ruling.Ruling {
		var rs []ruling.Ruling
		for _, o := range got {
			if info := o.Data().At("pageInfo"); info.Is(probes.Object) {
				rs = append(rs, judge(info, o).By(o))
			}
		}
		if len(rs) == 0 {
			return ruling.NotApplicable("does not hold: data.pageInfo is present")
		}
		return ruling.Worst(rs...)
	}
}

// Operations document, section 4.4.3.
var pageInfoFlagsAreBooleans = check.Check{
	Requirement: "OPS-4.4.3-03",
	Rule:        "hasNextPage and hasPreviousPage are booleans.",
	Why:         `The text "false" is true in most languages.`,
	On:          check.EachPaged(check.CursorStyle),
	Drive:       followed,
	Judge: informed(func(info probes.Value, o probes.Observation) ruling.Ruling {
		for _, name := range []string{"hasNextPage", "hasPreviousPage"} {
			if v := info.At(name); !v.Is(probes.Boolean) {
				return ruling.Violates("a boolean pageInfo."+name, v)
			}
		}
		if model.ValueIn(o.Probe, check.CursorStyle.From).Is(probes.Absent) && info.At("hasPreviousPage").True() && o.Probe.Under("first page") {
			return ruling.Violates("pageInfo.hasPreviousPage false on the first page", true)
		}
		return ruling.Conforms()
	}),
	Fix: "answer hasNextPage and hasPreviousPage as true or false",
}

// Operations document, section 4.4.3.
var pageInfoCursorsAreStrings = check.Check{
	Requirement: "OPS-4.4.3-05",
	Rule:        "startCursor and endCursor are non-empty strings whenever items are returned.",
	Why:         "The cursor goes back as it came, into a parameter that is text.",
	On:          check.EachPaged(check.CursorStyle),
	Drive:       followed,
	Judge: informed(func(info probes.Value, o probes.Observation) ruling.Ruling {
		items, _, ok := check.Collection(o.Data())
		if !ok || len(items) == 0 {
			return ruling.NotProven("a page with items", len(items))
		}
		for _, name := range []string{"startCursor", "endCursor"} {
			v := info.At(name)
			last := info.At("hasNextPage").False() && model.ValueIn(o.Probe, check.CursorStyle.From).Is(probes.String)
			if name == "endCursor" && last && v.Is(probes.Null) {
				continue // nothing is asked for behind the end of a walk
			}
			if !v.Is(probes.String) || v.Text() == "" {
				return ruling.Violates("text in pageInfo."+name, v)
			}
		}
		return ruling.Conforms()
	}),
	Fix: "answer startCursor and endCursor as text on every page with items",
}

// Operations document, section 4.4.3.
var totalCountIsWholeNumber = check.Check{
	Requirement: "OPS-4.4.3-07",
	Rule:        "pageInfo.totalCount is non-negative integer when present.",
	Why:         "Clients compute with the total. The number of items on one page is not a total.",
	On:          check.EachPaged(check.CursorStyle),
	Ask: func(s model.Subject) []probes.Probe {
		return append(openings(s), s.ValidCall().Anew("counted page: listing before"), check.FirstPage(s, check.CursorStyle).Anew("counted page: page"), s.ValidCall().Anew("counted page: listing after"))
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		info := got.Step("counted page: page").Data().At("pageInfo")
		total, counted := info.At("totalCount").Float()
		what := fewerThan(total, counted, "totalCount", got.Step("counted page: listing before"), got.Step("counted page: listing after"))
		if what != "" && !estimated(info) {
			return ruling.Violates("pageInfo.totalCount of all items", what).By(got.Step("counted page: page"), got.Step("counted page: listing after"))
		}
		return ruling.Worst(wholeTotals(s, got), unseen(s, got.Step("counted page: listing before"), got.Step("counted page: listing after")))
	},
	Fix: "answer totalCount as a number of all items, or leave it out",
}

// unseen warns where a listing that is whole counts more items than it has, both before and after the page. Nothing but what is demanded
// and the size is asked for: a total may be that of all, whatever they are filtered by.
func unseen(s model.Subject, before, after probes.Observation) ruling.Ruling {
	const want = "pageInfo.totalCount of the items that are listed"
	over := func(o probes.Observation) (n, total float64, known bool) {
		items, _, listed := check.Collection(o.Data())
		info := o.Data().At("pageInfo")
		total, counted := info.At("totalCount").Float()
		whole := o.Succeeded() && info.At("hasNextPage").False() && !info.At("hasPreviousPage").True() && !estimated(info)
		for _, m := range probes.ValueOf(o.Probe.Params()).Members() {
			p, documented := check.Parameter(s, m.Name)
			whole = whole && documented && (p.Required || m.Name == check.CursorStyle.Size)
		}
		return float64(len(items)), total, listed && counted && whole
	}
	n, total, known := over(before)
	last, again, still := over(after)
	if !known || !still || total <= n || n != last || total != again {
		return ruling.NotApplicable("does not hold: a listing without a rest counts more than it has")
	}
	return ruling.Departs(want, fmt.Sprintf("totalCount %v of %v items, and no next page", total, n)).By(before, after)
}

// wholeTotals rules on each total as a number.
var wholeTotals = informed(func(info probes.Value, _ probes.Observation) ruling.Ruling {
	total := info.At("totalCount")
	n, _ := total.Float()
	switch {
	case total.Is(probes.Absent):
		return ruling.NotApplicable("does not hold: pageInfo.totalCount is present")
	case !total.Whole() || n < 0:
		return ruling.Violates("a whole number pageInfo.totalCount", total)
	}
	return ruling.Conforms()
})

var followers = strings.Fields("nextCursor next_cursor nextPageToken next_page_token next_token next_page nextPage next_offset nextOffset next")

// Operations document, section 4.4.3.
var pageAnswersTellWhetherMoreFollows = check.Check{
	Requirement: "OPS-4.4.3-13",
	Rule:        "Expensive totals may be left out as long as has_more or hasNextPage remains.",
	Why:         "Without a total or a flag, a client finds the end only by requesting one page too many.",
	On:          check.EachPaged(check.CursorStyle, check.OffsetStyle, check.PageStyle),
	Ask:         openings,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		all, why := check.SeveralItems(got[0])
		if why != nil {
			return *why
		}
		var rs []ruling.Ruling
		for _, page := range got.Under("first page") {
			items, _, _ := check.Collection(page.Data())
			switch {
			case !page.Succeeded() || len(items) >= len(all):
				rs = append(rs, ruling.NotProven("a page smaller than the collection", page).By(got[0]))
			case check.HasAnyValue(page.Envelope(), check.TotalMembers) || check.HasValue(page.Envelope().HasMore()) || check.HasAnyValue(page.Envelope(), followers):
				rs = append(rs, ruling.Conforms().By(page))
			default:
				rs = append(rs, ruling.Violates("a total, or a flag that says whether more follows", page.Data()).By(page, got[0]))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer has_more or hasNextPage, or a total",
}

var snakeMember = regexp.MustCompile(`\A[a-z_][a-z0-9_]*\z`)

// Operations document, section 4.4.3.
var compatibilityPagingNamesAreSnakeCase = check.Check{
	Requirement: "OPS-4.4.3-14",
	Rule:        "Compatibility metadata (pagination) uses snake_case member names.",
	Why:         "The metadata of the compatible styles are spelt like the parameters that they answer.",
	On:          check.EachPaged(check.CursorStyle, check.OffsetStyle, check.PageStyle),
	Ask:         openings,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.NotApplicable("does not hold: data.pagination is present")}
		for _, o := range got {
			for _, name := range o.Data().At("pagination").Names() {
				if snakeMember.MatchString(name) {
					rs = append(rs, ruling.Conforms().By(o))
				} else {
					rs = append(rs, ruling.Violates("members of data.pagination in snake_case", name).By(o))
				}
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "spell the members of data.pagination in snake_case",
}
