package model

import (
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// tickets is an adapter whose creation the gate kept back for one value.
func tickets() *Adapter {
	op := func(name, category string, params ...probes.Parameter) probes.Operation {
		return probes.Operation{Name: name, Category: category, Tool: "mcp_aql", Parameters: params}
	}
	id := probes.Parameter{Name: "ticket_id", Type: "string", Required: true}
	title := probes.Parameter{Name: "title", Type: "string", Required: true}
	a := &probes.Adapter{Operations: []probes.Operation{
		op("create_ticket", "CREATE", title), op("get_ticket", "READ", id), op("delete_ticket", "DELETE", id),
	}}
	may := gate.Permissions{Create: true, Update: true, Delete: true}
	why := "the value 3 of priority is that of another object; --allow create:create_ticket permits it"
	return &Adapter{Adapter: a, May: may, Rules: gate.NewRules(a, may, Options{}.Hints),
		KnownGood: map[string]KnownGood{"create_ticket": {State: NotPermitted, Why: why}}}
}

// Without an object of the run, the reason is what kept its creation back: no hint on the kind helps.
func TestRemovalWithoutObjectSaysWhyNoneWasMade(t *testing.T) {
	f := tickets()
	_, why := f.TestObject("delete_ticket")
	if why == nil || why.Fix != "--allow create:create_ticket" || !strings.Contains(why.Got, "the value 3 of priority") {
		t.Errorf("%+v", why)
	}
}

// A field that no documented type leaves open is not asked for.
func TestFieldHintNeedsAnOpenField(t *testing.T) {
	f := tickets()
	s := Subject{Adapter: f, Name: "delete_ticket"}
	field := func(typ string) TestObject {
		return TestObject{Subject: s, Fields: []probes.Parameter{{Name: "title", Type: "string"}, {Name: "more", Type: typ}}}
	}
	for typ, want := range map[string]bool{"integer": false, "object": true, "": true, "Unknown": true} {
		if fix := field(typ).FieldHint("object (free-form)"); (fix != "") != want || want && !strings.HasPrefix(fix, "add resources.ticket.fields.object to") {
			t.Errorf("%q: %q", typ, fix)
		}
	}
}
