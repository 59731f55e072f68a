package habits

import (
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// strangerAxes are freedoms that the authors of other adapters used, who had read the
// specification alone.
func strangerAxes() []Axis {
	return []Axis{
		{Name: "create takes", Habits: []Habit{
			{Name: "parameters", Section: "spec 4.5 (speaks of updates alone)"},
			{Name: "an input object", Section: "spec 4.5 (speaks of updates alone)", From: "b", Unseen: true, Hooks: inputOnCreate(), Conflicts: []string{"unique: titles", "texts: trimmed", "texts: sets sorted", "unique: folder names"}},
		}},
		{Name: "get answers", Habits: []Habit{
			{Name: "object", Section: anyData},
			{Name: "wrapped object", Section: anyData, From: "a c", Hooks: wrappedReads()},
		}},
		{Name: "list rows", Habits: []Habit{
			{Name: "whole objects", Section: anyData},
			{Name: "short rows", Section: anyData, From: "a c", Conflicts: []string{"key: inside a nested object", "features: computed fields"}, Hooks: shortRows(), manner: lessFeatures(adapter.FieldSelection, adapter.Aggregating)},
		}},
		{Name: "lists show", Habits: []Habit{
			{Name: "all", Section: ownKinds},
			{Name: "what is not archived, unless asked", Section: ownKinds, From: "a c", Unseen: true, Hooks: archivedHidden()},
		}},
		{Name: "delete twice", Habits: []Habit{
			{Name: "an error", Section: "spec 8.1 (no rule)"},
			{Name: "success", Section: "spec 8.1 (no rule)", From: "a c", Unseen: true, Hooks: deletedBefore()},
		}},
		{Name: "empty update", Habits: []Habit{
			{Name: "changes nothing", Section: "spec 4.5.3"},
			{Name: "refused", Section: "spec 4.5.3 (speaks of missing and type alone)", From: "a", Hooks: emptyRefused(), Hides: []string{"AQL-4.5.3-01"}},
		}},
		{Name: "absent fields", Habits: []Habit{
			{Name: "left out", Section: "spec 4.7.6"},
			{Name: "null", Section: "spec 4.7.6", From: "a", Hooks: nullFields()},
			{Name: "their defaults", Section: "spec 4.5.1, introspection 3.4", From: "q r", Hooks: nullRestoresDefault()},
		}},
		{Name: "quota", Habits: []Habit{
			{Name: "none", Section: ownKinds},
			{Name: "forty notes in a folder", Section: ownKinds, From: "a", Hooks: quota(40)},
		}},
		{Name: "steps of a status", Habits: []Habit{
			{Name: "any", Section: ownKinds},
			{Name: "never back to draft", Section: ownKinds, From: "c", Hooks: forwardOnly()},
		}},
		{Name: "members of answers", Habits: []Habit{
			{Name: "snake_case", Section: "spec 4.3"},
			{Name: "camelCase", Section: "spec 4.3 (speaks of parameters), 5.1", From: "a", Unseen: true, manner: camelAnswers},
		}},
		{Name: "tool names", Habits: []Habit{
			{Name: "mcp_aql and family", Section: "spec 3.3"},
			{Name: "of the adapter", Section: "spec 3.3, 2.1 (a named endpoint)", From: "a c", manner: func(m *shaped) { m.Tools = "archive_desk" }},
		}},
		{Name: "records", Habits: []Habit{
			{Name: "as introspection 3.4", Section: "introspection 3.4"},
			{Name: "with more members", Section: "introspection 3.4; spec 10.3", From: "a c", Hooks: richRecords()},
		}},
	}
}

// wrappedReads answers one object inside a member that is called like its kind.
func wrappedReads() adapter.Hooks {
	return seam.Both(wrappedRead("get_note", "Note"), wrappedRead("get_folder", "Folder"))
}

func wrappedRead(name, kind string) adapter.Hooks {
	member := strings.ToLower(kind)
	return inShape(name, adapter.TypeInfo{Name: kind + "Result", Kind: "object", Description: "The " + member + " inside a wrapper",
		Fields: []adapter.Parameter{adapter.Field(member, kind, true, "The "+member+" as it is now")}},
		func(data map[string]any) any { return map[string]any{member: data} })
}

// shortRows lists what identifies a note and a few fields more; reading it shows all.
func shortRows() adapter.Hooks {
	kept := []string{"note_id", "title", "folder_id", "status", "created_at"}
	row := adapter.TypeInfo{Name: "NoteRow", Kind: "object", Description: "A note in short, as lists show it"}
	return seam.Both(seam.After(func(c adapter.Call, e adapter.Envelope) {
		if !seam.Calling("list_notes", "search_notes")(c) || !adapter.Succeeded(e) {
			return
		}
		for _, item := range adapter.Array(adapter.Object(e["data"])["items"]) {
			maps.DeleteFunc(adapter.Object(item), func(name string, _ any) bool { return !slices.Contains(kept, name) })
		}
	}), adapter.Hooks{Table: func(a *adapter.Adapter) {
		whole, _ := a.TypeNamed("Note")
		for _, f := range whole.Fields {
			if slices.Contains(kept, f.Name) {
				row.Fields = append(row.Fields, f)
			}
		}
		returning("", row).Table(a)
		for _, name := range []string{"NoteList", "NoteEdge"} { // a list by itself, or by its edges
			retype(a, name, func(fields []adapter.Parameter) []adapter.Parameter { return asRows(fields, row.Name) })
		}
		for i, op := range a.Operations {
			if op.Returns.Name == "NoteArray" {
				a.Operations[i].Returns.Description = "JSON array of " + row.Name
			}
		}
	}})
}

// asRows gives fields that hold notes the type of rows.
func asRows(fields []adapter.Parameter, row string) []adapter.Parameter {
	for i, f := range fields {
		if f.Type == "Note" {
			fields[i].Type = row
		}
		if f.Items["type"] == "Note" {
			fields[i].Items = map[string]any{"type": row}
		}
	}
	return fields
}

// archivedHidden lists archived notes only where a client asks for that status.
func archivedHidden() adapter.Hooks {
	return seam.Both(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		asked, _, _ := c.Value("status")
		filter, _, _ := c.Value("filter")
		if !seam.Calling("list_notes", "search_notes")(c) || asked != nil || adapter.Object(filter)["status"] != nil {
			return next(c)
		}
		hidden := map[string]adapter.Note{}
		for id, n := range c.Store.Notes {
			if n["status"] == "archived" {
				hidden[id] = n
				delete(c.Store.Notes, id)
			}
		}
		e := next(c)
		maps.Copy(c.Store.Notes, hidden)
		return e
	}}, seam.Both(
		seam.Remade("list_notes", func(op *adapter.Operation) { tell(op, "archived ones only if the status asks for them") }),
		seam.Remade("search_notes", func(op *adapter.Operation) { tell(op, "archived ones only if the filter asks for them") })))
}

