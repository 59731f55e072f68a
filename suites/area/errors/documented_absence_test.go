package errors

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// null for what does not exist is held against a READ that documents the error, and that can mean nothing else by it.
func TestNullAgainstTheDocumentedError(t *testing.T) {
	key, parent := probes.Parameter{Name: "loan_id", Type: "string", Required: true}, probes.Parameter{Name: "member_id", Type: "string", Required: true}
	for name, c := range map[string]struct {
		details, absent string
		parameters      []probes.Parameter
		want            reports.Verdict
	}{
		"documented":           {`{"errors":[{"code":"NOT_FOUND_RESOURCE","when":"no such loan"}]}`, `null`, []probes.Parameter{key}, reports.Warn},
		"documented by name":   {`{"errors":{"NOT_FOUND_RESOURCE":"no such loan"}}`, `null`, []probes.Parameter{key}, reports.Warn},
		"null in a wrapper":    {`{"error_codes":["NOT_FOUND_RESOURCE"]}`, `{"loan":null}`, []probes.Parameter{key}, reports.Warn},
		"not documented":       {`{"description":"Answers null where there is no such loan"}`, `null`, []probes.Parameter{key}, reports.NotApplicable},
		"of a parent, perhaps": {`{"error_codes":["NOT_FOUND_RESOURCE"]}`, `null`, []probes.Parameter{parent, key}, reports.NotApplicable},
		"of something else":    {`{"error_codes":["NOT_FOUND_RESOURCE"]}`, `null`, []probes.Parameter{key, {Name: "shelf_id", Type: "string"}}, reports.NotApplicable},
		"null is documented":   {`{"error_codes":["NOT_FOUND_RESOURCE"],"returns":{"description":"the loan, or null"}}`, `null`, []probes.Parameter{key}, reports.NotApplicable},
		"a search without hit": {`{"error_codes":["NOT_FOUND_RESOURCE"]}`, `{"items":[]}`, []probes.Parameter{key}, reports.NotApplicable},
	} {
		details, _ := probes.ParseValue([]byte(c.details))
		op := probes.Operation{Name: "get_loan", Category: "READ", Parameters: c.parameters, Details: details}
		call := probes.Call("main", "read", op.Name, map[string]any{"loan_id": "a"})
		got := probes.Answers{
			checktest.AnswerWithEnvelope(t, call, `{"success":true,"data":{"loan_id":"a"}}`),
			checktest.AnswerWithEnvelope(t, call.As(absentResource), `{"success":true,"data":`+c.absent+`}`),
		}
		if r := missingResourceHasItsDefinedCode.Judge(model.Subject{Name: op.Name, Op: op, Par: key}, got); r.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", name, r.Verdict, r.Got, c.want)
		}
	}
}

// A DELETE that succeeds again is held against the error that it documents, unless it tells that nothing was removed, or
// explains the error.
func TestRemovalAgainstTheDocumentedError(t *testing.T) {
	const gone = `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such loan"}}`
	for name, c := range map[string]struct {
		details, removal, again string
		want                    bool
	}{
		"documented":           {`{"errors":[{"code":"NOT_FOUND_RESOURCE"}]}`, `{"loan_id":"a","copies":2}`, `{"loan_id":"a","copies":0}`, true},
		"not documented":       {`{"description":"Removes a loan"}`, `{"loan_id":"a"}`, `{"loan_id":"a"}`, false},
		"nothing was removed":  {`{"errors":[{"code":"NOT_FOUND_RESOURCE"}]}`, `{"removed":true}`, `{"removed":false}`, false},
		"idempotent":           {`{"description":"Removes a loan; idempotent","errors":["NOT_FOUND_RESOURCE"]}`, `{"a":1}`, `{"a":2}`, false},
		"the error is another": {`{"description":"NOT_FOUND_RESOURCE is for a reader","errors":["NOT_FOUND_RESOURCE"]}`, `{"a":1}`, `{"a":2}`, false},
	} {
		details, _ := probes.ParseValue([]byte(c.details))
		op := probes.Operation{Name: "delete_loan", Category: "DELETE", Details: details}
		call := probes.Call("main", "remove", op.Name, map[string]any{"loan_id": "a"})
		answer := func(data string) probes.Observation {
			return checktest.AnswerWithEnvelope(t, call, `{"success":true,"data":`+data+`}`)
		}
		look := checktest.AnswerWithEnvelope(t, probes.Call("main", "read", "get_loan", map[string]any{"loan_id": "a"}), gone)
		if is := takesAbsence(model.Subject{Name: op.Name, Op: op}, answer(c.again), answer(c.removal), look); is != c.want {
			t.Errorf("%s: %t", name, is)
		}
	}
}
