package envelope

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// One answer has one truth; but a member success inside the data of a domain is
// no second envelope, wherever the data is repeated.
func TestOneAnswerHasOneTruth(t *testing.T) {
	for name, c := range map[string]struct {
		text, structured string
		want             reports.Verdict
	}{
		"twins":                        {`{"success":true,"data":1}`, `{"success":true,"data":1}`, reports.Pass},
		"twins that differ in data":    {`{"success":true,"data":1}`, `{"success":true,"data":2}`, reports.Pass},
		"success beside failure":       {`{"success":true,"data":1}`, `{"success":false,"error":{"code":"X"}}`, reports.Fail},
		"failure beside success":       {`{"success":false,"error":{"code":"X"}}`, `{"success":true,"data":null}`, reports.Fail},
		"structured data alone":        {`{"success":true,"data":{"success":false,"job":1}}`, `{"success":false,"job":1}`, reports.Pass},
		"text of the data alone":       {`{"success":false,"job":1}`, `{"success":true,"data":{"success":false,"job":1}}`, reports.Pass},
		"a stranger that has success":  {`{"success":false,"job":1}`, `{"success":true,"data":2}`, reports.NotProven},
		"a stranger that has error":    {`{"error":"none"}`, `{"success":true,"data":2}`, reports.Pass},
		"success in words on one side": {`{"success":"no"}`, `{"success":false,"error":{"code":"X"}}`, reports.Pass},
	} {
		t.Run(name, func(t *testing.T) {
			item := string(probes.ValueOf(c.text).Raw())
			answer := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + item + `}],"structuredContent":` + c.structured + `}}`
			o := probes.Classify(probes.Call("main", "mcp_aql", "list_notes", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(answer)}})
			if got := discriminated(nil, o); got.Verdict != c.want {
				t.Errorf("ruled %s (%s), want %s", got.Verdict, got.Got, c.want)
			}
		})
	}
}

// The members of a batch belong to envelopes of adapters that offer batches.
func TestMembersOfBatches(t *testing.T) {
	watch, _ := checktest.ChecksOf(Checks, "AQL-5.1-09")
	const summed = `{"success":true,"data":{},"summary":"3 shown"}`
	single := probes.Call("main", "mcp_aql", "list_notes", nil)
	batch := probes.CallWith("main", "mcp_aql", map[string]any{"operations": []any{map[string]any{}}})
	plain, offering := &model.Adapter{Adapter: &probes.Adapter{}}, &model.Adapter{Adapter: &probes.Adapter{Protocol: probes.ValueOf(map[string]any{"capabilities": map[string]any{"batch": true}})}}
	for name, c := range map[string]struct {
		f    *model.Adapter
		sent probes.Probe
		want reports.Verdict
	}{
		"no batches": {plain, single, reports.Fail}, "batches offered": {offering, single, reports.Pass}, "batch": {plain, batch, reports.Pass},
	} {
		if got := watch.Ambient.Watch(c.f, checktest.AnswerWithEnvelope(t, c.sent, summed)); got.Verdict != c.want {
			t.Errorf("%s: %s, want %s", name, got.Verdict, c.want)
		}
	}
}
