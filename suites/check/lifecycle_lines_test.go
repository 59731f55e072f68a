package check_test

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The names of the operations that accompany an execution are filled in where they are beyond doubt.
func TestLifecycleLines(t *testing.T) {
	lasting, _ := probes.ParseValue([]byte(`{"lifecycle":{}}`))
	id := []probes.Parameter{{Name: "execution_id", Type: "string", Required: true}}
	start := probes.Operation{Name: "execute_job", Category: "EXECUTE", Details: lasting}
	get := probes.Operation{Name: "get_execution", Category: "READ", Parameters: id}
	cancel := probes.Operation{Name: "cancel_execution", Category: "EXECUTE", Parameters: id}
	show := probes.Operation{Name: "show_log", Category: "READ", Parameters: id}
	for want, operations := range map[string][]probes.Operation{
		"execute_job: {status: get_execution, cancel: cancel_execution}": {start, get, cancel},
		"execute_job: {cancel: cancel_execution}":                        {start, get, show, cancel},
		"execute_job: {}": {start},
		"":                {get, cancel},
	} {
		a := &probes.Adapter{Conn: "main", Operations: operations}
		f := &model.Adapter{Adapter: a, Rules: gate.NewRules(a, gate.Permissions{}, fixtures.Hints{})}
		if got := strings.Join(check.LifecycleLines(f), "\n"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		added := strings.Join(check.HintsToAdd(model.Subject{Adapter: f}, model.AddHint("lifecycle", "something")), "\n")
		if !strings.HasPrefix(added, "lifecycle:") || strings.Contains(added, "NAME") != (want == "") {
			t.Errorf("%q is added for %q", added, want)
		}
	}
}
