package gate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// One listing proves what a run has made, and that it is gone, where a read shows the same. Where it does not, each object is read.
func TestRoll(t *testing.T) {
	const made = 40
	for _, c := range []struct {
		name   string
		shift  int  // by which the identifiers in a listing are wrong
		stale  bool // a listing shows the texts that others have replaced since
		keeps  bool // a removal hides an object from the listings alone
		left   int
		nearly int // reads at most
	}{
		{name: "a listing that tells the truth", nearly: 2*mostRead + 4},
		{name: "identifiers of others", shift: 1, nearly: 3 * made},
		{name: "texts that are not there any more", stale: true, left: made, nearly: 8 * made},
		{name: "removals that hide", keeps: true, left: made, nearly: 8 * made},
	} {
		texts, hidden, replaced, reads, removals := []string{}, map[int]bool{}, false, 0, 0
		row := func(id int, text string) string { return fmt.Sprintf(`{"note_id":%d,"title":%q}`, id, text) }
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such note"}}`
			id, _ := probes.ValueOf(p.Params()["note_id"]).Float()
			n := int(id)
			known := n > 0 && n <= len(texts) && texts[n-1] != ""
			switch {
			case p.Operation() == "create_note":
				texts = append(texts, probes.ValueOf(p.Params()["title"]).Text())
				envelope = `{"success":true,"data":` + row(len(texts), texts[len(texts)-1]) + `}`
			case p.Operation() == "list_notes":
				rows := []string{}
				for i, text := range texts {
					if text != "" && !hidden[i+1] {
						rows = append(rows, row(i+1+c.shift, text))
					}
				}
				envelope = `{"success":true,"data":{"items":[` + strings.Join(rows, ",") + `],"has_more":false}}`
			case known && p.Operation() == "get_note":
				reads++
				text := texts[n-1]
				if replaced {
					text = "of others"
				}
				envelope = `{"success":true,"data":` + row(n, text) + `}`
			case known && p.Operation() == "delete_note":
				removals++
				if hidden[n] = true; !c.keeps {
					texts[n-1] = ""
				}
				envelope = `{"success":true,"data":{"deleted":true}}`
			case p.Operation() == "get_note":
				reads++
			}
			return enveloped(p, envelope)
		})
		g := learned(store, operation("create_note", "CREATE", "title*:string"), operation("get_note", "READ", "note_id*:integer"),
			operation("list_notes", "READ"), operation("delete_note", "DELETE", "note_id*:integer"))
		for i := range made {
			pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_note", map[string]any{"title": fmt.Sprintf("aqlc-k3f9x2ab-%d", i)}))
		}
		reads, replaced = 0, c.stale
		if left := g.CleanUp(t.Context()); len(left) != c.left || reads > c.nearly || c.stale && removals > 0 {
			t.Errorf("%s: %d are left, want %d; %d reads, want at most %d; %d removals", c.name, len(left), c.left, reads, c.nearly, removals)
		}
	}
}
