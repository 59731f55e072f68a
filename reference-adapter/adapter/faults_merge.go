package adapter

import "maps"

// mergeFaults break the deep merge of spec 4.5.1, each only for input of the
// shape that its own requirement speaks of.
var mergeFaults = []Fault{
	{ID: "AQL-4.5.1-01", Variant: "existing-values-kept", Defect: "fields that already have a value are not overwritten",
		hooks: merged(func(old, input, now map[string]any) {
			for key := range input {
				if scalars(input) && old[key] != nil {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.1-02", Variant: "nested-input-ignored", Defect: "nested objects of input are ignored",
		hooks: mergedInside(func(old, input, now map[string]any) {
			if len(input) > 0 && scalars(input) {
				clear(now)
				maps.Copy(now, old)
			}
		})},
	{ID: "AQL-4.5.1-03", Variant: "shallow-merge", Defect: "a nested object of input replaces the stored one as a whole",
		hooks: mergedInside(func(_, input, now map[string]any) {
			if len(input) > 0 && scalars(input) {
				clear(now)
				maps.Copy(now, input)
			}
		})},
	{ID: "AQL-4.5.1-04", Variant: "put-semantics", Defect: "the stored note is replaced by input",
		hooks: merged(func(_, input, now map[string]any) {
			for _, f := range noteFields() {
				if _, named := input[f.Name]; scalars(input) && !named {
					delete(now, f.Name)
				}
			}
		})},
	{ID: "AQL-4.5.1-05", Variant: "one-level-merge", Defect: "the merge goes one nested level deep and replaces below",
		hooks: mergedInside(func(_, input, now map[string]any) {
			for key, value := range input {
				if inner := object(value); inner != nil {
					now[key] = merge(nil, inner)
				}
			}
		})},
	{ID: "AQL-4.5.1-06", Variant: "arrays-concatenated", Defect: "arrays of input are appended to the stored ones",
		hooks: both(needs("create_note", taking("tags")), merged(func(old, input, now map[string]any) {
			for key := range input {
				if list := array(input[key]); list != nil {
					now[key] = append(append([]any{}, array(old[key])...), list...)
				}
			}
		}))},
	{ID: "AQL-4.5.1-06", Variant: "empty-array-ignored", Defect: "an empty array leaves the stored one untouched",
		hooks: both(needs("create_note", taking("tags")), merged(func(old, input, now map[string]any) {
			for key := range input {
				if list := array(input[key]); list != nil && len(list) == 0 && old[key] != nil {
					now[key] = old[key]
				}
			}
		}))},
	{ID: "AQL-4.5.1-07", Variant: "elements-merged-by-id", Defect: "array elements with equal id are merged",
		hooks: mergedInside(func(old, input, now map[string]any) {
			for key, value := range input {
				for i, element := range array(value) {
					for _, stored := range array(old[key]) {
						if id := object(stored)["id"]; id != nil && id == object(element)["id"] {
							array(now[key])[i] = merge(object(stored), object(element))
						}
					}
				}
			}
		})},
	{ID: "AQL-4.5.1-09", Variant: "combined-update-partial", Defect: "an update naming a scalar and an object at once applies only the scalar",
		hooks: merged(func(old, input, now map[string]any) {
			for key, value := range input {
				if object(value) != nil && len(input) > 1 {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.1-10", Variant: "empty-object-empties", Defect: "an empty nested object empties the stored one",
		hooks: mergedInside(func(_, input, now map[string]any) {
			if len(input) == 0 {
				clear(now)
			}
		})},
}

// removalFaults break the removal of fields by null.
var removalFaults = []Fault{
	{ID: "AQL-4.5.1-08", Variant: "null-skipped", Defect: "null values are skipped while merging",
		hooks: merged(func(old, input, now map[string]any) {
			for key, value := range input {
				if value == nil && old[key] != nil {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.1-08", Variant: "null-stored-as-text", Defect: "null is stored as the text \"null\"",
		hooks: merged(func(old, input, now map[string]any) {
			for key, value := range input {
				if value == nil && old[key] != nil {
					now[key] = "null"
				}
			}
		})},
	{ID: "AQL-4.5.2-02", Variant: "nested-null-ignored", Defect: "null is honoured only at the top level of input",
		hooks: mergedInside(func(old, input, now map[string]any) {
			for key, value := range input {
				if value == nil && old[key] != nil {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.2-02", Variant: "nested-null-drops-object", Defect: "null for one nested key removes the whole object",
		hooks: merged(func(old, input, now map[string]any) {
			for key := range input {
				for inner, value := range object(input[key]) {
					if value == nil && object(old[key])[inner] != nil {
						delete(now, key)
					}
				}
			}
		})},
	{ID: "AQL-4.5.2-03", Variant: "absent-removal-crashes", Defect: "removing a field that is not there ends in INTERNAL_ERROR",
		hooks: hooks{item: func(c call, next handler) envelope {
			id, _, _ := c.value("note_id")
			key, _ := id.(string)
			old := maps.Clone(c.store.notes[key])
			e := next(c)
			for name, value := range object(c.params()["input"]) {
				if _, there := old[name]; c.operation() == "update_note" && succeeded(e) && value == nil && !there {
					return failure("INTERNAL_ERROR", "The operation failed unexpectedly; try again", nil)
				}
			}
			return e
		}}},
}

// merged lets a fault change what update_note stores and answers. It sees the
// note as it was, the input, and the note as it is now; it changes the latter.
func merged(spoil func(old, input, now map[string]any)) hooks {
	return hooks{item: func(c call, next handler) envelope {
		id, _, _ := c.value("note_id")
		input, _, _ := c.value("input")
		key, _ := id.(string)
		old := object(plain(c.store.notes[key]))
		e := next(c)
		if c.operation() == "update_note" && succeeded(e) {
			spoilt := object(e["data"])
			spoil(old, object(plain(input)), spoilt)
			c.store.notes[key] = object(plain(spoilt))
		}
		return e
	}}
}

// mergedInside does the same to each object-valued field that input names.
func mergedInside(spoil func(old, input, now map[string]any)) hooks {
	return both(needsInside(), merged(inside(spoil)))
}

// mergedDeep does the same to the objects inside those.
func mergedDeep(spoil func(old, input, now map[string]any)) hooks {
	return both(needsInside(), merged(inside(inside(spoil))))
}

// inside hands on the objects that input names inside an object.
func inside(spoil func(old, input, now map[string]any)) func(old, input, now map[string]any) {
	return func(old, input, now map[string]any) {
		for key, value := range input {
			if inner := object(value); inner != nil && object(now[key]) != nil {
				spoil(object(old[key]), inner, object(now[key]))
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
	return value != nil && array(value) == nil && object(value) == nil
}
