package schemas

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A ruling is what Check must say of a document: its departures in short,
// "POINTER KEYWORD WANT", none for a document that fits.
type ruling struct {
	name, def, doc string
	want           []string
}

func short(found []Departure) []string {
	var lines []string
	for _, d := range found {
		lines = append(lines, fmt.Sprintf("%s %s %s", d.Pointer, d.Keyword, d.Want))
	}
	return lines
}

func checkRulings(t *testing.T, rulings []ruling) {
	t.Helper()
	for _, r := range rulings {
		t.Run(strings.Trim(r.name+"/"+r.def, "/"), func(t *testing.T) {
			found, err := Check(r.name, r.def, []byte(r.doc))
			if err != nil {
				t.Fatalf("%s: %v", r.doc, err)
			}
			if got := short(found); !slices.Equal(got, r.want) {
				t.Errorf("%s\ngot  %q\nwant %q", r.doc, got, r.want)
			}
		})
	}
}

func TestOperationInput(t *testing.T) {
	const name = "operation-input"
	checkRulings(t, []ruling{
		{name, "", `{"operation":"list_widgets"}`, nil},
		{name, "", `{"operation":"a1_b","params":{"Any":null},"element_type":"x"}`, nil},
		{name, "", `{"params":{}}`, []string{` required property "operation"`}},
		{name, "", `{"operation":"ListWidgets"}`, []string{`/operation pattern string that matches ^[a-z][a-z0-9_]*$`}},
		{name, "", `{"operation":"_x","params":[]}`, []string{
			`/operation pattern string that matches ^[a-z][a-z0-9_]*$`, `/params type object`}},
		{name, "", `{"operations":[]}`, []string{` required property "operation"`}},
		{name, "", `"list_widgets"`, []string{` type object`}},
	})
}

func TestOperationResult(t *testing.T) {
	const name = "operation-result"
	checkRulings(t, []ruling{
		{name, "", `{"success":true,"data":null}`, nil},
		{name, "", `{"success":true,"data":{"success":"x"},"_meta":{"requestId":1,"request_id":"r","duration_ms":0}}`, nil},
		{name, "", `{"success":true}`, []string{` required property "data"`}},
		{name, "", `{"data":1}`, []string{` required property "success"`}},
		{name, "", `{"success":1,"data":1}`, []string{`/success type boolean`}},
		{name, "", `{"success":"true","data":1}`, []string{`/success type boolean`}},
		{name, "", `{"success":true,"data":1,"error":{"code":"A","message":"b"}}`, []string{
			`/error additionalProperties no property "error"`}},
		{name, "", `{"success":true,"data":1,"_debug":1,"halted_at":{},"pending_operations":[]}`, []string{
			`/_debug additionalProperties no property "_debug"`,
			`/halted_at additionalProperties no property "halted_at"`,
			`/pending_operations additionalProperties no property "pending_operations"`}},
		{name, "", `{"success":true,"data":1,"_meta":{"duration_ms":-1}}`, []string{`/_meta/duration_ms minimum number of at least 0`}},
		{name, "", `{"success":true,"data":1,"warnings":[{"code":"OLD","message":"m","severity":"low"}]}`, nil},
		{name, "", `{"success":true,"data":1,"warnings":[{"code":"OLD","severity":"urgent","occurrence_count":2}]}`, []string{
			`/warnings/0 required property "message"`,
			`/warnings/0/occurrence_count additionalProperties no property "occurrence_count"`,
			`/warnings/0/severity enum one of "low", "medium", "high"`}},
		{name, "", `{"success":false,"error":{"code":"NOT_FOUND_OPERATION","message":"m","details":{"any":[]}}}`, nil},
		{name, "", `{"success":false}`, []string{` required property "error"`}},
		{name, "", `{"success":false,"error":"boom"}`, []string{`/error type object`}},
		{name, "", `{"success":false,"error":{"code":"not_found","message":5,"stack":"x"}}`, []string{
			`/error/code pattern string that matches ^[A-Z][A-Z0-9_]*$`,
			`/error/message type string`,
			`/error/stack additionalProperties no property "stack"`}},
		{name, "", `{"success":false,"error":{"code":"A","message":"m"},"data":null,"_meta":{},"warnings":[]}`, []string{
			`/_meta additionalProperties no property "_meta"`,
			`/data additionalProperties no property "data"`,
			`/warnings additionalProperties no property "warnings"`}},
		{name, "", `{"success":false,"error":{"code":"A","message":"m"},"confirmation":{"token":"t","expires_at":"2026-01-01T00:00:00Z","x":1},"deprecated":true}`, nil},
		{name, "", `{"success":false,"error":{"code":"A","message":"m"},"confirmation":{"token":"t","expires_at":"soon"}}`, []string{
			`/confirmation/expires_at format date-time`}},
		// A batch: each result is an envelope again, at any depth.
		{name, "", `{"success":true,"data":null,"summary":{"total":1.0,"succeeded":1,"failed":0,"halted":0},"results":[{"index":0,"operation":"a","status":"completed","result":{"success":true,"data":1}}]}`, nil},
		{name, "", `{"success":true,"data":null,"results":[{"index":0.5,"operation":"a","result":{"success":false,"error":"x"}}]}`, []string{
			`/results/0/index type integer`, `/results/0/result/error type object`}},
		{name, "Failure", `{"success":false,"error":{"code":"A","message":"m"}}`, nil},
		{name, "Failure", `{"success":true,"error":{"code":"A","message":"m"}}`, []string{`/success const boolean false`}},
		{name, "Error", `{"code":"A"}`, []string{` required property "message"`}},
	})
}

