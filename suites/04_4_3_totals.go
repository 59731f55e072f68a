package suites

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// echoed rules on metadata that repeat what was asked for. An adapter may cut a size
// down to a bound that it documents.
func echoed(s Subject, o probes.Observation, names ...string) Ruling {
	metadata := o.Data().At("pagination")
	for _, name := range names {
		asked, got := valueIn(o.Probe, name), metadata.At(name)
		p, _ := s.parameter(name)
		clamped := slices.ContainsFunc([]string{"minimum", "maximum"}, func(bound string) bool {
			limit := p.Raw.At(bound)
			return !limit.Is(probes.Absent) && limit.Equal(got)
		})
		if !got.Equal(asked) && !clamped {
			return Violates(fmt.Sprintf("data.pagination.%s %s, as asked for", name, asked), got).By(o)
		}
	}
	return Conforms().By(o)
}

// firstPage is the number of the first page: 1, or 0 where that is documented.
func (s Subject) firstPage() int {
	p, _ := s.parameter("page")
	low, bounded := p.Raw.At("minimum").Float()
	start, given := p.Raw.At("default").Float()
	if bounded && low == 0 || given && start == 0 {
		return 0
	}
	return 1
}

// Operations document, section 4.4.3. The echo shows a client which page it got, not
// the one that it meant.
var _ = register(Check{
	Requirement: "OPS-4.4.3-09",
	On:          paged(pageStyle),
	Ask: func(s Subject) []probes.Probe {
		return []probes.Probe{s.ValidCall(), s.opening(pageStyle).With("page", 1)}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		if !got[1].Succeeded() {
			return NotProven("an answer to page 1", got[1]).By(got[0])
		}
		return echoed(s, got[1], "page", "page_size")
	},
	Fix: "answer pagination.page and pagination.page_size as they were applied",
})

// Operations document, section 4.4.3. The same for offsets, where it shows whether
// the start was understood.
var _ = register(Check{
	Requirement: "OPS-4.4.3-11",
	On:          paged(offsetStyle),
	Ask: func(s Subject) []probes.Probe {
		return []probes.Probe{s.ValidCall(), s.opening(offsetStyle).With("offset", 1)}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		_, why := several(got[0])
		switch {
		case why != nil: // an offset behind the end may be pulled back to it
			return *why
		case !got[1].Succeeded():
			return NotProven("an answer from offset 1", got[1]).By(got[0])
		}
		return echoed(s, got[1], "limit", "offset")
	},
	Fix: "answer pagination.limit and pagination.offset as they were applied",
})

// estimated reports whether metadata say themselves that they are no exact count.
func estimated(metadata probes.Value) bool {
	return slices.ContainsFunc(metadata.Members(), func(m probes.Member) bool {
		name := strings.ToLower(m.Name)
		about := strings.Contains(name, "estimat") || strings.Contains(name, "approx") || strings.Contains(name, "relation")
		return about && !m.Value.False() && !m.Value.Is(probes.Null)
	})
}

// totalTake numbers the second look of the rows on totals.
const totalTake = 4430

// askTwice asks, and asks again: who writes meanwhile may leave one answer torn, but
// hardly two. The second page asked for is the last one that the first tells of. The
// listing is asked for before and after it: what both show was there all the time.
func askTwice(first func(Subject) probes.Probe, last func(Subject, probes.Observation) (probes.Probe, bool)) func(Subject, Asking) {
	return func(s Subject, ask Asking) {
		ask(s.ValidCall())
		for n := range 2 {
			begun := ask(first(s).Anew(totalTake + n))
			if p, more := last(s, begun); more {
				ask(p.Anew(totalTake + 10 + n))
			}
		}
		ask(s.ValidCall().Anew(totalTake + 20))
	}
}

// fewer says where the total of a page is less than what the listings before and after
// it show.
func fewer(o probes.Observation, listings ...probes.Observation) string {
	total, counted := o.Data().At("pagination", "total_items").Float()
	for _, listing := range listings {
		if items, _, ok := collection(listing.Data()); !ok || !counted || total >= float64(len(items)) {
			return ""
		}
	}
	return fmt.Sprintf("total_items %v where the listing shows more", total)
}

