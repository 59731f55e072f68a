package pagination

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
)

// paged answers the pages of a walk, each an object with its items.
func paged(t *testing.T, walk string, pages ...map[string]any) (got probes.Answers) {
	for i, data := range pages {
		got = append(got, checktest.AnswerWithData(probes.Call("main", "read", "list_items", nil).Anew(probes.Nth(walk+": page", i)), data))
	}
	return got
}

// A last page that is full promises no other one.
func TestLastPageThatIsFull(t *testing.T) {
	items := func(ids ...string) []any {
		all := []any{}
		for _, id := range ids {
			all = append(all, map[string]any{"id": id})
		}
		return all
	}
	page := func(name string, more bool, cursor string, total int, ids ...string) map[string]any {
		data := map[string]any{"items": items(ids...), name: more, "next": cursor}
		if total > 0 {
			data["total"] = total
		}
		return data
	}
	for name, c := range map[string]struct {
		flag    string
		total   int
		promise bool // more, on the last full page
		cursor  string
		departs bool
	}{
		"as it should be":                         {"has_more", 0, false, "", false},
		"by its usual name":                       {"has_more", 4, true, "", true},
		"by another name":                         {"suite", 0, true, "", true},
		"another name beside the number of all":   {"suite", 4, true, "", false},
		"another name beside a cursor that leads": {"suite", 4, true, "n", true},
	} {
		uneven := paged(t, "script: walk 2", page(c.flag, true, "n", c.total, "a", "b", "c"), page(c.flag, false, "", c.total, "d"))
		listed := checktest.AnswerWithData(probes.Call("main", "read", "list_items", nil).Anew("script: listing 3"), map[string]any{"items": items("a", "b", "c", "d")})
		got := append(uneven, listed)
		for i := range 2 {
			got = append(got, paged(t, fullWalk("script", i), page(c.flag, true, "n", c.total, "a", "b"), page(c.flag, c.promise, c.cursor, c.total, "c", "d"), page(c.flag, false, "", c.total))...)
		}
		r := judgeFull(got, "script", walkOf(got, "script: walk 2"), walkOf(got, "script: listing 3"), []string{"next"})
		if departs := r.Want != ""; departs != c.departs {
			t.Errorf("%s: %s, %q", name, r.Verdict, r.Got)
		}
	}
}
