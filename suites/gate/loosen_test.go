package gate

import (
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// An object that a list of its own holds is removed once that list is empty. Objects of others keep their lists.
func TestHeldObjectsAreLoosened(t *testing.T) {
	for _, in := range []string{"", "meta"} {
		held, there, emptied := true, false, 0
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such disk"}}`
			shown := `{"disk_id":"d3","title":"aqlc-k3f9x2ab","finalizers":["backup"]}`
			if !held {
				shown = `{"disk_id":"d3","title":"aqlc-k3f9x2ab","finalizers":[]}`
			}
			ours := there && probes.ValueOf(p.Params()).At("disk_id").Text() == "d3"
			switch p.Operation() {
			case "list_disks":
				envelope = `{"success":true,"data":{"items":[{"disk_id":"d1","title":"Root","finalizers":["backup"]}],"has_more":false}}`
			case "create_disk":
				there, envelope = true, `{"success":true,"data":`+shown+`}`
			case "get_disk":
				if ours {
					envelope = `{"success":true,"data":` + shown + `}`
				}
			case "update_disk":
				input := probes.ValueOf(p.Params()["input"])
				if in != "" {
					input = input.At(in)
				}
				if list := input.At("finalizers"); ours && list.Is(probes.Array) && len(list.Items()) == 0 {
					held, envelope = false, `{"success":true,"data":{}}`
				}
				emptied++
			case "delete_disk":
				if envelope = `{"success":false,"error":{"code":"CONFLICT_HELD","message":"a finalizer holds it"}}`; !held {
					there, envelope = false, `{"success":true,"data":{}}`
				}
			}
			return enveloped(p, envelope)
		})
		update := operation("update_disk", "UPDATE", "disk_id*:string", "input*:object")
		fields := `[{"name":"title","type":"string"},{"name":"finalizers","type":"array<string>"}]`
		if in != "" {
			fields = `[{"name":"meta","type":"object","fields":` + fields + `}]`
		}
		update.Parameters[1].Raw = value(`{"fields":` + fields + `}`)
		g := learned(store, operation("create_disk", "CREATE", "title*:string"), operation("get_disk", "READ", "disk_id*:string"),
			operation("list_disks", "READ"), update, operation("delete_disk", "DELETE", "disk_id*:string"))
		pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_disk", map[string]any{"title": "aqlc-k3f9x2ab"}))
		if left := g.CleanUp(t.Context()); len(left) > 0 || emptied != 1 {
			t.Errorf("in %q: left behind %v after %d updates", in, left, emptied)
		}
	}
}
