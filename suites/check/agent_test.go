package check

import (
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An adapter may name the execution that an operation ends by what the start has told, and then knows no name of an agent there.
func TestCallsNameTheExecution(t *testing.T) {
	const start = `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":{"run":{"run_id":"R-1","state":"running"},"execution_id":"E-1","confirmation_token":"t"}}}}`
	name := probes.Parameter{Name: "element_name", Type: "string", Required: true}
	required := func(name string) probes.Parameter {
		return probes.Parameter{Name: name, Type: "string", Required: true}
	}
	for _, c := range []struct {
		parameters []probes.Parameter
		want       map[string]any
	}{
		{nil, map[string]any{"element_name": "planner"}},
		{[]probes.Parameter{name}, map[string]any{"element_name": "planner"}},
		{[]probes.Parameter{required("run_id")}, map[string]any{"run_id": "R-1"}},
		{[]probes.Parameter{name, required("run_id")}, map[string]any{"element_name": "planner", "run_id": "R-1"}},
		{[]probes.Parameter{name, {Name: "execution_id", Type: "string"}}, map[string]any{"element_name": "planner", "execution_id": "E-1"}},
		{[]probes.Parameter{name, {Name: "state", Type: "string"}}, map[string]any{"element_name": "planner"}},
	} {
		end := probes.Operation{Name: "complete_execution", Category: "EXECUTE", Tool: "execute", Parameters: c.parameters}
		begin := probes.Operation{Name: "execute_agent", Category: "EXECUTE", Tool: "execute", Parameters: []probes.Parameter{name}}
		f := &model.Adapter{Adapter: &probes.Adapter{Conn: "main", Operations: []probes.Operation{begin, end}}}
		f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234"}
		f.Hints.Safety.Agent = fixtures.Agent{Names: []string{"planner"}}
		a := StartAgent(model.Subject{Adapter: f}, func(p probes.Probe) probes.Observation {
			return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(start)}})
		}, ExecutionEndScenario, 0, nil)
		if got := a.Call(end.Name, nil).Probe.Params(); !probes.ValueOf(got).Equal(probes.ValueOf(c.want)) {
			t.Errorf("%v: %v, want %v", c.parameters, got, c.want)
		}
	}
}
