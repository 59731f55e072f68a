package pagination

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// page is a page of list_things, in a step, with a member of pageInfo.
func page(step string, hasPrevious any, ids ...int) probes.Observation {
	items := []any{}
	for _, id := range ids {
		items = append(items, map[string]any{"id": id})
	}
	return checktest.AnswerWithData(probes.Call("main", "read", "list_things", map[string]any{"first": 2}).As(step),
		map[string]any{"items": items, "pageInfo": map[string]any{"hasNextPage": true, "hasPreviousPage": hasPrevious, "endCursor": "B-0002"}})
}

// A flag of the first page may be a boolean by chance.
func TestFlagsOfLaterPages(t *testing.T) {
	for want, flag := range map[reports.Verdict]any{reports.Fail: "B-0002", reports.Pass: true} {
		got := []probes.Observation{page("first page: first", false, 1, 2), page(probes.Nth(behindCursor, 0), flag, 3, 4)}
		if r := checktest.JudgeOf(t, Checks, "OPS-4.4.3-03")(model.Subject{}, got); r.Verdict != want {
			t.Errorf("%v: ruled %s, want %s", flag, r.Verdict, want)
		}
	}
}
