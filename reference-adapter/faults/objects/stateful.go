package objects

import (
	"maps"
	"strconv"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// statefulFaults wait for a second look: what a call did to an object shows only
// in what the object held before, or in what becomes of it later.
var statefulFaults = []seam.Fault{
	{ID: "AQL-4.5.1-01", Variant: "false-not-stored", Defect: "a note that is pinned cannot be unpinned: false counts as no value",
		Hooks: merged(func(old, input, now map[string]any) {
			if input["pinned"] == false && old["pinned"] != nil {
				now["pinned"] = old["pinned"]
			}
		})},
	{ID: "AQL-4.5.1-02", Variant: "empty-inner-text-ignored", Defect: "a text inside metadata cannot be emptied: \"\" counts as no value",
		Hooks: mergedInside(func(old, input, now map[string]any) {
			for key, value := range input {
				if was, _ := old[key].(string); value == "" && was != "" {
					now[key] = was
				}
			}
		})},
	{ID: "AQL-4.5.1-03", Variant: "false-neighbour-lost", Defect: "a key inside metadata that is false is lost when another one is updated",
		Hooks: mergedInside(func(old, input, now map[string]any) {
			for key, value := range old {
				if _, named := input[key]; value == false && !named && len(input) > 0 {
					delete(now, key)
				}
			}
		})},
	{ID: "AQL-4.5.1-04", Variant: "second-update-undoes-first", Defect: "a number, flag or status that one update changed has its old value again after the next, which does not name it",
		Hooks: remembered(func(c adapter.Call, old, input, now map[string]any) {
			before := seam.Aside(c.Adapter).Kept[now["note_id"].(string)]
			for _, name := range []string{"priority", "pinned", "status", "import_number", "budget"} {
				if _, named := input[name]; !named && before[name] != nil && old[name] != nil {
					restore(name, before, now)
				}
			}
			seam.Aside(c.Adapter).Kept[now["note_id"].(string)] = old
		})},
	{ID: "AQL-4.5.1-05", Variant: "neighbours-lost-on-the-way", Defect: "an update that reaches three objects deep loses what stands beside the third",
		Hooks: mergedDeep(func(old, input, now map[string]any) {
			deep := maps.Clone(input)
			maps.DeleteFunc(deep, func(_ string, value any) bool { return adapter.Object(value) == nil })
			for key := range old {
				if _, named := input[key]; len(deep) > 0 && !named {
					delete(now, key)
				}
			}
		})},
	{ID: "AQL-4.5.1-06", Variant: "longer-array-cut", Defect: "tags that are longer than the stored ones are cut to their number",
		Hooks: merged(func(old, input, now map[string]any) {
			if was, list := adapter.Array(old["tags"]), adapter.Array(input["tags"]); len(was) > 0 && len(list) > len(was) {
				now["tags"] = list[:len(was)]
			}
		})},
	{ID: "AQL-4.5.1-07", Variant: "elements-merged-by-place", Defect: "the objects of an array of two or more are merged with those of a stored array of that length",
		Hooks: mergedInside(func(old, input, now map[string]any) {
			for key := range input {
				was, list := adapter.Array(old[key]), adapter.Array(now[key])
				for i := range list {
					if len(list) > 1 && len(was) == len(list) && adapter.Object(was[i]) != nil && adapter.Object(list[i]) != nil {
						list[i] = adapter.Merge(adapter.Object(was[i]), adapter.Object(list[i]))
					}
				}
			}
		})},
	{ID: "AQL-4.5.1-08", Variant: "removed-text-returns", Defect: "a text that was removed by null is there again after the next update",
		Hooks: remembered(func(c adapter.Call, old, input, now map[string]any) {
			id := now["note_id"].(string)
			for name, value := range seam.Aside(c.Adapter).Kept[id] {
				if _, named := input[name]; !named {
					now[name] = value
				}
			}
			seam.Aside(c.Adapter).Kept[id] = adapter.Note{}
			for name, value := range input {
				if text, _ := old[name].(string); value == nil && text != "" {
					seam.Aside(c.Adapter).Kept[id][name] = text
				}
			}
		})},
}

// afterlifeFaults are stateful too; they concern what becomes of other objects, or
// of one that was deleted.
var afterlifeFaults = []seam.Fault{
	{ID: "AQL-8.1-01", Variant: "owner-of-namesake-replaced", Defect: "creating a folder gives its owner to all folders of its name that have one",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			made := adapter.Object(e["data"])
			if c.Operation() != "create_folder" || !adapter.Succeeded(e) || made["owner"] == nil {
				return
			}
			for _, other := range c.Store.Folders {
				if other["name"] == made["name"] && other["owner"] != nil {
					other["owner"] = made["owner"]
				}
			}
		})},
	{ID: "AQL-8.1-04", Variant: "update-revives-deleted", Defect: "updating a note that was deleted brings it back",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			value, _, _ := c.Value("note_id")
			id, _ := value.(string)
			was, there := c.Store.Notes[id]
			e := next(c)
			switch _, stays := c.Store.Notes[id]; {
			case c.Operation() == "delete_note" && there && !stays:
				seam.Aside(c.Adapter).Kept[id] = was
			case c.Operation() == "update_note" && seam.FailedWith("NOT_FOUND_RESOURCE")(nil, e) && seam.Aside(c.Adapter).Kept[id] != nil:
				c.Store.Notes[id] = seam.Aside(c.Adapter).Kept[id]
				return next(c)
			}
			return e
		}}},
	{ID: "AQL-8.1-05", Variant: "neighbour-pinned-too", Defect: "pinning a note pins the note that was created after it as well",
		Hooks: remembered(func(c adapter.Call, _, input, now map[string]any) {
			neighbour := "note_" + strconv.Itoa(adapter.Number(now["note_id"].(string))+1)
			if other := c.Store.Notes[neighbour]; input["pinned"] == true && other != nil {
				changed := maps.Clone(other)
				changed["pinned"] = true
				c.Store.Notes[neighbour] = changed
			}
		})},
	{ID: "AQL-8.1-06", Variant: "restated-note-outlives-delete", Defect: "a note whose status was updated stays readable after its deletion",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			value, _, _ := c.Value("note_id")
			id, _ := value.(string)
			was := c.Store.Notes[id]
			e := next(c)
			if _, restated := adapter.Object(c.Params()["input"])["status"]; c.Operation() == "update_note" && adapter.Succeeded(e) && restated {
				seam.Remember(c.Adapter, "restated "+id, 1)
			}
			if c.Operation() == "delete_note" && was != nil && seam.Recall(c.Adapter, "restated "+id) > 0 {
				c.Store.Notes[id] = was
			}
			return e
		}}},
}

// remembered does what merged does, for faults that keep something between two
// updates or reach beyond the note that is updated.
func remembered(spoil func(c adapter.Call, old, input, now map[string]any)) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		return merged(func(old, input, now map[string]any) { spoil(c, old, input, now) }).Item(c, next)
	}}
}
