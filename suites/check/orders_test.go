package check

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A list of sort keys takes one key at a time, each parameter in turn; scalars come first.
func TestOrdersOfLists(t *testing.T) {
	enumerated := func(values ...any) map[string]any { return map[string]any{"type": "string", "enum": values} }
	parameter := func(name, kind string, record map[string]any) probes.Parameter {
		return probes.Parameter{Name: name, Type: kind, Raw: probes.ValueOf(record)}
	}
	list := probes.Operation{Name: "list_works", Category: "READ", Parameters: []probes.Parameter{
		parameter("kinds", "array", map[string]any{"type": "array", "items": enumerated("essay", "novel")}),
		parameter("order_by", "array", map[string]any{"type": "array", "items": enumerated("year", "-year")}),
		parameter("sort", "array", map[string]any{"type": "array", "items": map[string]any{"type": "object", "fields": []any{
			map[string]any{"name": "field", "type": "string", "required": true, "enum": []any{"year", "title"}}}}}),
		parameter("texts", "array", map[string]any{"type": "array", "items": map[string]any{"type": "string"}}),
		parameter("state", "string", enumerated("lent")),
	}}
	f := &model.Adapter{Adapter: &probes.Adapter{Conn: "main", Operations: []probes.Operation{list}},
		KnownGood: map[string]model.KnownGood{"list_works": {State: model.Proven, Probe: probes.Call("main", "aql", "list_works", map[string]any{})}}}
	var got []string
	for _, o := range OrdersOf(model.Subject{Adapter: f, Name: list.Name, Op: list}) {
		got = append(got, o.By+" "+o.Value.Text()+" "+probes.ValueOf(o.Call.Params()).String())
	}
	want := []string{
		`state lent {"state":"lent"}`, `sort.field year {"sort":[{"field":"year"}]}`, `sort.field title {"sort":[{"field":"title"}]}`, `kinds essay {"kinds":["essay"]}`, `order_by year {"order_by":["year"]}`,
		`kinds novel {"kinds":["novel"]}`, `order_by -year {"order_by":["-year"]}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("orders %q, want %q", got, want)
	}
}

// A selection of members changes what is shown of the items, and not their order.
func TestSelectionsAreNoOrders(t *testing.T) {
	listing := func(items string) probes.Observation {
		return probes.Classify(probes.Call("main", "aql", "list_works", nil), wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: fmt.Appendf(nil,
			`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":{"items":[%s],"has_more":true}}}}`, items)}})
	}
	plain := listing(`{"id":1,"year":10},{"id":2,"year":120},{"id":3,"year":25}`)
	for items, orders := range map[string]bool{
		`{"id":2,"year":120},{"id":3,"year":25},{"id":1,"year":10}`: true, `{"year":10},{"year":120},{"year":25}`: false,

		`{"id":2},{"id":3},{"id":1}`: true, `{"id":1},{"id":2},{"id":3}`: false, `{"year":120},{"year":25},{"year":10}`: true,
		`{"id":1,"year":10},{"id":2,"year":120},{"id":3,"year":25}`: false,
	} {
		if got := OrdersOtherwise(plain, listing(items)); got != orders {
			t.Errorf("%s orders otherwise: %v", items, got)
		}
	}
}