// deletedBefore answers the removal of what this adapter has removed before as the
// first time.
func deletedBefore() adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		id, _, _ := c.Value("note_id")
		key, _ := id.(string)
		if c.Operation() != "delete_note" {
			return e
		}
		if data := adapter.Object(e["data"]); adapter.Succeeded(e) && data["deleted"] == true {
			seam.Aside(c.Adapter).Kept["deleted "+key] = adapter.Plain(data).(map[string]any)
		} else if before := seam.Aside(c.Adapter).Kept["deleted "+key]; before != nil && adapter.Object(e["error"])["code"] == "NOT_FOUND_RESOURCE" {
			return adapter.Success(before)
		}
		return e
	}, Table: func(a *adapter.Adapter) {
		seam.Remade("delete_note", func(op *adapter.Operation) { tell(op, "asked again, it answers the same") }).Table(a)
	}}
}

// emptyRefused refuses an update that names no field.
func emptyRefused() adapter.Hooks {
	return seam.Remade("update_note", func(op *adapter.Operation) {
		tell(op, "at least one field is needed")
		seam.First(op, func(t adapter.Task) adapter.Envelope {
			if len(adapter.Object(t.Params["input"])) == 0 {
				return adapter.Misvalued(t.Operation, "input", "an object with at least one field")
			}
			return nil
		})
	})
}

