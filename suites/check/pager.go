package check

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A Pager is the way in which a listing pages by numbers, or by the cursor that its answers carry.
type Pager struct {
	PagingStyle
	Numbered bool     // From is the number of a page, and not of an item
	First    int      // number of the first page
	Cursor   []string // path of the cursor in the data; nil where From is a number
}

// Begins returns the place of the first item of a page in a listing; -1 if the page has none of it.
func Begins(page, listed []probes.Value) int {
	of, _, told := ItemKeys(listed)
	if len(page) == 0 || !told {
		return -1
	}
	return slices.IndexFunc(listed, func(v probes.Value) bool { return of(v) == of(page[0]) })
}

// Recorded answers what was asked before, by the names of the steps.
func Recorded(got probes.Answers) model.AskFunc {
	return func(p probes.Probe) probes.Observation { return got.Step(p.Step) }
}

// Most parameters and texts that are tried to find how a listing pages.
const (
	mostSizes  = 4
	mostPlaces = 4
	mostTexts  = 3
)

// A pageTrial finds out how a listing pages. Asked with the recorded answers it finds the same.
type pageTrial struct {
	s      model.Subject
	ask    model.AskFunc
	plain  probes.Observation // the listing
	listed []probes.Value     // its items
	size   string
	n      int  // items of a page
	told   bool // no page begins where it has to: what the answers tell counts
}

func (t pageTrial) fits(name string, v any) bool {
	p, _ := Parameter(t.s, name)
	return t.s.Misfit(p, probes.ValueOf(v)) == ""
}

func (t pageTrial) page(call probes.Probe, step string) ([]probes.Value, probes.Observation) {
	o := t.ask(call.Anew("pages by trial: " + step))
	items, _, _ := Collection(o.Data())
	return items, o
}

// LearnPager finds the parameters by which a listing pages. why is set where it finds none: either no
// parameter pages, or the listing is too short to tell.
func LearnPager(s model.Subject, ask model.AskFunc) (p Pager, why *ruling.Ruling) {
	t := pageTrial{s: s, ask: ask}
	items, o := t.page(s.ValidCall(), "listing")
	if _, _, told := ItemKeys(items); !told || len(items) < 3 {
		few := ruling.NotProven("a listing of three items or more that can be told apart", len(items)).By(o)
		return p, &few
	}
	t.listed, t.plain = items, o
	for _, t.told = range []bool{false, true} {
		if p, ok := t.learn(); ok {
			return p, nil
		}
	}
	none := ruling.NotApplicable("no parameter is seen to page")
	return p, &none
}

// learn tries the numbers as sizes, and other numbers and texts as places.
func (t pageTrial) learn() (p Pager, ok bool) {
	s, numbers := t.s, Unset(t.s, IsNumeric)
	for _, t.size = range numbers[:min(len(numbers), mostSizes)] {
		least, fits := SmallestPage(s, t.size)
		if t.n = max(2, least); !fits || t.n >= len(t.listed) || !t.fits(t.size, t.n) {
			continue
		}
		first, o := t.page(s.ValidCall().With(t.size, t.n), "size by "+t.size)
		if len(first) != t.n || Begins(first, t.listed) != 0 {
			continue
		}
		places := slices.DeleteFunc(slices.Clone(numbers), func(name string) bool { return name == t.size })
		for _, from := range places[:min(len(places), mostPlaces)] {
			if p, ok := t.place(from); ok {
				return p, true
			}
		}
		if p, ok := t.cursor(o); ok && !t.told {
			return p, true
		}
	}
	return p, false
}

// place learns how a number says where a page begins.
func (t pageTrial) place(from string) (p Pager, ok bool) {
	p.PagingStyle = PagingStyle{Size: t.size, From: from}
	call := t.s.ValidCall().With(t.size, t.n)
	var at [3]int
	var pages [3][]probes.Value
	var answers [3]probes.Observation
	for i := range at {
		if !t.fits(from, i+1) {
			return p, false
		}
		items, o := t.page(call.With(from, i+1), fmt.Sprintf("place by %s: %d", from, i+1))
		if at[i], pages[i], answers[i] = Begins(items, t.listed), items, o; !o.Succeeded() || i == 0 && at[0] < 0 {
			return p, false
		}
	}
	switch {
	case at[0] == 0 && at[1] > 0:
		p.Numbered, p.First = true, 1
	case at[0] >= t.n && (at[1] >= at[0]+t.n || len(pages[1]) == 0):
		p.Numbered, p.First = true, 0
	case at[0] > 0 && at[1] > at[0] && (at[2] > at[1] || len(pages[2]) == 0):
		// A filter by a number that the items show may look the same.
		return p, DescriptionMatches(t.s, from, ItemPattern) || !filters(t.listed, pages[:])
	default:
		if !t.told || at[0] != 0 || !t.fits(t.size, t.n+1) {
			return p, false
		}
		p.Numbered, p.First = true, 1
		_, larger := t.page(call.With(t.size, t.n+1).With(from, 1), fmt.Sprintf("larger first place by %s", from))
		return p, apart(pages[:]...) && toldPage(from, t.n, t.plain, answers[:], larger)
	}
	// The second page begins later if the pages are larger. A filter does not know their size.
	number := p.First + 1
	items, o := t.page(call.With(t.size, t.n+1).With(from, number), fmt.Sprintf("larger place by %s", from))
	return p, t.fits(t.size, t.n+1) && o.Succeeded() && Begins(items, t.listed) != at[number-1]
}

