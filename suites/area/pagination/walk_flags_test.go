package pagination

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
)

// flagged answers a walk with pages of two items, the last of one, and an empty one. Each flag has a letter for each page,
// y or n; the number is told beside them if it is more than 0.
func flagged(script string, number int, flags map[string]string) (got probes.Answers) {
	pages := 0
	for _, values := range flags {
		pages = len(values)
	}
	for walk := range 2 {
		for page := range pages {
			var items []any
			for n := range map[bool]int{true: 2, false: 1}[page < pages-2] {
				items = append(items, map[string]any{"id": fmt.Sprint(page, "-", n)})
			}
			data := map[string]any{"items": items, "page": map[string]any{}}
			if page == pages-1 {
				data["items"] = []any{}
			}
			info := data["page"].(map[string]any)
			for name, values := range flags {
				info[name] = values[page] == 'y'
			}
			if number > 0 {
				info["total"] = number
			}
			step := probes.Nth(probes.Nth(script+": walk", walk)+": page", page)
			got = append(got, checktest.AnswerWithData(probes.Call("main", "read", "list_items", nil).Anew(step), data))
		}
	}
	return got
}

// A flag that ends a page too early is held against an adapter where nothing else tells the end, or where its name does.
func TestFlagsThatEndEarly(t *testing.T) {
	for name, c := range map[string]struct {
		number int
		flags  map[string]string // four pages with items, and an empty one
		want   string
	}{
		"as it should be":                {0, map[string]string{"suite": "yyynn"}, ""},
		"too early":                      {0, map[string]string{"suite": "yynnn"}, "page.suite"},
		"too early the other way round":  {0, map[string]string{"ende": "nnyyy"}, "page.ende"},
		"two pages too early":            {0, map[string]string{"suite": "ynnnn"}, ""},
		"of the first page":              {0, map[string]string{"first": "ynnnn"}, ""},
		"beside one that tells the end":  {0, map[string]string{"suite": "yynnn", "more": "yyynn"}, ""},
		"beside the number of all items": {7, map[string]string{"suite": "yynnn"}, ""},
		"beside another number":          {4711, map[string]string{"suite": "yynnn"}, "page.suite"},
		"by its usual name":              {7, map[string]string{"has_more": "yynnn"}, "page.has_more"},
		"once more before the end":       {0, map[string]string{"suite": "nynnn"}, ""},
	} {
		got := flagged("plain", c.number, c.flags)
		if flag := walkOf(got, "plain: walk 1").endsEarly(); flag != c.want {
			t.Errorf("%s: %q, want %q", name, flag, c.want)
		}
	}
}

// The last page of a part has the flag of the last page. A flag about all items need not change there, if another one does.
func TestFlagsOfTheLastPage(t *testing.T) {
	for name, c := range map[string]struct {
		number      int
		whole, part map[string]string
		departs     bool
	}{
		"as in the whole":              {0, map[string]string{"suite": "yynn"}, map[string]string{"suite": "ynn"}, false},
		"more is promised":             {0, map[string]string{"suite": "yynn"}, map[string]string{"suite": "yyn"}, true},
		"another one is right":         {0, map[string]string{"newest": "nnyy", "has_more": "yynn"}, map[string]string{"newest": "nnn", "has_more": "ynn"}, false},
		"the number is told":           {5, map[string]string{"newest": "nnyy"}, map[string]string{"newest": "nnn"}, false},
		"by its usual name":            {5, map[string]string{"hasNextPage": "yynn"}, map[string]string{"hasNextPage": "yyn"}, true},
		"the whole has two pages only": {0, map[string]string{"suite": "ynn"}, map[string]string{"suite": "yyn"}, false},
	} {
		got := append(flagged("plain", c.number, c.whole), flagged("part", c.number, c.part)...)
		if r := (pager{}).judgeEnd(got, "plain", "part"); strings.Contains(r.Want, "on the last page of a part") != c.departs {
			t.Errorf("%s: %s, %q", name, r.Verdict, r.Want)
		}
	}
}
