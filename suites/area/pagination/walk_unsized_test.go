package pagination

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
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

// A walk without a size may lose an item between its pages where walks with a size lose none. What is seen once, or in a listing
// that others change, is not proven.
func TestWalksWithoutASize(t *testing.T) {
	judge := checktest.JudgeOf(t, Checks, "OPS-4.4.3-08")
	whole := []string{"a", "b", "c", "d"}
	walked := func(script string, after []string, seconds ...[]string) (got probes.Answers) {
		got = probes.Answers{answered(script+": listing 1", "", whole...)}
		for i, second := range seconds {
			walk := probes.Nth(script+": walk", i)
			got = append(got, answered(walk+": page 1", "1", "a", "b"), answered(walk+": page 2", "", second...), answered(probes.Nth(script+": listing", i+1), "", after...))
		}
		return got
	}
	for name, c := range map[string]struct {
		seconds [][]string // of each walk, behind a page of a and b
		after   []string   // what is listed then
		want    reports.Verdict
	}{
		"one page":                      {nil, whole, reports.Pass},
		"every item once":               {[][]string{{"c", "d"}}, whole, reports.Pass},
		"an item lost, twice":           {[][]string{{"d"}, {"d"}}, whole, reports.Fail},
		"an item lost, once":            {[][]string{{"d"}, {"c", "d"}}, whole, reports.NotProven},
		"an item that others removed":   {[][]string{{"d"}, {"d"}}, []string{"a", "b", "d"}, reports.NotProven},
		"an item behind each page more": {[][]string{{"b", "c", "d"}, {"b", "c", "d"}}, whole, reports.Fail},
	} {
		got := walked("cursor walk", whole, []string{"c", "d"})
		if c.seconds != nil {
			got = append(got, walked(unsized, c.after, c.seconds...)...)
		}
		if r := judge(model.Subject{}, got); r.Verdict != c.want {
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
