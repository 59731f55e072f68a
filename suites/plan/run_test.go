package plan

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A walk along a listing goes beside other reads where the run can make no object.
func TestWalksGoSideBySideWhereNothingIsMade(t *testing.T) {
	id, title := probes.Parameter{Name: "note_id", Type: "string", Required: true}, probes.Parameter{Name: "title", Type: "string", Required: true}
	list := probes.Operation{Name: "list_notes", Category: "READ"}
	notes := []probes.Operation{list,
		{Name: "create_note", Category: "CREATE", Parameters: []probes.Parameter{title}},
		{Name: "get_note", Category: "READ", Parameters: []probes.Parameter{id}},
		{Name: "delete_note", Category: "DELETE", Parameters: []probes.Parameter{id}}}
	for name, c := range map[string]struct {
		operations []probes.Operation
		may        gate.Permissions
		want       probes.Lane
	}{
		"no creation":            {[]probes.Operation{list}, gate.Permissions{Create: true}, probes.Parallel},
		"a creation":             {notes, gate.Permissions{Create: true, Delete: true}, probes.Sparse},
		"a creation not allowed": {notes, gate.Permissions{}, probes.Parallel},
	} {
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: c.operations}, May: c.may}
		walk := &Case{Check: &check.Check{Lane: probes.Walking}, Subject: &model.Subject{Adapter: f, Name: list.Name, Op: list}}
		if got := walk.lane(); got != c.want {
			t.Errorf("%s: lane %d, want %d", name, got, c.want)
		}
	}
}
