package errors

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Guidance may stand in message or details, under any name and in any language. The row turns the failures into warnings.
func TestGuidanceInAnyForm(t *testing.T) {
	f := &model.Adapter{Adapter: &probes.Adapter{Conn: "main", Operations: []probes.Operation{{Name: "list_boxes", Parameters: []probes.Parameter{{Name: "limit", Type: "integer"}}}}}}
	for failure, want := range map[string]reports.Verdict{
		`"message":"'x' is not of type 'integer'","details":{"path":["limit"]}`:                     reports.Pass,
		`"message":"Wrong type","details":{"param_name":"limit","type":"integer"}`:                  reports.Pass,
		`"message":"Der Parameter 'limit' hat den falschen Typ; erwartet wird eine ganze Zahl"`:     reports.NotProven,
		`"message":"'x' is not supported","details":{"param_name":"limit"}`:                         reports.Fail,
		`"message":"The value of limit is not valid","details":{"param_name":"limit","value":"x"}`:  reports.Fail,
		`"message":"Bad limit for operation 'introspect'","details":{"received_type":"string"}`:     reports.Fail,
		`"message":"The value is not supported; supported are whole numbers","details":{"value":1}`: reports.Pass,
	} {
		o := checktest.AnswerWithEnvelope(t, probes.Call("main", "t", "list_boxes", map[string]any{"limit": "x"}),
			`{"success":false,"error":{"code":"VALIDATION_INVALID_TYPE",`+failure+`}}`)
		if r := checktest.JudgeOf(t, Checks, "INT-8.2.3-02")(model.Subject{Adapter: f, Name: "introspect"}, probes.Answers{o}); r.Verdict != want {
			t.Errorf("%s: ruled %s (%s, %s), want %s", failure, r.Verdict, r.Want, r.Got, want)
		}
	}
}
