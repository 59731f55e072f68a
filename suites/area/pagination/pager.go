package pagination

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A pager walks through the pages of a listing.
type pager struct{ check.Pager }

// standardPager returns the compatible style that an operation pages in.
func standardPager(s model.Subject) pager {
	if check.OffersPaging(s, check.OffsetStyle) {
		return pager{check.Pager{PagingStyle: check.OffsetStyle}}
	}
	return pager{check.Pager{PagingStyle: check.PageStyle, Numbered: true, First: firstPage(s)}}
}

// whole is the request for as much of the collection as one page can hold.
func (p pager) whole(s model.Subject, call probes.Probe) probes.Probe {
	return call.With(p.Size, largest(s, p.Size, 100))
}

// at is where page number i begins, as the parameter names it.
func (p pager) at(i, size int) int {
	if p.Numbered {
		return i + p.First
	}
	return i * size
}

// walk asks for the pages of a collection of n items, one after another.
func (p pager) walk(s model.Subject, ask model.AskFunc, call probes.Probe, size, n int, walk string) {
	seen := 0
	call = call.With(p.Size, size)
	from, _ := check.Parameter(s, p.From)
	for i := range maxWalkPages {
		page := call
		if p.Cursor == nil && s.Misfit(from, probes.ValueOf(p.at(i, size))) != "" {
			return
		}
		if p.Cursor == nil {
			page = call.With(p.From, p.at(i, size))
		}
		o := ask(page.Anew(probes.Nth(walk+": page", i)))
		items, _, _ := check.Collection(o.Data())
		if seen += len(items); len(items) == 0 || i*size > n {
			return
		}
		if p.Cursor != nil {
			next := o.Data().At(p.Cursor...)
			if next.Text() == "" || o.Envelope().HasMore().False() {
				return
			}
			call = call.With(p.From, next.Text())
		}
	}
}

// walks lists a collection, walks through its pages, and does both again. It lists a third time, and returns that listing.
func (p pager) walks(s model.Subject, ask model.AskFunc, call probes.Probe, script string) (listed pageWalk) {
	list := func(i int) pageWalk {
		step := probes.Nth(script+": listing", i)
		return walkOf(probes.Answers{ask(p.whole(s, call).Anew(step))}, step)
	}
	first := list(0)
	size, ok := unevenSize(s, p.Size, len(first.items))
	for i := range 2 {
		if ok {
			p.walk(s, ask, call, size, len(first.items), probes.Nth(script+": walk", i))
			listed = list(i + 1)
		}
	}
	return listed
}

// walksFull walks through a collection in pages that leave none with room.
func (p pager) walksFull(s model.Subject, ask model.AskFunc, call probes.Probe, script string, listed pageWalk) {
	n := len(listed.items)
	if size, ok := evenSize(s, p.Size, n); ok {
		walkFull(script, n, func(step string) pageWalk {
			return recorded(ask, step, func(ask model.AskFunc) { p.walk(s, ask, call, size, n, step) })
		})
	}
}

// resized reports whether a page has another size than it was asked for: it holds more, or says so.
func (p pager) resized(o probes.Observation) bool {
	items, _, _ := check.Collection(o.Data())
	size, asked := model.ValueIn(o.Probe, p.Size).Float()
	told, said := o.Data().At("pagination", p.Size).Float()
	return asked && (float64(len(items)) > size || said && told != size)
}

// unevenSize is a size of page with room for several items that leaves the last page not full: with one item, if three
// pages or more can be so, because an adapter may forget the last one.
func unevenSize(s model.Subject, name string, n int) (size int, ok bool) {
	p, _ := check.Parameter(s, name)
	for at := max(2, (n+walkPages-1)/walkPages); at < n; at++ {
		switch {
		case n%at == 0 || s.Misfit(p, probes.ValueOf(at)) != "":
		case n%at == 1 && n > 2*at:
			return at, true
		case !ok:
			size, ok = at, true
		}
	}
	return size, ok
}
