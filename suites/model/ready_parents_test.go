package model

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/generate"
)

// A loan takes an active reader and a copy in the hall of the reader. Both are changed until a loan succeeds, and new ones are made so. A hall
// that is full is left for another one.
func TestWhatACreationNamesIsMadeReady(t *testing.T) {
	f := documented(Permissions{Create: true, Update: true, Delete: true}, fixtures.Hints{},
		"CREATE add_hall title", "READ get_hall hall_id", "UPDATE edit_hall hall_id input", "DELETE delete_hall hall_id",
		"CREATE add_reader title", "READ get_reader reader_id", "UPDATE edit_reader reader_id input", "DELETE delete_reader reader_id",
		"CREATE add_loan reader_id hall_id note", "READ get_loan loan_id", "DELETE delete_loan loan_id")
	state := map[string]any{"name": "state", "type": "string", "enum": []any{"asleep", "gone", "active"}}
	hall := map[string]any{"name": "hall_id", "type": "string"}
	record := func(m map[string]any) probes.Parameter {
		return probes.Parameter{Name: m["name"].(string), Type: m["type"].(string), Raw: probes.ValueOf(m)}
	}
	for i, o := range f.Operations {
		switch o.Name {
		case "add_reader":
			f.Operations[i].Parameters = append(o.Parameters, record(state), record(hall))
		case "edit_reader", "edit_hall":
			input := map[string]any{"name": "input", "type": "object", "required": true, "fields": []any{state, hall}}
			if o.Name == "edit_hall" {
				input["fields"] = []any{map[string]any{"name": "title", "type": "string"}}
			}
			f.Operations[i].Parameters[1] = record(input)
			f.Operations[i].Parameters[1].Required = true
		}
	}
	f.Gen = &generate.Generator{Adapter: f.Adapter, Nonce: "abcd1234", Harvest: f.earlierValues}
	unlearned(f)
	objects, loans := map[string]map[string]any{}, map[string]bool{}
	ask := func(p probes.Probe) probes.Observation {
		text := func(name string) string { return ValueIn(p, name).Text() }
		show := func(kind, key string) probes.Observation {
			if objects[key] == nil {
				return refused(p, "NOT_FOUND_RESOURCE", "no "+kind, `{}`)
			}
			return succeeded(p, string(probes.ValueOf(objects[key]).Raw()))
		}
		switch p.Operation() {
		case "add_hall", "add_reader":
			kind := p.Operation()[len("add_"):]
			key := fmt.Sprintf("%s-%d", kind, len(objects)+1)
			objects[key] = map[string]any{"state": "asleep"}
			for name := range p.Params() {
				objects[key][name] = text(name)
			}
			objects[key][kind+"_id"] = key
			return show(kind, key)
		case "get_hall":
			return show("hall", text("hall_id"))
		case "get_reader":
			return show("reader", text("reader_id"))
		case "edit_reader":
			for _, m := range ValueIn(p, "input").Members() {
				if objects[text("reader_id")]["state"] == "active" && m.Name == "state" {
					t.Error("an active reader is changed once more")
				}
				objects[text("reader_id")][m.Name] = m.Value.Text()
			}
			return show("reader", text("reader_id"))
		case "get_loan":
			return show("loan", text("loan_id"))
		case "add_loan":
			reader, in := objects[text("reader_id")], text("hall_id")
			switch {
			case reader == nil || objects[in] == nil:
				return refused(p, "NOT_FOUND_RESOURCE", "no reader", `{}`)
			case reader["state"] != "active":
				return refused(p, "CONFLICT_STATE", fmt.Sprintf("the reader is %s, and active ones alone borrow", reader["state"]), `{}`)
			case reader["hall_id"] == nil:
				return refused(p, "CONFLICT_STATE", "the reader has no hall", `{"hall_id":""}`)
			case loans[text("reader_id")]:
				return refused(p, "CONFLICT_ALREADY_EXISTS", "the reader has a loan", `{}`)
			case loans[in+" 2"]:
				return refused(p, "CONFLICT_CAPACITY", "the hall is full", `{}`)
			}
			loans[text("reader_id")], loans[in+" 2"], loans[in] = true, loans[in], true
			key := fmt.Sprintf("loan-%d", len(objects)+1)
			objects[key] = map[string]any{"loan_id": key, "reader_id": text("reader_id"), "hall_id": in, "note": text("note")}
			return show("loan", key)
		}
		return refused(p, "NOT_FOUND_RESOURCE", "no", `{}`)
	}
	f.findKnownGood(t.Context(), askerFunc(ask))
	if good := f.KnownGood["add_loan"]; good.State != Proven {
		t.Fatalf("no loan: %s", good.Why)
	}
	f.makeReady(t.Context(), askerFunc(ask))
	if ready := f.KnownGood["add_reader"].Probe; ValueIn(ready, "state").Text() != "active" || ValueIn(ready, "hall_id").Text() == "" {
		t.Errorf("new readers are %v", ready)
	}
	f.findOneEach(t.Context(), askerFunc(ask))
	s, parents, halls := Subject{Adapter: f, Name: "add_loan", Op: f.Operations[8]}, OwnParents{}, map[string]bool{}
	for i := range 4 {
		o := parents.Ask(f, s.FreshCall(fmt.Sprint(i)).Anew(fmt.Sprint(i)), ask)
		if halls[ValueIn(o.Probe, "hall_id").Text()] = true; !o.Succeeded() {
			t.Errorf("loan %d: %s", i, o.Brief())
		}
	}
	if len(halls) < 2 {
		t.Errorf("all loans are in %v", halls)
	}
}
