package adapter

import (
	"maps"
	"slices"
	"strings"
)

// strangerAxes are freedoms that the authors of other adapters used, who had read the
// specification alone.
func strangerAxes() []Axis {
	return []Axis{
		{Name: "create takes", Habits: []Habit{
			{Name: "parameters", Section: "spec 4.5 (speaks of updates alone)"},
			{Name: "an input object", Section: "spec 4.5 (speaks of updates alone)", From: "b", Unseen: true, hooks: inputOnCreate(), Conflicts: []string{"unique: titles", "texts: trimmed", "texts: sets sorted", "unique: folder names"}},
		}},
		{Name: "get answers", Habits: []Habit{
			{Name: "object", Section: anyData},
			{Name: "wrapped object", Section: anyData, From: "a c", hooks: wrappedReads()},
		}},
		{Name: "list rows", Habits: []Habit{
			{Name: "whole objects", Section: anyData},
			{Name: "short rows", Section: anyData, From: "a c", Conflicts: []string{"key: inside a nested object", "features: computed fields"}, hooks: shortRows(), manner: lessFeatures(fieldSelection, aggregating)},
		}},
		{Name: "lists show", Habits: []Habit{
			{Name: "all", Section: ownKinds},
			{Name: "what is not archived, unless asked", Section: ownKinds, From: "a c", Unseen: true, hooks: archivedHidden()},
		}},
		{Name: "delete twice", Habits: []Habit{
			{Name: "an error", Section: "spec 8.1 (no rule)"},
			{Name: "success", Section: "spec 8.1 (no rule)", From: "a c", Unseen: true, hooks: deletedBefore()},
		}},
		{Name: "empty update", Habits: []Habit{
			{Name: "changes nothing", Section: "spec 4.5.3"},
			{Name: "refused", Section: "spec 4.5.3 (speaks of missing and type alone)", From: "a", hooks: emptyRefused(), Hides: []string{"AQL-4.5.3-01"}},
		}},
		{Name: "absent fields", Habits: []Habit{
			{Name: "left out", Section: "spec 4.7.6"},
			{Name: "null", Section: "spec 4.7.6", From: "a", hooks: nullFields()},
		}},
		{Name: "quota", Habits: []Habit{
			{Name: "none", Section: ownKinds},
			{Name: "forty notes in a folder", Section: ownKinds, From: "a", hooks: quota(40)},
		}},
		{Name: "steps of a status", Habits: []Habit{
			{Name: "any", Section: ownKinds},
			{Name: "never back to draft", Section: ownKinds, From: "c", hooks: forwardOnly()},
		}},
		{Name: "members of answers", Habits: []Habit{
			{Name: "snake_case", Section: "spec 4.3"},
			{Name: "camelCase", Section: "spec 4.3 (speaks of parameters), 5.1", From: "a", Unseen: true, manner: camelAnswers},
		}},
		{Name: "tool names", Habits: []Habit{
			{Name: "mcp_aql and family", Section: "spec 3.3"},
			{Name: "of the adapter", Section: "spec 3.3, 2.1 (a named endpoint)", From: "a c", manner: func(m *shaped) { m.tools = "archive_desk" }},
		}},
		{Name: "records", Habits: []Habit{
			{Name: "as introspection 3.4", Section: "introspection 3.4"},
			{Name: "with more members", Section: "introspection 3.4; spec 10.3", From: "a c", hooks: richRecords()},
		}},
	}
}

// wrappedReads answers one object inside a member that is called like its kind.
func wrappedReads() hooks {
	return both(wrappedRead("get_note", "Note"), wrappedRead("get_folder", "Folder"))
}

func wrappedRead(name, kind string) hooks {
	member := strings.ToLower(kind)
	return inShape(name, typeInfo{Name: kind + "Result", Kind: "object", Description: "The " + member + " inside a wrapper",
		Fields: []parameter{field(member, kind, true, "The "+member+" as it is now")}},
		func(data map[string]any) any { return map[string]any{member: data} })
}

// shortRows lists what identifies a note and a few fields more; reading it shows all.
func shortRows() hooks {
	kept := []string{"note_id", "title", "folder_id", "status", "created_at"}
	row := typeInfo{Name: "NoteRow", Kind: "object", Description: "A note in short, as lists show it"}
	return both(after(func(c call, e envelope) {
		if !calling("list_notes", "search_notes")(c) || !succeeded(e) {
			return
		}
		for _, item := range array(object(e["data"])["items"]) {
			maps.DeleteFunc(object(item), func(name string, _ any) bool { return !slices.Contains(kept, name) })
		}
	}), hooks{table: func(a *Adapter) {
		whole, _ := a.typeNamed("Note")
		for _, f := range whole.Fields {
			if slices.Contains(kept, f.Name) {
				row.Fields = append(row.Fields, f)
			}
		}
		returning("", row).table(a)
		for _, name := range []string{"NoteList", "NoteEdge"} { // a list by itself, or by its edges
			a.retype(name, func(fields []parameter) []parameter { return asRows(fields, row.Name) })
		}
		for i, op := range a.operations {
			if op.Returns.Name == "NoteArray" {
				a.operations[i].Returns.Description = "JSON array of " + row.Name
			}
		}
	}})
}

