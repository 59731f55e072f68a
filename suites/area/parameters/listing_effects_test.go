package parameters

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

func itemsOf(t *testing.T, text string) []probes.Value {
	t.Helper()
	v, err := probes.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v.Items()
}

func parameterOf(t *testing.T, text string) probes.Parameter {
	t.Helper()
	v, err := probes.ParseValue([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return probes.Parameter{Name: v.At("name").Text(), Type: v.At("type").Text(), Raw: v}
}

// Only a bound of a date that each item has is certain to change a listing.
func TestBoundsOfCertainEffect(t *testing.T) {
	const dated = `[{"due_date":"2026-01-01","made":"2026-01-01T00:00:00Z"},{"due_date":"2026-02-01","made":"2026-01-02T00:00:00Z"}]`
	for _, tc := range []struct {
		story, parameter, items string
		want                    bool
	}{
		{"a bound of a date", `{"name":"due_before","type":"string","format":"date"}`, dated, true},
		{"a bound without another word", `{"name":"since","type":"string","format":"date-time"}`, dated, true},
		{"a bound in another style", `{"name":"madeAfter","type":"string","format":"date-time"}`, dated, true},
		{"a bound may pass what has no date", `{"name":"due_before","type":"string","format":"date"}`, `[{"due_date":"2026-01-01"},{"due_date":null}]`, false},
		{"a bound of a date that is not shown", `{"name":"changed_since","type":"string","format":"date-time"}`, dated, false},
		{"a date of reference", `{"name":"stichtag","type":"string","format":"date"}`, dated, false},
		{"a text", `{"name":"since","type":"string"}`, dated, false},
	} {
		got := moment(filter{par: parameterOf(t, tc.parameter)}, itemsOf(t, tc.items))
		if (len(got.tried) > 0) != tc.want {
			t.Errorf("%s: %v, want %v", tc.story, got.tried, tc.want)
		}
	}
	for _, told := range []string{"as_of", "Count the days relative to this date", "time_zone", "now"} {
		if !otherTime.MatchString(told) {
			t.Errorf("%s is taken for a bound", told)
		}
	}
}

// What is kept at the top breaks an order in one place; equal values have no order.
func TestOrdersOfCertainEffect(t *testing.T) {
	by := parameterOf(t, `{"name":"order_by","type":"string","enum":["rank","title"]}`)
	s := model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}}
	for _, tc := range []struct {
		story, items string
		want         bool
	}{
		{"items without an order", `[{"rank":3},{"rank":1},{"rank":4},{"rank":2},{"rank":5}]`, true},
		{"one item at the top", `[{"rank":9},{"rank":1},{"rank":2},{"rank":3},{"rank":4}]`, false},
		{"in order", `[{"rank":1},{"rank":2},{"rank":3}]`, false},
		{"equal values", `[{"rank":3},{"rank":1},{"rank":3},{"rank":1},{"rank":3}]`, false},
		{"texts, whose order is that of a language", `[{"title":"b"},{"title":"A"},{"title":"c"},{"title":"a"},{"title":"d"}]`, false},
	} {
		got := ordered(s, filter{par: by}, itemsOf(t, tc.items))
		if (len(got.tried) > 0) != tc.want {
			t.Errorf("%s: %v, want %v", tc.story, got.tried, tc.want)
		}
	}
}
