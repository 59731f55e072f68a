package pagination

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// enough is how many items a walk in the compatible styles wants to find.
const enough = 5

// stock makes objects of our own until a listing shows enough of them to walk along.
func stock(s model.Subject, ask model.AskFunc) {
	items, _, ok := check.Collection(ask(whole(s).Anew("stocked listing: listing")).Data())
	for i, m := range model.EachMarked(s.Adapter) {
		if allowed, _ := s.Callable(m.Op); !ok || !allowed || m.Ruling != nil || !m.HasRole(model.ListerRole, s.Name, m.Name) {
			continue
		}
		for n := len(items); n < enough; n++ {
			step := probes.Nth(probes.Nth("stocked listing: maker", i)+": made", n)
			if !ask(m.FreshCall(step).Anew(step)).Succeeded() {
				return
			}
		}
		return
	}
}

// styleOf returns the compatible style that an operation pages in.
func styleOf(s model.Subject) check.PagingStyle {
	if check.OffersPaging(s, check.OffsetStyle) {
		return check.OffsetStyle
	}
	return check.PageStyle
}

// whole is the request for as much of the collection as one page can hold.
func whole(s model.Subject) probes.Probe {
	return s.ValidCall().With(styleOf(s).Size, largest(s, styleOf(s).Size, 100))
}

// unevenSize is a size of page with room for several items that leaves the last page not full.
func unevenSize(s model.Subject, name string, n int) (size int, ok bool) {
	p, _ := check.Parameter(s, name)
	for size := max(2, (n+walkPages-1)/walkPages); size < n; size++ {
		if n%size != 0 && s.Misfit(p, probes.ValueOf(size)) == "" {
			return size, true
		}
	}
	return 0, false
}

// leaf walks from page to page of a collection of n items.
func leaf(s model.Subject, ask model.AskFunc, size, n int, walk string) {
	style, seen := styleOf(s), 0
	for i := range maxWalkPages {
		at := i * size
		if style == check.PageStyle {
			at = i + firstPage(s)
		}
		p, _ := check.Parameter(s, style.From)
		if s.Misfit(p, probes.ValueOf(at)) != "" {
			return
		}
		items, _, _ := check.Collection(ask(s.ValidCall().With(style.Size, size).With(style.From, at).Anew(probes.Nth(walk+": page", i))).Data())
		if seen += len(items); len(items) == 0 || i*size > n {
			return
		}
	}
}

// leafed says what is wrong with a walk along a collection that a listing showed whole; why is set
// where the walk proves nothing.
func (w pageWalk) leafed(listed []probes.Value) (fault string, why *ruling.Ruling) {
	of, same, told := check.ItemKeys(listed)
	if i := slices.IndexFunc(w.pages, func(o probes.Observation) bool { return !o.Succeeded() }); i >= 0 || !told {
		r := ruling.NotProven("pages of items that can be told apart", w.last()).By(w.last())
		return "", &r
	}
	if i := slices.IndexFunc(w.pages, resized); i >= 0 {
		r := ruling.NotProven("pages of the size asked for", w.pages[i]).By(w.pages[i]).Because("OPS-4.4.3-15")
		return "", &r
	}
	if len(check.KeysOf(w.items, same)) < len(w.items) {
		return "an item that comes twice", nil
	}
	missing := slices.DeleteFunc(check.KeysOf(listed, of), func(key string) bool { return slices.Contains(check.KeysOf(w.items, of), key) })
	if len(missing) > 0 {
		return "without " + ruling.Clip(missing[0]) + ", which the listing has", nil
	}
	return "", nil
}

// resized reports whether a page has another size than it was asked for: it holds more, or says so.
func resized(o probes.Observation) bool {
	items, _, _ := check.Collection(o.Data())
	for _, name := range []string{check.OffsetStyle.Size, check.PageStyle.Size} {
		size, asked := model.ValueIn(o.Probe, name).Float()
		told, said := o.Data().At("pagination", name).Float()
		if asked && (float64(len(items)) > size || said && told != size) {
			return true
		}
	}
	return false
}

// Operations document, section 4.4.3.
var compatibleWalkVisitsEveryItemOnce = check.Check{
	Requirement: "OPS-4.4.3-08",
	Handles:     check.Movement,
	Why:         "A position that is ignored or counted wrongly shows on the second page, and a number of pages that is rounded down on the last. Pages of one item show neither.",
	On:          check.EachPaged(check.OffsetStyle, check.PageStyle),
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		stock(s, ask)
		list := func(i int) probes.Observation { return ask(whole(s).Anew(probes.Nth("walk by numbers: listing", i))) }
		items, _, _ := check.Collection(list(0).Data())
		size, ok := unevenSize(s, styleOf(s).Size, len(items))
		if !ok {
			return
		}
		leaf(s, ask, size, len(items), "walk by numbers: walk 1")
		list(1)
		leaf(s, ask, size, len(items), "walk by numbers: walk 2")
		list(2)
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		listed, first, second := walkOf(got, "walk by numbers: listing 1"), walkOf(got, "walk by numbers: walk 1"), walkOf(got, "walk by numbers: walk 2")
		if _, why := check.SeveralItems(listed.last()); why != nil {
			return *why
		}
		if len(first.pages) == 0 {
			return ruling.NotProven("a collection of three items or more, and pages of two", len(listed.items)).By(listed.last())
		}
		fault, why := first.leafed(listed.items)
		again, whyAgain := second.leafed(listed.items)
		switch {
		case why != nil:
			return *why
		case fault == "":
			return ruling.Conforms().By(first.pages...)
		case whyAgain != nil:
			return *whyAgain
		case again == "" || !sameItems(listed, walkOf(got, "walk by numbers: listing 2")) || !sameItems(listed, walkOf(got, "walk by numbers: listing 3")):
			return ruling.Moved("a collection that stays as it is", fault+", once").By(first.last())
		}
		return ruling.Violates("every item once", again).By(second.pages...).By(listed.last())
	},
	Fix: "begin a page where the one before ended, and count a last page that is not full",
}
