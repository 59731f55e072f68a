package gate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// Where a creation goes into an object of ours with the same text, no text without the mark is sent: it may
// be that of an object which no listing shows.
func TestTextsOfMergingCreations(t *testing.T) {
	for name, c := range map[string]struct {
		answers [2]string // to the first creation and to its twin
		list    string    // rows of the run in the listing after them
		want    string
	}{
		"an object of its own":            {[2]string{`{"ticket_id":"t3"}`, `{"ticket_id":"t4"}`}, "", ""},
		"the same object":                 {[2]string{`{"ticket_id":"t3"}`, `{"ticket_id":"t3"}`}, "", asOthers("title")},
		"the same object in the listing":  {[2]string{`{}`, `{}`}, `{"ticket_id":"t3","title":"aqlc-k3f9x2ab","note":"aqlc-k3f9x2ab-2"}`, asOthers("title")},
		"objects of their own, as listed": {[2]string{`{}`, `{}`}, `{"ticket_id":"t3","title":"aqlc-k3f9x2ab"},{"ticket_id":"t4","title":"aqlc-k3f9x2ab","note":"aqlc-k3f9x2ab-2"}`, ""},
	} {
		rows, made := "", 0
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such ticket"}}`
			switch p.Operation() {
			case "list_tickets":
				envelope = `{"success":true,"data":{"items":[{"ticket_id":"t1","title":"Mouse"},{"ticket_id":"t2","title":"Printer"}` + rows + `],"has_more":false}}`
			case "create_ticket":
				envelope = `{"success":true,"data":` + c.answers[made] + `}`
			}
			return enveloped(p, envelope)
		})
		g := learned(store, operation("create_ticket", "CREATE", "title*:string", "note:string"), operation("get_ticket", "READ", "ticket_id*:string"),
			operation("list_tickets", "READ"), operation("delete_ticket", "DELETE", "ticket_id*:string"))
		for i, params := range []map[string]any{{"title": "aqlc-k3f9x2ab"}, {"title": "aqlc-k3f9x2ab", "note": "aqlc-k3f9x2ab-2"}} {
			made = i
			call := probes.Call("main", "mcp_aql_create", "create_ticket", params)
			leave, why := g.Enter(t.Context(), call)
			if why != "" {
				t.Fatal(name, why)
			}
			if c.list != "" {
				rows = `,{"ticket_id":"t3","title":"aqlc-k3f9x2ab"}`
			}
			if c.list != "" && i == 1 {
				rows = "," + c.list
			}
			leave(store(call))
		}
		_, why := g.Enter(t.Context(), probes.Call("main", "mcp_aql_create", "create_ticket", map[string]any{"title": "a", "note": "aqlc-k3f9x2ab-3"}))
		if (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", name, why, c.want)
		}
	}
}

// Two objects of ours with the same shelf and titles of their own show that the shelf alone chooses no object.
func TestTextsThatAreNotCompared(t *testing.T) {
	for name, c := range map[string]struct {
		shelves [2]string // of two objects with other titles
		last    map[string]any
		passes  bool
	}{
		"another title on the shelf":   {[2]string{"A1", "A1"}, map[string]any{"title": "aqlc-k3f9x2ab-9", "shelf": "A1"}, true},
		"a title without the mark":     {[2]string{"A1", "A1"}, map[string]any{"title": "a", "note": "aqlc-k3f9x2ab-9", "shelf": "A1"}, false},
		"the shelves differ as well":   {[2]string{"A1", "A2"}, map[string]any{"title": "aqlc-k3f9x2ab-9", "shelf": "A1"}, false},
		"the title is left out, too":   {[2]string{"A1", "A1"}, map[string]any{"note": "aqlc-k3f9x2ab-9", "shelf": "A1"}, false},
		"another shelf than the first": {[2]string{"A1", "A1"}, map[string]any{"title": "aqlc-k3f9x2ab-9", "shelf": "A2"}, true},
	} {
		var titles []string
		tickets := map[string]string{}
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such ticket"}}`
			text := func(name string) string { return probes.ValueOf(p.Params()[name]).Text() }
			switch p.Operation() {
			case "list_tickets":
				envelope = `{"success":true,"data":{"items":[{"ticket_id":"t1","title":"Mouse","shelf":"B1"},{"ticket_id":"t2","title":"Printer","shelf":"B1"}],"has_more":false}}`
			case "create_ticket":
				id := fmt.Sprintf("t%d", 3+slices.Index(append(titles, text("title")), text("title")))
				if tickets[id] == "" {
					titles = append(titles, text("title"))
					tickets[id] = `{"ticket_id":"` + id + `","title":"` + text("title") + `","shelf":"` + text("shelf") + `"}`
				}
				envelope = `{"success":true,"data":` + tickets[id] + `}`
			case "get_ticket":
				if found := tickets[text("ticket_id")]; found != "" {
					envelope = `{"success":true,"data":` + found + `}`
				}
			}
			return enveloped(p, envelope)
		})
		g := learned(store, operation("create_ticket", "CREATE", "title:string", "note:string", "shelf*:string"), operation("get_ticket", "READ", "ticket_id*:string"),
			operation("list_tickets", "READ"), operation("delete_ticket", "DELETE", "ticket_id*:string"))
		first, second := map[string]any{"title": "aqlc-k3f9x2ab", "shelf": c.shelves[0]}, map[string]any{"title": "aqlc-k3f9x2ab-2", "shelf": c.shelves[1]}
		for _, params := range []map[string]any{first, second, {"title": "aqlc-k3f9x2ab", "shelf": c.shelves[0], "note": "aqlc-k3f9x2ab-3"}} {
			call := probes.Call("main", "mcp_aql_create", "create_ticket", params)
			leave, why := g.Enter(t.Context(), call)
			if why != "" {
				t.Fatal(name, why)
			}
			leave(store(call))
		}
		if _, why := g.Enter(t.Context(), probes.Call("main", "mcp_aql_create", "create_ticket", c.last)); (why == "") != c.passes {
			t.Errorf("%s: %q, passes: want %v", name, why, c.passes)
		}
	}
}
