package objects

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// mergeFaults break the deep merge of spec 4.5.1, each only for input of the
// shape that its own requirement speaks of.
var mergeFaults = []seam.Fault{
	{ID: "AQL-4.5.1-01", Variant: "existing-values-kept", Defect: "fields that already have a value are not overwritten",
		Hooks: merged(func(old, input, now map[string]any) {
			for key := range input {
				if scalars(input) && old[key] != nil {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.1-02", Variant: "nested-input-ignored", Defect: "nested objects of input are ignored",
		Hooks: mergedInside(func(old, input, now map[string]any) {
			if len(input) > 0 && scalars(input) {
				clear(now)
				maps.Copy(now, old)
			}
		})},
	{ID: "AQL-4.5.1-03", Variant: "shallow-merge", Defect: "a nested object of input replaces the stored one as a whole",
		Hooks: mergedInside(func(_, input, now map[string]any) {
			if len(input) > 0 && scalars(input) {
				clear(now)
				maps.Copy(now, input)
			}
		})},
	{ID: "AQL-4.5.1-04", Variant: "put-semantics", Defect: "the stored note is replaced by input",
		Hooks: merged(func(_, input, now map[string]any) {
			for _, f := range adapter.NoteFields() {
				if _, named := input[f.Name]; scalars(input) && !named {
					delete(now, f.Name)
				}
			}
		})},
	{ID: "AQL-4.5.1-05", Variant: "one-level-merge", Defect: "the merge goes one nested level deep and replaces below",
		Hooks: mergedInside(func(_, input, now map[string]any) {
			for key, value := range input {
				if inner := adapter.Object(value); inner != nil {
					now[key] = adapter.Merge(nil, inner)
				}
			}
		})},
	{ID: "AQL-4.5.1-06", Variant: "arrays-concatenated", Defect: "arrays of input are appended to the stored ones",
		Hooks: seam.Both(seam.Needs("create_note", seam.Taking("tags")), merged(func(old, input, now map[string]any) {
			for key := range input {
				if list := adapter.Array(input[key]); list != nil {
					now[key] = append(append([]any{}, adapter.Array(old[key])...), list...)
				}
			}
		}))},
	{ID: "AQL-4.5.1-06", Variant: "nested-arrays-concatenated", Defect: "arrays inside objects of input are appended to the stored ones",
		Hooks: merged(func(old, input, now map[string]any) {
			for key := range input {
				inner, was := adapter.Object(input[key]), adapter.Object(old[key])
				for name := range inner {
					if list := adapter.Array(inner[name]); list != nil && adapter.Object(now[key]) != nil {
						adapter.Object(now[key])[name] = append(append([]any{}, adapter.Array(was[name])...), list...)
					}
				}
			}
		})},
	{ID: "AQL-4.5.1-06", Variant: "empty-array-ignored", Defect: "an empty array leaves the stored one untouched",
		Hooks: seam.Both(seam.Needs("create_note", seam.Taking("tags")), merged(func(old, input, now map[string]any) {
			for key := range input {
				if list := adapter.Array(input[key]); list != nil && len(list) == 0 && old[key] != nil {
					now[key] = old[key]
				}
			}
		}))},
	{ID: "AQL-4.5.1-07", Variant: "elements-merged-by-id", Defect: "array elements with equal id are merged",
		Hooks: mergedInside(func(old, input, now map[string]any) {
			for key, value := range input {
				for i, element := range adapter.Array(value) {
					for _, stored := range adapter.Array(old[key]) {
						if id := adapter.Object(stored)["id"]; id != nil && id == adapter.Object(element)["id"] {
							adapter.Array(now[key])[i] = adapter.Merge(adapter.Object(stored), adapter.Object(element))
						}
					}
				}
			}
		})},
	{ID: "AQL-4.5.1-09", Variant: "combined-update-partial", Defect: "an update naming a scalar and an object at once applies only the scalar",
		Hooks: merged(func(old, input, now map[string]any) {
			for key, value := range input {
				if adapter.Object(value) != nil && len(input) > 1 {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.1-10", Variant: "empty-object-empties", Defect: "an empty nested object empties the stored one",
		Hooks: mergedInside(func(_, input, now map[string]any) {
			if len(input) == 0 {
				clear(now)
			}
		})},
}

// removalFaults break the removal of fields by null.
var removalFaults = []seam.Fault{
	{ID: "AQL-4.5.1-08", Variant: "null-skipped", Defect: "null values are skipped while merging",
		Hooks: merged(func(old, input, now map[string]any) {
			for key, value := range input {
				if value == nil && old[key] != nil {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.1-08", Variant: "null-skipped-beside-title", Defect: "null values are skipped where the update also changes the title",
		Hooks: merged(func(old, input, now map[string]any) {
			for key, value := range input {
				if value == nil && old[key] != nil && input["title"] != nil {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.1-08", Variant: "null-stored-as-text", Defect: "null is stored as the text \"null\"",
		Hooks: merged(func(old, input, now map[string]any) {
			for key, value := range input {
				if value == nil && old[key] != nil {
					now[key] = "null"
				}
			}
		})},
	{ID: "AQL-4.5.2-02", Variant: "nested-null-ignored", Defect: "null is honoured only at the top level of input",
		Hooks: mergedInside(func(old, input, now map[string]any) {
			for key, value := range input {
				if value == nil && old[key] != nil {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.2-02", Variant: "nested-null-ignored-beside-a-value", Defect: "null inside an object is ignored where the object also sets a value",
		Hooks: mergedInside(func(old, input, now map[string]any) {
			sets := slices.ContainsFunc(slices.Collect(maps.Values(input)), func(v any) bool { return v != nil })
			for key, value := range input {
				if value == nil && old[key] != nil && sets {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.2-02", Variant: "inner-null-ignored", Defect: "null removes a key of metadata, but none of an object inside it",
		Hooks: mergedDeep(func(old, input, now map[string]any) {
			for key, value := range input {
				if was := old[key]; value == nil && was != nil {
					now[key] = was
				}
			}
		})},
	{ID: "AQL-4.5.1-10", Variant: "object-outlives-scalar", Defect: "an object inside metadata stays as it was when a plain value is given for it",
		Hooks: mergedInside(func(old, input, now map[string]any) {
			for key, value := range input {
				if adapter.Object(old[key]) != nil && scalar(value) {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.2-02", Variant: "nested-null-drops-object", Defect: "null for one nested key removes the whole object",
		Hooks: merged(func(old, input, now map[string]any) {
			for key := range input {
				for inner, value := range adapter.Object(input[key]) {
					if value == nil && adapter.Object(old[key])[inner] != nil {
						delete(now, key)
					}
				}
			}
		})},
	{ID: "AQL-4.5.2-03", Variant: "absent-removal-crashes", Defect: "removing a field that is not there ends in INTERNAL_ERROR",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			id, _, _ := c.Value("note_id")
			key, _ := id.(string)
			old := maps.Clone(c.Store.Notes[key])
			e := next(c)
			for name, value := range adapter.Object(c.Params()["input"]) {
				if _, there := old[name]; c.Operation() == "update_note" && adapter.Succeeded(e) && value == nil && !there {
					return adapter.Failure("INTERNAL_ERROR", "The operation failed unexpectedly; try again", nil)
				}
			}
			return e
		}}},
}

// merged lets a fault change what update_note stores and answers. It sees the
// note as it was, the input, and the note as it is now; it changes the latter.
func merged(spoil func(old, input, now map[string]any)) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		id, _, _ := c.Value("note_id")
		input, _, _ := c.Value("input")
		key, _ := id.(string)
		old := adapter.Object(adapter.Plain(c.Store.Notes[key]))
		e := next(c)
		if c.Operation() == "update_note" && adapter.Succeeded(e) {
			spoilt := adapter.Object(e["data"])
			spoil(old, adapter.Object(adapter.Plain(input)), spoilt)
			c.Store.Notes[key] = adapter.Object(adapter.Plain(spoilt))
		}
		return e
	}}
}

// mergedInside does the same to each object-valued field that input names.
func mergedInside(spoil func(old, input, now map[string]any)) adapter.Hooks {
	return seam.Both(seam.NeedsInside(), merged(inside(spoil)))
}

// mergedDeep does the same to the objects inside those.
func mergedDeep(spoil func(old, input, now map[string]any)) adapter.Hooks {
	return seam.Both(seam.NeedsInside(), merged(inside(inside(spoil))))
}

// inside hands on the objects that input names inside an object.
func inside(spoil func(old, input, now map[string]any)) func(old, input, now map[string]any) {
	return func(old, input, now map[string]any) {
		for key, value := range input {
			if inner := adapter.Object(value); inner != nil && adapter.Object(now[key]) != nil {
				spoil(adapter.Object(old[key]), inner, adapter.Object(now[key]))
			}
		}
	}
}

// scalars says whether no value is null, an array or an object.
func scalars(values map[string]any) bool {
	for _, value := range values {
		if !scalar(value) {
			return false
		}
	}
	return true
}

func scalar(value any) bool {
	return value != nil && adapter.Array(value) == nil && adapter.Object(value) == nil
}
