package envelope

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A refusal below the envelope counts by whether the published schema admits the
// request: where the schema cannot be read, nobody can say.
func TestRefusalBelowTheEnvelope(t *testing.T) {
	request := probes.Call("main", "mcp_aql", "introspect", map[string]any{})
	refused := probes.Classify(request, wire.Reply{Class: wire.Answered, Received: wire.Frame{
		Data: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"query is missing"}}`)}})
	for schema, want := range map[string]reports.Verdict{
		`{"type":"object","required":["operation"]}`:                                       reports.Fail,
		`{"type":"object","properties":{"params":{"type":"object","required":["query"]}}}`: reports.Warn,
		`{"type":"objekt"}`:                           reports.NotProven,
		`{"$ref":"https://schemas.example.org/none"}`: reports.NotProven,
	} {
		raw, err := probes.ParseValue([]byte(`{"inputSchema":` + schema + `}`))
		if err != nil {
			t.Fatal(err)
		}
		f := &model.Adapter{Adapter: &probes.Adapter{Tools: []probes.Tool{{Name: "mcp_aql", Raw: raw}}}}
		if got := inEnvelopes(model.Subject{Adapter: f}, []probes.Observation{refused}); got.Verdict != want {
			t.Errorf("%s: ruled %s, want %s", schema, got.Verdict, want)
		}
	}
}

// Only a name that the schema surely has no room for is shut out.
func TestShutOut(t *testing.T) {
	for schema, want := range map[string]string{
		`{"properties":{"params":{"type":"object"}}}`:                                                        "",
		`{"properties":{"params":{"additionalProperties":false}}}`:                                           "title",
		`{"properties":{"params":{"properties":{"title":{}},"additionalProperties":false}}}`:                 "",
		`{"properties":{"params":{"additionalProperties":false}},"required":["token"]}`:                      "",
		`{"properties":{"params":{"properties":{"title":{"type":"integer"}},"additionalProperties":false}}}`: "",
		`{"oneOf":[{"properties":{"operation":{"const":"add_note"},"params":{"properties":{"title":{}},"additionalProperties":false}}},
			{"properties":{"operation":{"const":"list_notes"},"params":{"additionalProperties":false}}}]}`: "",
	} {
		raw, err := probes.ParseValue([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		op := probes.Operation{Name: "add_note", Parameters: []probes.Parameter{{Name: "title", Type: "string"}}}
		a := &probes.Adapter{Operations: []probes.Operation{op}}
		s := model.Subject{Adapter: &model.Adapter{Adapter: a, Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"}}, Name: op.Name, Op: op}
		if got := shutOut(s, raw, probes.Call("main", "mcp_aql", op.Name, nil)); got != want {
			t.Errorf("%s: shuts out %q, want %q", schema, got, want)
		}
	}
}

// A tool that takes batches cannot require operation, unless its schema has alternatives at the root,
// which many clients do not take.
func TestBatchToolMayLeaveOperationOptional(t *testing.T) {
	for schema, want := range map[string]reports.Verdict{
		`{"type":"object","properties":{"operation":{"type":"string"},"operations":{"type":"array"}}}`: reports.Pass,
		`{"type":"object","properties":{"operation":{"type":"string"}}}`:                               reports.Warn,
	} {
		raw, err := probes.ParseValue([]byte(`{"inputSchema":` + schema + `}`))
		if err != nil {
			t.Fatal(err)
		}
		op := probes.Operation{Name: "introspect", Category: "READ", Tool: "mcp_aql"}
		a := &probes.Adapter{Conn: "main", Introspect: "mcp_aql", Tools: []probes.Tool{{Name: "mcp_aql", Raw: raw}}, Operations: []probes.Operation{op}}
		s := model.Subject{Adapter: &model.Adapter{Adapter: a, Gen: &generate.Generator{Adapter: a, Nonce: "k3f9x2ab"}}, Name: op.Name, Op: op}
		listing := checktest.AnswerWithData(s.Listing(), map[string]any{"operations": []any{}})
		if got := toolSchemaAdmitsStandardRequest.Judge(s, probes.Answers{listing}); got.Verdict != want {
			t.Errorf("%s: ruled %s, want %s", schema, got.Verdict, want)
		}
	}
}
