package pagination

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// walkScript are the steps of the script: listings, and walks between them.
var walkScript = []string{"cursor walk: listing 1", "cursor walk: walk 1", "cursor walk: listing 2", "cursor walk: walk 2", "cursor walk: listing 3"}

// leafThrough answers a script from listings and pages written as "a b c"; a page
// ends with > and the cursor to the next, or with . where nothing follows.
func leafThrough(steps ...[]string) []probes.Observation {
	var got probes.Answers
	for i, pages := range steps {
		for n, page := range pages {
			step := walkScript[i]
			if i%2 == 1 {
				step = probes.Nth(step+": page", n)
			}
			body, cursor, more := strings.Cut(page, ">")
			var items []any
			for _, id := range strings.Fields(strings.TrimSuffix(body, ".")) {
				items = append(items, map[string]any{"id": id})
			}
			info := map[string]any{"hasNextPage": more}
			if cursor != "" {
				info["endCursor"] = cursor
			}
			data := map[string]any{"items": items, "pageInfo": info}
			if items == nil {
				data["items"] = []any{}
			}
			got = append(got, checktest.AnswerWithData(probes.Call("main", "mcp_aql", "list_notes", nil).Anew(step), data))
		}
	}
	return got
}

// A walk is faulty only when it is so twice, in a collection that stays as it is.
func TestWalksAreJudgedFairly(t *testing.T) {
	judge := checktest.JudgeOf(t, Checks, "OPS-4.4.3-08")
	abc, twice := []string{"a b c."}, []string{"a>1", "a b>2", "c."}
	endless := []string{"a b>1", "c>2"}
	for i := range 48 {
		endless = append(endless, fmt.Sprintf("n%d>x%d", i, i))
	}
	for name, c := range map[string]struct {
		steps [][]string
		want  reports.Verdict
	}{
		"every item once":               {[][]string{abc, {"a>1", "b>2", "c."}, abc}, reports.Pass},
		"an empty last page":            {[][]string{abc, {"a b>1", "c>2", "."}, abc}, reports.Pass},
		"an empty page on the way":      {[][]string{abc, {"a b>1", ">2", "c."}, abc}, reports.Pass},
		"more than one listing shows":   {[][]string{{"a b>9"}, {"a>1", "b>2", "c."}, {"a b>9"}}, reports.Pass},
		"a duplicate twice":             {[][]string{abc, twice, abc, twice, abc}, reports.Fail},
		"a duplicate once":              {[][]string{abc, twice, abc, {"a>1", "b>2", "c."}, abc}, reports.NotProven},
		"a duplicate while others move": {[][]string{abc, twice, {"b a c d."}, twice, abc}, reports.NotProven},
		"a gap twice":                   {[][]string{abc, {"a>1", "c."}, abc, {"a>1", "c."}, abc}, reports.Fail},
		"more than the whole, twice":    {[][]string{abc, {"a>1", "b>2", "c d."}, abc, {"a>1", "b>2", "c d."}, abc}, reports.Fail},
		"more than the whole, once":     {[][]string{abc, {"a>1", "b>2", "c d."}, abc, {"a>1", "b>2", "c."}, abc}, reports.NotProven},
		"a gap in a moving collection":  {[][]string{abc, {"a>1", "c."}, {"a c."}, {"a>1", "c."}, {"a c."}}, reports.NotProven},
		"a cursor that comes again":     {[][]string{abc, {"a>1", "b>1"}, abc, {"a>1", "b>1"}, abc}, reports.Fail},
		"an empty end that promises":    {[][]string{abc, {"a b c>1", ">"}, abc, {"a b c>1", ">"}, abc}, reports.Fail},
		"an empty end at the limit":     {[][]string{abc, append(slices.Clone(endless[:49]), ">y"), abc}, reports.NotProven},
		"nothing but promises":          {[][]string{abc, {"a b c>1", ">2", ">3", ">4"}, abc, {"a b c>1", ">2", ">3", ">4"}, abc}, reports.Fail},
		"no end in sight":               {[][]string{abc, endless, abc}, reports.NotProven},
		"one item":                      {[][]string{{"a."}}, reports.NotProven},
		"items that cannot be told":     {[][]string{{"a a b."}, {"a>1", "a>2", "b."}, {"a a b."}}, reports.NotProven},
	} {
		t.Run(name, func(t *testing.T) {
			if got := judge(model.Subject{}, leafThrough(c.steps...)); got.Verdict != c.want {
				t.Errorf("ruled %s (want %s, got %s), want %s", got.Verdict, got.Want, got.Got, c.want)
			}
		})
	}
}

