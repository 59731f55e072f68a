package parameters

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A reference in place of a record has no name, so that it is no parameter.
func TestReferencesInPlaceOfRecords(t *testing.T) {
	name := map[string]any{"name": "fields", "type": "array", "required": false}
	for _, c := range []struct {
		why     string
		records []any
		want    reports.Verdict
	}{
		{"in full", []any{name}, reports.Pass},
		{"in place", []any{name, map[string]any{"$ref": "#/shared_parameters/page"}}, reports.Fail},
		{"alone", []any{map[string]any{"$ref": "#/shared_parameters/page"}}, reports.Fail},
		{"in a default", []any{map[string]any{"name": "schema", "type": "object", "default": map[string]any{"$ref": "#/a"}}}, reports.Pass},
	} {
		details := probes.ValueOf(map[string]any{"parameters": c.records})
		op := probes.Operation{Name: "list_boxes", Details: details, Parameters: probes.ReadParameters(details)}
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{op}}}
		all := sharedParametersAreExpandedInline.On(f)
		if len(all) != 1 {
			t.Fatalf("%s: %d subjects", c.why, len(all))
		}
		if got := sharedParametersAreExpandedInline.Judge(all[0], nil); got.Verdict != c.want {
			t.Errorf("%s: ruled %s, want %s", c.why, got.Verdict, c.want)
		}
	}
}
