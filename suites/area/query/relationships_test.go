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

// A list of something else beside an empty list of relations shows no related element.
func TestRelatedElements(t *testing.T) {
	capabilities, _ := probes.ParseValue([]byte(`{"relationship_capabilities":{"supported":true,"relationship_types":["sibling"]}}`))
	s := model.Subject{Op: probes.Operation{Details: capabilities}}
	for data, want := range map[string]bool{
		`{"shelf_path":["hall","S-1"],"related":[]}`: false, `{"shelf_path":["hall"],"siblings":[]}`: false, `{"tags":["a"],"boxes":[]}`: false,
		`{"related":["B-2"],"tags":[]}`: true, `{"siblings":["B-2"]}`: true, `["B-2"]`: true, `{"boxes":["B-2"]}`: true,
		`{"outgoing":[],"incoming":[{"box_id":"B-2"}]}`: true, `{"related":{"parents":[],"children":["B-2"]}}`: true, `{"box_id":"B-2"}`: false,
	} {
		v, err := probes.ParseValue([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		if got := related(s, v); got != want {
			t.Errorf("%s: %t, want %t", data, got, want)
		}
	}
}
