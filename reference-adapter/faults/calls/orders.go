package calls

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// orderFaults put a listing in a wrong order.
var orderFaults = []seam.Fault{
	{ID: "OPS-4.2-08", Variant: "numbers-sorted-as-texts", Defect: "list_folders sorts the sizes of folders as texts, by a parameter with a name of its own",
		Hooks: seam.Both(
			seam.Retyped("Folder", func(kind *adapter.TypeInfo) {
				kind.Fields = append(slices.Clone(kind.Fields), adapter.Field("size", "integer", false, "Room in the folder"))
			}),
			seam.Remade("list_folders", func(op *adapter.Operation) {
				op.Parameters = append(slices.Clone(op.Parameters), adapter.Parameter{Name: "reihung", Type: "string", Enum: []string{"created_at", "size"}, Default: "created_at", Description: "How the folders are arranged"})
				work := op.Run
				op.Run = func(t adapter.Task) adapter.Envelope {
					e := work(t)
					data := adapter.Object(e["data"])
					if !adapter.Succeeded(e) {
						return e
					}
					var items []any
					for i, item := range adapter.Array(data["items"]) {
						folder := adapter.Object(adapter.Plain(item))
						folder["size"] = adapter.Plain([]int{80, 9, 100}[i%3] + i/3)
						items = append(items, folder)
					}
					if t.Text("reihung") == "size" {
						slices.SortStableFunc(items, func(x, y any) int {
							return cmp.Compare(fmt.Sprint(adapter.Object(x)["size"]), fmt.Sprint(adapter.Object(y)["size"]))
						})
					}
					return adapter.Success(map[string]any{"items": items})
				}
			}))},
}
