package model

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A creation that ends under the identifier of an object that is still there has overwritten it. Where anything may
// have removed the object before, the adapter may use the identifier again.
func TestOverwrite(t *testing.T) {
	parameter := func(name string) probes.Parameter {
		return probes.Parameter{Name: name, Type: "string", Required: true, Raw: probes.ValueOf(map[string]any{"name": name, "type": "string", "required": true})}
	}
	a := &probes.Adapter{Conn: "main", Operations: []probes.Operation{
		{Name: "create_note", Category: "CREATE", Tool: "c", Parameters: []probes.Parameter{parameter("title")}},
		{Name: "get_note", Category: "READ", Tool: "r", Parameters: []probes.Parameter{parameter("note_id")}},
		{Name: "delete_note", Category: "DELETE", Tool: "d", Parameters: []probes.Parameter{parameter("note_id")}},
		{Name: "delete_folder", Category: "DELETE", Tool: "d", Parameters: []probes.Parameter{parameter("folder_id")}},
	}}
	f := &Adapter{Adapter: a, Nonce: "12345678", Rules: gate.NewRules(a, gate.Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{})}
	call := func(tool, operation, parameter, value string) probes.Probe {
		return probes.Call("main", tool, operation, map[string]any{parameter: value})
	}
	note := func(title string) string {
		return `{"success":true,"data":{"note_id":"n7","title":"` + title + `"}}`
	}
	first, second := "aqlc-12345678-1", "aqlc-12345678-2"
	for name, c := range map[string]struct {
		between probes.Probe
		later   string
		want    bool
	}{
		"nothing between":            {probes.Probe{}, second, true},
		"a removal of another note":  {call("d", "delete_note", "note_id", "n8"), second, false},
		"a removal of what holds it": {call("d", "delete_folder", "folder_id", "f1"), second, false},
		"a batch":                    {probes.CallWith("main", "d", map[string]any{"operations": []any{}}), second, false},
		"another creation":           {call("c", "create_note", "title", "aqlc-12345678-3"), second, true},
		"the first one stays":        {probes.Probe{}, first, false},
	} {
		var record probes.Record
		seq := 0
		answer := func(p probes.Probe, envelope string) {
			seq += 2
			o := probes.Classify(p, wire.Reply{Class: wire.Answered, Sent: wire.Frame{Seq: seq - 1}, Received: wire.Frame{
				Seq: seq, Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":` + envelope + `}}`)}})
			record.Observations = append(record.Observations, probes.Keep(o))
		}
		answer(call("c", "create_note", "title", first), note(first))
		answer(call("r", "get_note", "note_id", "n7"), note(first))
		if c.between.Tool != "" {
			answer(c.between, `{"success":true,"data":{"note_id":"n9"}}`)
		}
		answer(call("c", "create_note", "title", second), note(second))
		answer(call("r", "get_note", "note_id", "n7"), note(c.later))
		s := Subject{Adapter: f, Name: "create_note", Op: a.Operations[0]}
		f.overwrites = overwrites{}
		if _, found := s.OverwriteBy(record); found != c.want {
			t.Errorf("%s: an overwrite was found: %v, want %v", name, found, c.want)
		}
	}
}

// A creation that answers what was there before looks at little of the request. The one that makes an object may have to have a value that a
// refusal alone tells.
func TestMakingAnObjectRepairsTheRequest(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{}, "CREATE add_draft title shelf state", "READ get_draft draft_id", "DELETE delete_draft draft_id")
	f.Operations[0].Parameters[2].Required = false
	f.Operations[0].Parameters[2].Raw = probes.ValueOf(map[string]any{"name": "state", "type": "string", "enum": []any{"draft", "open"}})
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Harvest: f.earlierValues}
	f.Nonce = "abcd1234"
	unlearned(f)
	made := map[string]string{"D-1": "Minutes"}
	f.findKnownGood(t.Context(), askerFunc(func(p probes.Probe) probes.Observation {
		text := func(name string) string { return ValueIn(p, name).Text() }
		key := text("draft_id")
		switch {
		case p.Operation() == "add_draft" && text("state") != "open":
			key = "D-1"
		case p.Operation() == "add_draft" && text("shelf") != "A1":
			return refused(p, "VALIDATION_INVALID_VALUE", "no", `{"param_name":"shelf","shelves":["A1","B2"]}`)
		case p.Operation() == "add_draft":
			key = "D-2"
			made[key] = text("title")
		}
		if made[key] == "" {
			return refused(p, "NOT_FOUND_RESOURCE", "no", `{}`)
		}
		return succeeded(p, fmt.Sprintf(`{"draft_id":%q,"title":%q}`, key, made[key]))
	}))
	if good := f.KnownGood["add_draft"]; good.State != Proven || good.Existing || ValueIn(good.Probe, "shelf").Text() != "A1" {
		t.Errorf("%v with %s, existing: %v", good.State, good.Probe, good.Existing)
	}
}
