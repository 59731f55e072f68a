package pagination

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// backStyle pages from the end of a collection.
var backStyle = check.PagingStyle{Size: "last", From: "before"}

// eachPagedBackwards is every READ that pages by cursor in both directions.
func eachPagedBackwards(f *model.Adapter) []model.Subject {
	return model.Only(check.EachPaged(check.CursorStyle), func(s model.Subject) bool {
		return check.IsNumeric(s, backStyle.Size) && check.IsText(s, backStyle.From)
	})(f)
}

// retreat walks from the end of a collection of n items to its beginning.
func retreat(s model.Subject, ask model.AskFunc, size, n int, walk string) {
	call := s.ValidCall().Without(check.CursorStyle.Size).With(backStyle.Size, size)
	for i := range maxWalkPages {
		data := ask(call.Anew(probes.Nth(walk+": page", i))).Data()
		items, _, _ := check.Collection(data)
		cursor := data.At("pageInfo", "startCursor").Text()
		if n -= len(items); len(items) == 0 || cursor == "" || n <= 0 {
			return
		}
		call = call.With(backStyle.From, cursor)
	}
}

// retreated says what is wrong with a walk from the end; why is set where the walk proves nothing. A page
// may hold fewer items than it was asked for.
func (w pageWalk) retreated(listing pageWalk) (fault string, why *ruling.Ruling) {
	listed := listing.items
	unproven := func(r ruling.Ruling) (string, *ruling.Ruling) { r = r.By(w.last()); return "", &r }
	of, _, told := check.ItemKeys(listed)
	rest := listed
	for i, o := range w.pages {
		items, _, found := check.Collection(o.Data())
		size, _ := model.ValueIn(o.Probe, backStyle.Size).Float()
		switch {
		case !told || !o.Succeeded() || !found:
			return unproven(ruling.NotProven("pages of items that can be told apart", o))
		case float64(len(items)) > size:
			return unproven(ruling.NotProven("pages of the size asked for", o).Because("OPS-4.4.3-15"))
		case len(items) == 0 && len(rest) > 0:
			return fmt.Sprintf("no item on page %d from the end, with %d left", i+1, len(rest)), nil
		case len(items) > len(rest) || !slices.Equal(check.KeysOf(items, of), check.KeysOf(rest[len(rest)-len(items):], of)):
			return fmt.Sprintf("other items on page %d from the end than the listing has there", i+1), nil
		}
		rest = rest[:len(rest)-len(items)]
	}
	if len(rest) > 0 {
		return unproven(ruling.NotProven("a startCursor to go on from", w.last().Data().At("pageInfo")).Because("OPS-4.4.3-05"))
	}
	return "", nil
}

// Operations document, section 4.4.1.
var backwardWalkVisitsEveryItemOnce = check.Check{
	Requirement: "OPS-4.4.3-08",
	Handles:     check.Movement,
	Why:         "A client that requests the last items gets wrong ones from the other end without noticing.",
	On:          eachPagedBackwards,
	Lane:        probes.Walking,
	Drive: func(s model.Subject, ask model.AskFunc) {
		list := func(i int) probes.Observation { return ask(greatest(s).Anew(probes.Nth("backward walk: listing", i))) }
		listed := list(0)
		items, _, _ := check.Collection(listed.Data())
		size, ok := unevenSize(s, backStyle.Size, len(items))
		if !ok || check.PositionOf(listed).More.True() {
			return
		}
		for i := range 2 {
			retreat(s, ask, size, len(items), probes.Nth("backward walk: walk", i))
			list(i + 1)
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		return walkedTwice(got, "backward walk", "every item once, from the end", pageWalk.retreated)
	},
	Fix: "let last count from the end, and before name the item before which the page ends",
}
