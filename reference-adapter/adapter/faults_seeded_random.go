package adapter

import (
	"maps"
	"slices"
)

// randomFaults wait for things that have nothing to do with each other to come
// together in one request.
var randomFaults = []Fault{
	{ID: "AQL-4.5.1-01", Variant: "last-of-three-lost", Defect: "an update that sets three or more plain fields does not change the last of them by name",
		hooks: merged(func(old, input, now map[string]any) {
			names := slices.Sorted(maps.Keys(input))
			names = slices.DeleteFunc(names, func(name string) bool { return !scalar(input[name]) })
			if len(names) < 3 {
				return
			}
			restore(names[len(names)-1], old, now)
		})},
	{ID: "AQL-4.5.1-02", Variant: "repeated-key-skipped", Defect: "a key inside metadata is not updated if the same update names a field that is called alike",
		hooks: merged(func(old, input, now map[string]any) {
			for key, value := range object(input["metadata"]) {
				if _, repeated := input[key]; repeated && scalar(value) {
					restore(key, object(old["metadata"]), object(now["metadata"]))
				}
			}
		})},
	{ID: "AQL-4.5.1-06", Variant: "array-lost-beside-object", Defect: "an update that names metadata does not change tags",
		hooks: merged(func(old, input, now map[string]any) {
			if array(input["tags"]) != nil && object(input["metadata"]) != nil {
				restore("tags", old, now)
			}
		})},
	{ID: "AQL-4.5.1-08", Variant: "null-skipped-beside-two", Defect: "a null is skipped if the update sets two or more other fields",
		hooks: merged(func(old, input, now map[string]any) {
			set := maps.Clone(input)
			maps.DeleteFunc(set, func(_ string, value any) bool { return value == nil })
			for name, value := range input {
				if value == nil && len(set) >= 2 {
					restore(name, old, now)
				}
			}
		})},
	{ID: "AQL-4.6-01", Variant: "unknown-dropped-beside-sort", Defect: "list_notes drops unknown parameters if it is given status and sort",
		hooks: before(named("list_notes"), func(c call, op operation) call {
			if c.params()["sort"] == nil || c.params()["status"] == nil {
				return c
			}
			return c.dropUnknown(op, probeName.MatchString)
		})},
}
