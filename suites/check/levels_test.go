package check_test

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// What stands around an empty list is no field of its items.
func TestSomeField(t *testing.T) {
	p := probes.CallWith("main", "read", map[string]any{"operation": "search_notes"})
	paged := func(items ...any) map[string]any {
		return map[string]any{"items": items, "pageInfo": map[string]any{"hasNextPage": false}, "pagination": map[string]any{"limit": 20}}
	}
	note := map[string]any{"title": "a", "body": "b"}
	for _, c := range []struct {
		data any
		want string
	}{
		{paged(), ""},
		{map[string]any{"result": paged()}, ""},
		{paged(note), "body"},
		{map[string]any{"note": map[string]any{"a": 1, "b": 2, "c": 3}}, "a"},
	} {
		o := checktest.AnswerWithData(p, c.data)
		if got := check.SomeField(&model.Adapter{Adapter: &probes.Adapter{Conn: "main"}}, o); got != c.want {
			t.Errorf("%s: %q, want %q", o.Data().Raw(), got, c.want)
		}
	}
}