// nullFields shows fields without a value as null.
func nullFields() adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		fields, _, _ := c.Value("fields")
		if fields != nil && fields != "full" || !adapter.Succeeded(e) || c.Operation() == "introspect" {
			return e
		}
		kind, _ := c.TypeNamed("Note")
		fill := func(n map[string]any) {
			for _, f := range kind.Fields {
				if _, there := n[f.Name]; !there && !f.Required && !strings.HasPrefix(f.Name, "_") && f.Name != "deleted_at" && n["title"] != nil {
					n[f.Name] = nil
				}
			}
		}
		data := adapter.Object(e["data"])
		if fill(data); seam.Calling("list_notes", "search_notes")(c) {
			for _, item := range adapter.Array(data["items"]) {
				fill(adapter.Object(item))
			}
		}
		return e
	}, Table: func(a *adapter.Adapter) {
		retype(a, "Note", func(fields []adapter.Parameter) []adapter.Parameter {
			for i := range fields {
				if !fields[i].Required {
					fields[i].Description += "; null if it has no value"
				}
			}
			return fields
		})
	}}
}

// nullRestoresDefault gives a field of a note that an update sets to null the default that its creation documents.
func nullRestoresDefault() adapter.Hooks {
	return seam.Remade("update_note", func(op *adapter.Operation) {
		tell(op, "null gives a field with a default its default again, and removes any other")
		seam.First(op, func(t adapter.Task) adapter.Envelope {
			input := adapter.Object(t.Params["input"])
			for _, f := range adapter.NoteFields() {
				if v, given := input[f.Name]; given && v == nil && f.Default != nil {
					input[f.Name] = f.Default
				}
			}
			return nil
		})
	})
}

// quota refuses notes beyond so many in one folder.
func quota(most int) adapter.Hooks {
	return seam.Remade("create_note", func(op *adapter.Operation) {
		tell(op, "a folder holds at most 40")
		seam.First(op, func(t adapter.Task) adapter.Envelope {
			inside := t.Store.NotesWhere(func(n adapter.Note) bool { return n["folder_id"] == t.Params["folder_id"] })
			if len(inside) >= most {
				return adapter.Failure("CONFLICT_LIMIT_REACHED", "The folder is full; remove notes from it, or take another folder",
					map[string]any{"resource_type": "folder", "limit": most})
			}
			return nil
		})
	})
}

// forwardOnly refuses the step back to a draft.
func forwardOnly() adapter.Hooks {
	return seam.Remade("update_note", func(op *adapter.Operation) {
		tell(op, "what is no draft any more never becomes one again")
		seam.First(op, func(t adapter.Task) adapter.Envelope {
			was := t.Store.Notes[t.Text("note_id")]["status"]
			if adapter.Object(t.Params["input"])["status"] == "draft" && was != nil && was != "draft" {
				return adapter.Failure("CONFLICT_INVALID_STATE", "The note is no draft any more; give it another status",
					map[string]any{"param_name": "input.status", "current": was})
			}
			return nil
		})
	})
}

// richRecords shows members in records that the specification does not name.
func richRecords() adapter.Hooks {
	return seam.Introspected("operations", true, func(_ adapter.Call, data map[string]any) {
		op := adapter.Object(data["operation"])
		for _, p := range adapter.Array(op["parameters"]) {
			if record := adapter.Object(p); record["required"] == false {
				record["nullable"] = true
			}
		}
		if op != nil {
			op["since"] = "1.0"
		}
	})
}
