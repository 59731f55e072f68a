package gate

import (
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
