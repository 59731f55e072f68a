package query

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Fields on introspect have to shorten the entries and to leave the version alone.
func TestSelectionOnIntrospect(t *testing.T) {
	judge := checktest.JudgeOf(t, Checks, "INT-8.3-06")
	ask := probes.Call("main", "mcp_aql", "introspect", nil)
	whole := checktest.AnswerWithData(ask, probes.ValueOf(map[string]any{"_protocol": map[string]any{"version": "1.0.0"}, "operations": []any{map[string]any{"name": "a", "description": "b"}}}).Go())
	for data, want := range map[string]reports.Verdict{
		`{"_protocol":{"version":"1.0.0"},"operations":[{"name":"a"}]}`:                   reports.Pass,
		`{"_protocol":{"version":"1.0.0"},"operations":[{"name":"a","description":"b"}]}`: reports.Fail,
		`{"operations":[{"name":"a"}]}`:                                                   reports.Fail,
		`{"_protocol":{"version":"1.0.0"},"operations":[{"description":"b"}]}`:            reports.Fail,
	} {
		v, err := probes.ParseValue([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		if got := judge(selecting("string[]"), []probes.Observation{whole, checktest.AnswerWithData(ask.As("listing with fields"), v.Go())}); got.Verdict != want {
			t.Errorf("%s: ruled %s, want %s", data, got.Verdict, want)
		}
	}
}

// selecting is introspect with fields of a type.
func selecting(kind string) model.Subject {
	fields := probes.Parameter{Name: "fields", Type: kind}
	return model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, Name: "introspect", Op: probes.Operation{Name: "introspect", Parameters: []probes.Parameter{fields}}}
}

// The name of a preset cannot be guessed, so that its refusal of a list is no offence.
func TestPresetsAreNoListOfMembers(t *testing.T) {
	ask := probes.Call("main", "mcp_aql", "introspect", nil)
	whole := checktest.AnswerWithData(ask, map[string]any{"operations": []any{map[string]any{"name": "a", "description": "b"}}})
	refusal := checktest.AnswerWithEnvelope(t, ask.As("listing with fields"), `{"success":false,"error":{"code":"VALIDATION_INVALID_TYPE","message":"fields is text"}}`)
	for kind, want := range map[string]reports.Verdict{"string": reports.NotProven, "string[]": reports.Fail} {
		if got := checktest.JudgeOf(t, Checks, "INT-8.3-06")(selecting(kind), []probes.Observation{whole, refusal}); got.Verdict != want {
			t.Errorf("%s: ruled %s, want %s", kind, got.Verdict, want)
		}
	}
}

// An empty list does not show what a READ operation answers.
func TestEmptyListShowsNoObject(t *testing.T) {
	call := probes.Call("main", "t", "find_boxes", nil)
	for data, want := range map[string]string{`{"boxes":[]}`: "find_boxes", `{"boxes":[{"id":1}]}`: "", `{"count":0}`: ""} {
		reply := checktest.AnswerWithEnvelope(t, call, `{"success":true,"data":`+data+`}`)
		f := &model.Adapter{
			Adapter:   &probes.Adapter{Operations: []probes.Operation{{Name: "find_boxes", Category: "READ"}}},
			KnownGood: map[string]model.KnownGood{"find_boxes": {State: model.Proven, Probe: call, Reply: reply}},
		}
		if got := emptyHanded(f); got != want {
			t.Errorf("%s: %q, want %q", data, got, want)
		}
	}
}
