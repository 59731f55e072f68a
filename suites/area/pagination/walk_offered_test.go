package pagination

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
)

// answered is an answer to a step of a walk or a listing; without a cursor nothing follows.
func answered(step, cursor string, ids ...string) probes.Observation {
	items := []any{}
	for _, id := range ids {
		items = append(items, map[string]any{"id": id, "title": "word " + id})
	}
	info := map[string]any{"hasNextPage": cursor != ""}
	if cursor != "" {
		info["endCursor"] = cursor
	}
	return checktest.AnswerWithData(probes.Call("main", "mcp_aql", "list_notes", nil).Anew(step), map[string]any{"items": items, "pageInfo": info})
}

// A walk without a size may lose an item between its pages where walks with a size lose none.
func TestWalksWithoutASize(t *testing.T) {
	whole := []string{"a", "b", "c", "d"}
	for name, c := range map[string]struct {
		second [2][]string // of both walks, behind a page of a and b
		after  []string    // what is listed then
		want   reports.Verdict
	}{
		"every item once":               {[2][]string{{"c", "d"}, nil}, whole, reports.Pass},
		"an item lost, twice":           {[2][]string{{"d"}, {"d"}}, whole, reports.Fail},
		"an item lost, once":            {[2][]string{{"d"}, {"c", "d"}}, whole, reports.Pass},
		"an item that others removed":   {[2][]string{{"d"}, {"d"}}, []string{"a", "b", "d"}, reports.Pass},
		"an item behind each page more": {[2][]string{{"b", "c", "d"}, {"b", "c", "d"}}, whole, reports.Fail},
	} {
		got := probes.Answers{answered("cursor walk: listing 2", "", whole...)}
		for i, second := range c.second {
			if second == nil {
				continue
			}
			walk := probes.Nth(offered, i)
			got = append(got, answered(probes.Nth(walk+": page", 0), "1", "a", "b"), answered(probes.Nth(walk+": page", 1), "", second...), answered(probes.Nth(offeredListed, i), "", c.after...))
		}
		if r := judgeOffered(got); r.Verdict != c.want {
			t.Errorf("%s: %s, got %q", name, r.Verdict, r.Got)
		}
	}
}

// A part is listed by a word that items at the end of the listing lack. One that all items have, or none of those behind the first
// page lacks, shows nothing.
func TestWordsThatNarrowAWalk(t *testing.T) {
	of := func(titles ...string) probes.Observation {
		items := []any{}
		for i, title := range titles {
			items = append(items, map[string]any{"id": i, "title": title})
		}
		return checktest.AnswerWithData(probes.Call("main", "mcp_aql", "list_notes", nil), map[string]any{"items": items})
	}
	for name, c := range map[string]struct {
		listed probes.Observation
		want   []string
	}{
		"a word of some":       {of("red box", "red jar", "blue box", "red lid"), []string{"red"}},
		"a word of all":        {of("red box", "red jar", "red lid"), nil},
		"a word of the last":   {of("blue box", "red box one", "red jar two", "red lid"), nil},
		"a word of few":        {of("red box", "red jar", "blue box"), nil},
		"a number, and others": {of("1234 boîte", "1234 boîte", "lid", "1234 boîte", "jar"), []string{"boîte"}},
	} {
		if got := (arranger{plain: c.listed}).words(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
