package gate

import (
	"fmt"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
)

// An object that a list of its own holds is removed once that list is empty. A list in which others have put something
// stays, and so it does where updates are not permitted.
func TestHeldObjectsAreEmptied(t *testing.T) {
	for name, c := range map[string]struct {
		in        string // the object field in which the list stands
		shown     string
		may       Permissions
		code      string
		left, put int
	}{
		"our list":             {"", `["backup"]`, everything, "CONFLICT_HELD", 0, 1},
		"our list in a field":  {"meta", `["backup"]`, everything, "CONFLICT_HELD", 0, 1},
		"a list of others too": {"", `["backup","thesis"]`, everything, "CONFLICT_HELD", 1, 0},
		"no permission":        {"", `["backup"]`, Permissions{Create: true, Delete: true}, "CONFLICT_HELD", 1, 0},
		"another refusal":      {"", `["backup"]`, everything, "PERMISSION_DENIED", 1, 0},
	} {
		held, there, emptied := true, false, 0
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such disk"}}`
			shown := `{"disk_id":"d3","title":"aqlc-k3f9x2ab","finalizers":` + map[bool]string{true: c.shown, false: "[]"}[held] + `}`
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
				if c.in != "" {
					input = input.At(c.in)
				}
				if list := input.At("finalizers"); ours && list.Is(probes.Array) && len(list.Items()) == 0 {
					held, envelope = false, `{"success":true,"data":{}}`
				}
				emptied++
			case "delete_disk":
				if envelope = `{"success":false,"error":{"code":"` + c.code + `","message":"a finalizer holds it"}}`; !held {
					there, envelope = false, `{"success":true,"data":{}}`
				}
			}
			return enveloped(p, envelope)
		})
		update := operation("update_disk", "UPDATE", "disk_id*:string", "input*:object")
		fields := `[{"name":"title","type":"string"},{"name":"finalizers","type":"array<string>"}]`
		if c.in != "" {
			fields = `[{"name":"meta","type":"object","fields":` + fields + `}]`
		}
		update.Parameters[1].Raw = value(`{"fields":` + fields + `}`)
		g := learned(store, operation("create_disk", "CREATE", "title*:string", "finalizers:array<string>"), operation("get_disk", "READ", "disk_id*:string"),
			operation("list_disks", "READ"), update, operation("delete_disk", "DELETE", "disk_id*:string"))
		g.allowed = c.may
		g.rules.May = c.may
		g.Learn(g.rules.Adapter)
		pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_disk", map[string]any{"title": "aqlc-k3f9x2ab", "finalizers": []any{"backup"}}))
		if left := g.CleanUp(t.Context()); len(left) != c.left || emptied != c.put {
			t.Errorf("%s: left behind %v after %d updates", name, left, emptied)
		}
	}
}

// An object that a state holds is removed once that state is another one. What has freed one object is tried first with the next.
func TestHeldObjectsAreReleased(t *testing.T) {
	for name, c := range map[string]struct {
		free    func(o map[string]any) bool
		message string
		left    int
		updates int // at most
	}{
		"a flag":                             {func(o map[string]any) bool { return o["archived"] == true }, "only archived disks go", 0, 2},
		"a flag that is not named":           {func(o map[string]any) bool { return o["archived"] == true }, "no", 0, 2},
		"a value of an enumeration":          {func(o map[string]any) bool { return o["stage"] == "retired" }, "the stage must be retired", 0, 3},
		"something else":                     {func(map[string]any) bool { return false }, "no", 2, 2 * mostReleases},
		"a state that may be seen by others": {func(o map[string]any) bool { return o["stage"] == "published" }, "the stage must be published", 2, 2 * mostReleases},
		"an enumeration, at its start":       {func(o map[string]any) bool { return o["stage"] == "live" }, "no", 0, 3},
	} {
		disks, updates := map[string]map[string]any{}, 0
		store := answering(func(p probes.Probe) probes.Observation {
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such disk"}}`
			sent := probes.ValueOf(p.Params())
			id := sent.At("disk_id").Text()
			disk := disks[id]
			show := func(d map[string]any) string {
				return `{"success":true,"data":` + string(probes.ValueOf(d).Raw()) + `}`
			}
			switch p.Operation() {
			case "list_disks":
				envelope = `{"success":true,"data":{"items":[{"disk_id":"d1","title":"Root","archived":false,"stage":"live"}],"has_more":false}}`
			case "create_disk":
				id = fmt.Sprintf("d%d", 3+len(disks))
				disks[id] = map[string]any{"disk_id": id, "title": sent.At("title").Text(), "archived": false, "stage": "draft"}
				envelope = show(disks[id])
			case "get_disk":
				if disk != nil {
					envelope = show(disk)
				}
			case "update_disk":
				if disk != nil {
					for _, m := range sent.At("input").Members() {
						if disk[m.Name] = m.Value.Text(); m.Value.Is(probes.Boolean) {
							disk[m.Name] = m.Value.True()
						}
					}
					envelope = show(disk)
				}
				updates++
			case "delete_disk":
				if envelope = `{"success":false,"error":{"code":"CONFLICT_STATE","message":"` + c.message + `"}}`; disk != nil && c.free(disk) {
					delete(disks, id)
					envelope = `{"success":true,"data":{}}`
				}
			}
			return enveloped(p, envelope)
		})
		update := operation("update_disk", "UPDATE", "disk_id*:string", "input*:object")
		update.Parameters[1].Raw = value(`{"fields":[{"name":"title","type":"string"},{"name":"archived","type":"boolean"},{"name":"stage","type":"string","enum":["draft","live","published","retired"]}]}`)
		g := learned(store, operation("create_disk", "CREATE", "title*:string"), operation("get_disk", "READ", "disk_id*:string"),
			operation("list_disks", "READ"), update, operation("delete_disk", "DELETE", "disk_id*:string"))
		g.allowed, g.rules.May = everything, everything
		g.Learn(g.rules.Adapter)
		for _, ending := range []string{"", "2"} {
			pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_disk", map[string]any{"title": "aqlc-k3f9x2ab" + ending}))
		}
		if left := g.CleanUp(t.Context()); len(left) != c.left || updates > c.updates+1 {
			t.Errorf("%s: left behind %v after %d updates", name, left, updates)
		}
	}
}

