package loop

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Where there is no loop and the capability says so, no permission is asked for.
func TestNothingIsAskedOfALoopThatIsOff(t *testing.T) {
	for _, c := range []struct {
		mode, operation string
		asked           bool // of AQL-8.6.1-03
		waits           bool // AQL-8.6.7-04, for a permission
	}{
		{"disabled", "", false, false},
		{"disabled", "record_execution_step", true, true},
		{"logging", "record_execution_step", true, true},
	} {
		frame := wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":"1","result":{"structuredContent":{"success":true,"data":{"_protocol":{"capabilities":{"execution_safety_loop":"` + c.mode + `"}}}}}}`)}
		a := &probes.Adapter{Conn: "main", Introspect: "aql", Operations: []probes.Operation{{Name: "introspect"}}}
		if c.operation != "" {
			a.Operations = append(a.Operations, probes.Operation{Name: c.operation, Category: "CREATE"}, probes.Operation{Name: "execute_agent", Category: "EXECUTE"})
		}
		a.Listed = probes.Classify(probes.Call("main", "aql", "introspect", nil), wire.Reply{Class: wire.Answered, Received: frame})
		f := &model.Adapter{Adapter: a}
		if got := monitoringStartsOnlyExplicitly.On(f); (len(got) > 0) != c.asked {
			t.Errorf("%+v: AQL-8.6.1-03 is asked of %d subjects", c, len(got))
		}
		if got := introspectionTellsWhetherEnforcementIsActive.On(f); len(got) != 1 || (got[0].Ruling != nil) != c.waits {
			t.Errorf("%+v: AQL-8.6.7-04 of %d subjects", c, len(got))
		}
	}
}
