package routing

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An adapter without operations of a category has no tool for it, and uses the standard names all the same.
func TestStandardNamesAlone(t *testing.T) {
	on := func(tool, category string) probes.Operation {
		return probes.Operation{Name: "do_" + tool, Tool: "mcp_aql_" + tool, Category: category}
	}
	for _, c := range []struct {
		why  string
		ops  []probes.Operation
		want bool
	}{
		{"two families", []probes.Operation{on("read", "READ"), on("delete", "DELETE")}, true},
		{"a tool of another name", []probes.Operation{on("read", "READ"), on("manage", "DELETE")}, false},
		{"a tool for several categories", []probes.Operation{on("read", "READ"), on("execute", "DELETE")}, false},
	} {
		a := &probes.Adapter{Operations: c.ops}
		for _, o := range c.ops {
			a.AQL = append(a.AQL, o.Tool)
		}
		if got := standardTools(&model.Adapter{Adapter: a}); got != c.want {
			t.Errorf("%s: %v", c.why, got)
		}
	}
}

func TestEndpointWords(t *testing.T) {
	a := &probes.Adapter{Tools: []probes.Tool{{Name: "mcp_aql_create"}}}
	for word, want := range map[string]reports.Verdict{
		"create": reports.Pass, "Create": reports.Fail, "creation": reports.Fail, "read": reports.Pass, "mcp_aql_create": reports.Pass, "": reports.Pass,
	} {
		op := probes.Operation{Name: "create_box", Tool: "mcp_aql_create", Summary: probes.ValueOf(map[string]any{"endpoint": word})}
		if got := standardEndpointValuesAreLowerCase.Judge(model.Subject{Adapter: &model.Adapter{Adapter: a}, Op: op}, nil); got.Verdict != want {
			t.Errorf("%q: ruled %s, want %s", word, got.Verdict, want)
		}
	}
}