// The first object of a kind shows how the others are removed. What an object has to go through is done before its removal
// by a check, also by a wrong tool, which is to refuse what would work. A generated script compares what a refusal leaves.
func TestRemovalsAreTried(t *testing.T) {
	const archive, publish = "archive_disk", "publish_disk"
	for name, c := range map[string]struct {
		opens   string // the operation that allows a removal
		execute bool
		allowed []string
		step    string
		tool    string
		removed bool
		calls   int // of what executes
	}{
		"permitted by name":      {archive, false, []string{"execute:archive_disk"}, "removal", "mcp_aql_delete", true, 2},
		"not permitted":          {archive, false, nil, "removal", "mcp_aql_delete", false, 0},
		"permitted as such":      {archive, true, nil, "removal", "mcp_aql_delete", false, 0},
		"with an effect outside": {publish, false, []string{"execute:*"}, "removal", "mcp_aql_delete", false, 1},
		"in a generated script":  {archive, false, []string{"execute:archive_disk"}, "", "mcp_aql_delete", false, 1},
		"by another endpoint":    {archive, false, []string{"execute:archive_disk"}, "removal", "mcp_aql_update", false, 2},
		"permitted by a pattern": {archive, false, []string{"execute:*"}, "removal", "mcp_aql_delete", true, 2},
	} {
		disks, open, calls := map[string]string{}, map[string]bool{}, 0
		store := answering(func(p probes.Probe) probes.Observation {
			sent := probes.ValueOf(p.Params())
			id := sent.At("disk_id").Text()
			envelope := `{"success":false,"error":{"code":"NOT_FOUND_RESOURCE","message":"no such disk"}}`
			switch p.Operation() {
			case "list_disks":
				envelope = `{"success":true,"data":{"items":[{"disk_id":"d1","title":"Root"}],"has_more":false}}`
			case "create_disk":
				id = fmt.Sprintf("d%d", 3+len(disks))
				disks[id] = sent.At("title").Text()
				envelope = `{"success":true,"data":{"disk_id":"` + id + `","title":"` + disks[id] + `"}}`
			case archive, publish:
				if calls++; disks[id] != "" {
					open[id] = open[id] || p.Operation() == c.opens
					envelope = `{"success":true,"data":{}}`
				}
			case "get_disk":
				if disks[id] != "" {
					envelope = `{"success":true,"data":{"disk_id":"` + id + `","title":"` + disks[id] + `"}}`
				}
			case "delete_disk":
				if envelope = `{"success":false,"error":{"code":"CONFLICT_STATE","message":"no"}}`; open[id] && p.Tool == "mcp_aql_delete" {
					disks[id] = ""
					envelope = `{"success":true,"data":{}}`
				}
			}
			return enveloped(p, envelope)
		})
		outward := operation(publish, "EXECUTE", "disk_id*:string")
		outward.Details = value(`{"description":"Publish a disk on the website."}`)
		g := learned(store, operation("create_disk", "CREATE", "title*:string"), operation("get_disk", "READ", "disk_id*:string"),
			operation("list_disks", "READ"), operation(archive, "EXECUTE", "disk_id*:string"), outward, operation("delete_disk", "DELETE", "disk_id*:string"))
		g.allowed.Execute, g.allowed.Named = c.execute, c.allowed
		g.rules.May = g.allowed
		g.Learn(g.rules.Adapter)
		make := func(title string) {
			pass(t, g, store, probes.Call("main", "mcp_aql_create", "create_disk", map[string]any{"title": title}))
		}
		remove := func(id, step, tool string) probes.Probe {
			return probes.Call("main", tool, "delete_disk", map[string]any{"disk_id": id}).As(step)
		}
		make("aqlc-k3f9x2ab")
		pass(t, g, store, remove("d3", RemovalTrial, "mcp_aql_delete"))
		make("aqlc-k3f9x2ab-2")
		pass(t, g, store, remove("d4", c.step, c.tool))
		if removed := disks["d4"] == ""; removed != c.removed || calls != c.calls {
			t.Errorf("%s: removed %v, %d calls of what executes", name, removed, calls)
		}
	}
}