func TestDangerLevel(t *testing.T) {
	const name = "danger-level"
	checkRulings(t, []ruling{
		{name, "", `"safe"`, nil},
		{name, "", `{"level":"forbidden","reason":"r","requires_confirmation":true}`, nil},
		{name, "", `"harmless"`, []string{` enum one of "safe", "reversible", "destructive", "dangerous", "forbidden"`}},
		{name, "", `{"level":"safe","reasons":[]}`, []string{`/reasons additionalProperties no property "reasons"`}},
		{name, "", `3`, []string{` type string or object`}},
		{name, "EndpointDangerDefaults", `{"READ":"safe","EXECUTE":"dangerous"}`, nil},
		{name, "EndpointDangerDefaults", `{"READ":"reversible"}`, []string{`/READ const string "safe"`}},
	})
}

func TestBatchOperation(t *testing.T) {
	const name = "batch-operation"
	const summary = `"summary":{"total":1,"succeeded":1,"failed":0}`
	checkRulings(t, []ruling{
		{name, "", `{"operations":[{"operation":"a","params":{},"element_type":"x"}]}`, nil},
		{name, "", `{"operations":[]}`, []string{`/operations minItems array of at least 1 item`}},
		{name, "", `{"operations":[{"operation":"A"}],"x":1}`, []string{
			`/operations/0/operation pattern string that matches ^[a-z][a-z0-9_]*$`, `/x additionalProperties no property "x"`}},
		{name, "", `{"success":true,"data":null,"results":[{"index":0,"operation":"a","result":{"success":true,"data":null}}],` + summary + `}`, nil},
		{name, "", `{"success":true,"data":{},"results":[],` + summary + `}`, []string{`/data type null`}},
		{name, "", `{"success":true,"results":[{"index":0,"operation":"a","result":{"success":true,"data":1,"_meta":{}}}],` + summary + `}`, []string{
			`/results/0/result/_meta additionalProperties no property "_meta"`}},
		{name, "", `{"success":true,"results":[],"halted_at":{"index":0,"operation":"a","result":{"success":false,"error":{"code":"lower","message":"m","x":1}}},"pending_operations":[{"index":1,"operation":"b"}],` + summary + `}`, nil},
		{name, "", `{"success":true,"results":[]}`, []string{` required property "summary"`}},
		{name, "", `{"success":false,"error":{"code":"A","message":"m","details":{}}}`, []string{`/error/details additionalProperties no property "details"`}},
		{name, "OperationResult", `{"success":true}`, []string{` required property "data"`}},
	})
}

func TestQueryHelpers(t *testing.T) {
	const path, computed = `string that matches ^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$`, `string that matches ^_computed\.[a-z][a-z0-9_]*$`
	checkRulings(t, []ruling{
		{"field-selection", "FieldSelectionInput", `{"fields":["a","a.b","_computed.c"]}`, nil},
		{"field-selection", "FieldSelectionInput", `{"fields":"minimal","preset":"full"}`, nil},
		{"field-selection", "FieldSelectionInput", `{"fields":"mine"}`, []string{`/fields enum one of "minimal", "standard", "full"`}},
		{"field-selection", "FieldSelectionInput", `{"fields":["A","_x"]}`, []string{`/fields/0 pattern ` + path, `/fields/1 pattern ` + computed}},
		{"field-selection", "FieldSelectionInput", `{"fields":1}`, []string{`/fields type string or array`}},
		{"field-selection", "", `{"fields":"minimal"}`, []string{`/fields additionalProperties no property "fields"`}},
		{"field-selection", "", `{"metadata":{"supported":true,"available_fields":[{"name":"a","type":"object","nested":[{"name":"b"}]}]}}`, []string{
			`/metadata/available_fields/0/nested/0 required property "type"`}},
		{"computed-fields", "", `{"fields":["_computed.a"],"computed_fields":[{"name":"a","type":"number"}]}`, nil},
		{"computed-fields", "", `{"fields":["_computed.a","name"]}`, []string{`/fields/1 pattern ` + computed}},
		{"collection-query", "", `{"query":"x","sort":{"field":"a","order":"asc"},"first":0,"aggregate":{"n":{"count":true}},"other":1}`, nil},
		{"collection-query", "", `{"query":1,"sort":{"order":"up"},"page":0,"aggregate":{"n":{"median":"a"}}}`, []string{
			`/aggregate/n/median additionalProperties no property "median"`, `/page minimum number of at least 1`,
			`/query type string or object`, `/sort required property "field"`, `/sort/order enum one of "asc", "desc"`}},
		{"relationship-query", "", `{"response":{"root":{"element_type":"a","element_name":"b"},"graph":{"nodes":[],"pageInfo":{}}}}`, []string{
			`/response/graph/pageInfo additionalProperties no property "pageInfo"`}},
		{"relationship-query", "RelationshipRequest", `{"root":{"element_type":"a","element_name":"b"},"direction":"both","depth":1}`, nil},
		{"relationship-query", "RelationshipRequest", `{"root":{"element_type":"a"},"direction":"up"}`, []string{
			`/direction enum one of "incoming", "outgoing", "both"`, `/root required property "element_name"`}},
		{"aggregation-query", "", `{"request":{"aggregate":{"n":{"sum":"a"}}},"response":{"aggregations":{}}}`, nil},
		{"aggregation-query", "AggregationSupport", `{"supported":"yes","functions":["median"]}`, []string{
			`/functions/0 enum one of "count", "group_by", "sum", "avg", "min", "max"`, `/supported type boolean`}},
	})
}

