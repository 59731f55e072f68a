package habits

import (
	"maps"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// ruleAxes are rules of the resources themselves: what must hold before a write is carried out.
func ruleAxes() []Axis {
	return []Axis{
		{Name: "removal of a note", Habits: []Habit{
			{Name: "at any time", Section: ownKinds},
			{Name: "once it is archived", Section: ownKinds + "; operations 8.3 (CONFLICT)", From: "j n", Hooks: archivedFirst()},
		}},
		{Name: "times of a note", Habits: []Habit{
			{Name: "none", Section: ownKinds},
			{Name: "a span that no other note of the folder has", Section: ownKinds + "; operations 8.3 (CONFLICT)", From: "m", Hooks: spans()},
		}},
		{Name: "metadata holds", Habits: []Habit{
			{Name: "any values", Section: ownKinds},
			{Name: "texts", Section: ownKinds + "; introspection 3.4.1 (no record describes the values of a map)", From: "m", Conflicts: []string{"size: no free-form members"}, Hooks: labels()},
		}},
		{Name: "tags are", Habits: []Habit{
			{Name: "any texts", Section: ownKinds},
			{Name: "identifiers of folders", Section: ownKinds + "; operations 8.3 (NOT_FOUND_RESOURCE)", From: "t", Conflicts: []string{
				"size: few members", "texts: sets sorted", "key: integer", "key: uuid", "key: digest", "key: capitals, number and check letter",
			}, Hooks: filedTags()},
		}},
	}
}

// archivedFirst refuses to delete a note that is not archived.
func archivedFirst() adapter.Hooks {
	return seam.Remade("delete_note", func(op *adapter.Operation) {
		tell(op, "only an archived one can be deleted")
		seam.First(op, func(t adapter.Task) adapter.Envelope {
			if note, ok := t.Store.Notes[t.Text("note_id")]; ok && note["status"] != "archived" {
				return adapter.Failure("CONFLICT_INVALID_STATE", "The note is in use; update its status to 'archived' before it is deleted",
					map[string]any{"resource_type": "note", "current": note["status"], "needed": "archived"})
			}
			return nil
		})
	})
}

// spans asks for the times from and until which a note holds. Two notes of one folder do not
// hold at the same time. Times are kept in UTC.
func spans() adapter.Hooks {
	from := adapter.DateTime("starts_at", true, "From when the note holds")
	until := adapter.DateTime("ends_at", true, "Until when the note holds, later than starts_at; no other note of the folder holds in between")
	optional := func(p adapter.Parameter) adapter.Parameter { p.Required = false; return p }
	return seam.Both(
		adapter.Hooks{Table: func(a *adapter.Adapter) {
			for _, name := range []string{"Note", "NoteInput"} {
				retype(a, name, func(fields []adapter.Parameter) []adapter.Parameter {
					return append(slices.Clone(fields), optional(from), optional(until))
				})
			}
		}},
		seam.Both(
			seam.Remade("create_note", func(op *adapter.Operation) {
				op.Parameters = append(slices.Clone(op.Parameters), from, until)
				op.Examples = slices.Clone(op.Examples)
				for i, e := range op.Examples {
					params := maps.Clone(adapter.Object(e.Request["params"]))
					params["starts_at"], params["ends_at"] = "2027-03-01T09:00:00Z", "2027-03-01T10:00:00Z"
					op.Examples[i].Request = adapter.Request("create_note", params)
				}
				seam.First(op, func(t adapter.Task) adapter.Envelope { return overlapping(t, inUTC(t.Params), "") })
			}),
			seam.Remade("update_note", func(op *adapter.Operation) {
				seam.First(op, func(t adapter.Task) adapter.Envelope {
					input, note := inUTC(adapter.Object(t.Params["input"])), t.Store.Notes[t.Text("note_id")]
					if _, from := input["starts_at"]; note == nil || !from && input["ends_at"] == nil {
						return nil
					}
					return overlapping(t, adapter.Merge(note, input), "input.")
				})
			}),
		),
	)
}

// inUTC brings the times of a span into UTC, in which they are kept.
func inUTC(fields map[string]any) map[string]any {
	for _, name := range []string{"starts_at", "ends_at"} {
		text, _ := fields[name].(string)
		if at, err := time.Parse(time.RFC3339, text); err == nil {
			fields[name] = at.UTC().Format(time.RFC3339Nano)
		}
	}
	return fields
}

// overlapping refuses a note that ends before it starts, and one that holds while another does.
func overlapping(t adapter.Task, note adapter.Note, path string) adapter.Envelope {
	from, until, ok := spanOf(note)
	if !ok {
		return nil
	}
	if !until.After(from) {
		return adapter.Misvalued(t.Operation, path+"ends_at", "a time after starts_at")
	}
	others := t.Store.NotesWhere(func(n adapter.Note) bool {
		start, end, ok := spanOf(n)
		return ok && n["folder_id"] == note["folder_id"] && n["note_id"] != note["note_id"] && start.Before(until) && from.Before(end)
	})
	if len(others) == 0 {
		return nil
	}
	return adapter.Failure("CONFLICT_OVERLAP", "Another note of the folder holds at that time; choose another 'starts_at'",
		map[string]any{"resource_type": "note", "resource_id": others[0]["note_id"], "starts_at": others[0]["starts_at"], "ends_at": others[0]["ends_at"]})
}

// spanOf returns the times from and until which a note holds, if it has both.
func spanOf(n adapter.Note) (from, until time.Time, ok bool) {
	start, _ := n["starts_at"].(string)
	end, _ := n["ends_at"].(string)
	from, wrong := time.Parse(time.RFC3339, start)
	until, too := time.Parse(time.RFC3339, end)
	return from, until, wrong == nil && too == nil
}

// labels takes texts alone for the values of metadata.
func labels() adapter.Hooks {
	says := func(p *adapter.Parameter) { p.Description = "Labels of your own: any keys, each with a text" }
	check := func(name string, within func(t adapter.Task) (path string, values any)) adapter.Hooks {
		return seam.Remade(name, func(op *adapter.Operation) {
			seam.First(op, func(t adapter.Task) adapter.Envelope {
				path, values := within(t)
				for _, key := range slices.Sorted(maps.Keys(adapter.Object(values))) {
					value := adapter.Object(values)[key]
					if _, text := value.(string); !text && value != nil {
						return adapter.Mistyped(name, path+"."+key, "string", value)
					}
				}
				return nil
			})
		})
	}
	return seam.Both(
		adapter.Hooks{Table: func(a *adapter.Adapter) {
			a.Store.Notes["note_1"]["metadata"] = map[string]any{"author": "alice", "review": "open"}
			for _, kind := range []string{"Note", "NoteInput"} {
				retype(a, kind, func(fields []adapter.Parameter) []adapter.Parameter {
					says(&fields[slices.IndexFunc(fields, func(f adapter.Parameter) bool { return f.Name == "metadata" })])
					return fields
				})
			}
		}},
		seam.Both(
			seam.Both(seam.Reworked("create_note", "metadata", says),
				check("create_note", func(t adapter.Task) (string, any) { return "metadata", t.Params["metadata"] })),
			check("update_note", func(t adapter.Task) (string, any) {
				return "input.metadata", adapter.Object(t.Params["input"])["metadata"]
			}),
		),
	)
}

// filedTags takes identifiers of folders alone for tags.
func filedTags() adapter.Hooks {
	says := func(p *adapter.Parameter) {
		p.Description = "Identifiers of the folders in which the note is filed as well"
	}
	found := func(t adapter.Task, tags any) adapter.Envelope {
		for _, tag := range adapter.Array(tags) {
			if id, _ := tag.(string); t.Store.Folders[id] == nil {
				return adapter.Absent("folder", id)
			}
		}
		return nil
	}
	filed := func(name string, params func(example map[string]any) map[string]any, folder string) adapter.Hooks {
		return seam.Remade(name, func(op *adapter.Operation) {
			op.Examples = slices.Clone(op.Examples)
			for i, e := range op.Examples {
				given := adapter.Object(adapter.Plain(e.Request["params"]))
				if inner := params(given); inner["tags"] != nil {
					inner["tags"] = []any{folder}
				}
				op.Examples[i].Request = adapter.Request(name, given)
			}
			seam.First(op, func(t adapter.Task) adapter.Envelope { return found(t, params(t.Params)["tags"]) })
		})
	}
	whole := func(params map[string]any) map[string]any { return params }
	input := func(params map[string]any) map[string]any { return adapter.Object(params["input"]) }
	return seam.Both(
		adapter.Hooks{Table: func(a *adapter.Adapter) {
			a.Store.Notes["note_1"]["tags"], a.Store.Notes["note_3"]["tags"] = []any{"folder_2"}, []any{"folder_1", "folder_3"}
			for _, kind := range []string{"Note", "NoteInput"} {
				retype(a, kind, func(fields []adapter.Parameter) []adapter.Parameter {
					says(&fields[slices.IndexFunc(fields, func(f adapter.Parameter) bool { return f.Name == "tags" })])
					return fields
				})
			}
		}},
		seam.Both(seam.Reworked("create_note", "tags", says), seam.Both(filed("create_note", whole, "folder_2"), filed("update_note", input, "folder_3"))))
}
