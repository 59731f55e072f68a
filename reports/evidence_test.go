package reports_test

import (
	"encoding/json"
	"io"
	"testing"

	"github.com/aql-conform/aql-conform/reports"
)

// evidence is a small bundle, of an adapter that means harm to whoever looks at it.
func evidence() *reports.Evidence {
	answer := json.RawMessage(`{"success":true,"data":{"name":"\u001b[31m<script>` + "\u202e" + `","size":9007199254740993}}`)
	refusal := json.RawMessage(`{"success":false,"error":{"code":"VALIDATION_MISSING_PARAM","message":"Missing required parameter 'name'"}}`)
	e := reports.NewEvidence()
	e.EndpointModes = []string{"crude", "single"}
	e.Capabilities["batch_operations"] = true
	e.BatchExample = answer
	e.Introspection = reports.IntrospectionEvidence{OperationsList: answer, TypesList: answer, OperationDetails: []json.RawMessage{[]byte(`{"name":"create_item"}`)}}
	e.AcceptedParameters["create_item"] = []string{"name", "size"}
	e.ParameterTests.MissingRequired = []reports.ParameterAnswer{{"create_item", "name", refusal}}
	e.ParameterTests.UnknownParameter = []reports.ParameterAnswer{{"create_item", "aqlx_unknown", answer}}
	e.ParameterTests.OptionalDefaults = []reports.DefaultEvidence{{"create_item", "size", "data.size", json.RawMessage("1"), answer}}
	e.ErrorTests = []reports.ErrorEvidence{{"create_item VALIDATION_MISSING_PARAM", []string{"name"}, refusal}}
	fields := map[string]json.RawMessage{"data.name": json.RawMessage(`"x"`)}
	e.RoundTrips = []reports.RoundTripEvidence{{"create_item shown by get_item", fields, answer}}
	e.Updates = []reports.PreservationEvidence{{"update_item of size", fields, answer}}
	e.ConstraintTests = []reports.ConstraintTestEvidence{{"create_item.size 11", true, refusal}}
	return e
}

func TestEvidenceGoldens(t *testing.T) {
	judged := reports.Conclude(run(), rows(), findings())
	judged.Evidence = evidence()
	holdGoldens(t, map[string]func(io.Writer) error{
		"report.evidence.json": judged.WriteEvidence, "concluded.evidence.json": concluded().WriteEvidence,
	})
}
