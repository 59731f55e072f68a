package adapter

import (
	"fmt"
	"slices"
	"strings"
)

// noteFields are the fields that a client sets, at creation and in an update.
func noteFields() []parameter {
	status := statusParameter("Editorial status of the note")
	status.Default = "draft"
	return []parameter{
		{Name: "body", Type: "string", Description: "Text of the note, plain or Markdown"},
		{Name: "priority", Type: "integer", Default: 5, Minimum: ref(1), Maximum: ref(10), Description: "Importance of the note, 10 is highest"},
		status,
		{Name: "pinned", Type: "boolean", Default: false, Description: "Keep the note on top of its folder"},
		{Name: "tags", Type: "array", Items: map[string]any{"type": "string"}, Description: "Labels of the note, each a string"},
		{Name: "metadata", Type: "object", Description: "Free-form keys and values of your own, nested as you like"},
	}
}

func titleParameter() parameter {
	return parameter{Name: "title", Type: "string", Required: true, MinLength: ref(1), MaxLength: ref(200), Description: "Title of the note, one line"}
}

func noteWrites() []operation {
	return []operation{
		{
			Name: "create_note", Category: "CREATE",
			Description: "Create a note in a folder",
			Parameters: append([]parameter{
				titleParameter(),
				{Name: "folder_id", Type: "string", Required: true, Description: "Put the note into the folder with this identifier"},
			}, noteFields()...),
			Returns: typeInfo{Name: "Note", Kind: "object", Description: "The new note"},
			Examples: []example{{"Create a published note", request("create_note", map[string]any{
				"title": "Minutes", "folder_id": "folder_1", "status": "published", "tags": []string{"meeting"}})}},
			run: createNote,
		},
		{
			Name: "update_note", Category: "UPDATE",
			Description: "Change fields of a note. Objects merge key by key, arrays are replaced, null removes a field",
			Parameters: []parameter{
				noteID("Identifier of the note to change"),
				{Name: "input", Type: "NoteInput", Required: true, Description: "Fields to change; what is absent stays as it is"},
			},
			Returns: typeInfo{Name: "Note", Kind: "object", Description: "The note after the change"},
			Examples: []example{{"Rename a note and tag it", request("update_note", map[string]any{
				"note_id": "note_2", "input": map[string]any{"title": "Groceries", "tags": []string{"home"}}})}},
			run: updateNote,
		},
		{
			Name: "delete_note", Category: "DELETE",
			Description: "Delete a note for good",
			Parameters:  []parameter{noteID("Identifier of the note to delete")},
			Returns:     typeInfo{Name: "Deletion", Kind: "object", Description: "What was deleted"},
			Examples:    []example{{"Delete a note", request("delete_note", map[string]any{"note_id": "note_5"})}},
			run:         deleteNote,
		},
	}
}

func createNote(t task) envelope {
	if _, ok := t.store.folders[t.text("folder_id")]; !ok {
		return absent("folder", t.text("folder_id"))
	}
	return success(t.store.addNote(t.params))
}

func updateNote(t task) envelope {
	id := t.text("note_id")
	input := t.params["input"].(map[string]any)
	if problem := t.checkInput(input); problem != nil {
		return problem
	}
	if _, ok := t.store.notes[id]; !ok {
		return absent("note", id)
	}
	return success(t.store.changeNote(id, input))
}

func deleteNote(t task) envelope {
	id := t.text("note_id")
	if _, ok := t.store.notes[id]; !ok {
		return absent("note", id)
	}
	delete(t.store.notes, id)
	return success(map[string]any{"note_id": id, "deleted": true})
}

// checkInput validates input against the resource schema (spec 4.5.3): nothing
// unknown, no identifier, each field as documented. Null removes a field, so it
// fits every field but a required one.
func (t task) checkInput(input map[string]any) envelope {
	kind, _ := t.typeNamed("NoteInput")
	var unknown, valid []string
	for _, f := range kind.Fields {
		valid = append(valid, f.Name)
	}
	for name := range input {
		if !slices.Contains(valid, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return failure("VALIDATION_UNKNOWN_FIELD",
			fmt.Sprintf("Unknown field '%s' in input of operation '%s'; identifiers belong beside input. Valid fields: %s",
				strings.Join(unknown, "', '"), t.operation, strings.Join(valid, ", ")),
			map[string]any{"operation": t.operation, "unknown_fields": unknown, "valid_fields": valid})
	}
	for _, f := range kind.Fields {
		value, given := input[f.Name]
		if given && value == nil && f.Name == "title" {
			return misvalued(t.operation, "input.title", "text; a note cannot lose its title")
		}
		if problem := t.checkType(t.operation, "input."+f.Name, f, value); problem != nil {
			return problem
		}
		if problem := t.checkValue(t.operation, "input."+f.Name, f, value); problem != nil {
			return problem
		}
	}
	return nil
}
