package parameters

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A list of conditions is known by its fields: one names members of the items, one has other listed values, and one is free.
// Two conditions stand beside each other in the list.
func TestConditionsInAList(t *testing.T) {
	where, _ := probes.ParseValue([]byte(`{"name":"where","type":"array","items":{"type":"object","fields":[
		{"name":"feld","type":"string","required":true,"enum":["color","size","weight"]},{"name":"vergleich","type":"string","required":true,"enum":["gleich","in"]},
		{"name":"wert","type":"any","required":true}]}}`))
	op := probes.Operation{Name: "suche", Category: "READ", Parameters: []probes.Parameter{{Name: "where", Type: "array", Raw: where}}}
	call := probes.Call("main", "t", op.Name, nil)
	reply := checktest.AnswerWithData(call, map[string]any{"rows": []any{
		map[string]any{"id": 1, "color": "red", "size": 3}, map[string]any{"id": 2, "color": "red", "size": 4}, map[string]any{"id": 3, "color": "blue", "size": 4}}})
	f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{op}}, KnownGood: map[string]model.KnownGood{op.Name: {State: model.Proven, Probe: call, Reply: reply}}}
	all := conditionsOf(model.Subject{Adapter: f, Name: op.Name, Op: op})
	if len(all) != 8 { // two members, two comparisons, a value and a list of it
		t.Fatalf("%d conditions: %v", len(all), all)
	}
	both := model.ValueIn(all[4].with(all[0].with(call)), "where").String()
	if want := `[{"feld":"color","vergleich":"gleich","wert":"red"},{"feld":"size","vergleich":"gleich","wert":4}]`; both != want {
		t.Errorf("%s, want %s", both, want)
	}
	if all[0].same(all[4]) || !all[0].same(all[1]) {
		t.Errorf("conditions are taken for each other")
	}
}

// What the items call ownerKey is what a filter calls owner_key.
func TestSharedValuesInAnotherStyle(t *testing.T) {
	op := probes.Operation{Name: "list_bills", Category: "READ"}
	call := probes.Call("main", "t", op.Name, nil)
	row := func(id int, owner string) any { return map[string]any{"id": id, "ownerKey": owner} }
	reply := checktest.AnswerWithData(call, map[string]any{"rows": []any{row(1, "a"), row(2, "a"), row(3, "b")}})
	f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{op}}, KnownGood: map[string]model.KnownGood{op.Name: {State: model.Proven, Probe: call, Reply: reply}}}
	for name, want := range map[string]int{"owner_key": 1, "ownerKey": 1, "owner": 0, "id": 0} {
		got := sharedValues(model.Subject{Adapter: f, Name: op.Name, Op: op}, probes.Parameter{Name: name, Type: "string"})
		if len(got) != want {
			t.Errorf("%s: %v, want %d values", name, got, want)
		}
	}
}
