package plan

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A creation that the gate would keep back is not promised, nor is what needs its object.
func TestPreviewPromisesNoBarredCreation(t *testing.T) {
	op := func(name, category string, params ...probes.Parameter) probes.Operation {
		return probes.Operation{Name: name, Category: category, Tool: "mcp_aql", Parameters: params}
	}
	id := probes.Parameter{Name: "ticket_id", Type: "string", Required: true}
	a := &probes.Adapter{Operations: []probes.Operation{
		op("create_ticket", "CREATE", probes.Parameter{Name: "title", Type: "string", Required: true}), op("get_ticket", "READ", id), op("delete_ticket", "DELETE", id),
	}}
	may := gate.Permissions{Create: true, Delete: true, DryRun: true}
	planned := func(k model.KnownGood) []PlannedOperation {
		return Planned(&model.Adapter{Adapter: a, May: may, Rules: gate.NewRules(a, may, model.Options{}.Hints), KnownGood: map[string]model.KnownGood{"create_ticket": k}})
	}
	barred := planned(model.KnownGood{State: model.NotPermitted, Why: "get_ticket does not tell whether there is such an object; --allow create:create_ticket permits it"})
	for _, want := range []PlannedOperation{
		{"create_ticket", "CREATE", false, "get_ticket does not tell whether there is such an object", "--allow create:create_ticket"},
		{"delete_ticket", "DELETE", true, "is asked only about what does not exist", ""},
	} {
		if !slices.Contains(barred, want) {
			t.Errorf("no %+v in %+v", want, barred)
		}
	}
	free := planned(model.KnownGood{State: model.NotPermitted, Why: "a dry run sends nothing that writes: create_ticket"})
	if !free[0].Called || free[2].Why != "removes objects of our own" {
		t.Errorf("%+v", free)
	}
}
