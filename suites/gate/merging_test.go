package gate

import (
	"fmt"
	"maps"
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
		"after a dry run":                 {[2]string{`{"ticket_id":"t3"}`, `{"ticket_id":"t3"}`}, "", ""},
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
		g := learned(store, operation("create_ticket", "CREATE", "title*:string", "note:string", "dry_run:boolean"), operation("get_ticket", "READ", "ticket_id*:string"),
			operation("list_tickets", "READ"), operation("delete_ticket", "DELETE", "ticket_id*:string"))
		for i, params := range []map[string]any{{"title": "aqlc-k3f9x2ab"}, {"title": "aqlc-k3f9x2ab", "note": "aqlc-k3f9x2ab-2"}} {
			if made = i; i == 0 && name == "after a dry run" {
				params["dry_run"] = true
			}
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

// Two objects of ours with the same shelf and titles of their own show that the shelf alone chooses no object, where
// both are listed and nothing was done to them.
func TestTextsThatAreNotCompared(t *testing.T) {
	plain := [2]string{"A1", "A1"}
	for name, c := range map[string]struct {
		shelves [2]string // of two objects with other titles
		between string    // what is done to the first before the second is made
		listed  int       // of them in the listing
		last    map[string]any
		passes  bool
	}{
		"another title on the shelf":     {plain, "", 2, map[string]any{"title": "aqlc-k3f9x2ab-9", "shelf": "A1"}, true},
		"with a text of the run":         {plain, "", 2, map[string]any{"title": "aqlc-k3f9x2ab-9", "shelf": "A1", "note": "aqlc-k3f9x2ab-9"}, true},
		"with a text that none has":      {plain, "", 2, map[string]any{"title": "aqlc-k3f9x2ab-9", "shelf": "A1", "note": "Call Eve back"}, false},
		"on another shelf":               {plain, "", 2, map[string]any{"title": "aqlc-k3f9x2ab-9", "shelf": "A2"}, false},
		"a title without the mark":       {plain, "", 2, map[string]any{"title": "a", "note": "aqlc-k3f9x2ab-9", "shelf": "A1"}, false},
		"the title is left out":          {plain, "", 2, map[string]any{"note": "aqlc-k3f9x2ab-9", "shelf": "A1"}, false},
		"the shelves differ as well":     {[2]string{"A1", "A2"}, "", 2, map[string]any{"title": "aqlc-k3f9x2ab-9", "shelf": "A1"}, false},
		"the first was changed":          {plain, "update_ticket", 2, map[string]any{"title": "aqlc-k3f9x2ab-9", "shelf": "A1"}, false},
		"two versions of one, by a list": {plain, "", 1, map[string]any{"title": "aqlc-k3f9x2ab-9", "shelf": "A1"}, false},
	} {
		var titles, rows []string
		tickets := map[string]string{}
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such ticket"}}`
			text := func(name string) string { return probes.ValueOf(p.Params()[name]).Text() }
			switch p.Operation() {
			case "list_tickets":
				envelope = `{"success":true,"data":{"items":[{"ticket_id":"t1","title":"Mouse","shelf":"B1"},{"ticket_id":"t2","title":"Printer","shelf":"B1"}` +
					strings.Join(rows[max(0, len(rows)-c.listed):], "") + `],"has_more":false}}`
			case "create_ticket":
				id := fmt.Sprintf("t%d", 3+slices.Index(append(titles, text("title")), text("title")))
				if tickets[id] == "" {
					titles = append(titles, text("title"))
					tickets[id] = `{"ticket_id":"` + id + `","title":"` + text("title") + `","shelf":"` + text("shelf") + `"}`
					rows = append(rows, ","+tickets[id])
				}
				envelope = `{"success":true,"data":` + tickets[id] + `}`
			case "get_ticket", "update_ticket":
				if found := tickets[text("ticket_id")]; found != "" {
					envelope = `{"success":true,"data":` + found + `}`
				}
			}
			return enveloped(p, envelope)
		})
		g := learned(store, operation("create_ticket", "CREATE", "title:string", "note:string", "shelf*:string"), operation("get_ticket", "READ", "ticket_id*:string"),
			operation("update_ticket", "UPDATE", "ticket_id*:string", "input*:object"), operation("list_tickets", "READ"), operation("delete_ticket", "DELETE", "ticket_id*:string"))
		pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_ticket", map[string]any{"title": "aqlc-k3f9x2ab", "shelf": c.shelves[0]}))
		if c.between != "" {
			pass(t, g, store, probes.Call("main", "mcp_aql_update", c.between, map[string]any{"ticket_id": "t3", "input": map[string]any{"note": "aqlc-k3f9x2ab-u"}}))
		}
		pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_ticket", map[string]any{"title": "aqlc-k3f9x2ab-2", "shelf": c.shelves[1]}))
		pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_ticket", map[string]any{"title": "aqlc-k3f9x2ab", "shelf": c.shelves[0], "note": "aqlc-k3f9x2ab-3"}))
		if _, why := g.Enter(t.Context(), probes.Call("main", "mcp_aql_create", "create_ticket", c.last)); (why == "") != c.passes {
			t.Errorf("%s: %q, passes: want %v", name, why, c.passes)
		}
	}
}

