package query

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An adapter may document summaries without the count. Only what its record names is asked for.
func TestSummariesThatAreDocumented(t *testing.T) {
	for record, want := range map[string]string{
		`{}`:                            `{"count":true}`,
		`{"functions":["count","sum"]}`: `{"count":true}`,
		`{"functions":["group_by","sum"],"numeric_fields":["weight"]}`: `{"sum":"weight"}`,
		`{"functions":["group_by"],"groupable_fields":["color"]}`:      "",
		`{"functions":["sum","avg"]}`:                                  "",
	} {
		support, _ := probes.ParseValue([]byte(`{"aggregation_support":` + record + `}`))
		op := probes.Operation{Name: "list_boxes", Details: support}
		f := &model.Adapter{Adapter: &probes.Adapter{}, KnownGood: map[string]model.KnownGood{op.Name: {State: model.Proven, Probe: probes.Call("main", "t", op.Name, nil)}}}
		p, _, ok := summary(model.Subject{Adapter: f, Name: op.Name, Op: op})
		if got := model.ValueIn(p, "aggregate").At(summaryLabel).String(); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s, %v", record, got, ok)
		}
	}
}
