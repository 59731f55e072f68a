package parameters

import (
	"maps"
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

// Two spellings of one type are alike, and so are lists of the names of fields. Arrays of other elements are not.
func TestSharedTypes(t *testing.T) {
	record := func(kind string, more map[string]any) map[string]any {
		all := map[string]any{"name": "fields", "type": kind}
		maps.Copy(all, more)
		return all
	}
	items := func(kind string) map[string]any { return map[string]any{"items": map[string]any{"type": kind}} }
	enum := func(values ...string) map[string]any { return map[string]any{"enum": values} }
	for _, c := range []struct {
		why  string
		a, b map[string]any
		want reports.Verdict
	}{
		{"one type", record("string", nil), record("string", nil), reports.Pass},
		{"two types", record("string", nil), record("integer", nil), reports.Fail},
		{"two spellings", record("string[]", nil), record("array", items("string")), reports.Pass},
		{"enumerated names", record("BoxField[]", nil), record("LidField[]", nil), reports.Pass},
		{"two enumerations", record("BoxField", nil), record("LidField", nil), reports.Pass},
		{"other elements", record("array", items("string")), record("array", items("object")), reports.Fail},
		{"elements that are not known", record("array", nil), record("array", items("object")), reports.Pass},
		{"a text and a list", record("string", nil), record("string[]", nil), reports.Fail},
	} {
		var ops []probes.Operation
		for i, r := range []map[string]any{c.a, c.b} {
			details := probes.ValueOf(map[string]any{"parameters": []any{r}})
			ops = append(ops, probes.Operation{Name: []string{"list_boxes", "list_lids"}[i], Details: details, Parameters: probes.ReadParameters(details)})
		}
		var types []probes.Type
		for _, name := range []string{"BoxField", "LidField"} {
			details := enum(name, "id")
			details["name"], details["kind"], details["values"] = name, "enum", []string{name, "id"}
			types = append(types, probes.Type{Name: name, Kind: "enum", Details: probes.ValueOf(details)})
		}
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: ops, Types: types}}
		s := model.Subject{Adapter: f, Name: "fields", Par: probes.Parameter{Name: "fields"}}
		if got := sharedParametersKeepOneType.Judge(s, nil); got.Verdict != c.want {
			t.Errorf("%s: ruled %s (%s), want %s", c.why, got.Verdict, got.Got, c.want)
		}
	}
}
