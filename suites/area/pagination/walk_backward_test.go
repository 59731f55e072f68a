package pagination

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
)

// A page from the end may hold fewer items than it was asked for, and the pages still meet at the beginning.
func TestPagesFromTheEnd(t *testing.T) {
	listed := probes.ValueOf([]any{map[string]any{"id": 1}, map[string]any{"id": 2}, map[string]any{"id": 3}, map[string]any{"id": 4}, map[string]any{"id": 5}}).Items()
	for name, c := range map[string]struct {
		pages     [][]int
		right, no bool // no: the walk proves nothing
	}{
		"in order":     {[][]int{{4, 5}, {2, 3}, {1}}, true, false},
		"capped":       {[][]int{{5}, {4}, {3}, {2}, {1}}, true, false},
		"wrong end":    {[][]int{{1, 2}, {3, 4}, {5}}, false, false},
		"gap":          {[][]int{{4, 5}, {1, 2}}, false, false},
		"early end":    {[][]int{{4, 5}, {}}, false, false},
		"no cursor":    {[][]int{{4, 5}}, true, true},
		"too many":     {[][]int{{3, 4, 5}}, true, true},
		"same once on": {[][]int{{4, 5}, {4, 5}}, false, false},
	} {
		var w pageWalk
		for _, ids := range c.pages {
			items := []any{}
			for _, id := range ids {
				items = append(items, map[string]any{"id": id})
			}
			p := probes.Call("main", "read", "list_things", map[string]any{"last": 2})
			w.pages = append(w.pages, checktest.AnswerWithData(p, map[string]any{"items": items, "pageInfo": map[string]any{}}))
		}
		if fault, why := w.retreated(pageWalk{items: listed}); (fault == "") != c.right || (why != nil) != c.no {
			t.Errorf("%s: fault %q, unproven %v", name, fault, why)
		}
	}
}
