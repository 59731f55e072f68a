package parameters

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A known-good request with an optional parameter proves nothing of requests without it.
func TestRequiredParametersAlone(t *testing.T) {
	op := probes.Operation{Name: "find_plants", Category: "READ", Tool: "mcp_aql_read", Details: probes.ValueOf(map[string]any{"name": "find_plants"})}
	op.Parameters = []probes.Parameter{{Name: "kind", Type: "string", Required: true}, {Name: "place", Type: "string"}}
	known := probes.Call("main", op.Tool, op.Name, map[string]any{"kind": "herb", "place": "north"})
	a := &probes.Adapter{Conn: "main", Operations: []probes.Operation{op}}
	f := &model.Adapter{Adapter: a, Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"}, KnownGood: map[string]model.KnownGood{op.Name: {State: model.Proven, Probe: known}}}
	s := model.Subject{Adapter: f, Name: op.Name, Op: op}
	bare, less := requiredAlone(s)
	if !less || len(bare.Params()) != 1 {
		t.Fatalf("%v, %v", bare, less)
	}
	judge := checktest.JudgeOf(t, Checks, "INT-8.1.1-04")
	for envelope, want := range map[string]reports.Verdict{
		`{"success":true,"data":[]}`: reports.Pass,
		`{"success":false,"error":{"code":"VALIDATION_MISSING_PARAM","message":"place","details":{"param_name":"place"}}}`: reports.Fail,
		`{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"nothing there"}}`:                                reports.NotProven,
	} {
		got := probes.Answers{checktest.AnswerWithEnvelope(t, known, `{"success":true,"data":[]}`), checktest.AnswerWithEnvelope(t, bare, envelope)}
		if r := judge(s, got); r.Verdict != want {
			t.Errorf("%s: %s, want %s", envelope, r.Verdict, want)
		}
	}
}

// A creation has its mark in an optional text. Another one takes it where that is left out.
func TestTheMarkMovesToAnotherText(t *testing.T) {
	op := probes.Operation{Name: "create_brew", Category: "CREATE", Tool: "mcp_aql_create", Details: probes.ValueOf(map[string]any{"name": "create_brew"})}
	op.Parameters = []probes.Parameter{{Name: "litres", Type: "integer", Required: true}, {Name: "brewer", Type: "string"}, {Name: "tasting", Type: "string"}}
	a := &probes.Adapter{Conn: "main", Operations: []probes.Operation{op}}
	f := &model.Adapter{Adapter: a, Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"}}
	f.KnownGood = map[string]model.KnownGood{op.Name: {State: model.Proven, Probe: probes.Call("main", op.Tool, op.Name, map[string]any{"litres": 10, "brewer": f.Gen.Marker("")})}}
	bare, less := requiredAlone(model.Subject{Adapter: f, Name: op.Name, Op: op})
	if _, given := bare.Params()["brewer"]; !less || given || model.ValueIn(bare, "tasting").Text() != f.Gen.Marker("-required") {
		t.Errorf("%v, %v", bare.Params(), less)
	}
	s, judge := model.Subject{Adapter: f, Name: op.Name, Op: op}, checktest.JudgeOf(t, Checks, "INT-8.1.1-04")
	known := f.KnownGood[op.Name].Probe
	const success, missing = `{"success":true,"data":{}}`, `{"success":false,"error":{"code":"VALIDATION_MISSING_PARAM","message":"brewer","details":{"param_name":"brewer"}}}`
	for whole, want := range map[string]reports.Verdict{success: reports.Fail, missing: reports.NotProven} { // the other text may demand something itself
		got := probes.Answers{checktest.AnswerWithEnvelope(t, known, success), checktest.AnswerWithEnvelope(t, known.With("tasting", "x").As(markMoved), whole), checktest.AnswerWithEnvelope(t, bare, missing)}
		if r := judge(s, got); r.Verdict != want {
			t.Errorf("%s, then without the brewer: %s, want %s", whole, r.Verdict, want)
		}
	}
}

// Alternatives may stand in the message alone, and a demand may have the code of a wrong value.
func TestDemandedAnyway(t *testing.T) {
	op := probes.Operation{Name: "find_box", Category: "READ", Tool: "mcp_aql_read", Details: probes.ValueOf(map[string]any{"name": "find_box", "description": "Give either code or title."})}
	op.Parameters = []probes.Parameter{{Name: "code", Type: "string"}, {Name: "title", Type: "string"}, {Name: "color", Type: "string"}}
	a := &probes.Adapter{Conn: "main", Operations: []probes.Operation{op}}
	f := &model.Adapter{Adapter: a, Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"}, KnownGood: map[string]model.KnownGood{}}
	s := model.Subject{Adapter: f, Name: op.Name, Op: op}
	bare := probes.Call("main", op.Tool, op.Name, nil)
	judge := checktest.JudgeOf(t, Checks, "INT-8.1.1-04")
	missing := `{"success":false,"error":{"code":"VALIDATION_MISSING_PARAM","message":"Give 'code' or 'title'."}}`
	invalid := `{"success":false,"error":{"code":"VALIDATION_INVALID_VALUE","message":"no color","details":{"param_name":"color"}}}`
	if r := judge(s, probes.Answers{checktest.AnswerWithEnvelope(t, bare, missing)}); r.Verdict != reports.Warn {
		t.Errorf("alternatives: %s", r.Verdict)
	}
	s.Op.Details = probes.ValueOf(map[string]any{"name": "find_box"})
	for envelope, want := range map[string]reports.Verdict{`{"success":true,"data":{}}`: reports.Fail, missing: reports.NotProven} {
		whole := checktest.AnswerWithEnvelope(t, bare.With("color", "red").As(blamedBeside), envelope)
		if r := judge(s, probes.Answers{checktest.AnswerWithEnvelope(t, bare, invalid), whole}); r.Verdict != want {
			t.Errorf("demanded by another code, then %s: %s, want %s", envelope, r.Verdict, want)
		}
	}
}

// A domain field called limit of a creation is no page size.
func TestPageSizesBelongToReads(t *testing.T) {
	limited := func(name, category, size string) probes.Operation {
		return probes.Operation{Name: name, Category: category, Parameters: []probes.Parameter{{Name: size, Type: "integer"}}}
	}
	f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{limited("create_shelf", "CREATE", "limit"), limited("list_shelves", "READ", "page_size")}}}
	if all := takers(f, "the page size"); len(all) != 1 || all[0].Op.Name != "list_shelves" {
		t.Errorf("page sizes: %v", all)
	}
}
