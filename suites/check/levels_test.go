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
		if got := check.SomeField(model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{Conn: "main"}}}, o); got != c.want {
			t.Errorf("%s: %q, want %q", o.Data().Raw(), got, c.want)
		}
	}
}

// A list of fields takes the names that its elements are documented to have, under each form of the record.
func TestSomeFieldIsTaken(t *testing.T) {
	p := probes.CallWith("main", "read", map[string]any{"operation": "get_permit"})
	o := checktest.AnswerWithData(p, map[string]any{"a_number": "P-1", "b_kind": "event", "c_title": "x"})
	for raw, want := range map[string]string{
		`{"type":"array"}`:                           "a_number",
		`{"type":"array","items":{"type":"string"}}`: "a_number",
		`{"type":"array","items":{"type":"string","enum":["c_title","b_kind"]}}`: "b_kind",
		`{"type":"string[]","enum":["c_title"]}`:                                 "c_title",
		`{"type":"string","enum":["minimal","full"]}`:                            "a_number",
		`{"type":"string|string[]","enum":["minimal","full"]}`:                   "a_number",
		`{"type":"array","items":{"type":"string","enum":["street"]}}`:           "",
	} {
		record, _ := probes.ParseValue([]byte(raw))
		op := probes.Operation{Name: "get_permit", Parameters: []probes.Parameter{{Name: "fields", Type: record.At("type").Text(), Raw: record}}}
		if got := check.SomeField(model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{Conn: "main"}}, Name: op.Name, Op: op}, o); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