// Two commits of one author are two commits, on whichever pages they stand.
func TestItemsAreToldApartByMoreThanAName(t *testing.T) {
	commits := func(step, cursor string, of ...string) probes.Observation {
		var items []any
		for _, commit := range of {
			sha, author, _ := strings.Cut(commit, " by ")
			items = append(items, map[string]any{"sha": sha, "author_id": author})
		}
		info := map[string]any{"hasNextPage": cursor != ""}
		if cursor != "" {
			info["endCursor"] = cursor
		}
		return checktest.AnswerWithData(probes.Call("main", "mcp_aql", "list_commits", nil).Anew(step), map[string]any{"items": items, "pageInfo": info})
	}
	walk := func(third string) []probes.Observation {
		got := []probes.Observation{commits(walkScript[0], "9", "a by x", "b by y")}
		for _, step := range []int{1, 3} {
			walk := walkScript[step]
			got = append(got, commits(walk+": page 1", "1", "a by x", "b by y"), commits(walk+": page 2", "", third), commits(walkScript[step+1], "9", "a by x", "b by y"))
		}
		return got
	}
	for third, want := range map[string]reports.Verdict{"c by x": reports.Pass, "a by x": reports.Fail} {
		if got := checktest.JudgeOf(t, Checks, "OPS-4.4.3-08")(model.Subject{}, walk(third)); got.Verdict != want {
			t.Errorf("%s: ruled %s (want %s, got %s), want %s", third, got.Verdict, got.Want, got.Got, want)
		}
	}
}

const firstPageStep = "totals of pages: first page"

// Totals that contradict themselves once, while somebody writes, or that are
// estimates, accuse nobody.
func TestTotalsAreJudgedFairly(t *testing.T) {
	judge := checktest.JudgeOf(t, Checks, "OPS-4.4.3-12")
	page := func(step, pagination string) probes.Observation {
		meta, err := probes.ParseValue([]byte(pagination))
		if err != nil {
			t.Fatal(err)
		}
		p := probes.Call("main", "mcp_aql", "list_notes", map[string]any{"offset": 0, "limit": 1}).Anew(step)
		return checktest.AnswerWithData(p, map[string]any{"items": []any{map[string]any{"id": 1}}, "pagination": meta.Go()})
	}
	const right, wrong = `{"returned":1,"total_items":2,"has_more":true}`, `{"returned":1,"total_items":2,"has_more":false}`
	for name, c := range map[string]struct {
		first, second string
		want          reports.Verdict
	}{
		"consistent":          {right, right, reports.Pass},
		"contradictory twice": {wrong, wrong, reports.Fail},
		"contradictory once":  {wrong, right, reports.Pass},
		"estimated":           {`{"total_items":2,"has_more":false,"is_estimate":true}`, `{"total_items":2,"has_more":false,"is_estimate":true}`, reports.NotProven},
		"without totals":      {`{"limit":1,"offset":0}`, `{"limit":1,"offset":0}`, reports.NotApplicable},
	} {
		t.Run(name, func(t *testing.T) {
			if got := judge(model.Subject{}, []probes.Observation{page(firstPageStep, c.first), page(firstPageStep+": again", c.second)}); got.Verdict != c.want {
				t.Errorf("ruled %s (want %s, got %s), want %s", got.Verdict, got.Want, got.Got, c.want)
			}
		})
	}
}

// A total is at least what a listing shows before it and after it.
func TestTotalsCountWhatIsListed(t *testing.T) {
	listing := func(step string, n int) probes.Observation {
		items := make([]any, n)
		return checktest.AnswerWithData(probes.Call("main", "mcp_aql", "list_notes", nil).Anew(step), map[string]any{"items": items})
	}
	page := func(step string, total int) probes.Observation {
		return checktest.AnswerWithData(probes.Call("main", "mcp_aql", "list_notes", map[string]any{"offset": 0, "limit": 1}).Anew(step),
			map[string]any{"items": []any{1}, "pagination": map[string]any{"returned": 1, "total_items": total, "has_more": total > 1}})
	}
	for name, c := range map[string]struct {
		before, first, second, after int
		want                         reports.Verdict
	}{
		"all of them":           {3, 3, 3, 3, reports.Pass},
		"more than is listed":   {3, 9, 9, 3, reports.Pass},
		"what the page holds":   {3, 1, 1, 3, reports.Fail},
		"fewer, once":           {3, 1, 3, 3, reports.Pass},
		"removed in the middle": {3, 1, 1, 1, reports.Pass},
	} {
		got := checktest.JudgeOf(t, Checks, "OPS-4.4.3-12")(model.Subject{}, []probes.Observation{listing("totals of pages: listing before", c.before), page(firstPageStep, c.first), page(firstPageStep+": again", c.second), listing("totals of pages: listing after", c.after)})
		if got.Verdict != c.want {
			t.Errorf("%s: ruled %s (want %s, got %s), want %s", name, got.Verdict, got.Want, got.Got, c.want)
		}
	}
}
