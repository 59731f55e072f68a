package query

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An order is lost where the same items come in the order of the request without one. Items with equal values may change their places.
func TestSelectionsInAnOrder(t *testing.T) {
	size := map[byte]int{'a': 1, 'b': 2, 'c': 3, 'd': 4, 'x': 1, 'y': 1}
	for name, c := range map[string]struct {
		plain, ordered, selected, again string
		want                            reports.Verdict
	}{
		"the order is kept":                      {"bca", "abc", "abc", "abc", reports.Pass},
		"the order is lost":                      {"bca", "abc", "bca", "abc", reports.Warn},
		"another order":                          {"bca", "abc", "acb", "abc", reports.NotProven},
		"others write":                           {"bca", "abc", "bca", "bca", reports.NotProven},
		"the selection shows other items":        {"bca", "abc", "bcd", "abc", reports.NotApplicable},
		"the page without an order shows others": {"dbx", "xya", "yxa", "xya", reports.NotApplicable},
		"all values are equal":                   {"yx", "xy", "yx", "xy", reports.NotApplicable},
		"two items":                              {"ba", "ab", "ba", "ab", reports.NotApplicable},
		"the listing is in order without a wish": {"abc", "cba", "abc", "cba", reports.NotApplicable},
	} {
		answer := func(step, items string, whole bool) probes.Observation {
			var all []any
			for _, id := range []byte(items) {
				item := map[string]any{"id": strings.Repeat(string(id), 3)}
				if whole {
					item["size"] = size[id]
				}
				all = append(all, item)
			}
			return checktest.AnswerWithData(probes.Call("main", "mcp_aql_read", "list_things", nil).As(step), map[string]any{"items": all})
		}
		got := selectionLeavesTheOrder.Judge(model.Subject{}, probes.Answers{
			answer(ofSelection+"plain", c.plain, true), answer(probes.Nth(orderedBefore, 0), c.ordered, true),
			answer(probes.Nth(selectedForm, 0), c.selected, false), answer(orderedAfter, c.again, true),
		})
		if got.Verdict != c.want {
			t.Errorf("%s: ruled %s, want %s", name, got.Verdict, c.want)
		}
	}
}
