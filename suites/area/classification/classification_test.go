package classification

import (
	"encoding/json"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// The danger of an operation is classified where something says so, and not where a member has no content.
func TestDangerIsClassifiedByContent(t *testing.T) {
	for _, c := range []struct {
		record, category string
		want             bool
	}{
		{`{"danger_level":"destructive"}`, "DELETE", true},
		{`{"danger":{"level":"destructive"}}`, "DELETE", true},
		{`{"danger":{"reason":"nothing can be restored"}}`, "DELETE", true},
		{`{"dangerous":true}`, "DELETE", true},
		{`{"dangerous":false}`, "READ", true}, // an adapter that removes nothing may have nothing dangerous
		{`{"dangerous":false}`, "DELETE", false},
		{`{"danger_level":null}`, "DELETE", false},
		{`{"danger":{}}`, "DELETE", false},
		{`{"danger":{"level":null}}`, "DELETE", false},
		{`{"danger_level":""}`, "DELETE", false},
		{`{"description":"Removes a dish. Danger level: destructive."}`, "DELETE", true},
		{`{"description":"Shows a dish, for guests in danger of a shock."}`, "READ", false},
	} {
		o := probes.Operation{Name: "delete_dish", Category: c.category}
		o.Details, _ = probes.ParseValue([]byte(c.record))
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{o}}}
		if got := classifies(model.Subject{Adapter: f, Name: o.Name, Op: o}); got != c.want {
			t.Errorf("%s under %s: %v, want %v", c.record, c.category, got, c.want)
		}
	}
}

// Reserved names belong to the safety loop, or to confirmations.
func TestReservedNamesHaveTheirPurpose(t *testing.T) {
	for _, c := range []struct {
		name, capabilities, parameter, beside string
		want                                  bool
	}{
		{"abort_execution", `{}`, "booking_ref", "", false},
		{"abort_execution", `{"execution_safety_loop":"disabled"}`, "booking_ref", "", false},
		{"abort_execution", `{"execution_safety_loop":"logging"}`, "execution_id", "", true},
		{"abort_execution", `{}`, "execution_id", "execute_agent", true}, // an unnamed loop
		{"complete_execution", `{}`, "element_name", "record_execution_step", true},
		{"execute_agent", `{}`, "element_name", "", false},
		{"execute_agent", `{"execution_safety_loop":"disabled"}`, "element_name", "", true},
		{"confirm_operation", `{}`, "booking_ref", "", false},
		{"confirm_operation", `{}`, "confirmation_token", "", true},
		{"confirm_operation", `{"confirmation":true}`, "challenge", "", true},
	} {
		o := probes.Operation{Name: c.name, Category: "EXECUTE", Parameters: []probes.Parameter{{Name: c.parameter}}}
		f := &model.Adapter{Adapter: &probes.Adapter{Operations: []probes.Operation{o, {Name: c.beside}}}}
		f.Protocol, _ = probes.ParseValue([]byte(`{"capabilities":` + c.capabilities + `}`))
		f.Listed = listedWith(t, c.capabilities)
		if got := hasPurpose(model.Subject{Adapter: f, Name: c.name, Op: o}); got != c.want {
			t.Errorf("%s(%s) beside %q, %s: %v, want %v", c.name, c.parameter, c.beside, c.capabilities, got, c.want)
		}
	}
}

// listedWith is a listing with these capabilities.
func listedWith(t *testing.T, capabilities string) probes.Observation {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(capabilities), &value); err != nil {
		t.Fatal(err)
	}
	return checktest.AnswerWithData(probes.Call("main", "aql", "introspect", nil), map[string]any{"_protocol": map[string]any{"capabilities": value}})
}
