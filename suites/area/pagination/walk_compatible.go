package pagination

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// enough is how many items a walk in the compatible styles wants to find.
const enough = 5

// mostMore is how many objects are made beyond enough, so that a last page has one, and that of another size is full.
const mostMore = 4

// stock makes objects of our own until a listing shows enough of them to walk along, and pages of some size leave one.
func stock(s model.Subject, ask model.AskFunc, whole probes.Probe) {
	makers := model.EachMarked(s.Adapter)
	i := slices.IndexFunc(makers, func(m model.Subject) bool {
		allowed, _ := s.Callable(m.Op)
		return allowed && m.Ruling == nil && m.HasRole(model.ListerRole, s.Name, m.Name)
	})
	if i < 0 {
		return
	}
	items, _, ok := check.Collection(ask(whole.Anew("stocked listing: listing")).Data())
	more := func(n int) bool {
		return n < enough || n < max(enough, len(items))+mostMore && !(leavesOne(n) && fills(n))
	}
	for n := len(items); ok && more(n); n++ {
		step := probes.Nth(probes.Nth("stocked listing: maker", i)+": made", n)
		if !ask(makers[i].FreshCall(step).Anew(step)).Succeeded() {
			return
		}
	}
}

// leavesOne reports whether three full pages or more of one size leave a single item of so many for the last page.
func leavesOne(n int) bool {
	for size := max(2, (n+walkPages-1)/walkPages); 3*size < n; size++ {
		if n%size == 1 {
			return true
		}
	}
	return false
}

// fills reports whether pages of one size for two items or more hold so many, with no room left.
func fills(n int) bool {
	for size := max(2, (n+walkPages-1)/walkPages); size < n; size++ {
		if n%size == 0 {
			return true
		}
	}
	return false
}

