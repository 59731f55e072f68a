package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// A parameter that is called like the kind takes its id. Of objects that nothing identifies a few are made and no
// more, and the run tells that it leaves them behind, though their listing ends.
func TestObjectsWithoutAKnownKey(t *testing.T) {
	for member, c := range map[string]struct{ made, left int }{"id": {6, 0}, "handle": {mostUnshown, mostUnshown}} {
		stored, made := map[string]string{}, 0
		row := func(key string) string { return fmt.Sprintf(`{%q:%q,"name":%q}`, member, key, stored[key]) }
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such customer"}}`
			params := probes.ValueOf(p.Params())
			key := params.At("customer").Text()
			switch _, known := stored[key]; {
			case p.Operation() == "create_customer":
				made++
				key = fmt.Sprintf("cus_%d", made)
				stored[key] = params.At("name").Text()
				envelope = `{"success":true,"data":` + row(key) + `}`
			case p.Operation() == "list_customers":
				rows := []string{}
				for key := range stored {
					rows = append(rows, row(key))
				}
				envelope = `{"success":true,"data":{"items":[` + strings.Join(rows, ",") + `],"has_more":false}}`
			case known && p.Operation() == "get_customer":
				envelope = `{"success":true,"data":` + row(key) + `}`
			case known && p.Operation() == "delete_customer":
				delete(stored, key)
				envelope = `{"success":true,"data":{"deleted":true}}`
			}
			return enveloped(p, envelope)
		})
		g := learned(store, operation("create_customer", "CREATE", "name*:string"), operation("get_customer", "READ", "customer*:string"),
			operation("list_customers", "READ"), operation("delete_customer", "DELETE", "customer*:string"))
		for i := range c.made + 2 {
			p := probes.Call("main", "mcp_aql_create", "create_customer", map[string]any{"name": fmt.Sprintf("aqlc-k3f9x2ab-%d", i)})
			if leave, why := g.Enter(t.Context(), p); why == "" {
				leave(store(p))
			} else if i < c.made {
				t.Fatal(member, why)
			}
		}
		if left := g.CleanUp(t.Context()); len(left) != c.left || len(stored) != c.left {
			t.Errorf("%s: %d objects are there, and the run tells of %v", member, len(stored), left)
		}
	}
}

// A listing that hides what was removed, as the adapter says, tells nothing: a read still shows it.
func TestHiddenIsNotGone(t *testing.T) {
	hidden, made := map[string]bool{}, 0
	store := answering(func(p probes.Probe) probes.Observation {
		envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such note"}}`
		key := probes.ValueOf(p.Params()).At("note_id").Text()
		row := func(key string) string { return fmt.Sprintf(`{"note_id":%q,"title":"aqlc-k3f9x2ab"}`, key) }
		_, known := hidden[key]
		switch {
		case p.Operation() == "create_note":
			made++
			hidden[fmt.Sprint("n", made)] = false
			envelope = `{"success":true,"data":` + row(fmt.Sprint("n", made)) + `}`
		case p.Operation() == "list_notes":
			rows := []string{}
			for key, away := range hidden {
				if !away {
					rows = append(rows, row(key))
				}
			}
			envelope = `{"success":true,"data":{"items":[` + strings.Join(rows, ",") + `],"has_more":false}}`
		case known && p.Operation() == "get_note":
			envelope = `{"success":true,"data":` + row(key) + `}`
		case known && p.Operation() == "delete_note":
			hidden[key] = true
			envelope = `{"success":true,"data":{"deleted":true}}`
		}
		return enveloped(p, envelope)
	})
	g := learned(store, operation("create_note", "CREATE", "title*:string"), operation("get_note", "READ", "note_id*:string"),
		operation("list_notes", "READ"), operation("delete_note", "DELETE", "note_id*:string"))
	for range 2 {
		p := probes.Call("main", "mcp_aql_create", "create_note", map[string]any{"title": "aqlc-k3f9x2ab"})
		pass(t, g, store, p)
	}
	if left := g.CleanUp(t.Context()); len(left) != 2 {
		t.Errorf("two notes can still be read, and the run tells of %v", left)
	}
}

// A removal that is answered as if nothing were there is none where a read still shows the object.
func TestNotFoundIsNotGone(t *testing.T) {
	for still, left := range map[bool]int{true: 1, false: 0} {
		made, asked := false, false
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such ticket"}}`
			switch p.Operation() {
			case "list_tickets":
				envelope = `{"success":true,"data":{"items":[],"has_more":false}}`
			case "create_ticket":
				made = true
				envelope = `{"success":true,"data":{"ticket_id":"t7","title":"aqlc-k3f9x2ab"}}`
			case "delete_ticket":
				asked = true
			case "get_ticket":
				if made && probes.ValueOf(p.Params()["ticket_id"]).Text() == "t7" && (still || !asked) {
					envelope = `{"success":true,"data":{"ticket_id":"t7","title":"aqlc-k3f9x2ab"}}`
				}
			}
			return enveloped(p, envelope)
		})
		g := learned(store, operation("create_ticket", "CREATE", "title*:string"), operation("get_ticket", "READ", "ticket_id*:string"),
			operation("list_tickets", "READ"), operation("delete_ticket", "DELETE", "ticket_id*:string"))
		call := probes.Call("main", "mcp_aql_create", "create_ticket", map[string]any{"title": "aqlc-k3f9x2ab"})
		pass(t, g, store, call)
		if got := g.CleanUp(t.Context()); len(got) != left {
			t.Errorf("a read still shows it: %v, left %v, want %d", still, got, left)
		}
	}
}