var digits = regexp.MustCompile(`\d+`)

// filters reports whether each page holds the first of the items in which the same number is equal to a
// bound, or beyond it. The bounds are 1, 2 and so on.
func filters(listed []probes.Value, pages [][]probes.Value) bool {
	of, _, _ := ItemKeys(listed)
	same := func(a, b probes.Value) bool { return of(a) == of(b) }
	for _, name := range listed[0].Names() {
		for _, holds := range []func(x, bound float64) bool{
			func(x, bound float64) bool { return x >= bound }, func(x, bound float64) bool { return x > bound }, func(x, bound float64) bool { return x == bound },
			func(x, bound float64) bool { return x <= bound }, func(x, bound float64) bool { return x < bound },
		} {
			explained := true
			for i, page := range pages {
				kept := slices.DeleteFunc(slices.Clone(listed), func(item probes.Value) bool {
					x, err := strconv.ParseFloat(digits.FindString(item.At(name).String()), 64)
					return err != nil || !holds(x, float64(i+1))
				})
				explained = explained && len(kept) >= len(page) && slices.EqualFunc(kept[:len(page)], page, same)
			}
			if explained {
				return true
			}
		}
	}
	return false
}

// astray is by how many items a page may begin too early or too late and still count as the next one.
const astray = 1

// cursor learns which text of a page asks for the next one, and by which parameter: it leads to the page that begins
// nearest to where the first one ended. The parameter does not search.
func (t pageTrial) cursor(first probes.Observation) (p Pager, ok bool) {
	names, nearest := slices.DeleteFunc(Unset(t.s, IsText), func(name string) bool { return isTime(t.s, name) }), astray+1
	rank := func(name string) int { // a description may tell which one it is
		if DescriptionMatches(t.s, name, cursorPattern) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(names, func(x, y string) int { return rank(x) - rank(y) })
	paths := textPaths(first.Data(), nil)
	for _, from := range names[:min(len(names), mostPlaces)] {
		for _, path := range paths[:min(len(paths), mostTexts)] {
			text := first.Data().At(path...).Text()
			if !t.fits(from, text) {
				continue
			}
			items, o := t.page(t.s.ValidCall().With(t.size, t.n).With(from, text), fmt.Sprintf("cursor by %s: %q", from, path))
			at := Begins(items, t.listed)
			if !o.Succeeded() || at <= 0 {
				continue
			}
			if off := max(at-t.n, t.n-at); off < nearest && !t.searches(from) {
				p, nearest, ok = Pager{PagingStyle: PagingStyle{Size: t.size, From: from}, Cursor: path}, off, true
			}
		}
	}
	return p, ok
}

// searches reports whether a text that no answer showed finds nothing. A cursor with that text is refused, or shows
// some page. A search for a text of the first page may find the items of the second one by chance.
func (t pageTrial) searches(from string) bool {
	text := t.s.Gen.Marker("-nowhere")
	if !t.fits(from, text) {
		return false
	}
	items, o := t.page(t.s.ValidCall().With(t.size, t.n).With(from, text), "a text of no page by "+from)
	return o.Succeeded() && len(items) == 0
}

// textPaths returns where texts stand in an answer, outside of lists and of objects that hold rows by their keys.
func textPaths(v probes.Value, path []string) (all [][]string) {
	if byKey(v) {
		return nil
	}
	for _, m := range v.Members() {
		at := append(slices.Clone(path), m.Name)
		if m.Value.Text() != "" {
			all = append(all, at)
		}
		all = append(all, textPaths(m.Value, at)...)
	}
	return all
}

// byKey reports whether an object holds several objects that have members of the same names.
func byKey(v probes.Value) bool {
	members := v.Members()
	if len(members) < 2 {
		return false
	}
	shared := members[0].Value.Names()
	for _, m := range members {
		shared = slices.DeleteFunc(shared, func(name string) bool { return !m.Value.Has(name) })
	}
	return len(shared) > 1
}
