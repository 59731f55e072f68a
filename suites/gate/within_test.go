package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// What lies in an object of ours may still take something from others: an identifier or a serial
// number that means the same in every parent.
func TestChildrenTakeNothingFromOthers(t *testing.T) {
	code := map[string]string{}
	sent := probes.Observation{}
	store := answering(func(p probes.Probe) probes.Observation {
		told := probes.ValueOf(p.Params())
		envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such object"}}`
		switch name := p.Operation(); {
		case name == "create_site" || name == "get_site" && told.At("site_id").Text() == "s9":
			envelope = `{"success":true,"data":{"site_id":"s9","name":"aqlc-k3f9x2ab"}}`
		case name == "list_devices":
			envelope = `{"success":true,"data":{"items":[{"site_id":"s1","number":1,"serial":"A","sort":"pump","owner":"ann"},{"site_id":"s2","number":2,"serial":"B","sort":"fan","owner":"bob"}],"has_more":false}}`
		case name == "get_device" && told.At("site_id").Text() == "s9" && code["get_device"] != "":
			envelope = `{"success":false,"error":{"code":"` + code["get_device"] + `","message":"no"}}`
		case name == "get_device" && told.At("site_id").Text() == "s9":
			envelope = fmt.Sprintf(`{"success":true,"data":{"site_id":"s9","number":%s}}`, told.At("number"))
		}
		return enveloped(p, envelope)
	})
	device := operation("create_device", "CREATE", "site_id*:string", "number*:integer", "serial:string", "owner:string")
	sort, _ := probes.ParseValue([]byte(`{"name":"sort","type":"string","enum":["pump","fan"]}`))
	device.Parameters = append(device.Parameters, probes.Parameter{Name: "sort", Type: "string", Raw: sort})
	a := &probes.Adapter{Conn: "main", Introspect: "mcp_aql_read", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"},
		Tools: []probes.Tool{{Name: "mcp_aql_read"}, {Name: "mcp_aql_create"}, {Name: "mcp_aql_update"}, {Name: "mcp_aql_delete"}},
		Operations: []probes.Operation{
			operation("create_site", "CREATE", "name*:string"), operation("get_site", "READ", "site_id*:string"), operation("delete_site", "DELETE", "site_id*:string"),
			device, operation("get_device", "READ", "site_id*:string", "number*:integer"), operation("list_devices", "READ"), operation("delete_device", "DELETE", "site_id*:string", "number*:integer"),
		}}
	for name, c := range map[string]struct {
		params map[string]any
		read   string // code of the read by the new key
		want   string // part of the reason; empty where it passes
	}{
		"a number of nobody":                          {map[string]any{"number": 3}, "NOT_FOUND_RESOURCE", ""},
		"a sort that others have":                     {map[string]any{"number": 3, "sort": "pump"}, "NOT_FOUND_RESOURCE", ""},
		"a number of others":                          {map[string]any{"number": 2}, "NOT_FOUND_RESOURCE", "names something that is not ours"},
		"a serial of others":                          {map[string]any{"number": 3, "serial": "A"}, "NOT_FOUND_RESOURCE", "is that of another object"},
		"a number that stands elsewhere":              {map[string]any{"number": 3}, "CONFLICT_STATE", notFree},
		"a documented number that the read refuses":   {map[string]any{"number": 3}, "VALIDATION_INVALID_VALUE", notFree},
		"a number that is none, as the read tells":    {map[string]any{"number": 3.5}, "VALIDATION_INVALID_TYPE", ""},
		"a number that is none, for another reason":   {map[string]any{"number": 3.5}, "PERMISSION_DENIED", notFree},
		"a number that is none, with one that exists": {map[string]any{"number": "2"}, "VALIDATION_INVALID_TYPE", "names something that is not ours"},
	} {
		code["get_device"] = c.read
		g := New(store, "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
		g.Learn(a)
		made := probes.Call("main", "mcp_aql_create", "create_site", map[string]any{"name": "aqlc-k3f9x2ab"})
		pass(t, g, store, made)
		c.params["site_id"] = "s9"
		call := probes.Call("main", "mcp_aql_create", "create_device", c.params)
		leave, why := g.Enter(t.Context(), call)
		if (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
		if why == "" {
			sent = probes.Classify(call, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"success":true,"data":{"near":[{"number":1}]}}}}`)}})
			leave(sent)
			code["get_device"] = ""
			if _, why := g.Enter(t.Context(), probes.Call("main", "mcp_aql_delete", "delete_device", map[string]any{"site_id": "s9", "number": 1})); why == "" {
				t.Errorf("%s: a number of others that the answer tells is taken for that of the new object", name)
			}
		}
	}
}

// A key of several parts that the client chooses names a place of its own where nothing listed has one of
// the parts. Where a part names something that may be of others, or the listing does not tell, it does not.
func TestKeysOfSeveralPartsLieApart(t *testing.T) {
	const rows = `{"bay":"K11","slot":1,"goods":"tea"},{"bay":"K11","slot":2,"goods":"salt"},{"bay":"B02","slot":1,"goods":"oil"}`
	list := ""
	store := answering(func(p probes.Probe) probes.Observation {
		envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such object"}}`
		if p.Operation() == "list_pallets" {
			envelope = `{"success":true,"data":` + list + `}`
		}
		return enveloped(p, envelope)
	})
	whole := `{"items":[` + rows + `],"has_more":false}`
	for name, c := range map[string]struct {
		list   string
		beside []probes.Operation
		bay    string
		slot   int
		want   string // part of the reason; empty where it passes
	}{
		"a bay of nobody":                        {whole, nil, "T43", 1, ""},
		"a slot of nobody in a bay of others":    {whole, nil, "K11", 7, "names something that is not ours"},
		"a bay of nobody, and more is there":     {`{"items":[` + rows + `],"has_more":true}`, nil, "T43", 1, "names something that is not ours"},
		"a bay of nobody, and nothing is listed": {`{"items":[],"has_more":false}`, nil, "T43", 1, "names something that is not ours"},
		"a bay of nobody, and no row has one":    {`{"items":[{"slot":1,"goods":"tea"}],"has_more":false}`, nil, "T43", 1, "names something that is not ours"},
		"a slot that has one bay alone":          {`{"items":[{"bay":"K11","slot":1,"goods":"tea"}],"has_more":false}`, nil, "T43", 1, "names something that is not ours"},
		"a bay that holds other kinds":           {whole, []probes.Operation{operation("list_trucks", "READ", "bay*:string")}, "T43", 1, "names something that is not ours"},
		"a bay that others have":                 {whole, []probes.Operation{operation("create_bay", "CREATE", "name*:string"), operation("get_bay", "READ", "bay*:string"), operation("delete_bay", "DELETE", "bay*:string")}, "T43", 1, "names something that is not ours"},
	} {
		list = c.list
		tools := []probes.Tool{{Name: "mcp_aql_read"}, {Name: "mcp_aql_create"}, {Name: "mcp_aql_update"}, {Name: "mcp_aql_delete"}}
		g := New(store, "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
		g.Learn(&probes.Adapter{Conn: "main", Introspect: "mcp_aql_read", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"}, Tools: tools,
			Operations: append([]probes.Operation{
				operation("create_pallet", "CREATE", "bay*:string", "slot*:integer", "goods*:string"), operation("list_pallets", "READ"),
				operation("get_pallet", "READ", "bay*:string", "slot*:integer"), operation("delete_pallet", "DELETE", "bay*:string", "slot*:integer"),
			}, c.beside...)})
		_, why := g.Enter(t.Context(), probes.Call("main", "mcp_aql_create", "create_pallet", map[string]any{"bay": c.bay, "slot": c.slot, "goods": "aqlc-k3f9x2ab"}))
		if (c.want == "") != (why == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
	}
}

// In a channel of ours a slot is told by a day and an hour that no listed slot has. Days and hours that others have, a
// listing that goes on, and a day that an operation takes without the channel are left alone.
func TestSlotsInAChannelOfOurs(t *testing.T) {
	const others = `{"channel":"NWK","day":"2026-05-04","hour":"20:15"},{"channel":"ABC","day":"2026-05-05","hour":"21:00"}`
	list, made := "", false
	store := answering(func(p probes.Probe) probes.Observation {
		envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such object"}}`
		made = made || p.Operation() == "create_channel"
		switch told := probes.ValueOf(p.Params()); {
		case p.Operation() == "create_channel" || p.Operation() == "get_channel" && made && told.At("channel").Text() == "XDI":
			envelope = `{"success":true,"data":{"channel":"XDI","name":"aqlc-k3f9x2ab"}}`
		case p.Operation() == "list_slots":
			envelope = `{"success":true,"data":` + list + `}`
		}
		return enveloped(p, envelope)
	})
	plan := operation("get_plan", "READ", "channel*:string", "day*:string")
	for name, c := range map[string]struct {
		list          string
		beside        probes.Operation
		channel, want string
		day, hour     string
	}{
		"a day of nobody":                      {`{"items":[` + others + `],"has_more":false}`, plan, "XDI", "", "2024-12-11", "18:40"},
		"a day of others":                      {`{"items":[` + others + `],"has_more":false}`, plan, "XDI", "names something that is not ours", "2026-05-04", "18:40"},
		"an hour of others":                    {`{"items":[` + others + `],"has_more":false}`, plan, "XDI", "names something that is not ours", "2024-12-11", "20:15"},
		"a day of nobody in their channel":     {`{"items":[` + others + `],"has_more":false}`, plan, "NWK", "is that of another object", "2024-12-11", "18:40"},
		"a day of nobody, and more is there":   {`{"items":[` + others + `],"has_more":true}`, plan, "XDI", "names something that is not ours", "2024-12-11", "18:40"},
		"a day that is taken without channels": {`{"items":[` + others + `],"has_more":false}`, operation("close_day", "UPDATE", "day*:string", "input*:object"), "XDI", "names something that is not ours", "2024-12-11", "18:40"},
	} {
		list, made = c.list, false
		tools := []probes.Tool{{Name: "mcp_aql_read"}, {Name: "mcp_aql_create"}, {Name: "mcp_aql_update"}, {Name: "mcp_aql_delete"}}
		g := New(store, "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
		g.Learn(&probes.Adapter{Conn: "main", Introspect: "mcp_aql_read", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"}, Tools: tools,
			Operations: []probes.Operation{
				operation("create_channel", "CREATE", "channel*:string", "name*:string"), operation("get_channel", "READ", "channel*:string"), operation("delete_channel", "DELETE", "channel*:string"),
				operation("create_slot", "CREATE", "channel*:string", "day*:string", "hour*:string", "note*:string"), operation("list_slots", "READ"),
				operation("get_slot", "READ", "channel*:string", "day*:string", "hour*:string"), operation("delete_slot", "DELETE", "channel*:string", "day*:string", "hour*:string"), c.beside,
			}})
		pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_channel", map[string]any{"channel": "XDI", "name": "aqlc-k3f9x2ab"}))
		_, why := g.Enter(t.Context(), probes.Call("main", "mcp_aql_create", "create_slot", map[string]any{"channel": c.channel, "day": c.day, "hour": c.hour, "note": "aqlc-k3f9x2ab"}))
		if (c.want == "") != (why == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
	}
}

// Kinds often call their keys alike. A key that cannot carry our mark is sent only where each read that
// takes it says that it names nothing.
func TestKeysThatAreCalledAlike(t *testing.T) {
	answers := map[string]string{}
	store := answering(func(p probes.Probe) probes.Observation {
		if p.Operation() == "open_gate" {
			t.Error("a read was asked whose name promises an effect")
		}
		envelope := `{"success":false,"error":{"code":"` + answers[p.Operation()] + `","message":"no"}}`
		switch {
		case strings.HasPrefix(p.Operation(), "list_"):
			envelope = `{"success":true,"data":{"items":[],"has_more":false}}`
		case answers[p.Operation()] == "":
			envelope = `{"success":true,"data":{"code":"P-053","name":"Rose"}}`
		}
		return enveloped(p, envelope)
	})
	kind := func(name, pattern string) []probes.Operation {
		all := []probes.Operation{operation("create_"+name, "CREATE", "code*:string", "name*:string"), operation("get_"+name, "READ", "code*:string"), operation("delete_"+name, "DELETE", "code*:string"), operation("list_"+name+"s", "READ")}
		raw, _ := probes.ParseValue([]byte(`{"name":"code","type":"string","required":true,"pattern":"` + pattern + `"}`))
		for i := range all[:3] {
			all[i].Parameters[0].Raw = raw
		}
		return all
	}
	for name, c := range map[string]struct{ parcel, plant, want string }{
		"nothing of either kind":                  {"NOT_FOUND_RESOURCE", "NOT_FOUND_RESOURCE", ""},
		"a code that no plant can have":           {"NOT_FOUND_RESOURCE", "VALIDATION_INVALID_VALUE", ""},
		"a plant of that code":                    {"NOT_FOUND_RESOURCE", "", "names something that is not ours"},
		"a read of plants that fails":             {"NOT_FOUND_RESOURCE", "INTERNAL_ERROR", "names something that is not ours"},
		"a parcel of that code":                   {"", "NOT_FOUND_RESOURCE", "does not tell whether there is such an object"},
		"a read of parcels that wants more of it": {"VALIDATION_INVALID_VALUE", "NOT_FOUND_RESOURCE", notFree},
		"a read that may not be asked":            {"NOT_FOUND_RESOURCE", "NOT_FOUND_RESOURCE", "names something that is not ours"},
	} {
		answers["get_parcel"], answers["get_plant"] = c.parcel, c.plant
		g := New(store, "main", "k3f9x2ab", everything, fixtures.Hints{}, nil)
		operations := append(kind("parcel", "^P-[0-9]{1,4}$"), kind("plant", "^[A-Z]{2,4}-[0-9]{1,4}$")...)
		if name == "a read that may not be asked" {
			operations = append(operations, operation("open_gate", "READ", "code*:string"))
			answers["open_gate"] = "NOT_FOUND_RESOURCE"
		}
		g.Learn(&probes.Adapter{Conn: "main", Introspect: "mcp_aql_read", AQL: []string{"mcp_aql_read", "mcp_aql_create", "mcp_aql_update", "mcp_aql_delete"},
			Tools:      []probes.Tool{{Name: "mcp_aql_read"}, {Name: "mcp_aql_create"}, {Name: "mcp_aql_update"}, {Name: "mcp_aql_delete"}},
			Operations: operations})
		_, why := g.Enter(t.Context(), probes.Call("main", "mcp_aql_create", "create_parcel", map[string]any{"code": "P-053", "name": "aqlc-k3f9x2ab"}))
		if (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
	}
}

// A creation that takes the place of an object of others is the last request that writes.
func TestOverwritingCreationStopsWriting(t *testing.T) {
	for name, c := range map[string]struct{ told, read, want string }{
		"a number of others, with our text": {"t2", `{"ticket_id":"t2","title":"aqlc-k3f9x2ab-1"}`, "writing stopped: after create_ticket"},
		"a number of others, as it was":     {"t2", `{"ticket_id":"t2","title":"Printer"}`, ""},
		"a number of its own":               {"t3", `{"ticket_id":"t3","title":"aqlc-k3f9x2ab-1"}`, ""},
	} {
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such ticket"}}`
			switch told := probes.ValueOf(p.Params()); p.Operation() {
			case "list_tickets":
				envelope = `{"success":true,"data":{"items":[{"ticket_id":"t1","title":"Mouse"},{"ticket_id":"t2","title":"Printer"}],"has_more":false}}`
			case "create_ticket":
				envelope = `{"success":true,"data":{"ticket_id":"` + c.told + `"}}`
			case "get_ticket":
				if told.At("ticket_id").Text() == c.told {
					envelope = `{"success":true,"data":` + c.read + `}`
				}
			}
			return enveloped(p, envelope)
		})
		g := learned(store, operation("create_ticket", "CREATE", "title*:string"), operation("get_ticket", "READ", "ticket_id*:string"),
			operation("list_tickets", "READ"), operation("delete_ticket", "DELETE", "ticket_id*:string"))
		for i, want := range []string{"", c.want} {
			made := probes.Call("main", "mcp_aql_create", "create_ticket", map[string]any{"title": fmt.Sprintf("aqlc-k3f9x2ab-%d", i+1)})
			leave, why := g.Enter(t.Context(), made)
			if (why == "") != (want == "") || !strings.Contains(why, want) {
				t.Errorf("%s: creation %d: %q, want %q", name, i+1, why, want)
			}
			if why == "" {
				leave(store(made))
			}
		}
	}
}

// Identifiers are texts that are counted in each kind. The folder "5" is ours, the channel "5" is not: no slot may be put there.
func TestKeysOfAnotherKindAreNoParents(t *testing.T) {
	store := answering(func(p probes.Probe) probes.Observation {
		told := probes.ValueOf(p.Params())
		envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such object"}}`
		switch name := p.Operation(); {
		case name == "create_folder" || name == "get_folder" && told.At("folder_id").Text() == "5":
			envelope = `{"success":true,"data":{"folder_id":"5","name":"aqlc-k3f9x2ab"}}`
		case name == "get_channel" && told.At("channel").Text() == "5":
			envelope = `{"success":true,"data":{"channel":"5","name":"News"}}`
		case name == "list_channels":
			envelope = `{"success":true,"data":{"items":[{"channel":"5","name":"News"}],"has_more":false}}`
		case name == "list_slots":
			envelope = `{"success":true,"data":{"items":[{"channel":"7","day":"2026-05-04","hour":"20:15"}],"has_more":false}}`
		}
		return enveloped(p, envelope)
	})
	g := learned(store,
		operation("create_folder", "CREATE", "name*:string"), operation("get_folder", "READ", "folder_id*:string"), operation("delete_folder", "DELETE", "folder_id*:string"),
		operation("create_channel", "CREATE", "name*:string"), operation("get_channel", "READ", "channel*:string"), operation("list_channels", "READ"), operation("delete_channel", "DELETE", "channel*:string"),
		operation("create_slot", "CREATE", "channel*:string", "day*:string", "hour*:string", "note*:string"), operation("list_slots", "READ"),
		operation("get_slot", "READ", "channel*:string", "day*:string", "hour*:string"), operation("delete_slot", "DELETE", "channel*:string", "day*:string", "hour*:string"))
	pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_folder", map[string]any{"name": "aqlc-k3f9x2ab"}))
	_, why := g.Enter(t.Context(), probes.Call("main", "mcp_aql_create", "create_slot", map[string]any{"channel": "5", "day": "2024-12-11", "hour": "18:40", "note": "aqlc-k3f9x2ab"}))
	if why == "" {
		t.Error("a slot may be put into a channel of others")
	}
}

// Both a namespace and what lies in it have a name of their own.
func TestNamesAreNoParents(t *testing.T) {
	r := rulesOf(everything,
		operation("create_namespace", "CREATE", "name*:string"), operation("get_namespace", "READ", "name*:string"), operation("delete_namespace", "DELETE", "name*:string"),
		operation("create_workload", "CREATE", "namespace*:string", "name*:string"), operation("get_workload", "READ", "namespace*:string", "name*:string"),
		operation("delete_workload", "DELETE", "namespace*:string", "name*:string"))
	k, ok := r.Kind("create_workload")
	if !ok || r.Parent(k, "name") {
		t.Errorf("known %v; the name is a parent: %v", ok, r.Parent(k, "name"))
	}
}

// One value of a field did no harm. Another one does, and writing stops, or the record forbids it.
func TestEachValueOfAFieldIsMeasured(t *testing.T) {
	for name, c := range map[string]struct{ record, second, removal string }{
		"the flag changes others": {`{}`, "", "writing stopped: after update_shelf"},
		"the record says so":      {`{"description":"Change a shelf. At most one is urgent at a time"}`, "may have an effect on others", ""},
	} {
		urgent, made := "a1", ""
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":true,"data":{"shelf_id":"a2","name":"aqlc-k3f9x2ab-1"}}`
			switch told := probes.ValueOf(p.Params()); p.Operation() {
			case "list_shelves":
				envelope = fmt.Sprintf(`{"success":true,"data":{"items":[{"shelf_id":"a1","name":"North","urgent":%v}%s],"has_more":false}}`, urgent == "a1", made)
			case "create_shelf":
				made = `,{"shelf_id":"a2","name":"aqlc-k3f9x2ab-1"}`
			case "update_shelf":
				if told.At("urgent").True() {
					urgent = "a2"
				}
			case "get_shelf":
				if told.At("shelf_id").Text() != "a2" || made == "" {
					envelope = `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such shelf"}}`
				}
			}
			return enveloped(p, envelope)
		})
		g := learned(store, operation("create_shelf", "CREATE", "name*:string"), operation("get_shelf", "READ", "shelf_id*:string"), operation("list_shelves", "READ"),
			described(operation("update_shelf", "UPDATE", "shelf_id*:string", "urgent:boolean", "input*:object"), c.record), operation("delete_shelf", "DELETE", "shelf_id*:string"))
		pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_shelf", map[string]any{"name": "aqlc-k3f9x2ab-1"}))
		update := func(urgent bool) probes.Probe {
			return probes.Call("main", "mcp_aql_update", "update_shelf", map[string]any{"shelf_id": "a2", "urgent": urgent, "input": map[string]any{"name": "aqlc-k3f9x2ab-12"}})
		}
		removal := probes.Call("main", "mcp_aql_delete", "delete_shelf", map[string]any{"shelf_id": "a2"})
		for _, step := range []struct {
			sent probes.Probe
			want string
		}{{update(false), ""}, {update(true), c.second}, {removal, c.removal}} {
			leave, why := g.Enter(t.Context(), step.sent)
			if (why == "") != (step.want == "") || !strings.Contains(why, step.want) {
				t.Errorf("%s: %s: %q, want %q", name, step.sent, why, step.want)
			}
			if why == "" {
				leave(store(step.sent))
			}
		}
	}
}