// asRows gives fields that hold notes the type of rows.
func asRows(fields []parameter, row string) []parameter {
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
func archivedHidden() hooks {
	return both(hooks{item: func(c call, next handler) envelope {
		asked, _, _ := c.value("status")
		filter, _, _ := c.value("filter")
		if !calling("list_notes", "search_notes")(c) || asked != nil || object(filter)["status"] != nil {
			return next(c)
		}
		hidden := map[string]note{}
		for id, n := range c.store.notes {
			if n["status"] == "archived" {
				hidden[id] = n
				delete(c.store.notes, id)
			}
		}
		e := next(c)
		maps.Copy(c.store.notes, hidden)
		return e
	}}, both(
		remade("list_notes", func(op *operation) { op.tell("archived ones only if the status asks for them") }),
		remade("search_notes", func(op *operation) { op.tell("archived ones only if the filter asks for them") })))
}

// deletedBefore answers the removal of what this adapter has removed before as the
// first time.
func deletedBefore() hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		id, _, _ := c.value("note_id")
		key, _ := id.(string)
		if c.operation() != "delete_note" {
			return e
		}
		if data := object(e["data"]); succeeded(e) && data["deleted"] == true {
			c.aside().kept["deleted "+key] = plain(data).(map[string]any)
		} else if before := c.aside().kept["deleted "+key]; before != nil && object(e["error"])["code"] == "NOT_FOUND_RESOURCE" {
			return success(before)
		}
		return e
	}, table: func(a *Adapter) {
		remade("delete_note", func(op *operation) { op.tell("asked again, it answers the same") }).table(a)
	}}
}

// emptyRefused refuses an update that names no field.
func emptyRefused() hooks {
	return remade("update_note", func(op *operation) {
		op.tell("at least one field is needed")
		op.first(func(t task) envelope {
			if len(object(t.params["input"])) == 0 {
				return misvalued(t.operation, "input", "an object with at least one field")
			}
			return nil
		})
	})
}

// nullFields shows fields without a value as null.
func nullFields() hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		fields, _, _ := c.value("fields")
		if fields != nil && fields != "full" || !succeeded(e) || c.operation() == "introspect" {
			return e
		}
		kind, _ := c.typeNamed("Note")
		fill := func(n map[string]any) {
			for _, f := range kind.Fields {
				if _, there := n[f.Name]; !there && !f.Required && !strings.HasPrefix(f.Name, "_") && f.Name != "deleted_at" && n["title"] != nil {
					n[f.Name] = nil
				}
			}
		}
		data := object(e["data"])
		if fill(data); calling("list_notes", "search_notes")(c) {
			for _, item := range array(data["items"]) {
				fill(object(item))
			}
		}
		return e
	}, table: func(a *Adapter) {
		a.retype("Note", func(fields []parameter) []parameter {
			for i := range fields {
				if !fields[i].Required {
					fields[i].Description += "; null if it has no value"
				}
			}
			return fields
		})
	}}
}

// quota refuses notes beyond so many in one folder.
func quota(most int) hooks {
	return remade("create_note", func(op *operation) {
		op.tell("a folder holds at most 40")
		op.first(func(t task) envelope {
			inside := t.store.notesWhere(func(n note) bool { return n["folder_id"] == t.params["folder_id"] })
			if len(inside) >= most {
				return failure("CONFLICT_LIMIT_REACHED", "The folder is full; remove notes from it, or take another folder",
					map[string]any{"resource_type": "folder", "limit": most})
			}
			return nil
		})
	})
}

// forwardOnly refuses the step back to a draft.
func forwardOnly() hooks {
	return remade("update_note", func(op *operation) {
		op.tell("what is no draft any more never becomes one again")
		op.first(func(t task) envelope {
			was := t.store.notes[t.text("note_id")]["status"]
			if object(t.params["input"])["status"] == "draft" && was != nil && was != "draft" {
				return failure("CONFLICT_INVALID_STATE", "The note is no draft any more; give it another status",
					map[string]any{"param_name": "input.status", "current": was})
			}
			return nil
		})
	})
}

// camelAnswers shows the members of answers in camelCase; parameters stay as they are.
func camelAnswers(m *shaped) {
	lessFeatures(fieldSelection, aggregating)(m)
	m.camel = true
}

// specified are members that the specification names for answers.
var specified = []string{
	"execution_id", "started_at", "finished_at", "page_size", "total_items", "total_pages", "has_more",
	"file_content", "file_encoding", "file_mime_type",
}

