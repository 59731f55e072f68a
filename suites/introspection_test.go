package suites

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/plan"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A described adapter answers introspection from literal JSON and runs nothing but
// what answers holds: envelopes by operation.
type described struct {
	tools    []string          // default: aql
	listing  string            // data of the operations listing
	types    string            // data of the types listing
	records  map[string]string // operations by name
	kinds    map[string]string // types by name
	answers  map[string]string
	anything string // envelope for operations that do not exist
}

func (d described) Ask(_ context.Context, p probes.Probe) probes.Observation {
	result := `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}`
	switch p.Method {
	case "tools/list":
		var list []string
		for _, name := range append(d.tools, map[bool][]string{true: {"aql"}}[d.tools == nil]...) {
			list = append(list, fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object","properties":{"operation":{"type":"string"}}}}`, name))
		}
		result = tools(list...)
	case "":
		result = fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, d.envelope(p))
	}
	return probes.Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`)}})
}

func (d described) envelope(p probes.Probe) string {
	found := func(member string, all map[string]string, name string) string {
		if all[name] == "" {
			return `{"success":true,"data":{"` + member + `":null}}`
		}
		return `{"success":true,"data":{"` + member + `":` + all[name] + `}}`
	}
	name, lookup := p.Params()["name"].(string)
	switch query := p.Params()["query"]; {
	case d.answers[p.Operation()] != "":
		return d.answers[p.Operation()]
	case p.Operation() != "introspect" && d.anything != "":
		return d.anything
	case p.Operation() != "introspect":
		return `{"success":false,"error":{"code":"NOT_FOUND_OPERATION","message":"no such operation"}}`
	case query == "operations" && lookup:
		return found("operation", d.records, name)
	case query == "types" && lookup:
		return found("type", d.kinds, name)
	case query == "operations":
		return `{"success":true,"data":` + d.listing + `}`
	case query == "types":
		return `{"success":true,"data":` + d.types + `}`
	}
	return `{"success":false,"error":{"code":"VALIDATION_MISSING_PARAM","message":"query is missing"}}`
}

// ruled runs the checks of one requirement against a described adapter and returns
// the worst verdict.
func ruled(t *testing.T, id string, d described) reports.Verdict {
	t.Helper()
	f := model.NewAdapter(t.Context(), d, "main", model.Options{Nonce: "k3f9x2ab"})
	p, err := plan.New([]*model.Adapter{f}, plan.Selection{Checks: All(), Run: []string{id}}, "")
	if err != nil {
		t.Fatal(err)
	}
	var rs []ruling.Ruling
	for _, c := range p.Cases {
		c.Ask(t.Context(), d)
		found := p.Finding(c.Check, *c.Subject, c.Judge(probes.Record{}))
		t.Logf("%s %s: want %s, got %s (%s)", found.Verdict, found.Subject, found.Want, found.Got, found.RootCause)
		rs = append(rs, ruling.Ruling{Verdict: found.Verdict})
	}
	return ruling.Worst(rs...).Verdict
}

// about is an adapter with the one READ operation list_notes, with the parameter
// records given, and with types: name and record by turns.
func about(parameters string, types ...string) described {
	d := described{
		listing: `{"operations":[{"name":"list_notes","semantic_category":"READ","endpoint":"read","description":"List the notes"}]}`,
		records: map[string]string{"list_notes": `{"name":"list_notes","semantic_category":"READ","endpoint":"read","mcpTool":"aql",
			"description":"List the notes","parameters":[` + parameters + `],"returns":{"name":"NoteList","kind":"object"}}`},
		kinds: map[string]string{},
	}
	var list []string
	for i := 0; i < len(types); i += 2 {
		d.kinds[types[i]] = types[i+1]
		kind, _ := probes.ParseValue([]byte(types[i+1]))
		list = append(list, fmt.Sprintf(`{"name":%q,"kind":%q}`, types[i], kind.At("kind").Text()))
	}
	d.types = `{"types":[` + strings.Join(list, ",") + `]}`
	return d
}

func TestParameterRows(t *testing.T) {
	for _, c := range []struct {
		id, why, parameter string
		want               reports.Verdict
	}{
		{"INT-3.4-02", "a union is one string", `{"name":"a","type":"string | string[]","required":false}`, reports.Pass},
		{"INT-3.4-02", "none documented", ``, reports.NotApplicable},
		{"INT-3.4-03", "zero is no boolean", `{"name":"a","type":"string","required":0}`, reports.Fail},
		{"INT-3.4-04", "null filler", `{"name":"a","type":"string","format":null}`, reports.Warn},
		{"INT-3.4-04", "an unknown format word", `{"name":"a","type":"string","format":"colour"}`, reports.Pass},
		{"INT-3.4-05", "no default", `{"name":"a","type":"string"}`, reports.NotApplicable},
		{"INT-3.4-05", "a number as text", `{"name":"a","type":"number","default":"25"}`, reports.Fail},
		{"INT-3.4-05", "one arm of a union", `{"name":"a","type":"string | string[]","default":"full"}`, reports.Pass},
		{"INT-3.4-05", "a word of an enum", `{"name":"a","type":"string","enum":["auto","on"],"default":"auto"}`, reports.Pass},
		{"INT-3.4-05", "now is no date", `{"name":"a","type":"string","format":"date-time","default":"now"}`, reports.Warn},
		{"INT-3.4-05", "outside an enum of numbers", `{"name":"a","type":"integer","enum":[1,2],"default":3}`, reports.Fail},
		{"INT-3.4-05", "1.0 is in an enum of integers", `{"name":"a","type":"integer","enum":[1,2],"default":1.0}`, reports.Pass},
		{"INT-3.4-05", "a pattern with look-ahead", `{"name":"a","type":"string","pattern":"^(?!x)a","default":"xa"}`, reports.Fail},
		{"INT-3.4-05", "null", `{"name":"a","type":"string","default":null}`, reports.Warn},
		{"INT-3.4-05", "reversed bounds are charged elsewhere", `{"name":"a","type":"integer","minimum":9,"maximum":1,"default":5}`, reports.NotProven},
		{"INT-3.4-05", "a type nobody knows", `{"name":"a","type":"Money","default":7}`, reports.Pass},
		{"INT-3.4-06", "empty", `{"name":"a","type":"string","enum":[]}`, reports.Warn},
		{"INT-3.4-06", "numbers", `{"name":"a","type":"integer","enum":[1,2.0]}`, reports.Pass},
		{"INT-3.4-06", "twice", `{"name":"a","type":"number","enum":[1,1.0]}`, reports.Warn},
		{"INT-3.4-09", "12.0 is whole", `{"name":"a","type":"string","maxLength":12.0}`, reports.Pass},
		{"INT-3.4-11", "look-behind", `{"name":"a","type":"string","pattern":"(?<=a)b"}`, reports.Pass},
		{"INT-3.4-11", "unbalanced", `{"name":"a","type":"string","pattern":"^(a"}`, reports.Fail},
		{"INT-3.4-13", "a schema without type", `{"name":"a","type":"array","items":{}}`, reports.Warn},
		{"INT-3.4-15", "equal", `{"name":"a","type":"integer","minimum":1,"maximum":1}`, reports.Pass},
		{"INT-3.4-15", "one bound", `{"name":"a","type":"integer","minimum":1}`, reports.NotApplicable},
		{"INT-3.4-17", "both arms", `{"name":"a","type":"string | string[]","minLength":1,"items":{"type":"string"}}`, reports.Pass},
		{"INT-3.4-17", "bounds on text", `{"name":"a","type":"string","minimum":1}`, reports.Warn},
		{"INT-3.4-19", "null is no default", `{"name":"a","type":"string","required":true,"default":null}`, reports.Pass},
		{"AQL-4.3-01", "a newline", `{"name":"a\n","type":"string"}`, reports.Fail},
		{"AQL-4.3-01", "trailing underscores", `{"name":"a__","type":"string"}`, reports.Pass},
		{"AQL-4.3-01", "metadata", `{"name":"_meta","type":"object"}`, reports.Pass},
		{"AQL-4.3-03", "none", ``, reports.Pass},
		{"AQL-4.3-03", "names only", `"a","b"`, reports.Fail},
		{"OPS-5.2-02", "integers", `{"name":"a","type":"integer"}`, reports.Pass},
		{"OPS-5.2-02", "another language", `{"name":"a","type":"dict"}`, reports.Warn},
		{"AQL-9.2-01", "primitives in capitals", `{"name":"a","type":"String | Array<Int>"}`, reports.Warn}, // NoteList alone
		{"AQL-9.2-01", "a literal union", `{"name":"a","type":"'Draft' | \"Final\""}`, reports.Warn},
		{"AQL-9.2-01", "a type nobody registered", `{"name":"a","type":"Record<string, Widget[]>"}`, reports.Fail},
		{"AQL-9.2-01", "in the elements", `{"name":"a","type":"array","items":{"type":"Widget"}}`, reports.Fail},
	} {
		t.Run(c.id+"/"+c.why, func(t *testing.T) {
			if got := ruled(t, c.id, about(c.parameter)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestTypeRows(t *testing.T) {
	list := func(of string) string { return `{"name":"a","type":"` + of + `","required":false}` }
	note := `{"name":"Note","kind":"object","fields":[]}`
	for _, c := range []struct {
		id, why string
		d       described
		want    reports.Verdict
	}{
		{"AQL-7.3-03", "no types at all", about(""), reports.Pass},
		{"AQL-7.3-04", "no types at all", about(""), reports.NotApplicable},
		{"AQL-7.3-04", "another type", about("", "Note", `{"name":"Folder","kind":"object","fields":[]}`), reports.Fail},
		{"INT-3.5-02", "an own kind", about("", "Note", `{"name":"Note","kind":"interface"}`), reports.Fail},
		{"INT-3.6-01", "only objects", about("", "Note", note), reports.NotApplicable},
		{"INT-3.6-01", "dynamic and empty", about("", "State", `{"name":"State","kind":"enum","values":[]}`), reports.Warn},
		{"INT-3.6-02", "fields without required", about("", "Note", `{"name":"Note","kind":"object","fields":[{"name":"a","type":"string"}]}`), reports.Warn},
		{"INT-3.6-03", "primitive members", about("", "Value", `{"name":"Value","kind":"union","members":["string","number"]}`), reports.Pass},
		{"INT-3.6-05", "empty foreign bodies", about("", "Note", `{"name":"Note","kind":"object","fields":[],"values":[],"members":null}`), reports.Pass},
		{"AQL-9.1-02", "a batch beside", about("", "OperationResult", `{"name":"OperationResult","kind":"union","members":["OperationSuccess","OperationFailure","BatchResult"]}`), reports.Pass},
		{"AQL-9.1-02", "something beside", about("", "OperationResult", `{"name":"OperationResult","kind":"union","members":["OperationSuccess","OperationFailure","string"]}`), reports.Warn},
		{"AQL-9.1-01", "not listed", about("", "Note", note), reports.NotApplicable},
		{"INT-8.1-08", "another spelling", about(list("note"), "Note", note), reports.Fail},
		{"INT-8.1-08", "a scalar and a word", about(list("datetime"), "DateTime", `{"name":"DateTime","kind":"scalar"}`), reports.Warn},
		{"INT-8.1-08", "returns of another kind", about("", "NoteList", `{"name":"NoteList","kind":"union","members":["string"]}`), reports.Fail},
		{"AQL-9.2-01", "another spelling is charged elsewhere", about(list("note"), "Note", note, "NoteList", `{"name":"NoteList","kind":"object","fields":[]}`), reports.NotProven},
		{"AQL-9.2-01", "a protocol type", about(list("OperationInput"), "NoteList", `{"name":"NoteList","kind":"object","fields":[]}`), reports.Pass},
		{"OPS-5.2-02", "a registered scalar called date", about(list("date"), "date", `{"name":"date","kind":"scalar"}`), reports.Pass},
	} {
		t.Run(c.id+"/"+c.why, func(t *testing.T) {
			if got := ruled(t, c.id, c.d); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestProtocolRows(t *testing.T) {
	for _, c := range []struct {
		id, protocol string
		want         reports.Verdict
	}{
		{"INT-4.1.1-02", `{"version":"1.0.0-alpha.1"}`, reports.Pass},
		{"INT-4.1.1-02", `{"version":"v1.0.0"}`, reports.Warn},
		{"INT-4.1.1-02", `{"version":"1.0"}`, reports.Warn},
		{"INT-4.1.1-02", `{"version":1}`, reports.NotProven},
		{"INT-4.1.1-02", `{}`, reports.NotApplicable},
		{"INT-4.1.1-05", `{"version":"1.0.0"}`, reports.Warn},
		{"INT-4.1.1-08", `{"capabilities":{"execution_safety_loop":"enforcing","x_own":"yes","batch":true}}`, reports.Pass},
		{"INT-4.1.1-08", `{"capabilities":["batch"]}`, reports.Warn},
		{"INT-4.1.1-09", `{"mode":"single"}`, reports.Pass},
		{"INT-4.1.1-09", `{"mode":"all"}`, reports.Fail},
		{"INT-4.1.1-09", `{"mode":"semantic"}`, reports.Pass}, // one family, one endpoint
		{"AQL-9.3.3-01", `{"concurrency":"serialized"}`, reports.Pass},
		{"AQL-9.3.3-01", `{"max_concurrent_requests":0}`, reports.Warn},
		{"AQL-2.3.5-07", `{"capabilities":{"confirmation":false}}`, reports.NotApplicable},
		{"AQL-2.3.5-07", `{"capabilities":{"confirmation":true},"session_id":""}`, reports.Warn},
		{"AQL-2.3.5-07", `{"capabilities":{"confirmation":true},"sessionId":"s1"}`, reports.Pass},
	} {
		t.Run(c.id+"/"+c.protocol, func(t *testing.T) {
			d := about("")
			d.listing = strings.Replace(d.listing, "{", `{"_protocol":`+c.protocol+`,`, 1)
			if got := ruled(t, c.id, d); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
