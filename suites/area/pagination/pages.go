package pagination

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// ofParts matches a bound that holds for each part of an answer and not for the
// whole, which a page is not.
var ofParts = regexp.MustCompile(`(?i)\b(per|for each|in each|of each)\s+[a-oq-z]`)

// sizes are the parameters of an operation that say how many items a page holds at
// most.
func sizes(s model.Subject) []string {
	return slices.DeleteFunc(check.DocumentedAmong(s, strings.Fields("first last limit page_size max_results per_page max_items take")), func(name string) bool {
		pages := slices.ContainsFunc([]check.PagingStyle{check.CursorStyle, backStyle, check.OffsetStyle, check.PageStyle}, func(st check.PagingStyle) bool { return st.Size == name && check.OffersPaging(s, st) })
		return !check.IsNumeric(s, name) || !pages && (!check.DescriptionMatches(s, name, check.ItemPattern) || check.DescriptionMatches(s, name, ofParts))
	})
}

// Operations document, section 4.4.3.
var pagesNeverExceedRequestedSize = check.Check{
	Requirement: "OPS-4.4.3-15",
	Rule:        "A page never holds more items than requested.",
	Why:         "A client chooses the page size for the space in its context. A larger page displaces other content.",
	On:          model.Only(model.EachProven, func(s model.Subject) bool { return s.Op.Category == "READ" && len(sizes(s)) > 0 }),
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{s.ValidCall()}
		for _, name := range sizes(s) {
			if n, ok := check.SmallestPage(s, name); ok {
				ps = append(ps, s.ValidCall().With(name, n).As("page: "+name))
			}
		}
		return ps
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		all, why := check.SeveralItems(got[0])
		if why != nil {
			return *why
		}
		pages := got.Under("page")
		var rs []ruling.Ruling
		for _, name := range sizes(s) {
			n, _ := check.SmallestPage(s, name)
			i := slices.IndexFunc(pages, func(o probes.Observation) bool { return model.ValueIn(o.Probe, name).Is(probes.Number) })
			if i < 0 || n >= len(all) {
				rs = append(rs, ruling.NotProven("more items than the least page holds", len(all)).By(got[0]))
				continue
			}
			page := pages[i]
			items, _, ok := check.Collection(page.Data())
			switch {
			case !page.Succeeded() || !ok:
				rs = append(rs, ruling.NotProven("a page of the size asked for", page).By(got[0]))
			case len(items) > n:
				rs = append(rs, ruling.Violates("at most the items asked for by "+name, len(items)).By(page, got[0]))
			default:
				rs = append(rs, ruling.Conforms().By(page))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "cut every page to the size that was asked for",
}

// unissued is a cursor of the form of one that was issued: the same letters and
// digits turned into others, and more of them where a short one might be issued too.
func unissued(issued string) string {
	turn := func(r rune) rune {
		switch {
		case '0' <= r && r <= '9':
			return '0' + (r-'0'+7)%10
		case 'a' <= r && r <= 'z':
			return 'a' + (r-'a'+11)%26
		case 'A' <= r && r <= 'Z':
			return 'A' + (r-'A'+11)%26
		}
		return r
	}
	other := strings.Map(turn, issued)
	if len(issued) < 8 {
		return strings.Repeat(other, 12/len(issued)+1)
	}
	return other
}

// Pagination, on cursors.
var foreignCollectionCursorIsRefused = check.Check{
	Requirement: "CMP-CURSOR-01",
	Rule:        "A cursor the adapter never issued is refused and not taken for the beginning.",
	Why:         "A client that is sent back to the first page reads everything again without noticing.",
	On:          check.EachPaged(check.CursorStyle),
	Drive: func(s model.Subject, ask model.AskFunc) {
		first := ask(check.FirstPage(s, check.CursorStyle))
		cursor := check.PositionOf(first).Cursor.Text()
		if !first.Succeeded() || cursor == "" || !ask(check.FirstPage(s, check.CursorStyle).With("after", cursor).As("page after an issued cursor")).Succeeded() {
			return
		}
		ask(check.FirstPage(s, check.CursorStyle).With("after", unissued(cursor)).As("page after a foreign cursor"))
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		issued := got.Step("page after an issued cursor")
		strange, sent := got.Find("page after a foreign cursor")
		switch {
		case !sent:
			return ruling.NotProven("a cursor that the adapter issues and takes", got.Last()).By(got...)
		case strange.Succeeded():
			return ruling.Violates("a refusal of a cursor that was never issued", strange).By(issued)
		case strange.Deferred() || !strange.Refused() && !strange.RefusedBelow():
			return ruling.NotProven("a refusal by the adapter", strange)
		}
		return ruling.Conforms().By(strange, issued)
	},
	Fix: "refuse a cursor that cannot be read, or carries no sign of your own",
}
