package adapter

import (
	"reflect"
	"slices"
	"strings"
	"time"
)

func noteID(description string) Parameter {
	return Parameter{Name: "note_id", Type: "string", Required: true, MinLength: Ref(1), Description: description}
}

func noteReads() []Operation {
	return []Operation{
		{
			Name: "get_note", Category: "READ",
			Description: "Get one note by its identifier",
			Parameters:  []Parameter{noteID("Identifier of the note, such as note_1"), fieldsParameter()},
			Returns:     TypeInfo{Name: "Note", Kind: "object", Description: "The note asked for"},
			Examples: []Example{
				{"Read a whole note", Request("get_note", map[string]any{"note_id": "note_1"})},
				{"Read its title only", Request("get_note", map[string]any{"note_id": "note_1", "fields": []string{"title"}})},
				{"Read its title and how long it is", Request("get_note", map[string]any{"note_id": "note_1", "fields": []string{"title", "_computed.word_count"}})},
			},
			Computed: noteComputed,
			Run:      getNote,
		},
		{
			Name: "list_notes", Category: "READ",
			Description: "List notes in order of creation",
			Parameters: append([]Parameter{
				statusParameter("Return only notes with this status"),
				{Name: "folder_id", Type: "string", Description: "Return only notes of the folder with this identifier"},
				{Name: "tags", Type: "array", Items: map[string]any{"type": "string"}, Description: "Return only notes that carry all of these labels"},
				minPriority("Return only notes of at least this priority"),
				{Name: "created_after", Type: "string", Format: "date-time", Description: "Return only notes created after this ISO 8601 date-time"},
				{Name: "sort", Type: "NoteSort", Description: "Order of the notes: an object with field (title, priority or created_at) and order (asc or desc)"},
				{Name: "metadata", Type: "object", Description: "Return only notes whose metadata hold these keys and values, nested alike"},
			}, append(pageParameters(), aggregateParameters()...)...),
			Returns: TypeInfo{Name: "NoteList", Kind: "object", Description: "One page of notes"},
			Examples: []Example{
				{"List drafts, two at a time", Request("list_notes", map[string]any{"status": "draft", "first": 2})},
				{"List what is published", Request("list_notes", map[string]any{"status": "published"})},
				{"Count notes by status", Request("list_notes", map[string]any{"aggregate": map[string]any{"by_status": map[string]any{"group_by": "status", "count": true}}})},
			},
			Computed: noteComputed, Aggregation: aggregation,
			Run: listNotes,
		},
		searchOperation(),
	}
}

func minPriority(description string) Parameter {
	return Parameter{Name: "min_priority", Type: "integer", Minimum: Ref(1), Maximum: Ref(10), Description: description}
}

func searchOperation() Operation {
	return Operation{
		Name: "search_notes", Category: "READ",
		Description: "Find notes by words in their text. Similar to list, but it ranks nothing and keeps only notes that match",
		Parameters: append([]Parameter{
			{Name: "query", Type: "string", Required: true, MinLength: Ref(1), MaxLength: Ref(200), Description: "What to look for: words that occur in the note"},
			{Name: "title_only", Type: "boolean", Default: false, Description: "Look at titles and leave bodies out"},
			{Name: "match", Type: "string", Enum: []string{"any", "all"}, Default: "any", Description: "Whether any one of the words is enough or all must occur"},
			{Name: "filter", Type: "NoteFilter", Description: "Search only notes that meet these conditions: status, folder_id, pinned, min_priority"},
		}, pageParameters()...),
		Returns: TypeInfo{Name: "NoteList", Kind: "object", Description: "One page of matching notes"},
		Examples: []Example{
			{"Find notes about budget or travel", Request("search_notes", map[string]any{"query": "budget travel"})},
		},
		Run: searchNotes,
	}
}

func getNote(t Task) Envelope {
	note, ok := t.Store.Notes[t.Text("note_id")]
	if !ok {
		return Absent("note", t.Text("note_id"))
	}
	return t.selected(note, "Note")
}

func listNotes(t Task) Envelope {
	since, _ := time.Parse(time.RFC3339, t.Text("created_after")) // validated; absent is the zero time
	wanted, _ := t.Params["tags"].([]any)
	return t.page(t.Store.NotesWhere(func(n Note) bool {
		created, _ := time.Parse(time.RFC3339, n["created_at"].(string))
		carried, _ := n["tags"].([]any)
		return meets(n, t.Params) && created.After(since) && holds(n["metadata"], t.Params["metadata"]) &&
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

func searchNotes(t Task) Envelope {
	words := strings.Fields(strings.ToLower(t.Text("query")))
	conditions, _ := t.Params["filter"].(map[string]any)
	return t.page(t.Store.NotesWhere(func(n Note) bool {
		title, _ := n["title"].(string)
		body, _ := n["body"].(string)
		if t.Params["title_only"] != true {
			title += "\n" + body
		}
		text := strings.ToLower(title)
		lacks := func(word string) bool { return !strings.Contains(text, word) }
		has := func(word string) bool { return strings.Contains(text, word) }
		found := slices.ContainsFunc(words, has)
		if t.Text("match") == "all" {
			found = found && !slices.ContainsFunc(words, lacks)
		}
		return found && meets(n, conditions)
	}))
}

// meets says whether a note meets the conditions that are set.
func meets(n Note, conditions map[string]any) bool {
	for _, name := range []string{"status", "folder_id", "pinned"} {
		if conditions[name] != nil && n[name] != conditions[name] {
			return false
		}
	}
	return Integer(n["priority"]) >= Integer(conditions["min_priority"])
}
