package levels

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Both launches document the same parameters, in whatever order. What has no details is not compared.
func TestParametersOfBothModes(t *testing.T) {
	names := func(list ...string) (all []probes.Parameter) {
		for _, name := range list {
			all = append(all, probes.Parameter{Name: name})
		}
		return all
	}
	details := probes.ValueOf(map[string]any{"name": "list_boxes"})
	face := func(ps []probes.Parameter, details probes.Value) *model.Adapter {
		return &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{{Name: "list_boxes", Parameters: ps, Details: details}}}}
	}
	for _, c := range []struct {
		why   string
		other *model.Adapter
		want  string
	}{
		{"no other launch", nil, ""},
		{"another order", face(names("page", "color"), details), ""},
		{"one less", face(names("page"), details), "list_boxes"},
		{"another name", face(names("page", "colour"), details), "list_boxes"},
		{"no details", face(nil, probes.Value{}), ""},
		{"required there", face([]probes.Parameter{{Name: "color", Required: true}, {Name: "page"}}, details), "list_boxes"},
	} {
		f := face(names("color", "page"), details)
		f.Other = c.other
		if got := otherParameters(model.Subject{Adapter: f}); got != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}

// A batch whose entries fail was taken, and does not work.
func TestBatchOfListings(t *testing.T) {
	p := probes.Call("main", "t", "introspect", nil).As("batch of two listings")
	for results, want := range map[string]reports.Verdict{
		`{"index":0,"result":{"success":true,"data":{}}},{"index":1,"result":{"success":true,"data":{}}}`:                          reports.Pass,
		`{"index":0,"result":{"success":true,"data":{}}},{"index":1,"result":{"success":false,"error":{"code":"INTERNAL_ERROR"}}}`: reports.NotProven,
	} {
		got := probes.Answers{checktest.AnswerWithEnvelope(t, p, `{"success":true,"data":null,"results":[`+results+`]}`)}
		if r := checktest.JudgeOf(t, Checks, "AQL-10.1-11")(model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, Name: "introspect"}, got); r.Verdict != want {
			t.Errorf("%s: ruled %s (%s, %s), want %s", results, r.Verdict, r.Want, r.Got, want)
		}
	}
}
