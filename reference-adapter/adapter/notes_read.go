package adapter

import (
	"reflect"
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
				{"Read its title and how long it is", request("get_note", map[string]any{"note_id": "note_1", "fields": []string{"title", "_computed.word_count"}})},
			},
			Computed: noteComputed,
			run:      getNote,
		},
		{
			Name: "list_notes", Category: "READ",
			Description: "List notes in order of creation",
			Parameters: append([]parameter{
				statusParameter("Return only notes with this status"),
				{Name: "folder_id", Type: "string", Description: "Return only notes of the folder with this identifier"},
				{Name: "tags", Type: "array", Items: map[string]any{"type": "string"}, Description: "Return only notes that carry all of these labels"},
				minPriority("Return only notes of at least this priority"),
				{Name: "created_after", Type: "string", Format: "date-time", Description: "Return only notes created after this ISO 8601 date-time"},
				{Name: "sort", Type: "NoteSort", Description: "Order of the notes: an object with field (title, priority or created_at) and order (asc or desc)"},
				{Name: "metadata", Type: "object", Description: "Return only notes whose metadata hold these keys and values, nested alike"},
			}, append(pageParameters(), aggregateParameters()...)...),
			Returns: typeInfo{Name: "NoteList", Kind: "object", Description: "One page of notes"},
			Examples: []example{
				{"List drafts, two at a time", request("list_notes", map[string]any{"status": "draft", "first": 2})},
				{"List what is published", request("list_notes", map[string]any{"status": "published"})},
				{"Count notes by status", request("list_notes", map[string]any{"aggregate": map[string]any{"by_status": map[string]any{"group_by": "status", "count": true}}})},
			},
			Computed: noteComputed, Aggregation: aggregation,
			run: listNotes,
		},
		searchOperation(),
	}
}

func minPriority(description string) parameter {
	return parameter{Name: "min_priority", Type: "integer", Minimum: ref(1), Maximum: ref(10), Description: description}
}

func searchOperation() operation {
	return operation{
		Name: "search_notes", Category: "READ",
		Description: "Find notes by words in their text. Similar to list, but it ranks nothing and keeps only notes that match",
		Parameters: append([]parameter{
			{Name: "query", Type: "string", Required: true, MinLength: ref(1), MaxLength: ref(200), Description: "What to look for: words that occur in the note"},
			{Name: "title_only", Type: "boolean", Default: false, Description: "Look at titles and leave bodies out"},
			{Name: "match", Type: "string", Enum: []string{"any", "all"}, Default: "any", Description: "Whether any one of the words is enough or all must occur"},
			{Name: "filter", Type: "NoteFilter", Description: "Search only notes that meet these conditions: status, folder_id, pinned, min_priority"},
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
		return meets(n, t.params) && created.After(since) && holds(n["metadata"], t.params["metadata"]) &&
			!slices.ContainsFunc(wanted, func(tag any) bool { return !slices.Contains(carried, tag) })
	}))
}

// holds reports whether value is wanted, or an object that holds all of it.
func holds(value, wanted any) bool {
	want, ok := wanted.(map[string]any)
	if !ok {
		return wanted == nil || reflect.DeepEqual(value, wanted)
	}
	have, _ := value.(map[string]any)
	for key := range want {
		if inner, ok := have[key]; !ok || !holds(inner, want[key]) {
			return false
		}
	}
	return true
}

func searchNotes(t task) envelope {
	words := strings.Fields(strings.ToLower(t.text("query")))
	conditions, _ := t.params["filter"].(map[string]any)
	return t.page(t.store.notesWhere(func(n note) bool {
		title, _ := n["title"].(string)
		body, _ := n["body"].(string)
		if t.params["title_only"] != true {
			title += "\n" + body
		}
		text := strings.ToLower(title)
		lacks := func(word string) bool { return !strings.Contains(text, word) }
		has := func(word string) bool { return strings.Contains(text, word) }
		found := slices.ContainsFunc(words, has)
		if t.text("match") == "all" {
			found = found && !slices.ContainsFunc(words, lacks)
		}
		return found && meets(n, conditions)
	}))
}

// meets says whether a note meets the conditions that are set.
func meets(n note, conditions map[string]any) bool {
	for _, name := range []string{"status", "folder_id", "pinned"} {
		if conditions[name] != nil && n[name] != conditions[name] {
			return false
		}
	}
	return integer(n["priority"]) >= integer(conditions["min_priority"])
}