// Two objects of ours with the same shelf in two folders of ours show it as well: what lies in a folder of ours is ours.
func TestTextsThatAreNotComparedInFolders(t *testing.T) {
	for folder, passes := range map[string]bool{"f1": true, "f2": true, "": false} {
		var folders []string
		tickets := map[string]string{}
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such thing"}}`
			text := func(name string) string { return probes.ValueOf(p.Params()[name]).Text() }
			switch p.Operation() {
			case "list_tickets":
				rows := slices.Concat([]string{`{"ticket_id":"t1","title":"Mouse","shelf":"B1"}`}, slices.Sorted(maps.Values(tickets)))
				envelope = `{"success":true,"data":{"items":[` + strings.Join(rows, ",") + `],"has_more":false}}`
			case "create_folder":
				folders = append(folders, text("name"))
				envelope = fmt.Sprintf(`{"success":true,"data":{"folder_id":"f%d","name":"%s"}}`, len(folders), text("name"))
			case "get_folder":
				if i := slices.Index([]string{"f1", "f2"}, text("folder_id")); i >= 0 && i < len(folders) {
					envelope = fmt.Sprintf(`{"success":true,"data":{"folder_id":"f%d","name":"%s"}}`, i+1, folders[i])
				}
			case "create_ticket":
				key := text("folder_id") + text("title")
				if tickets[key] == "" {
					tickets[key] = fmt.Sprintf(`{"ticket_id":"t%d","title":"%s","shelf":"%s","folder_id":"%s"}`, 2+len(tickets), text("title"), text("shelf"), text("folder_id"))
				}
				envelope = `{"success":true,"data":` + tickets[key] + `}`
			case "get_ticket":
				for _, found := range tickets {
					if strings.Contains(found, `"`+text("ticket_id")+`"`) {
						envelope = `{"success":true,"data":` + found + `}`
					}
				}
			}
			return enveloped(p, envelope)
		})
		g := learned(store, operation("create_ticket", "CREATE", "title:string", "shelf*:string", "folder_id:string"), operation("get_ticket", "READ", "ticket_id*:string"),
			operation("list_tickets", "READ"), operation("delete_ticket", "DELETE", "ticket_id*:string"),
			operation("create_folder", "CREATE", "name*:string"), operation("get_folder", "READ", "folder_id*:string"), operation("delete_folder", "DELETE", "folder_id*:string"))
		for _, name := range []string{"aqlc-k3f9x2ab", "aqlc-k3f9x2ab-f"} {
			pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_folder", map[string]any{"name": name}))
		}
		for _, of := range []string{"f1", "f2", "f1"} { // the third one is taken for the first
			pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_ticket", map[string]any{"title": "aqlc-k3f9x2ab", "shelf": "A1", "folder_id": of}))
		}
		last := map[string]any{"title": "aqlc-k3f9x2ab-9", "shelf": "A1"}
		if folder != "" {
			last["folder_id"] = folder
		}
		if _, why := g.Enter(t.Context(), probes.Call("main", "mcp_aql_create", "create_ticket", last)); (why == "") != passes {
			t.Errorf("in the folder %q: %q, passes: want %v", folder, why, passes)
		}
	}
}