// contradicted judges the metadata of pages: what contradicts itself has to do so
// both times. fault says how, "" when it does not; known is false without totals.
func contradicted(fault func(Subject, probes.Observation) (what string, known bool)) func(Subject, []probes.Observation) Ruling {
	return func(s Subject, got []probes.Observation) Ruling {
		told := func(o probes.Observation) (string, bool) {
			what, known := fault(s, o)
			if what == "" && known {
				what = fewer(o, got[0], got[len(got)-1])
			}
			return what, known
		}
		rs := []Ruling{NotApplicable("does not hold: the answers tell totals")}
		for i, o := range got {
			what, known := told(o)
			again := slices.ContainsFunc(got[:i], func(other probes.Observation) bool {
				before, _ := told(other)
				return before == what && other.Probe.Take+1 == o.Probe.Take
			})
			switch {
			case !known:
			case what != "" && estimated(o.Data().At("pagination")):
				rs = append(rs, NotProven("exact totals", o.Data().At("pagination")).By(o))
			case what == "":
				rs = append(rs, Conforms().By(o))
			case again:
				rs = append(rs, Violates("metadata that fit the page and each other", what).By(o))
			default:
				rs = append(rs, NotProven("metadata that contradict themselves twice", what+", once").By(o))
			}
		}
		if slices.ContainsFunc(rs, func(r Ruling) bool { return r.verdict == Violates("", "").verdict }) {
			return Worst(rs...)
		}
		return lenient(rs)
	}
}

// lenient drops what was seen once and not again.
func lenient(rs []Ruling) Ruling {
	if i := slices.IndexFunc(rs, func(r Ruling) bool { return r.verdict == Conforms().verdict }); i >= 0 {
		return rs[i]
	}
	return Worst(rs...)
}

// Operations document, section 4.4.3. A client that believes has_more asks for pages
// that are not there, or never for those that are.
var _ = register(Check{
	Requirement: "OPS-4.4.3-10",
	On:          paged(pageStyle),
	Drive: askTwice(
		func(s Subject) probes.Probe { return s.opening(pageStyle).With("page", s.firstPage()) },
		func(s Subject, o probes.Observation) (probes.Probe, bool) {
			pages, ok := o.Data().At("pagination", "total_pages").Float()
			return s.opening(pageStyle).With("page", int(pages)-1+s.firstPage()), ok && pages > 1 && pages < 1e6
		}),
	Judge: contradicted(func(s Subject, o probes.Observation) (string, bool) {
		m := o.Data().At("pagination")
		size, sized := m.At("page_size").Float()
		at, numbered := valueIn(o.Probe, "page").Float()
		items, _, listed := collection(o.Data())
		total, counted := m.At("total_items").Float()
		pages, paged := m.At("total_pages").Float()
		page := at + 1 - float64(s.firstPage())
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
})

// Operations document, section 4.4.3. The same for offsets.
var _ = register(Check{
	Requirement: "OPS-4.4.3-12",
	On:          paged(offsetStyle),
	Drive: askTwice(
		func(s Subject) probes.Probe { return s.opening(offsetStyle).With("offset", 0) },
		func(s Subject, o probes.Observation) (probes.Probe, bool) {
			total, ok := o.Data().At("pagination", "total_items").Float()
			n, _ := s.smallest("limit")
			p := s.ValidCall().With("limit", s.largest("limit", max(n, 2))).With("offset", int(total)-1)
			return p, ok && total > 1 && total < 1e9
		}),
	Judge: contradicted(func(_ Subject, o probes.Observation) (string, bool) {
		m := o.Data().At("pagination")
		returned, told := m.At("returned").Float()
		total, counted := m.At("total_items").Float()
		offset, placed := valueIn(o.Probe, "offset").Float()
		items, _, listed := collection(o.Data())
		limit, _ := valueIn(o.Probe, "limit").Float()
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
})
