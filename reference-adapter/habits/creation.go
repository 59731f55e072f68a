package habits

import (
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// changeHabits answer an update with what changed.
func changeHabits() []Habit {
	changes := adapter.TypeInfo{Name: "NoteChanges", Kind: "object", Description: "Which fields an update has changed",
		Fields: []adapter.Parameter{adapter.Field("note_id", "string", true, "Identifier of the note"), {Name: "changed", Type: "array", Required: true, Items: map[string]any{"type": "string"}, Description: "Names of the fields of the input, sorted"}}}
	both := adapter.TypeInfo{Name: "NoteBeforeAndAfter", Kind: "object", Description: "The note as it was and as it is",
		Fields: []adapter.Parameter{adapter.Field("before", "Note", true, "The note before the update"), adapter.Field("after", "Note", true, "The note after the update")}}
	return []Habit{
		{Name: "names of what changed", Section: anyData, From: "a c", Hooks: answeringChange(changes, func(c adapter.Call, _ adapter.Note, data map[string]any) any {
			input, _, _ := c.Value("input")
			return map[string]any{"note_id": data["note_id"], "changed": adapter.Plain(slices.Sorted(maps.Keys(adapter.Object(input))))}
		})},
		{Name: "before and after", Section: anyData, From: "c", Unseen: true, Hooks: answeringChange(both, func(_ adapter.Call, was adapter.Note, data map[string]any) any {
			return map[string]any{"before": adapter.Plain(was), "after": data}
		})},
	}
}

func answeringChange(kind adapter.TypeInfo, shape func(c adapter.Call, was adapter.Note, data map[string]any) any) adapter.Hooks {
	return seam.Both(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		id, _, _ := c.Value("note_id")
		key, _ := id.(string)
		was := c.Store.Notes[key]
		e := next(c)
		if data := adapter.Object(e["data"]); c.Operation() == "update_note" && adapter.Succeeded(e) && data != nil {
			e["data"] = shape(c, was, data)
		}
		return e
	}}, returning("update_note", kind))
}

// inputOnCreate has the creation of a note take an object, as updates do.
func inputOnCreate() adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		at := slices.IndexFunc(a.Operations, func(op adapter.Operation) bool { return op.Name == "create_note" })
		op := &a.Operations[at]
		body := adapter.TypeInfo{Name: "NoteBody", Kind: "object", Description: "Fields of a new note"}
		outer := []adapter.Parameter{}
		for _, p := range op.Parameters {
			if p.Name == "folder_id" {
				outer = append(outer, p)
				continue
			}
			p.Default = nil
			body.Fields = append(body.Fields, p)
		}
		returning("", body).Table(a)
		defaults := op.Parameters
		op.Parameters = append(outer, adapter.Parameter{Name: "input", Type: "NoteBody", Required: true, Description: "Fields of the new note"})
		op.Examples = slices.Clone(op.Examples)
		for i, e := range op.Examples {
			params := maps.Clone(adapter.Object(e.Request["params"]))
			folder := params["folder_id"]
			delete(params, "folder_id")
			op.Examples[i].Request = adapter.Request("create_note", map[string]any{"folder_id": folder, "input": params})
		}
		seam.First(op, func(t adapter.Task) adapter.Envelope {
			input := adapter.Object(t.Params["input"])
			delete(t.Params, "input")
			for _, p := range defaults {
				if value := input[p.Name]; value != nil {
					t.Params[p.Name] = value
				} else if p.Default != nil {
					t.Params[p.Name] = adapter.Plain(p.Default)
				}
			}
			return nil
		})
	}}
}
