package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
)

// A value that is demanded and that all listed objects have differently may be what tells objects
// apart. Where the adapter documents that several objects may share it, it is sent.
func TestDemandedValues(t *testing.T) {
	store := answering(func(p probes.Probe) probes.Observation {
		envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such plant"}}`
		if p.Operation() == "list_plants" {
			envelope = `{"success":true,"data":[{"plant_id":"p1","name":"Aloe","sort":"herb","rank":1},{"plant_id":"p2","name":"Basil","sort":"tree","rank":2}]}`
		}
		return enveloped(p, envelope)
	})
	sort := func(o probes.Operation, needed bool) probes.Operation {
		raw, _ := probes.ParseValue(fmt.Appendf(nil, `{"name":"sort","type":"string","required":%v,"enum":["herb","tree"]}`, needed))
		o.Parameters = append(o.Parameters, probes.Parameter{Name: "sort", Type: "string", Required: needed, Raw: raw})
		return o
	}
	list, filtered := operation("list_plants", "READ"), sort(operation("list_plants", "READ"), false)
	update, fixed := sort(operation("update_plant", "UPDATE", "plant_id*:string"), false), operation("update_plant", "UPDATE", "plant_id*:string", "name:string")
	byID, bySort := operation("get_plant", "READ", "plant_id*:string"), sort(operation("get_plant", "READ"), true)
	removeID, removeSort := operation("delete_plant", "DELETE", "plant_id*:string"), sort(operation("delete_plant", "DELETE"), true)
	of := func(all ...probes.Operation) []probes.Operation { return all }
	for name, c := range map[string]struct {
		others []probes.Operation
		params map[string]any
		want   string // part of the reason; empty where it passes
	}{
		"a sort that nothing tells to be shared":  {of(list, fixed, byID, removeID), map[string]any{"sort": "herb"}, asOthers("sort")},
		"a sort that the listing selects by":      {of(filtered, fixed, byID, removeID), map[string]any{"sort": "herb"}, ""},
		"a sort that an update changes":           {of(list, update, byID, removeID), map[string]any{"sort": "herb"}, ""},
		"a sort that identifies":                  {of(filtered, update, bySort, removeSort), map[string]any{"sort": "herb"}, "could not be removed again"},
		"a rank that another has":                 {of(list, fixed, byID, removeID), map[string]any{"rank": 2}, asOthers("rank")},
		"a rank that nobody has":                  {of(list, fixed, byID, removeID), map[string]any{"rank": 3}, ""},
		"a recipient of nobody's name":            {of(list, fixed, byID, removeID), map[string]any{"recipient": "aqlc-k3f9x2ab"}, ""},
		"a recipient":                             {of(list, fixed, byID, removeID), map[string]any{"recipient": "Ann"}, onOthers},
		"a recipient with an address of our mark": {of(list, fixed, byID, removeID), map[string]any{"recipient": "aqlc-k3f9x2ab@example.com"}, onOthers},
	} {
		create := operation("create_plant", "CREATE", "name*:string")
		for p := range c.params {
			switch p {
			case "sort":
				create = sort(create, true)
			case "rank":
				create.Parameters = append(create.Parameters, operation("", "", "rank*:integer").Parameters...)
			default:
				create.Parameters = append(create.Parameters, operation("", "", p+"*:string").Parameters...)
			}
		}
		g := New(store, "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
		g.Learn(&probes.Adapter{Conn: "main", Introspect: "mcp_aql_read", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"},
			Tools:      []probes.Tool{{Name: "mcp_aql_read"}, {Name: "mcp_aql_create"}, {Name: "mcp_aql_update"}, {Name: "mcp_aql_delete"}},
			Operations: append(c.others, create)})
		c.params["name"] = "aqlc-k3f9x2ab"
		_, why := g.Enter(t.Context(), probes.Call("main", "mcp_aql_create", "create_plant", c.params))
		if (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
	}
}
