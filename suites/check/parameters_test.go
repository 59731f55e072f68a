package check_test

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A refusal names the parameter that it means in many forms, and conditions beside it.
func TestBlamedKnownName(t *testing.T) {
	op := probes.Operation{Name: "list_pages", Parameters: []probes.Parameter{{Name: "from"}, {Name: "to"}, {Name: "filter"}}}
	s := model.Subject{Adapter: &model.Adapter{Adapter: &probes.Adapter{}}, Name: op.Name, Op: op}
	for name, c := range map[string]struct {
		sent map[string]any
		err  string
		want string
	}{
		"details of the specification":   {map[string]any{"from": 1}, `"VALIDATION_UNKNOWN_PARAM","message":"no","details":{"unknown_params":["from"]}`, "from"},
		"another member of the details":  {map[string]any{"from": 1}, `"VALIDATION_UNKNOWN_PARAM","message":"no","details":{"param":"from"}`, "from"},
		"the message, in quotation":      {map[string]any{"from": 1}, `"VALIDATION_UNKNOWN_PARAM","message":"« from » \"from\" of 'list_pages'"`, "from"},
		"missing although it was sent":   {map[string]any{"from": 1}, `"VALIDATION_MISSING_PARAM","message":"'from' is required"`, "from"},
		"a condition in the message":     {map[string]any{"from": 1}, `"VALIDATION_MISSING_PARAM","message":"'from' needs 'to'"`, ""},
		"a condition in the details":     {map[string]any{"from": 1}, `"VALIDATION_MISSING_PARAM","message":"no","details":{"given":"from","missing":"to"}`, ""},
		"an unknown name was sent":       {map[string]any{"from": 1, "x": 1}, `"VALIDATION_UNKNOWN_PARAM","message":"'x' is none of 'from', 'to'"`, ""},
		"another name is called unknown": {map[string]any{"filter": map[string]any{"x": 1}}, `"VALIDATION_UNKNOWN_PARAM","message":"no","details":{"unknown_params":["x"]}`, ""},
		"another code":                   {map[string]any{"from": 1}, `"VALIDATION_INVALID_VALUE","message":"'from'"`, ""},
	} {
		o := checktest.AnswerWithEnvelope(t, probes.Call("main", "read", op.Name, c.sent), `{"success":false,"error":{"code":`+c.err+`}}`)
		if got := check.BlamedKnownName(s, o); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		control := checktest.AnswerWithEnvelope(t, probes.Call("main", "read", op.Name, nil), `{"success":true,"data":{}}`)
		if got, want := check.RefusesName(s, "filter", control, o), false; c.sent["filter"] != nil && got != want {
			t.Errorf("%s: a name inside an object counts as that of the parameter", name)
		}
	}
}
