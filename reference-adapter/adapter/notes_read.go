package adapter

import (
	"slices"
	"strings"
	"time"
)

func noteID(description string) parameter {
	return parameter{Name: "note_id", Type: "string", Required: true, MinLength: ref(1), Description: description}
}

func noteReads() []operation {
	return []operation{
		{
			Name: "get_note", Category: "READ",
			Description: "Get one note by its identifier",
			Parameters:  []parameter{noteID("Identifier of the note, such as note_1"), fieldsParameter()},
			Returns:     typeInfo{Name: "Note", Kind: "object", Description: "The note asked for"},
			Examples: []example{
				{"Read a whole note", request("get_note", map[string]any{"note_id": "note_1"})},
				{"Read its title only", request("get_note", map[string]any{"note_id": "note_1", "fields": []string{"title"}})},
			},
			run: getNote,
		},
		{
			Name: "list_notes", Category: "READ",
			Description: "List notes in order of creation, page by page",
			Parameters: append([]parameter{
				statusParameter("Return only notes with this status"),
				{Name: "folder_id", Type: "string", Description: "Return only notes of the folder with this identifier"},
				{Name: "tags", Type: "array", Items: map[string]any{"type": "string"}, Description: "Return only notes that carry all of these labels"},
				{Name: "min_priority", Type: "integer", Minimum: ref(1), Maximum: ref(10), Description: "Return only notes of at least this priority"},
				{Name: "created_after", Type: "string", Format: "date-time", Description: "Return only notes created after this ISO 8601 date-time"},
			}, pageParameters()...),
			Returns: typeInfo{Name: "NoteList", Kind: "object", Description: "One page of notes"},
			Examples: []example{
				{"List drafts, two at a time", request("list_notes", map[string]any{"status": "draft", "first": 2})},
			},
			run: listNotes,
		},
		searchOperation(),
	}
}

func searchOperation() operation {
	return operation{
		Name: "search_notes", Category: "READ",
		Description: "Find notes by words in their text. Similar to list, but it ranks nothing and keeps only notes that match",
		Parameters: append([]parameter{
			{Name: "query", Type: "string", Required: true, MinLength: ref(1), MaxLength: ref(200), Description: "What to look for: words, one of which a note must hold"},
			{Name: "title_only", Type: "boolean", Default: false, Description: "Look at titles and leave bodies out"},
		}, pageParameters()...),
		Returns: typeInfo{Name: "NoteList", Kind: "object", Description: "One page of matching notes"},
		Examples: []example{
			{"Find notes about budget or travel", request("search_notes", map[string]any{"query": "budget travel"})},
		},
		run: searchNotes,
	}
}

func getNote(t task) envelope {
	note, ok := t.store.notes[t.text("note_id")]
	if !ok {
		return absent("note", t.text("note_id"))
	}
	return t.selected(note, "Note")
}

func listNotes(t task) envelope {
	since, _ := time.Parse(time.RFC3339, t.text("created_after")) // validated; absent is the zero time
	wanted, _ := t.params["tags"].([]any)
	return t.page(t.store.notesWhere(func(n note) bool {
		created, _ := time.Parse(time.RFC3339, n["created_at"].(string))
		carried, _ := n["tags"].([]any)
		return (t.text("status") == "" || n["status"] == t.text("status")) &&
			(t.text("folder_id") == "" || n["folder_id"] == t.text("folder_id")) &&
			created.After(since) && integer(n["priority"]) >= integer(t.params["min_priority"]) &&
			!slices.ContainsFunc(wanted, func(tag any) bool { return !slices.Contains(carried, tag) })
	}))
}

func searchNotes(t task) envelope {
	words := strings.Fields(strings.ToLower(t.text("query")))
	return t.page(t.store.notesWhere(func(n note) bool {
		body, _ := n["body"].(string)
		text := n["title"].(string)
		if t.params["title_only"] != true {
			text += "\n" + body
		}
		for _, word := range words {
			if strings.Contains(strings.ToLower(text), word) {
				return true
			}
		}
		return false
	}))
}