// leafed says what is wrong with a walk along a collection that a listing showed whole; why is set
// where the walk proves nothing.
func (w pageWalk) leafed(p pager, listing pageWalk) (fault string, why *ruling.Ruling) {
	listed := listing.items
	of, same, told := check.ItemKeys(listed)
	if i := slices.IndexFunc(w.pages, func(o probes.Observation) bool { return !o.Succeeded() }); i >= 0 || !told {
		r := ruling.NotProven("pages of items that can be told apart", w.last()).By(w.last())
		return "", &r
	}
	if i := slices.IndexFunc(w.pages, p.resized); i >= 0 {
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
	return w.beyond(listing), nil
}

// Operations document, section 4.4.3.
var compatibleWalkVisitsEveryItemOnce = check.Check{
	Requirement: "OPS-4.4.3-08",
	Handles:     check.Movement,
	Why:         "A position that is ignored or counted wrongly shows on the second page, and a number of pages that is rounded down on the last. Pages of one item show neither.",
	On:          check.EachPaged(check.OffsetStyle, check.PageStyle),
	Lane:        probes.Walking,
	Drive: func(s model.Subject, ask model.AskFunc) {
		p := standardPager(s)
		stock(s, ask, p.whole(s, s.ValidCall()))
		p.walksFull(s, ask, s.ValidCall(), "walk by numbers", p.walks(s, ask, s.ValidCall(), "walk by numbers"))
		p.arranged(s, ask, "ordered walk by numbers", "narrowed walk by numbers")
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		p := standardPager(s)
		return ruling.Worst(p.judge(got, "walk by numbers"), p.judgeArranged(got, "ordered walk by numbers", "narrowed walk by numbers"), p.judgeEnd(got, "walk by numbers", "narrowed walk by numbers"), p.judgeFull(got, "walk by numbers"))
	},
	Fix: "begin a page where the one before ended, and count a last page that is not full",
}

// judge rules on the walks of a script.
func (p pager) judge(got probes.Answers, script string) ruling.Ruling {
	if _, why := check.SeveralItems(walkOf(got, probes.Nth(script+": listing", 0)).last()); why != nil {
		return *why
	}
	r := walkedTwice(got, script, "every item once", func(w, listing pageWalk) (string, *ruling.Ruling) { return w.leafed(p, listing) })
	first, second := walkOf(got, probes.Nth(script+": walk", 0)), walkOf(got, probes.Nth(script+": walk", 1))
	flag := first.endsEarly()
	counted := strings.HasPrefix(flag, "pagination.") && first.last().Data().At("pagination").Has("total_pages") // OPS-4.4.3-10 rules on both
	if r.Verdict == ruling.Conforms().Verdict && flag != "" && flag == second.endsEarly() && !counted {
		return ruling.Departs(flag+" as on the pages before, because one page more follows", "its value on the last page").By(second.pages...)
	}
	return r
}

// full returns the pages of a walk that show items, up to the last one.
func (w pageWalk) full() []probes.Observation {
	pages := slices.Clone(w.pages)
	for len(pages) > 0 {
		if items, _, _ := check.Collection(pages[len(pages)-1].Data()); len(items) > 0 {
			break
		}
		pages = pages[:len(pages)-1]
	}
	return pages
}

// changes returns the page on which a flag takes the value that it keeps to the last page; -1 where it has it before, or
// loses it again.
func changes(pages []probes.Observation, flag string, ending bool) int {
	first := slices.IndexFunc(pages, func(o probes.Observation) bool {
		v, told := flagsIn(o.Data(), "")[flag]
		return told && v == ending
	})
	for _, o := range pages[max(first, 0):] {
		if v, told := flagsIn(o.Data(), "")[flag]; !told || v != ending {
			return -1
		}
	}
	return first
}

// changed returns the flags that change so many pages before the last one, with the value that they have then.
func (w pageWalk) changed(before int) map[string]bool {
	pages, found := w.full(), map[string]bool{}
	if last := len(pages) - 1; last >= 1 && last-before >= 1 {
		for flag, ending := range flagsIn(pages[last].Data(), "") {
			if changes(pages, flag, ending) == last-before {
				found[flag] = ending
			}
		}
	}
	return found
}

// tellsEnd reports whether a flag tells whether a page follows: by a usual name, or because nothing else in the answers
// does. Beside the number of all items, a flag of another name may tell what it wants.
func (w pageWalk) tellsEnd(flag string) bool {
	return usualFlag(flag) || !slices.ContainsFunc(w.full(), func(o probes.Observation) bool { return tellsNumber(o.Data(), len(w.items)) })
}

// usualFlag reports whether a flag has a usual name for that a page follows.
func usualFlag(flag string) bool {
	return slices.Contains([]string{"hasmore", "hasnext", "hasnextpage"}, vocab.Letters(flag[strings.LastIndex(flag, ".")+1:]))
}

// tellsNumber reports whether a number stands in an answer, outside of its items.
func tellsNumber(v probes.Value, n int) bool {
	return slices.ContainsFunc(v.Members(), func(m probes.Member) bool {
		is, number := m.Value.Float()
		return number && int(is) == n || tellsNumber(m.Value, n)
	})
}

// endsEarly returns a flag that changes on the last page but one: it says that nothing follows, and a page does. A flag that
// tells the first page from the others changes on the second one. Beside one that tells the last page, another may tell what it
// wants.
func (w pageWalk) endsEarly() string {
	if len(w.full()) < 4 || len(w.changed(0)) > 0 {
		return ""
	}
	for _, flag := range slices.Sorted(maps.Keys(w.changed(1))) {
		if w.tellsEnd(flag) {
			return flag
		}
	}
	return ""
}

// judgeEnd rules on the flags that tell the last page of a listing: the last page of a part of it has one of them too, and an
// empty page follows.
func (p pager) judgeEnd(got probes.Answers, plain, part string) ruling.Ruling {
	walk := func(script string, i int) pageWalk { return walkOf(got, probes.Nth(script+": walk", i)) }
	wrong := func(i int) string {
		whole, w := walk(plain, i), walk(part, i)
		pages := w.full()
		if len(whole.full()) < 3 || len(pages) == 0 || len(w.pages) == len(pages) {
			return ""
		}
		flags := whole.changed(0)
		for flag, ending := range flags {
			if v, told := flagsIn(pages[len(pages)-1].Data(), "")[flag]; !told || v == ending {
				return ""
			}
		}
		for _, flag := range slices.Sorted(maps.Keys(flags)) {
			if whole.tellsEnd(flag) {
				return flag
			}
		}
		return ""
	}
	if flag := wrong(0); flag != "" && flag == wrong(1) {
		w := walk(part, 1)
		return ruling.Departs(flag+" on the last page of a part as on that of the whole listing", "its value on the pages before").By(w.last(), w.full()[len(w.full())-1], walk(plain, 1).last())
	}
	return ruling.Conforms()
}

// flagsIn returns the flags of an answer that do not belong to an item, by their paths.
func flagsIn(v probes.Value, path string) map[string]bool {
	flags := map[string]bool{}
	for _, m := range v.Members() {
		if m.Value.Is(probes.Boolean) {
			flags[path+m.Name] = m.Value.True()
		}
		maps.Copy(flags, flagsIn(m.Value, path+m.Name+"."))
	}
	return flags
}

// walkedTwice rules on two walks of a script and the listings before, between and after them. faultOf says what
// is wrong with a walk beside a listing, or why the walk proves nothing.
func walkedTwice(got probes.Answers, script, want string, faultOf func(w, listing pageWalk) (fault string, why *ruling.Ruling)) ruling.Ruling {
	listing := func(i int) pageWalk { return walkOf(got, probes.Nth(script+": listing", i)) }
	first, second := walkOf(got, probes.Nth(script+": walk", 0)), walkOf(got, probes.Nth(script+": walk", 1))
	if len(first.pages) == 0 || len(second.pages) == 0 {
		return ruling.NotProven("a collection of three items or more, and pages of two", len(listing(0).items)).By(listing(0).last())
	}
	fault, why := faultOf(first, listing(0))
	again, whyAgain := faultOf(second, listing(1))
	switch {
	case why != nil:
		return *why
	case fault == "":
		return ruling.Conforms().By(first.pages...)
	case whyAgain != nil:
		return *whyAgain
	case again == "" || !sameItems(listing(0), listing(1)) || !sameItems(listing(1), listing(2)):
		return ruling.Moved("a collection that stays as it is", fault+", once").By(first.last())
	}
	return ruling.Violates(want, again).By(second.pages...).By(listing(0).last())
}
