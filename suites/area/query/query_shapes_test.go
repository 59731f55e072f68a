package query

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A parameter orders a listing by its name, or by values that differ only in the direction.
func TestSetsOrder(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		values     []string
		want       bool
	}{
		{"sort_by", "string", nil, true},
		{"sort_order", "string", []string{"asc", "desc"}, true},
		{"sort_order", "integer", nil, false},
		{"ordering", "string", []string{"title", "-title"}, true},
		{"arrange", "string", []string{"title_asc", "title_desc"}, true},
		{"field", "string", []string{"title", "year"}, false},
		{"shift", "string", []string{"-1", "1"}, false},
		{"trend", "string", []string{"asc", "desc"}, false},
	} {
		record := map[string]any{"name": c.name, "type": c.kind}
		if c.values != nil {
			record["enum"] = c.values
		}
		p := probes.Parameter{Name: c.name, Type: c.kind, Raw: probes.ValueOf(record)}
		if got := setsOrder(model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}}, p); got != c.want {
			t.Errorf("%s %s %v: %t", c.name, c.kind, c.values, got)
		}
	}
}
