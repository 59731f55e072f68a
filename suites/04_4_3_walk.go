package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

const (
	maxWalkPages = 50 // of one walk
	walkPages    = 10 // that a walk is to have

	// walkTake is the first of five takes that tell the questions of the script
	// apart: the listing before, the walk, the listing after it, the walk again and
	// the listing after that.
	walkTake = 4480
)

// apart is what tells the items of a collection apart: a member that each has,
// with another value on each, else the whole item. ok is false where two are equal.
// same says when two items are one: a member that is no identifier by its name alone
// may differ on one page by chance, as the author of each change.
func apart(items []probes.Value) (of, same func(probes.Value) string, ok bool) {
	names := []string{}
	if len(items) > 0 {
		names = items[0].Names()
	}
	rank := func(name string) int {
		switch {
		case slices.Contains([]string{"id", "_id", "uuid", "key", "slug"}, name):
			return 0
		case strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "_number"):
			return 1
		case name == "name":
			return 2
		}
		return 3
	}
	slices.SortStableFunc(names, func(x, y string) int { return rank(x) - rank(y) })
	whole := func(v probes.Value) string { return v.Canonical(volatile) }
	for _, name := range names {
		if values := column(items, name); rank(name) < 3 && len(values) == len(items) && distinct(values) == len(items) {
			of = func(v probes.Value) string { return v.At(name).Canonical(nil) }
			if rank(name) == 0 {
				return of, of, true
			}
			return of, func(v probes.Value) string { return of(v) + whole(v) }, true
		}
	}
	return whole, whole, len(items) == len(keysOf(items, whole))
}

