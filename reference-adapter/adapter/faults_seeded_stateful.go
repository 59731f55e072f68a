package adapter

import (
	"maps"
	"strconv"
)

// statefulFaults wait for a second look: what a call did to an object shows only
// in what the object held before, or in what becomes of it later.
var statefulFaults = []Fault{
	{ID: "AQL-4.5.1-01", Variant: "false-not-stored", Defect: "a note that is pinned cannot be unpinned: false counts as no value",
		hooks: merged(func(old, input, now map[string]any) {
			if input["pinned"] == false && old["pinned"] != nil {
				now["pinned"] = old["pinned"]
			}
		})},
	{ID: "AQL-4.5.1-02", Variant: "empty-inner-text-ignored", Defect: "a text inside metadata cannot be emptied: \"\" counts as no value",
		hooks: mergedInside(func(old, input, now map[string]any) {
			for key, value := range input {
				if was, _ := old[key].(string); value == "" && was != "" {
					now[key] = was
				}
			}
		})},
	{ID: "AQL-4.5.1-03", Variant: "false-neighbour-lost", Defect: "a key inside metadata that is false is lost when another one is updated",
		hooks: mergedInside(func(old, input, now map[string]any) {
			for key, value := range old {
				if _, named := input[key]; value == false && !named && len(input) > 0 {
					delete(now, key)
				}
			}
		})},
	{ID: "AQL-4.5.1-04", Variant: "second-update-undoes-first", Defect: "a number, flag or status that one update changed has its old value again after the next, which does not name it",
		hooks: remembered(func(c call, old, input, now map[string]any) {
			before := c.aside().kept[now["note_id"].(string)]
			for _, name := range []string{"priority", "pinned", "status", "import_number", "budget"} {
				if _, named := input[name]; !named && before[name] != nil && old[name] != nil {
					restore(name, before, now)
				}
			}
			c.aside().kept[now["note_id"].(string)] = old
		})},
	{ID: "AQL-4.5.1-05", Variant: "neighbours-lost-on-the-way", Defect: "an update that reaches three objects deep loses what stands beside the third",
		hooks: mergedDeep(func(old, input, now map[string]any) {
			deep := maps.Clone(input)
			maps.DeleteFunc(deep, func(_ string, value any) bool { return object(value) == nil })
			for key := range old {
				if _, named := input[key]; len(deep) > 0 && !named {
					delete(now, key)
				}
			}
		})},
	{ID: "AQL-4.5.1-06", Variant: "longer-array-cut", Defect: "tags that are longer than the stored ones are cut to their number",
		hooks: merged(func(old, input, now map[string]any) {
			if was, list := array(old["tags"]), array(input["tags"]); len(was) > 0 && len(list) > len(was) {
				now["tags"] = list[:len(was)]
			}
		})},
	{ID: "AQL-4.5.1-07", Variant: "elements-merged-by-place", Defect: "the objects of an array of two or more are merged with those of a stored array of that length",
		hooks: mergedInside(func(old, input, now map[string]any) {
			for key := range input {
				was, list := array(old[key]), array(now[key])
				for i := range list {
					if len(list) > 1 && len(was) == len(list) && object(was[i]) != nil && object(list[i]) != nil {
						list[i] = merge(object(was[i]), object(list[i]))
					}
				}
			}
		})},
	{ID: "AQL-4.5.1-08", Variant: "removed-text-returns", Defect: "a text that was removed by null is there again after the next update",
		hooks: remembered(func(c call, old, input, now map[string]any) {
			id := now["note_id"].(string)
			for name, value := range c.aside().kept[id] {
				if _, named := input[name]; !named {
					now[name] = value
				}
			}
			c.aside().kept[id] = note{}
			for name, value := range input {
				if text, _ := old[name].(string); value == nil && text != "" {
					c.aside().kept[id][name] = text
				}
			}
		})},
	{ID: "AQL-4.5.1-10", Variant: "object-outlives-scalar", Defect: "an object inside metadata stays as it was when a plain value is given for it",
		hooks: mergedInside(func(old, input, now map[string]any) {
			for key, value := range input {
				if object(old[key]) != nil && scalar(value) {
					now[key] = old[key]
				}
			}
		})},
	{ID: "AQL-4.5.2-02", Variant: "inner-null-ignored", Defect: "null removes a key of metadata, but none of an object inside it",
		hooks: mergedDeep(func(old, input, now map[string]any) {
			for key, value := range input {
				if was := old[key]; value == nil && was != nil {
					now[key] = was
				}
			}
		})},
}

// afterlifeFaults are stateful too; they concern what becomes of other objects, or
// of one that was deleted.
var afterlifeFaults = []Fault{
	{ID: "AQL-8.1-01", Variant: "owner-of-namesake-replaced", Defect: "creating a folder gives its owner to all folders of its name that have one",
		hooks: after(func(c call, e envelope) {
			made := object(e["data"])
			if c.operation() != "create_folder" || !succeeded(e) || made["owner"] == nil {
				return
			}
			for _, other := range c.store.folders {
				if other["name"] == made["name"] && other["owner"] != nil {
					other["owner"] = made["owner"]
				}
			}
		})},
	{ID: "AQL-8.1-04", Variant: "update-revives-deleted", Defect: "updating a note that was deleted brings it back",
		hooks: hooks{item: func(c call, next handler) envelope {
			value, _, _ := c.value("note_id")
			id, _ := value.(string)
			was, there := c.store.notes[id]
			e := next(c)
			switch _, stays := c.store.notes[id]; {
			case c.operation() == "delete_note" && there && !stays:
				c.aside().kept[id] = was
			case c.operation() == "update_note" && failedWith("NOT_FOUND_RESOURCE")(nil, e) && c.aside().kept[id] != nil:
				c.store.notes[id] = c.aside().kept[id]
				return next(c)
			}
			return e
		}}},
	{ID: "AQL-8.1-05", Variant: "neighbour-pinned-too", Defect: "pinning a note pins the note that was created after it as well",
		hooks: remembered(func(c call, _, input, now map[string]any) {
			neighbour := "note_" + strconv.Itoa(number(now["note_id"].(string))+1)
			if other := c.store.notes[neighbour]; input["pinned"] == true && other != nil {
				changed := maps.Clone(other)
				changed["pinned"] = true
				c.store.notes[neighbour] = changed
			}
		})},
	{ID: "AQL-8.1-06", Variant: "restated-note-outlives-delete", Defect: "a note whose status was updated stays readable after its deletion",
		hooks: hooks{item: func(c call, next handler) envelope {
			value, _, _ := c.value("note_id")
			id, _ := value.(string)
			was := c.store.notes[id]
			e := next(c)
			if _, restated := object(c.params()["input"])["status"]; c.operation() == "update_note" && succeeded(e) && restated {
				c.remember("restated "+id, 1)
			}
			if c.operation() == "delete_note" && was != nil && c.recall("restated "+id) > 0 {
				c.store.notes[id] = was
			}
			return e
		}}},
}

// remembered does what merged does, for faults that keep something between two
// updates or reach beyond the note that is updated.
func remembered(spoil func(c call, old, input, now map[string]any)) hooks {
	return hooks{item: func(c call, next handler) envelope {
		return merged(func(old, input, now map[string]any) { spoil(c, old, input, now) }).item(c, next)
	}}
}
