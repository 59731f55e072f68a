package probes

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// answers is an adapter that knows some introspect requests by their params; all else is an
// unknown parameter.
type answers map[string]string

func (a answers) Ask(_ context.Context, p Probe) Observation {
	said := `{"tools":[{"name":"notes_read","inputSchema":{"properties":{"operation":{}}}},{"name":"notes_delete","inputSchema":{"properties":{"operation":{}}}}]}`
	if p.Operation() == "introspect" {
		params, _ := json.Marshal(p.Params())
		data, known := a[string(params)]
		said = `{"structuredContent":{"success":false,"error":{"code":"VALIDATION_UNKNOWN_PARAM","message":"unknown"}}}`
		if known {
			said = `{"structuredContent":{"success":true,"data":` + data + `}}`
		}
	}
	return Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":` + said + `}`)}})
}

// What is listed or shown otherwise than documented is found, with its departure.
func TestOperationsAreFoundInOtherForms(t *testing.T) {
	const query = `{"query":"operations"}`
	get := `{"name":"get_note","semantic_category":"READ","parameters":[{"name":"id","type":"string","required":true}]}`
	for _, c := range []struct {
		name, want, root, departs string
		says                      answers
	}{
		{"as documented", "get_note READ notes_read id! ", "", "", answers{
			query: `{"operations":[{"name":"get_note","semantic_category":"READ"}]}`, `{"name":"get_note","query":"operations"}`: `{"operation":` + get + `}`}},
		{"without query, whole records", "get_note READ notes_read id! ", "AQL-7.2-04", "without a query", answers{`{}`: `{"operations":[` + get + `]}`}},
		{"looked up by name alone", "get_note READ notes_read id! ", "AQL-7.3-02", "asked otherwise", answers{
			query: `{"operations":[{"name":"get_note"}]}`, `{"name":"get_note"}`: get}},
		{"grouped by category", "get_note READ notes_read  drop_note DELETE notes_delete  ", "", "not an array", answers{
			query: `{"operations":{"READ":[{"name":"get_note"}],"DELETE":["drop_note"]}}`}},
		{"by name", "get_note READ notes_read id! ", "", "not an array", answers{
			query: `{"operations":{"get_note":{"semantic_category":"READ","parameters":{"id":{"type":"string","required":true}}}}}`}},
		{"named by another key", "get_note READ notes_read  drop_note DELETE notes_delete  ", "", "", answers{
			query: `{"operations":[{"kind":"op","element_name":"get_note","endpoint":"READ"},{"kind":"op","element_name":"drop_note","endpoint":"delete"}]}`}},
		{"parameters as a schema", "get_note READ notes_read id! page ", "", "", answers{
			query: `[{"name":"get_note","semantic_category":"READ","parameters":{"type":"object","properties":{"id":{"type":"string"},"page":{"type":"integer"}},"required":["id"]}}]`}},
	} {
		a := Discover(context.Background(), c.says, "main")
		got := ""
		for _, o := range a.Operations {
			got += fmt.Sprintf("%s %s %s ", o.Name, o.Category, o.Tool)
			for _, p := range o.Parameters {
				got += p.Name + strings.Repeat("!", map[bool]int{true: 1}[p.Required]) + " "
			}
			if len(o.Parameters) == 0 {
				got += " "
			}
		}
		if _, root := a.Fallback(); got != c.want || root != c.root {
			t.Errorf("%s: %q by %q, want %q by %q", c.name, got, root, c.want, c.root)
		}
		if all := strings.Join(a.Departures, "; "); !strings.Contains(all, c.departs) {
			t.Errorf("%s: departures %q, want %q", c.name, all, c.departs)
		}
	}
}
