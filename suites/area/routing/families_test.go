package routing

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A word that all tools begin with, or that stands behind the category in all of them, is no part of the family.
func TestPrefixedTools(t *testing.T) {
	for _, c := range []struct {
		tools []string
		want  bool
	}{
		{[]string{"desk_read", "desk_create"}, true},
		{[]string{"desk-look", "desk-change"}, true},
		{[]string{"read_toy", "create_toy"}, true},
		{[]string{"executeToy", "deleteToy"}, true},
		{[]string{"read_only", "write_only"}, false},
		{[]string{"box_ops", "shelf_ops"}, false},
		{[]string{"read_toy", "create_box"}, false},
		{[]string{"read", "create"}, false},
		{[]string{"read_toy"}, false},
		{nil, false},
	} {
		f := &model.Adapter{Adapter: &probes.Adapter{AQL: c.tools}}
		if got := prefixedTools(f); slices.Equal(got, c.tools) != c.want && len(c.tools) > 0 || got != nil && !c.want {
			t.Errorf("%v: %v", c.tools, got)
		}
	}
}
