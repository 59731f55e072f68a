package update

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A guard that no object has as a field may stand beside input, and so may what locates.
func TestWhatStandsBesideInput(t *testing.T) {
	record := func(name, kind string, required bool) probes.Parameter {
		return probes.Parameter{Name: name, Type: kind, Required: required, Raw: probes.ValueOf(map[string]any{"name": name, "type": kind, "required": required})}
	}
	id, input := record("box_id", "string", true), record("input", "object", true)
	box := probes.Type{Name: "Box", Kind: "object", Details: probes.ValueOf(map[string]any{"fields": []any{map[string]any{"name": "box_id"}, map[string]any{"name": "color"}, map[string]any{"name": "fragile"}}})}
	for _, c := range []struct {
		why  string
		more probes.Parameter
		want reports.Verdict
	}{
		{"a field", record("color", "string", false), reports.Warn},
		{"a guard", record("if_unmodified_since", "string", false), reports.Pass},
		{"a flag, where nothing is known of the objects", record("fragile", "boolean", false), reports.Pass},
		{"a reason, which an object may have as well", record("reason", "string", false), reports.Pass},
	} {
		update := probes.Operation{Name: "update_box", Category: "UPDATE", Parameters: []probes.Parameter{id, input, c.more}}
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{update}, Types: []probes.Type{box}}}
		if got := besideInput(model.Subject{Adapter: f, Name: update.Name, Op: update}); got.Verdict != c.want {
			t.Errorf("%s: ruled %s, want %s", c.why, got.Verdict, c.want)
		}
	}
}
