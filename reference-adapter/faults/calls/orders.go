package calls

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// orderFaults put a listing in a wrong order.
var orderFaults = []seam.Fault{
	{ID: "OPS-4.2-08", Variant: "numbers-sorted-as-texts", Defect: "list_folders sorts the sizes of folders as texts, by a parameter with a name of its own",
		Hooks: arranged(adapter.Parameter{Enum: []string{"created_at", "size"}, Default: "created_at", Description: "How the folders are arranged"},
			map[string]func(int) int{"size": func(i int) int { return []int{80, 9, 100}[i%3] + i/3 }},
			func(by string) func(x, y map[string]any) int {
				return func(x, y map[string]any) int {
					if by != "size" {
						return 0
					}
					return cmp.Compare(fmt.Sprint(x["size"]), fmt.Sprint(y["size"]))
				}
			})},
	{ID: "OPS-4.2-08", Variant: "minus-turns-all-fields", Defect: "list_folders sorts by a text that lists fields, and a minus before one turns the order of those after it as well",
		Hooks: seam.Both(
			arranged(adapter.Parameter{Description: "Fields, commas between, by which the folders are arranged; a minus turns one of them"},
				map[string]func(int) int{"size": func(i int) int { return i % 2 }, "rank": func(i int) int { return i }}, turningAll),
			seam.Documented("list_folders", "reihung", func(p map[string]any) { p["example"] = "-size,rank" }))},
}

// arranged gives folders numbers by their place, and list_folders a text parameter. order returns how folders follow one another
// for a text; nil refuses the text.
func arranged(p adapter.Parameter, numbers map[string]func(place int) int, order func(text string) func(x, y map[string]any) int) adapter.Hooks {
	p.Name, p.Type = "reihung", "string"
	return seam.Both(
		seam.Retyped("Folder", func(kind *adapter.TypeInfo) {
			kind.Fields = slices.Clone(kind.Fields)
			for _, name := range slices.Sorted(maps.Keys(numbers)) {
				kind.Fields = append(kind.Fields, adapter.Field(name, "integer", false, "A number of the folder"))
			}
		}),
		seam.Remade("list_folders", func(op *adapter.Operation) {
			op.Parameters = append(slices.Clone(op.Parameters), p)
			work := op.Run
			op.Run = func(t adapter.Task) adapter.Envelope {
				compare, e := order(t.Text("reihung")), work(t)
				if compare == nil {
					return adapter.Misvalued("list_folders", "reihung", "size or rank, with or without a minus")
				}
				if !adapter.Succeeded(e) {
					return e
				}
				var items []any
				for i, item := range adapter.Array(adapter.Object(e["data"])["items"]) {
					folder := adapter.Object(adapter.Plain(item))
					for name, number := range numbers {
						folder[name] = adapter.Plain(number(i))
					}
					items = append(items, folder)
				}
				slices.SortStableFunc(items, func(x, y any) int { return compare(adapter.Object(x), adapter.Object(y)) })
				return adapter.Success(map[string]any{"items": items})
			}
		}))
}

// turningAll compares by the fields of a text. A minus before one turns those after it as well.
func turningAll(text string) func(x, y map[string]any) int {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
	for _, field := range fields {
		if !slices.Contains([]string{"size", "rank"}, strings.TrimPrefix(field, "-")) {
			return nil
		}
	}
	return func(x, y map[string]any) int {
		turned := 1
		for _, field := range fields {
			name, minus := strings.CutPrefix(field, "-")
			if minus {
				turned = -1
			}
			if c := cmp.Compare(adapter.Integer(x[name]), adapter.Integer(y[name])); c != 0 {
				return turned * c
			}
		}
		return 0
	}
}
