package pagination

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// echoed rules on metadata that repeat what was asked for. An adapter may cut what is beyond a bound that it documents
// down to the bound; a bound in answer to what lies within is no echo.
func echoed(s model.Subject, o probes.Observation, names ...string) ruling.Ruling {
	metadata := o.Data().At("pagination")
	for _, name := range names {
		asked, got := model.ValueIn(o.Probe, name), metadata.At(name)
		if !got.Equal(asked) && !clamped(s, name, asked, got) {
			return ruling.Violates(fmt.Sprintf("data.pagination.%s %s, as asked for", name, asked), got).By(o)
		}
	}
	return ruling.Conforms().By(o)
}

// clamped reports whether got is the documented bound that asked lies beyond.
func clamped(s model.Subject, name string, asked, got probes.Value) bool {
	p, _ := check.Parameter(s, name)
	n, _ := asked.Float()
	low, bounded := p.Raw.At("minimum").Float()
	high, limited := p.Raw.At("maximum").Float()
	return bounded && n < low && got.Equal(p.Raw.At("minimum")) || limited && n > high && got.Equal(p.Raw.At("maximum"))
}

// firstPage is the number of the first page: 1, or 0 where that is documented.
func firstPage(s model.Subject) int {
	p, _ := check.Parameter(s, "page")
	low, bounded := p.Raw.At("minimum").Float()
	start, given := p.Raw.At("default").Float()
	if bounded && low == 0 || given && start == 0 {
		return 0
	}
	return 1
}

