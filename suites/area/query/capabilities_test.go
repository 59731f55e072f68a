package query

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// An adapter whose list of operations alone comes in pages announces paging with reason.
func TestPagedIntrospectKeepsPromise(t *testing.T) {
	judge := checktest.JudgeOf(t, Checks, "INT-4.1.1-15")
	for _, c := range []struct {
		parameters []probes.Parameter
		want       reports.Verdict
	}{
		{nil, reports.Fail},
		{[]probes.Parameter{{Name: "first", Type: "integer"}, {Name: "after", Type: "string"}}, reports.NotProven},
	} {
		op := probes.Operation{Name: "introspect", Category: "READ", Tool: "read", Parameters: c.parameters}
		f := &model.Adapter{Adapter: &probes.Adapter{Conn: "main", Introspect: "read", Operations: []probes.Operation{op}}}
		if got := judge(model.Subject{Adapter: f, Name: "introspect", Op: op}, nil); got.Verdict != c.want {
			t.Errorf("%v: %s, want %s", c.parameters, got.Verdict, c.want)
		}
	}
}