func camelName(name string) string {
	if slices.Contains(specified, name) || strings.HasPrefix(name, "_") {
		return name
	}
	words := strings.Split(name, "_")
	for i, word := range words[1:] {
		if word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// camelCased renames the members of data, and of the types that describe it. What stands
// in the free-form member is the client's own.
func camelCased(free string) func(c call, next handler) envelope {
	return func(c call, next handler) envelope {
		name := c.body["operation"]
		e := next(c)
		results, ok := e["results"].([]any)
		if !ok {
			camelEnvelope(e, name, free)
		}
		for _, item := range results {
			result := object(item)
			camelEnvelope(object(result["result"]), result["operation"], free)
		}
		return e
	}
}

func camelEnvelope(e envelope, operation any, free string) {
	if operation != "introspect" {
		if succeeded(e) {
			e["data"] = camel(e["data"], free)
		}
		return
	}
	kind := object(object(e["data"])["type"])
	name, _ := kind["name"].(string)
	if name == "" || slices.ContainsFunc([]string{"Input", "Body", "Filter", "Sort"}, func(suffix string) bool { return strings.HasSuffix(name, suffix) }) {
		return
	}
	for _, item := range array(kind["fields"]) {
		if f := object(item); f["name"] != nil {
			f["name"] = camelName(f["name"].(string))
		}
	}
}

func camel(value any, free string) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, inner := range value {
			if name != free {
				inner = camel(inner, free)
			}
			out[camelName(name)] = inner
		}
		return out
	case []any:
		for i := range value {
			value[i] = camel(value[i], free)
		}
	}
	return value
}

// richRecords shows members in records that the specification does not name.
func richRecords() hooks {
	return introspected("operations", true, func(_ call, data map[string]any) {
		op := object(data["operation"])
		for _, p := range array(op["parameters"]) {
			if record := object(p); record["required"] == false {
				record["nullable"] = true
			}
		}
		if op != nil {
			op["since"] = "1.0"
		}
	})
}

// changeHabits answer an update with what changed.
func changeHabits() []Habit {
	changes := typeInfo{Name: "NoteChanges", Kind: "object", Description: "Which fields an update has changed",
		Fields: []parameter{field("note_id", "string", true, "Identifier of the note"), {Name: "changed", Type: "array", Required: true, Items: map[string]any{"type": "string"}, Description: "Names of the fields of the input, sorted"}}}
	both := typeInfo{Name: "NoteBeforeAndAfter", Kind: "object", Description: "The note as it was and as it is",
		Fields: []parameter{field("before", "Note", true, "The note before the update"), field("after", "Note", true, "The note after the update")}}
	return []Habit{
		{Name: "names of what changed", Section: anyData, From: "a c", hooks: answeringChange(changes, func(c call, _ note, data map[string]any) any {
			input, _, _ := c.value("input")
			return map[string]any{"note_id": data["note_id"], "changed": plain(slices.Sorted(maps.Keys(object(input))))}
		})},
		{Name: "before and after", Section: anyData, From: "c", Unseen: true, hooks: answeringChange(both, func(_ call, was note, data map[string]any) any {
			return map[string]any{"before": plain(was), "after": data}
		})},
	}
}

func answeringChange(kind typeInfo, shape func(c call, was note, data map[string]any) any) hooks {
	return both(hooks{item: func(c call, next handler) envelope {
		id, _, _ := c.value("note_id")
		key, _ := id.(string)
		was := c.store.notes[key]
		e := next(c)
		if data := object(e["data"]); c.operation() == "update_note" && succeeded(e) && data != nil {
			e["data"] = shape(c, was, data)
		}
		return e
	}}, returning("update_note", kind))
}

// inputOnCreate has the creation of a note take an object, as updates do.
func inputOnCreate() hooks {
	return hooks{table: func(a *Adapter) {
		at := slices.IndexFunc(a.operations, func(op operation) bool { return op.Name == "create_note" })
		op := &a.operations[at]
		body := typeInfo{Name: "NoteBody", Kind: "object", Description: "Fields of a new note"}
		outer := []parameter{}
		for _, p := range op.Parameters {
			if p.Name == "folder_id" {
				outer = append(outer, p)
				continue
			}
			p.Default = nil
			body.Fields = append(body.Fields, p)
		}
		returning("", body).table(a)
		defaults := op.Parameters
		op.Parameters = append(outer, parameter{Name: "input", Type: "NoteBody", Required: true, Description: "Fields of the new note"})
		op.Examples = slices.Clone(op.Examples)
		for i, e := range op.Examples {
			params := maps.Clone(object(e.Request["params"]))
			folder := params["folder_id"]
			delete(params, "folder_id")
			op.Examples[i].Request = request("create_note", map[string]any{"folder_id": folder, "input": params})
		}
		op.first(func(t task) envelope {
			input := object(t.params["input"])
			delete(t.params, "input")
			for _, p := range defaults {
				if value := input[p.Name]; value != nil {
					t.params[p.Name] = value
				} else if p.Default != nil {
					t.params[p.Name] = plain(p.Default)
				}
			}
			return nil
		})
	}}
}