func TestUnknownNames(t *testing.T) {
	for _, c := range [][2]string{{"operation", ""}, {"operation-result", "Nothing"}, {"", ""}} {
		if _, err := Check(c[0], c[1], []byte(`{}`)); err == nil {
			t.Errorf("Check(%q, %q) knows such a schema", c[0], c[1])
		}
	}
	if got := len(Names()); got != 10 {
		t.Errorf("%d schemas, want 10: %v", got, Names())
	}
}

func TestDocumentsThatAreNotJudged(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for what, c := range map[string]struct {
		doc    string
		budget bool
	}{
		"empty":            {``, false},
		"trailing":         {`{"success":true,"data":1} x`, false},
		"cut":              {`{"success":true,"data":"`, false},
		"escape at end":    {`"\`, false},
		"huge exponent":    {`{"success":true,"data":1e1000000}`, true},
		"tiny exponent":    {`{"success":true,"data":1E-00401}`, true},
		"many digits":      {`{"success":true,"data":` + strings.Repeat("1", 1001) + `}`, true},
		"too deep":         {`{"success":true,"data":` + deep(1000) + `}`, true},
		"too many":         {`{"success":true,"data":[` + strings.Repeat("0,", 600_000) + `0]}`, true},
		"deep and wide":    {strings.Repeat("[", 900) + strings.Repeat("0,", 10_000) + "0" + strings.Repeat("]", 900), true},
		"too large":        {`{"success":true,"data":"` + strings.Repeat("x", 16<<20) + `"}`, true},
		"unbalanced depth": {strings.Repeat("]", 10) + strings.Repeat("[", 2000), true},
	} {
		found, err := Check("operation-result", "", []byte(c.doc))
		if err == nil || errors.Is(err, ErrBudget) != c.budget {
			t.Errorf("%s: got %v, %v; over budget: want %v", what, found, err, c.budget)
		}
	}
	for what, doc := range map[string]string{
		"exponent 400":      `{"success":true,"data":[1e400,1e-400,1e000001]}`,
		"digits in strings": `{"success":true,"data":"1e999999 \" [[[ ,,, "}`,
		"deep enough":       `{"success":true,"data":` + deep(990) + `}`,
	} {
		if found, err := Check("operation-result", "", []byte(doc)); err != nil || found != nil {
			t.Errorf("%s: got %v, %v; want it to fit", what, found, err)
		}
	}
}

// A long list of departures is cut at the same place every time, and what an
// adapter sent never fills a report.
func TestDeparturesAreBounded(t *testing.T) {
	doc := []byte(`{"operations":[` + strings.Repeat(`{"name":7},`, 500) + `{"name":"` + strings.Repeat("ü", 5000) + `","description":5}]}`)
	first, err := Check("introspection-response", "OperationsListData", doc)
	if err != nil || len(first) != maxDepartures {
		t.Fatalf("got %d departures, %v", len(first), err)
	}
	second, _ := Check("introspection-response", "OperationsListData", doc)
	if !slices.Equal(first, second) {
		t.Error("the same document departs differently the second time")
	}
	found, err := Check("operation-input", "", []byte(`{"operation":"`+strings.Repeat("Ü", 100_000)+`"}`))
	if err != nil || len(found) != 1 || len(found[0].Got) > 200 {
		t.Errorf("got %v, %v", found, err)
	}
}

func BenchmarkCheckOperationResult(b *testing.B) {
	doc := []byte(`{"success":true,"data":{"widgets":[{"id":"w1","size":3},{"id":"w2","size":4}]},"_meta":{"request_id":"r-1","duration_ms":1.5}}`)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if found, err := Check("operation-result", "", doc); err != nil || found != nil {
			b.Fatal(found, err)
		}
	}
}
