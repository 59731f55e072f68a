package pagination

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const (
	maxWalkPages = 50 // of one walk
	walkPages    = 10 // that a walk is to have

	unsized = "cursor walk without a size"
)

// greatest is the request for as much of the collection as one page can hold.
func greatest(s model.Subject) probes.Probe { return greatestOf(s, s.ValidCall()) }

// greatestOf is the same of a request.
func greatestOf(s model.Subject, call probes.Probe) probes.Probe {
	return call.With(check.CursorStyle.Size, largest(s, check.CursorStyle.Size, 100))
}

// stride is the size of page that makes about ten pages of what a listing showed, the last one not full
// where that can be: pages of one item do not show a number of pages that is rounded down.
func stride(s model.Subject, listed probes.Observation) int {
	items, _, _ := check.Collection(listed.Data())
	n := len(items)
	if total, ok := listed.Data().At("pageInfo", "totalCount").Float(); ok && total < 1e6 {
		n = max(n, int(total))
	}
	if size, ok := unevenSize(s, check.CursorStyle.Size, n); ok && size <= largest(s, check.CursorStyle.Size, 1000) {
		return size
	}
	least, _ := check.SmallestPage(s, check.CursorStyle.Size)
	p, _ := check.Parameter(s, check.CursorStyle.Size)
	size := max(least, min((n+walkPages-1)/walkPages, largest(s, check.CursorStyle.Size, 1000)))
	if s.Misfit(p, probes.ValueOf(size)) != "" {
		return least
	}
	return size
}

// follow walks along the cursors of one collection until they end or repeat, or the walk has too
// many pages. Without a size the pages are as large as the adapter makes them.
func follow(call probes.Probe, ask model.AskFunc, size int, walk string) {
	if size > 0 {
		call = call.With(check.CursorStyle.Size, size)
	}
	seen := map[string]bool{}
	for i := range maxWalkPages {
		at := check.PositionOf(ask(call.Anew(probes.Nth(walk+": page", i))))
		if !at.More.True() || at.Cursor.Text() == "" || seen[at.Cursor.Text()] {
			return
		}
		seen[at.Cursor.Text()] = true
		call = call.With(check.CursorStyle.From, at.Cursor.Text())
	}
}

// A pageWalk is one walk as it was recorded.
type pageWalk struct {
	pages []probes.Observation
	items []probes.Value
}

// walkOf returns the answers of one walk, or of one listing.
func walkOf(got probes.Answers, step string) pageWalk {
	w := pageWalk{pages: got.Under(step)}
	for _, o := range w.pages {
		items, _, _ := check.Collection(o.Data())
		w.items = append(w.items, items...)
	}
	return w
}

// recorded returns what a walk of a name has asked for.
func recorded(ask model.AskFunc, step string, walk func(model.AskFunc)) pageWalk {
	var got probes.Answers
	walk(ask.Into(&got))
	return walkOf(got, step)
}

func (w pageWalk) last() probes.Observation { return w.pages[len(w.pages)-1] }

// broken says what is wrong with a walk between two equal listings, "" when nothing
// is; why is set where the walk proves nothing.
func (w pageWalk) broken(listing pageWalk) (fault string, why *ruling.Ruling) {
	listed := listing.items
	unproven := func(r ruling.Ruling) (string, *ruling.Ruling) { r = r.By(w.last()); return "", &r }
	of, same, told := check.ItemKeys(listed)
	at, seen := check.PositionOf(w.last()), map[string]bool{}
	for _, o := range w.pages[:len(w.pages)-1] {
		seen[check.PositionOf(o).Cursor.Text()] = true
	}
	here, _, found := check.Collection(w.last().Data())
	switch {
	case !told:
		return unproven(ruling.NotProven("items that can be told apart", "equal ones"))
	case !w.last().Succeeded() && (len(w.pages) <= 2 || w.last().Deferred()):
		return unproven(ruling.NotProven("an answer to each page", w.last()).Because("INT-4.1.1-15"))
	case !w.last().Succeeded():
		return "its own cursor refused: " + w.last().Brief(), nil
	case !found:
		return unproven(ruling.NotProven("an array that is the collection", w.last().Data()))
	case !at.More.Is(probes.Boolean):
		return unproven(ruling.NotProven("a boolean hasNextPage", at.More).Because("OPS-4.4.3-03"))
	case at.More.True() && seen[at.Cursor.Text()]:
		return "a cursor that comes again", nil
	case at.More.True() && len(here) == 0 && (at.Cursor.Text() == "" || w.fruitless() >= patience):
		return "an empty page that promises more", nil
	case at.More.True() && at.Cursor.Text() == "":
		return unproven(ruling.NotProven("an endCursor to go on from", at.Cursor).Because("OPS-4.4.3-05"))
	case len(check.KeysOf(w.items, same)) < len(w.items):
		return "an item that comes twice", nil
	case at.More.True():
		return unproven(ruling.NotProven("an end within 50 pages", "new items on every page"))
	}
	missing := slices.DeleteFunc(check.KeysOf(listed, of), func(key string) bool { return slices.Contains(check.KeysOf(w.items, of), key) })
	if len(missing) > 0 {
		return "without " + ruling.Clip(missing[0]) + ", which the listing has", nil
	}
	return w.beyond(listing), nil
}

