package adapter

import (
	"maps"
	"slices"
)

// NoteFields are the fields that a client sets, at creation and in an update.
func NoteFields() []Parameter {
	status := statusParameter("Editorial status of the note")
	status.Default = "draft"
	return []Parameter{
		{Name: "body", Type: "string", Description: "Text of the note, plain or Markdown"},
		{Name: "priority", Type: "integer", Default: 5, Minimum: Ref(1), Maximum: Ref(10), Description: "Importance of the note, 10 is highest"},
		status,
		{Name: "pinned", Type: "boolean", Default: false, Description: "Keep the note on top of its folder"},
		{Name: "tags", Type: "array", Items: map[string]any{"type": "string"}, Description: "Labels of the note, each a string"},
		{Name: "import_number", Type: "integer", Description: "Number of the note in the system that it was taken over from"},
		{Name: "metadata", Type: "object", Description: "Free-form keys and values of your own, nested as you like"},
		{Name: "due_date", Type: "string", Format: "date", Description: "Day on which the note is due, in UTC"},
		{Name: "budget", Type: "string", Pattern: "^[0-9]{1,30}$", Description: "Amount in cents, a decimal number written as a string of digits, since it can exceed what JSON numbers hold"},
	}
}

func TitleParameter() Parameter {
	return Parameter{Name: "title", Type: "string", Required: true, MinLength: Ref(1), MaxLength: Ref(200), Description: "Title of the note, one line"}
}

func noteWrites() []Operation {
	return []Operation{
		{
			Name: "create_note", Category: "CREATE",
			Description: "Create a note in a folder",
			Parameters: append([]Parameter{
				TitleParameter(),
				{Name: "folder_id", Type: "string", Required: true, Description: "Put the note into the folder with this identifier"},
			}, slices.Concat(NoteFields(), fileParameters())...),
			Returns: TypeInfo{Name: "Note", Kind: "object", Description: "The new note"},
			Examples: []Example{{"Create a published note", Request("create_note", map[string]any{
				"title": "Minutes", "folder_id": "folder_1", "status": "published", "tags": []string{"meeting"}})}},
			Run: createNote,
		},
		{
			Name: "update_note", Category: "UPDATE",
			Description: "Change fields of a note. Objects merge key by key, arrays are replaced, null removes a field",
			Parameters: []Parameter{
				noteID("Identifier of the note to change"),
				{Name: "input", Type: "NoteInput", Required: true, Description: "Fields to change; what is absent stays as it is"},
			},
			Returns: TypeInfo{Name: "Note", Kind: "object", Description: "The note after the change"},
			Examples: []Example{{"Rename a note and tag it", Request("update_note", map[string]any{
				"note_id": "note_2", "input": map[string]any{"title": "Groceries", "tags": []string{"home"}}})}},
			Run: updateNote,
		},
		{
			Name: "delete_note", Category: "DELETE",
			Description: "Delete a note for good",
			Parameters: []Parameter{
				noteID("Identifier of the note to delete"),
				{Name: "dry_run", Type: "boolean", Default: false, Description: "Answer what would be deleted, and delete nothing"},
			},
			Returns:  TypeInfo{Name: "Deletion", Kind: "object", Description: "What was deleted"},
			Examples: []Example{{"Delete a note", Request("delete_note", map[string]any{"note_id": "note_5"})}},
			Run:      deleteNote,
		},
	}
}

func createNote(t Task) Envelope {
	if _, ok := t.Store.Folders[t.Text("folder_id")]; !ok {
		return Absent("folder", t.Text("folder_id"))
	}
	return Success(t.Tagged("Note", t.Store.AddNote(labelled(t.Params))))
}

func updateNote(t Task) Envelope {
	id := t.Text("note_id")
	input := t.Params["input"].(map[string]any)
	if title, given := input["title"]; given && title == nil {
		return Misvalued(t.Operation, "input.title", "text; a note cannot lose its title")
	}
	note, ok := t.Store.Notes[id]
	if !ok {
		return Absent("note", id)
	}
	if problem := t.stale(note); problem != nil {
		return problem
	}
	return Success(t.Tagged("Note", t.Store.changeNote(id, input)))
}

func deleteNote(t Task) Envelope {
	id := t.Text("note_id")
	note, ok := t.Store.Notes[id]
	if !ok {
		return Absent("note", id)
	}
	if problem := t.stale(note); problem != nil {
		return problem
	}
	preview := t.Params["dry_run"] == true
	if !preview {
		delete(t.Store.Notes, id)
	}
	return Success(map[string]any{"note_id": id, "deleted": !preview})
}

// fileParameters carry one file with a note: its bytes as base64, and beside
// them what says so (spec 4.7.4).
func fileParameters() []Parameter {
	return []Parameter{
		{Name: "file_content", Type: "string", Format: "byte", Description: "Attached file: binary content as base64 (RFC 4648, standard alphabet, padded)"},
		{Name: "file_encoding", Type: "string", Enum: []string{"base64"}, Description: "Encoding of file_content"},
		{Name: "file_mime_type", Type: "string", Pattern: "^[a-z]+/[a-z0-9.+-]+$", Description: "Media type of file_content, such as text/plain"},
	}
}

// labelled completes what stands beside file_content, so that no content is
// ever shown without its encoding and media type.
func labelled(fields map[string]any) map[string]any {
	fields = maps.Clone(fields)
	if fields["file_content"] == nil {
		return fields
	}
	for name, value := range map[string]string{"file_encoding": "base64", "file_mime_type": "application/octet-stream"} {
		if fields[name] == nil {
			fields[name] = value
		}
	}
	return fields
}