// Operations document, section 4.4.3.
var pageAnswersEchoPageAndSize = check.Check{
	Requirement: "OPS-4.4.3-09",
	Rule:        "Page-based answers carry pagination.page and pagination.page_size.",
	Why:         "The echo shows a client which page it got, not the one that it meant.",
	On:          check.EachPaged(check.PageStyle),
	Drive: func(s model.Subject, ask model.AskFunc) {
		first := check.FirstPage(s, check.PageStyle)
		items, _, _ := check.Collection(ask(s.ValidCall().Anew("listing before the pages")).Data())
		ask(first.With("page", 1).As("page by number"))
		ask(first.With("page", 2).As("next page by number"))
		if size, ok := sizeWithRest(s, len(items)); ok {
			ask(s.ValidCall().With("page_size", size).With("page", firstPage(s)+len(items)/size).As("last page by number"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		r := firstEchoed(s, got)
		items, _, _ := check.Collection(got[0].Data())
		size, ok := sizeWithRest(s, len(items))
		last := got.Step("last page by number")
		if shown, _, _ := check.Collection(last.Data()); ok && len(shown) > 0 && shown[0].Equal(items[len(items)/size*size]) { // else it is another page
			r = ruling.Worst(r, echoed(s, last, "page", "page_size"))
		}
		return r
	},
	Fix: "answer pagination.page and pagination.page_size as they were applied",
}

// sizeWithRest is a page size that leaves a last page with fewer items.
func sizeWithRest(s model.Subject, items int) (size int, ok bool) {
	p, _ := check.Parameter(s, "page_size")
	for size = 2; size <= items+1; size++ {
		if items%size != 0 && s.Misfit(p, probes.ValueOf(size)) == "" {
			return size, true
		}
	}
	return 1, false
}

// firstEchoed rules on the first two pages.
func firstEchoed(s model.Subject, got probes.Answers) ruling.Ruling {
	page := got.Step("page by number")
	if !page.Succeeded() {
		return ruling.NotProven("an answer to page 1", page).By(got[0])
	}
	next := got.Step("next page by number")
	size, _ := model.ValueIn(next.Probe, "page_size").Float()
	items, _, _ := check.Collection(got[0].Data())
	if next.Succeeded() && float64(len(items)) > size*float64(2-firstPage(s)) { // an adapter may reduce a page behind the last one
		return ruling.Worst(echoed(s, page, "page", "page_size"), echoed(s, next, "page", "page_size"))
	}
	return echoed(s, page, "page", "page_size")
}

// Operations document, section 4.4.3.
var offsetAnswersEchoLimitAndOffset = check.Check{
	Requirement: "OPS-4.4.3-11",
	Rule:        "Offset-based answers carry pagination.limit and pagination.offset.",
	Why:         "The same for offsets, where it shows whether the start was understood.",
	On:          check.EachPaged(check.OffsetStyle),
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{s.ValidCall(), check.FirstPage(s, check.OffsetStyle).With("offset", 1).As("page by offset")}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		page := got.Step("page by offset")
		_, why := check.SeveralItems(got[0])
		switch {
		case why != nil: // an adapter may reduce an offset behind the end to the end
			return *why
		case !page.Succeeded():
			return ruling.NotProven("an answer from offset 1", page).By(got[0])
		}
		return echoed(s, page, "limit", "offset")
	},
	Fix: "answer pagination.limit and pagination.offset as they were applied",
}

// estimated reports whether metadata say themselves that they are no exact count.
func estimated(metadata probes.Value) bool {
	return slices.ContainsFunc(metadata.Members(), func(m probes.Member) bool {
		name := strings.ToLower(m.Name)
		about := strings.Contains(name, "estimat") || strings.Contains(name, "approx") || strings.Contains(name, "relation")
		return about && !m.Value.False() && !m.Value.Is(probes.Null)
	})
}

// askTwice requests the first page and the last page that it announces, both twice. Another client
// that writes meanwhile may make one answer inconsistent, but hardly two. The collection is listed
// before and after: items in both listings existed all the time.
func askTwice(size string, first func(model.Subject) probes.Probe, last func(model.Subject, probes.Observation) (probes.Probe, bool)) func(model.Subject, model.AskFunc) {
	return func(s model.Subject, ask model.AskFunc) {
		stock(s, ask, standardPager(s).whole(s, s.ValidCall()))
		ask(s.ValidCall().Anew("totals of pages: listing before"))
		for _, time := range []string{"", ": again"} {
			begun := ask(first(s).Anew("totals of pages: first page" + time))
			if p, more := last(s, begun); more {
				ask(p.Anew("totals of pages: last page" + time))
			}
			total, counted := begun.Data().At("pagination", "total_items").Float()
			if room, uneven := unevenSize(s, size, int(min(total, 1000))); counted && uneven {
				ask(first(s).With(size, room).Anew("totals of pages: uneven page" + time))
			}
		}
		ask(s.ValidCall().Anew("totals of pages: listing after"))
	}
}

// fewer says where the total of a page is less than the number of items that both the
// listing before and the one after it show: others may have come and gone meanwhile.
func fewer(o, before, after probes.Observation) string {
	total, counted := o.Data().At("pagination", "total_items").Float()
	return fewerThan(total, counted, "total_items", before, after)
}

func fewerThan(total float64, counted bool, name string, before, after probes.Observation) string {
	first, _, ok := check.Collection(before.Data())
	last, _, ok2 := check.Collection(after.Data())
	if !ok || !ok2 || !counted {
		return ""
	}
	stayed, left := 0, slices.Clone(last)
	for _, item := range first {
		i := slices.IndexFunc(left, func(other probes.Value) bool {
			return other.Canonical(model.Volatile) == item.Canonical(model.Volatile)
		})
		if i >= 0 {
			stayed++
			left = slices.Delete(left, i, i+1)
		}
	}
	if total >= float64(stayed) {
		return ""
	}
	return fmt.Sprintf("%s %v where the listing shows more", name, total)
}

// contradicted judges the metadata of pages. Metadata count as contradictory only if they are so both
// times. fault says how, "" if they are not; known is false without totals.
func contradicted(fault func(model.Subject, probes.Observation) (what string, known bool)) func(model.Subject, probes.Answers) ruling.Ruling {
	return func(s model.Subject, got probes.Answers) ruling.Ruling {
		told := func(o probes.Observation) (string, bool) {
			what, known := fault(s, o)
			if what == "" && known {
				what = fewer(o, got.Step("totals of pages: listing before"), got.Step("totals of pages: listing after"))
			}
			return what, known
		}
		rs := []ruling.Ruling{ruling.NotApplicable("does not hold: the answers tell totals")}
		for _, o := range got {
			what, known := told(o)
			again := false
			if step, second := strings.CutSuffix(o.Probe.Step, ": again"); second && got.Has(step) {
				before, _ := told(got.Step(step))
				again = before == what
			}
			switch {
			case !known:
			case what != "" && estimated(o.Data().At("pagination")):
				rs = append(rs, ruling.NotProven("exact totals", o.Data().At("pagination")).By(o))
			case what == "":
				rs = append(rs, ruling.Conforms().By(o))
			case again:
				rs = append(rs, ruling.Violates("metadata that fit the page and each other", what).By(o))
			default:
				rs = append(rs, ruling.NotProven("metadata that contradict themselves twice", what+", once").By(o))
			}
		}
		if slices.ContainsFunc(rs, func(r ruling.Ruling) bool { return r.Verdict == ruling.Violates("", "").Verdict }) {
			return ruling.Worst(rs...)
		}
		return lenient(rs)
	}
}

// lenient drops what was seen once and not again.
func lenient(rs []ruling.Ruling) ruling.Ruling {
	if i := slices.IndexFunc(rs, func(r ruling.Ruling) bool { return r.Verdict == ruling.Conforms().Verdict }); i >= 0 {
		return rs[i]
	}
	return ruling.Worst(rs...)
}

// Operations document, section 4.4.3.
var pageTotalsAreConsistent = check.Check{
	Requirement: "OPS-4.4.3-10",
	Rule:        "Total_items, total_pages and has_more of a page-based answer are consistent with each other and with the items.",
	Why:         "A client with a wrong has_more requests pages that do not exist, or misses pages that do.",
	On:          check.EachPaged(check.PageStyle),
	Drive: askTwice(check.PageStyle.Size,
		func(s model.Subject) probes.Probe {
			return check.FirstPage(s, check.PageStyle).With("page", firstPage(s))
		},
		func(s model.Subject, o probes.Observation) (probes.Probe, bool) {
			pages, ok := o.Data().At("pagination", "total_pages").Float()
			return check.FirstPage(s, check.PageStyle).With("page", int(pages)-1+firstPage(s)), ok && pages > 1 && pages < 1e6
		}),
	Judge: contradicted(func(s model.Subject, o probes.Observation) (string, bool) {
		m := o.Data().At("pagination")
		size, sized := m.At("page_size").Float()
		at, numbered := model.ValueIn(o.Probe, "page").Float()
		items, _, listed := check.Collection(o.Data())
		total, counted := m.At("total_items").Float()
		pages, paged := m.At("total_pages").Float()
		page := at + 1 - float64(firstPage(s))
		switch more := m.At("has_more"); {
		case listed && sized && size > 0 && float64(len(items)) > size:
			return fmt.Sprintf("%d items on a page of %v", len(items), size), true
		case counted && paged && sized && size > 0 && pages != math.Ceil(total/size) && !(total == 0 && pages == 1):
			return fmt.Sprintf("%v pages of %v for %v items", pages, size, total), true
		case numbered && paged && more.Is(probes.Boolean) && more.True() != (page < pages):
			return fmt.Sprintf("has_more %s on page %v of %v", more, page, pages), true
		case !numbered:
			return "", false
		}
		return "", counted || paged
	}),
	Fix: "derive total_pages and has_more from total_items and page_size",
}

// Operations document, section 4.4.3.
var offsetTotalsAreConsistent = check.Check{
	Requirement: "OPS-4.4.3-12",
	Rule:        "Returned, total_items and has_more of an offset-based answer are consistent with each other and with the items.",
	Why:         "The same for offsets.",
	On:          check.EachPaged(check.OffsetStyle),
	Drive: askTwice(check.OffsetStyle.Size,
		func(s model.Subject) probes.Probe { return check.FirstPage(s, check.OffsetStyle).With("offset", 0) },
		func(s model.Subject, o probes.Observation) (probes.Probe, bool) {
			total, ok := o.Data().At("pagination", "total_items").Float()
			n, _ := check.SmallestPage(s, "limit")
			p := s.ValidCall().With("limit", largest(s, "limit", max(n, 2))).With("offset", int(total)-1)
			return p, ok && total > 1 && total < 1e9
		}),
	Judge: contradicted(func(_ model.Subject, o probes.Observation) (string, bool) {
		m := o.Data().At("pagination")
		returned, told := m.At("returned").Float()
		total, counted := m.At("total_items").Float()
		offset, placed := model.ValueIn(o.Probe, "offset").Float()
		items, _, listed := check.Collection(o.Data())
		limit, _ := model.ValueIn(o.Probe, "limit").Float()
		reached := offset + max(limit, float64(len(items))) // items that may not be seen count as well
		switch more := m.At("has_more"); {
		case told && listed && int(returned) != len(items):
			return fmt.Sprintf("returned %v with %d items", returned, len(items)), true
		case placed && listed && counted && more.Is(probes.Boolean) && more.True() != (offset+float64(len(items)) < total) && more.True() != (reached < total):
			return fmt.Sprintf("has_more %s at offset %v with %d of %v items", more, offset, len(items), total), true
		case !placed:
			return "", false
		}
		return "", told || counted && m.At("has_more").Is(probes.Boolean)
	}),
	Fix: "count returned, and derive has_more from offset, returned and total_items",
}