func keysOf(items []probes.Value, of func(probes.Value) string) []string {
	var all []string
	for _, item := range items {
		all = append(all, of(item))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// greatest is the request for as much of the collection as one page can hold.
func greatest(s Subject) probes.Probe {
	return s.ValidCall().With(cursorStyle.size, s.largest(cursorStyle.size, 100))
}

// stride is the size of page that makes about ten pages of what a listing showed.
func stride(s Subject, listed probes.Observation) int {
	items, _, _ := collection(listed.Data())
	n := len(items)
	if total, ok := listed.Data().At("pageInfo", "totalCount").Float(); ok && total < 1e6 {
		n = max(n, int(total))
	}
	least, _ := s.smallest(cursorStyle.size)
	p, _ := s.parameter(cursorStyle.size)
	size := max(least, min((n+walkPages-1)/walkPages, s.largest(cursorStyle.size, 1000)))
	if s.Misfit(p, probes.ValueOf(size)) != "" {
		return least
	}
	return size
}

// follow walks along the cursors of one collection until they end, repeat, or lead on for
// too long.
func follow(s Subject, ask Asking, size, take int) {
	call, seen := s.ValidCall().With(cursorStyle.size, size).Anew(take), map[string]bool{}
	for range maxWalkPages {
		at := positionOf(ask(call))
		if !at.more.True() || at.cursor.Text() == "" || seen[at.cursor.Text()] {
			return
		}
		seen[at.cursor.Text()] = true
		call = call.With(cursorStyle.from, at.cursor.Text())
	}
}

// A stroll is one walk as it was recorded.
type stroll struct {
	pages []probes.Observation
	items []probes.Value
}

// strollOf returns the answers of one step of the script.
func strollOf(got []probes.Observation, step int) stroll {
	var w stroll
	for _, o := range got {
		if o.Probe.Take == walkTake+step {
			items, _, _ := collection(o.Data())
			w.pages, w.items = append(w.pages, o), append(w.items, items...)
		}
	}
	return w
}

func (w stroll) last() probes.Observation { return w.pages[len(w.pages)-1] }

// broken says what is wrong with a walk between two equal listings, "" when nothing
// is; why is set where the walk proves nothing.
func (w stroll) broken(listed []probes.Value) (fault string, why *Ruling) {
	unproven := func(r Ruling) (string, *Ruling) { r = r.By(w.last()); return "", &r }
	of, same, told := apart(listed)
	at, seen := positionOf(w.last()), map[string]bool{}
	for _, o := range w.pages[:len(w.pages)-1] {
		seen[positionOf(o).cursor.Text()] = true
	}
	here, _, found := collection(w.last().Data())
	switch {
	case !told:
		return unproven(NotProven("items that can be told apart", "equal ones"))
	case !w.last().Succeeded() && (len(w.pages) <= 2 || w.last().Deferred()):
		return unproven(NotProven("an answer to each page", w.last()).Because("INT-4.1.1-15"))
	case !w.last().Succeeded():
		return "its own cursor refused: " + w.last().Brief(), nil
	case !found:
		return unproven(NotProven("an array that is the collection", w.last().Data()))
	case !at.more.Is(probes.Boolean):
		return unproven(NotProven("a boolean hasNextPage", at.more).Because("OPS-4.4.3-03"))
	case at.more.True() && seen[at.cursor.Text()]:
		return "a cursor that comes again", nil
	case at.more.True() && len(here) == 0 && (at.cursor.Text() == "" || w.fruitless() >= patience):
		return "an empty page that promises more", nil
	case at.more.True() && at.cursor.Text() == "":
		return unproven(NotProven("an endCursor to go on from", at.cursor).Because("OPS-4.4.3-05"))
	case len(keysOf(w.items, same)) < len(w.items):
		return "an item that comes twice", nil
	case at.more.True():
		return unproven(NotProven("an end within 50 pages", "new items on every page"))
	}
	missing := slices.DeleteFunc(keysOf(listed, of), func(key string) bool { return slices.Contains(keysOf(w.items, of), key) })
	if len(missing) > 0 {
		return "without " + clip(missing[0]) + ", which the listing has", nil
	}
	return "", nil
}

// patience is how many empty pages in a row may promise more before it is no promise:
// one may be empty because nobody is to see its items.
const patience = 3

// fruitless counts the empty pages at the end of a walk.
func (w stroll) fruitless() int {
	n := 0
	for _, o := range slices.Backward(w.pages) {
		if items, _, _ := collection(o.Data()); len(items) > 0 {
			break
		}
		n++
	}
	return n
}

// sameItems reports whether two listings show the same items.
func sameItems(x, y stroll) bool {
	of, _, _ := apart(x.items)
	return len(x.items) == len(y.items) && slices.Equal(keysOf(x.items, of), keysOf(y.items, of))
}

// Operations document, section 4.4.3. A client that walks a collection acts on every
// item of it: what comes twice is done twice, and what is left out is never done.
var _ = register(Check{
	Requirement: "OPS-4.4.3-08",
	On:          paged(cursorStyle),
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		listed := ask(greatest(s).Anew(walkTake))
		if _, why := several(listed); why != nil {
			return
		}
		size := stride(s, listed)
		var got []probes.Observation
		recording := func(p probes.Probe) probes.Observation {
			o := ask(p)
			got = append(got, o)
			return o
		}
		follow(s, recording, size, walkTake+1)
		recording(greatest(s).Anew(walkTake + 2))
		before, _, _ := collection(listed.Data())
		if fault, _ := strollOf(got, 1).broken(before); fault != "" {
			follow(s, recording, size, walkTake+3)
			recording(greatest(s).Anew(walkTake + 4))
		}
	},
	Judge: strolled,
	Fix:   "let a cursor name the item behind which the next page begins, and end with hasNextPage false",
})

// strolled rules on the walk, and where that was faulty on the walk again.
func strolled(_ Subject, got []probes.Observation) Ruling {
	listed := strollOf(got, 0)
	if _, why := several(listed.last()); why != nil {
		return *why
	}
	fault, why := strollOf(got, 1).broken(listed.items)
	switch {
	case why != nil:
		return *why
	case !sameItems(listed, strollOf(got, 2)):
		return NotProven("a collection that stays as it is", "one that changed during the walk").By(listed.last(), strollOf(got, 2).last())
	case fault == "":
		return Conforms().By(strollOf(got, 1).pages...)
	}
	again, why := strollOf(got, 3).broken(listed.items)
	switch {
	case why != nil:
		return *why
	case again == "" || !sameItems(listed, strollOf(got, 4)):
		return NotProven("the same walk twice", fault+", once").By(strollOf(got, 1).last())
	}
	return Violates("every item once, and an end", again).By(strollOf(got, 3).pages...).By(listed.last())
}
