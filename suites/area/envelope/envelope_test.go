package envelope

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
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

// A word on what was done, or the place in a listing, is no result. Data that repeats it is.
func TestResultsBesideData(t *testing.T) {
	watch, _ := checktest.ChecksOf(Checks, "OPS-3.2-02")
	for envelope, want := range map[string]reports.Verdict{
		`{"success":true,"data":{"updated":true},"result":{"id":1}}`:                reports.Fail,
		`{"success":true,"data":"ok","result":{"id":1}}`:                            reports.Fail,
		`{"success":true,"data":{"page_info":{"page":1}},"items":[{"id":1}]}`:       reports.Fail,
		`{"success":true,"data":{"id":1},"result":{"took_ms":3}}`:                   reports.Pass,
		`{"success":true,"data":{"updated":true},"result":"done"}`:                  reports.Pass,
		`{"success":true,"data":{"items":[{"id":1}],"total":1},"items":[{"id":1}]}`: reports.Pass,
		`{"success":true,"data":[{"id":1}],"items":[{"id":1}]}`:                     reports.Pass,
	} {
		got := watch.Ambient.Watch(&model.Adapter{Adapter: &probes.Adapter{}}, checktest.AnswerWithEnvelope(t, probes.Call("main", "mcp_aql", "list_notes", nil), envelope))
		if got.Verdict != want {
			t.Errorf("%s: %s, want %s", envelope, got.Verdict, want)
		}
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

// An answer without an envelope is a selection only where the operation can be called without fields as well.
func TestSelectionWithoutAnEnvelope(t *testing.T) {
	watch, _ := checktest.ChecksOf(Checks, "AQL-5.1-01")
	for required, want := range map[bool]reports.Verdict{true: reports.Fail, false: check.Irrelevant.Verdict} {
		op := probes.Operation{Name: "describe_box", Category: "READ", Tool: "read", Parameters: []probes.Parameter{{Name: "fields", Type: "array", Required: required}}}
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{op}}}
		o := checktest.AnswerWithEnvelope(t, probes.Call("main", "read", "describe_box", map[string]any{"fields": []any{"title"}}), `{"title":"a"}`)
		if got := watch.Ambient.Watch(f, o); got.Verdict != want {
			t.Errorf("required %t: %s, want %s", required, got.Verdict, want)
		}
	}
}
