package model

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// answeredWith returns an observation of one call that was answered with the envelope.
func answeredWith(operation, envelope string) probes.Observation {
	reply := wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":` + envelope + `}}`)}}
	return probes.Classify(probes.Call("main", "mcp_aql_delete", operation, nil), reply)
}

// A rejection counts only if the tool also answers a control differently.
func TestRefusalNeedsControl(t *testing.T) {
	const unknown = `{"success":false,"error":{"code":"NOT_FOUND_OPERATION","message":"unknown"}}`
	const misrouted = `{"success":false,"error":{"code":"VALIDATION_ENDPOINT_MISMATCH","message":"misrouted"}}`
	const denied = `{"success":false,"error":{"code":"PERMISSION_DENIED","message":"denied"}}`
	for name, c := range map[string]struct {
		refusal string
		control []string
		want    reports.Verdict
	}{
		"a control succeeds":             {unknown, []string{unknown, `{"success":true,"data":null}`}, reports.Pass},
		"a control has another fault":    {unknown, []string{misrouted}, reports.Pass},
		"everything is refused alike":    {unknown, []string{unknown, unknown}, reports.NotProven},
		"the control is not looked at":   {unknown, []string{denied}, reports.NotProven},
		"there is nothing to hold it to": {unknown, nil, reports.NotProven},
	} {
		t.Run(name, func(t *testing.T) {
			var controls []probes.Observation
			for _, envelope := range c.control {
				controls = append(controls, answeredWith("introspect", envelope))
			}
			if got := WithControls(ruling.Conforms(), []probes.Observation{answeredWith("aqlx", c.refusal)}, controls); got.Verdict != c.want {
				t.Errorf("ruled %s, want %s", got.Verdict, c.want)
			}
		})
	}
}
