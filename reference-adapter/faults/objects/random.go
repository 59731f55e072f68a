package objects

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// randomFaults wait for things that have nothing to do with each other to come
// together in one request.
var randomFaults = []seam.Fault{
	{ID: "AQL-4.5.1-01", Variant: "last-of-three-lost", Defect: "an update that sets three or more plain fields does not change the last of them by name",
		Hooks: merged(func(old, input, now map[string]any) {
			names := slices.Sorted(maps.Keys(input))
			names = slices.DeleteFunc(names, func(name string) bool { return !scalar(input[name]) })
			if len(names) < 3 {
				return
			}
			restore(names[len(names)-1], old, now)
		})},
	{ID: "AQL-4.5.1-02", Variant: "repeated-key-skipped", Defect: "a key inside metadata is not updated if the same update names a field that is called alike",
		Hooks: merged(func(old, input, now map[string]any) {
			for key, value := range adapter.Object(input["metadata"]) {
				if _, repeated := input[key]; repeated && scalar(value) {
					restore(key, adapter.Object(old["metadata"]), adapter.Object(now["metadata"]))
				}
			}
		})},
	{ID: "AQL-4.5.1-06", Variant: "array-lost-beside-object", Defect: "an update that names metadata does not change tags",
		Hooks: merged(func(old, input, now map[string]any) {
			if adapter.Array(input["tags"]) != nil && adapter.Object(input["metadata"]) != nil {
				restore("tags", old, now)
			}
		})},
	{ID: "AQL-4.5.1-08", Variant: "null-skipped-beside-two", Defect: "a null is skipped if the update sets two or more other fields",
		Hooks: merged(func(old, input, now map[string]any) {
			set := maps.Clone(input)
			maps.DeleteFunc(set, func(_ string, value any) bool { return value == nil })
			for name, value := range input {
				if value == nil && len(set) >= 2 {
					restore(name, old, now)
				}
			}
		})},
	{ID: "AQL-4.6-01", Variant: "unknown-dropped-beside-sort", Defect: "list_notes drops unknown parameters if it is given status and sort",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, op adapter.Operation) adapter.Call {
			if c.Params()["sort"] == nil || c.Params()["status"] == nil {
				return c
			}
			return seam.DropUnknown(c, op, seam.ProbeName.MatchString)
		})},
}
