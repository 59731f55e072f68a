package adapter

import "slices"

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
		{Name: "import_number", Type: "integer", Description: "Number of the note in the system that it was taken over from"},
		{Name: "metadata", Type: "object", Description: "Free-form keys and values of your own, nested as you like"},
		{Name: "due_date", Type: "string", Format: "date", Description: "Day on which the note is due, in UTC"},
		{Name: "budget", Type: "string", Pattern: "^[0-9]{1,30}$", Description: "Amount in cents, a decimal number written as a string of digits, since it can exceed what JSON numbers hold"},
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
			}, slices.Concat(noteFields(), fileParameters())...),
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
			Parameters: []parameter{
				noteID("Identifier of the note to delete"),
				{Name: "dry_run", Type: "boolean", Default: false, Description: "Answer what would be deleted, and delete nothing"},
			},
			Returns:  typeInfo{Name: "Deletion", Kind: "object", Description: "What was deleted"},
			Examples: []example{{"Delete a note", request("delete_note", map[string]any{"note_id": "note_5"})}},
			run:      deleteNote,
		},
	}
}

func createNote(t task) envelope {
	if _, ok := t.store.folders[t.text("folder_id")]; !ok {
		return absent("folder", t.text("folder_id"))
	}
	return success(t.tagged("Note", t.store.addNote(labelled(t.params))))
}

func updateNote(t task) envelope {
	id := t.text("note_id")
	input := t.params["input"].(map[string]any)
	if title, given := input["title"]; given && title == nil {
		return misvalued(t.operation, "input.title", "text; a note cannot lose its title")
	}
	note, ok := t.store.notes[id]
	if !ok {
		return absent("note", id)
	}
	if problem := t.stale(note); problem != nil {
		return problem
	}
	return success(t.tagged("Note", t.store.changeNote(id, input)))
}

func deleteNote(t task) envelope {
	id := t.text("note_id")
	if _, ok := t.store.notes[id]; !ok {
		return absent("note", id)
	}
	preview := t.params["dry_run"] == true
	if !preview {
		delete(t.store.notes, id)
	}
	return success(map[string]any{"note_id": id, "deleted": !preview})
}
