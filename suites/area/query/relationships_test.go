package query

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An ordinary READ with any list in its answer follows no relationships.
func TestTraversalsAskForRelationships(t *testing.T) {
	plain, with := map[string]any{"note_id": "n1"}, map[string]any{"note_id": "n1", "include_related": true}
	for i, c := range []struct {
		operation  string
		parameters []string
		sent       map[string]any
		want       bool
	}{
		{"get_note", []string{"note_id", "include_related"}, plain, false},
		{"get_note", []string{"note_id", "include_related"}, with, true},
		{"get_children", []string{"note_id"}, plain, true},
		{"query_relationships", []string{"note_id", "depth"}, plain, true},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := model.Subject{Name: c.operation, Op: probes.Operation{Name: c.operation}}
			for _, name := range c.parameters {
				s.Op.Parameters = append(s.Op.Parameters, probes.Parameter{Name: name})
			}
			if got := follows(s, checktest.AnswerWithData(probes.Call("main", "mcp_aql", c.operation, c.sent), nil)); got != c.want {
				t.Errorf("%s %v: %v, want %v", c.operation, c.sent, got, c.want)
			}
		})
	}
}
