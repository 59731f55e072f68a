package calls

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	{ID: "OPS-4.2-08", Variant: "minus-turns-all-fields", Defect: "list_folders sorts by a text that lists fields, and a minus before one turns the order of those after it as well",
		Hooks: seam.Both(
			seam.Retyped("Folder", func(kind *adapter.TypeInfo) {
				kind.Fields = append(slices.Clone(kind.Fields), adapter.Field("size", "integer", false, "Room in the folder"), adapter.Field("rank", "integer", false, "Place of the folder on its wall"))
			}),
			seam.Both(seam.Remade("list_folders", func(op *adapter.Operation) {
				op.Parameters = append(slices.Clone(op.Parameters), adapter.Parameter{Name: "reihung", Type: "string", Description: "Fields, commas between, by which the folders are arranged; a minus turns one of them"})
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
						folder["size"], folder["rank"] = adapter.Plain(i%2), adapter.Plain(i)
						items = append(items, folder)
					}
					fields := strings.Split(t.Text("reihung"), ",")
					if !slices.ContainsFunc(fields, func(field string) bool {
						return !slices.Contains([]string{"", "size", "rank"}, strings.TrimPrefix(field, "-"))
					}) {
						slices.SortStableFunc(items, func(x, y any) int {
							turned := 1
							for _, field := range fields {
								if name, minus := strings.CutPrefix(field, "-"); name != "" {
									if minus {
										turned = -1
									}
									if c := cmp.Compare(adapter.Integer(adapter.Object(x)[name]), adapter.Integer(adapter.Object(y)[name])); c != 0 {
										return turned * c
									}
								}
							}
							return 0
						})
					} else {
						return adapter.Misvalued("list_folders", "reihung", "size or rank, with or without a minus")
					}
					return adapter.Success(map[string]any{"items": items})
				}
			}), seam.Documented("list_folders", "reihung", func(p map[string]any) { p["example"] = "-size,rank" })))},
}