// beyond says which item of a walk a listing lacks that says that it is whole; "" where there is none. A filter that is forgotten behind the
// first page shows so.
func (w pageWalk) beyond(listing pageWalk) string {
	of, _, told := check.ItemKeys(listing.items)
	if more := listing.last().Envelope().HasMore(); !told || !more.Is(probes.Boolean) || more.True() {
		return ""
	}
	listed := check.KeysOf(listing.items, of)
	strange := slices.DeleteFunc(check.KeysOf(w.items, of), func(key string) bool { return slices.Contains(listed, key) })
	if len(strange) == 0 {
		return ""
	}
	return "with " + ruling.Clip(strange[0]) + ", which the whole listing does not have"
}

// patience is how many empty pages in a row may promise more before it is no promise:
// one may be empty because nobody is to see its items.
const patience = 3

// fruitless counts the empty pages at the end of a walk.
func (w pageWalk) fruitless() int {
	n := 0
	for _, o := range slices.Backward(w.pages) {
		if items, _, _ := check.Collection(o.Data()); len(items) > 0 {
			break
		}
		n++
	}
	return n
}

// sameItems reports whether two listings show the same items.
func sameItems(x, y pageWalk) bool {
	of, _, _ := check.ItemKeys(x.items)
	return len(x.items) == len(y.items) && slices.Equal(check.KeysOf(x.items, of), check.KeysOf(y.items, of))
}

// Operations document, section 4.4.3.
var cursorWalkVisitsEveryItemOnce = check.Check{
	Requirement: "OPS-4.4.3-08",
	Handles:     check.Movement,
	Rule:        "Going from page to page, along endCursor or by offset or number, visits every item exactly once and comes to its end.",
	Why:         "A client that walks a collection acts on every item of it: what comes twice is done twice, and what is left out is never done.",
	On:          check.EachPaged(check.CursorStyle),
	Lane:        probes.Walking,
	Drive: func(s model.Subject, ask model.AskFunc) {
		listed := askWalk(s, ask, s.ValidCall(), "cursor walk")
		// A client that names no size gets pages of the size that the adapter chooses. It names none behind a cursor either.
		if first := ask(s.ValidCall().Anew(unsized + ": first page")); check.PositionOf(first).More.True() {
			askWalkIn(s, ask, s.ValidCall(), unsized, func(probes.Observation) int { return 0 })
		}
		if size, ok := evenSize(s, check.CursorStyle.Size, len(listed.items)); ok {
			walkFull("cursor walk", len(listed.items), func(step string) pageWalk {
				return recorded(ask, step, func(ask model.AskFunc) { follow(s.ValidCall(), ask, size, step) })
			})
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{judgeWalk(got, "cursor walk"), judgeFull(got, "cursor walk", walkOf(got, "cursor walk: walk 1"), walkOf(got, "cursor walk: listing 2"), nil)}
		if len(got.Under(unsized+": walk 1")) > 0 {
			rs = append(rs, judgeWalk(got, unsized))
		}
		return ruling.Worst(rs...)
	},
	Fix: "let a cursor name the item behind which the next page begins, and end with hasNextPage false",
}

// askWalk asks for the collection of a request, walks through its pages, and asks again. A walk that
// was faulty is repeated. The listing after one that was not is returned.
func askWalk(s model.Subject, ask model.AskFunc, call probes.Probe, script string) (after pageWalk) {
	return askWalkIn(s, ask, call, script, func(listed probes.Observation) int { return stride(s, listed) })
}

// askWalkIn is askWalk in pages of a size; 0 leaves the size to the adapter.
func askWalkIn(s model.Subject, ask model.AskFunc, call probes.Probe, script string, sized func(listed probes.Observation) int) (after pageWalk) {
	listed := ask(greatestOf(s, call).Anew(script + ": listing 1"))
	if _, why := check.SeveralItems(listed); why != nil {
		return after
	}
	size := sized(listed)
	var got probes.Answers
	recording := ask.Into(&got)
	follow(call, recording, size, script+": walk 1")
	recording(greatestOf(s, call).Anew(script + ": listing 2"))
	before, _, _ := check.Collection(listed.Data())
	if fault, _ := walkOf(got, script+": walk 1").broken(pageWalk{probes.Answers{listed}, before}); fault != "" {
		follow(call, recording, size, script+": walk 2")
		recording(greatestOf(s, call).Anew(script + ": listing 3"))
		return after
	}
	return walkOf(got, script+": listing 2")
}

// judgeWalk rules on the walk of a script, and where that was faulty on the walk again.
func judgeWalk(got probes.Answers, script string) ruling.Ruling {
	listed, walk, second := walkOf(got, script+": listing 1"), walkOf(got, script+": walk 1"), walkOf(got, script+": walk 2")
	after, afterSecond := walkOf(got, script+": listing 2"), walkOf(got, script+": listing 3")
	if _, why := check.SeveralItems(listed.last()); why != nil {
		return *why
	}
	fault, why := walk.broken(listed)
	switch {
	case why != nil:
		return *why
	case !sameItems(listed, after):
		return ruling.Moved("a collection that stays as it is", "one that changed during the walk").By(listed.last(), after.last())
	case fault == "":
		return ruling.Conforms().By(walk.pages...)
	}
	again, why := second.broken(listed)
	switch {
	case why != nil:
		return *why
	case again == "" || !sameItems(listed, afterSecond):
		return ruling.NotProven("the same walk twice", fault+", once").By(walk.last())
	}
	return ruling.Violates("every item once, and an end", again).By(second.pages...).By(listed.last())
}
