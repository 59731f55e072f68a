package pagination

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A handler that takes a full page for a sign of another one says so on the last page as well, if that is full. The walks whose
// last page has room left cannot show it.

// evenSize is a size of page for two items or more that leaves the last page full, which may be the only one.
func evenSize(s model.Subject, name string, n int) (size int, ok bool) {
	p, _ := check.Parameter(s, name)
	for at := max(2, (n+walkPages-1)/walkPages); at <= n; at++ {
		if n%at == 0 && s.Misfit(p, probes.ValueOf(at)) == "" {
			return at, true
		}
	}
	return 0, false
}

// walkFull walks along n items in full pages, and once more where the last of them promises another one.
func walkFull(script string, n int, walk func(walk string) pageWalk) {
	for i := range 2 {
		if w := walk(fullWalk(script, i)); len(w.items) != n || len(w.full()) == len(w.pages) {
			return
		}
	}
}

func fullWalk(script string, i int) string { return probes.Nth(script+": full walk", i) }

// judgeFull rules on the last page of the walks in full pages. In uneven, the walk with room on its last page, a flag told the end;
// listed is the listing after it. A flag of any name tells it where the last page has a cursor, at the path, and that of uneven has none.
func judgeFull(got probes.Answers, script string, uneven, listed pageWalk, cursor []string) ruling.Ruling {
	if len(uneven.pages) == 0 || len(uneven.full()) < 2 {
		return ruling.Conforms()
	}
	ending := uneven.changed(0)
	promised := func(i int) string {
		w := walkOf(got, fullWalk(script, i))
		pages := w.full()
		if len(pages) == 0 || len(pages) == len(w.pages) || !sameItems(w, listed) {
			return ""
		}
		end := pages[len(pages)-1].Data()
		last, leads := flagsIn(end, ""), cursor != nil && end.At(cursor...).Text() != "" && uneven.last().Data().At(cursor...).Text() == ""
		for flag := range ending {
			if v, told := last[flag]; told && v == ending[flag] && usualFlag(flag) {
				return "" // another flag may tell what it wants, such as whether a page is full
			}
		}
		for _, flag := range slices.Sorted(maps.Keys(ending)) {
			counted := strings.HasPrefix(flag, "pagination.") && w.last().Data().At("pagination").Has("total_pages") // OPS-4.4.3-10 rules on both
			if v, told := last[flag]; told && v != ending[flag] && !counted && (leads || uneven.tellsEnd(flag)) {
				return flag
			}
		}
		return ""
	}
	flag := promised(0)
	if flag == "" || flag != promised(1) {
		return ruling.Conforms()
	}
	w := walkOf(got, fullWalk(script, 1))
	pages := w.full()
	return ruling.Departs(flag+" on a last page that is full as on one that is not", "its value on the pages before").By(w.last(), pages[len(pages)-1], uneven.full()[len(uneven.full())-1])
}

// judgeFull rules on the walks of a script in full pages.
func (p pager) judgeFull(got probes.Answers, script string) ruling.Ruling {
	return judgeFull(got, script, walkOf(got, probes.Nth(script+": walk", 1)), walkOf(got, probes.Nth(script+": listing", 2)), p.Cursor)
}
