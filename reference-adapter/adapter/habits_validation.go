package adapter

import (
	"fmt"
	"slices"
	"strings"
)

// validationAxes are the order of validation, what is refused besides, and the words of refusals.
func validationAxes() []Axis {
	order := func(steps ...string) func(*shaped) { return func(m *shaped) { m.order = steps } }
	speak := func(language string) func(*shaped) { return func(m *shaped) { m.speaks = language } }
	const free = "spec 3.2 (no order); operations 5.4 (informative)"
	return []Axis{
		{Name: "validation order", Habits: []Habit{
			{Name: "as operations 5.4", Section: "operations 5.4"},
			{Name: "names first", Section: free, From: "a b c", manner: order("known", "required", "types", "values")},
			{Name: "values first", Section: free, manner: order("types", "values", "required", "known")},
			{Name: "existence first", Section: free, Conflicts: []string{"absence: null"}, manner: order("existence", "required", "types", "known", "values")},
		}},
		{Name: "messages", Habits: []Habit{
			{Name: "English sentences", Section: "operations 8.4 (SHOULD)"},
			{Name: "terse", Section: "operations 8.4 (SHOULD)", manner: speak("terse")},
			{Name: "German", Section: "operations 8.4", From: "a", manner: speak("german")},
			{Name: "Japanese", Section: "operations 8.4", From: "c", manner: speak("japanese")},
			{Name: "Spanish", Section: "operations 8.4", manner: speak("spanish")},
		}},
		{Name: "unique", Habits: []Habit{
			{Name: "nothing", Section: ownKinds},
			{Name: "titles", Section: ownKinds + "; operations 6.1", hooks: uniqueTitles()},
			{Name: "folder names", Section: ownKinds + "; operations 6.1", From: "b", hooks: uniqueNames()},
		}},
		{Name: "texts", Habits: []Habit{
			{Name: "as given", Section: ownKinds},
			{Name: "trimmed", Section: ownKinds, From: "c", hooks: normalised("blanks around texts are removed", strings.TrimSpace)},
			{Name: "sets sorted", Section: ownKinds, hooks: sortedSets()},
		}},
		{Name: "lists hold", Habits: []Habit{
			{Name: "texts", Section: "introspection 3.4.1"},
			{Name: "objects without a type", Section: "introspection 3.4.1 (items is a ParameterInfo, which has no members)", From: "a c", Announces: []string{"INT-3.4.1-06"}, hooks: linkedNotes()},
		}},
		{Name: "refusals alone tell", Habits: []Habit{
			{Name: "nothing", Section: "introspection 3.4.1"},
			{Name: "the values of a required text", Section: "introspection 3.4.1 (constraints are optional); operations 8.4", Announces: []string{"INT-1.2-01", "INT-8.2-01"}, hooks: shelvedNotes()},
		}},
	}
}

// linkedNotes takes links at creation, each an object with an address. items cannot say so.
func linkedNotes() hooks {
	links := parameter{Name: "links", Type: "array", Items: map[string]any{"type": "object"}, Description: "Links of the note, each with a url"}
	return both(
		hooks{table: func(a *Adapter) {
			for i, t := range a.types {
				if t.Name == "Note" {
					a.types[i].Fields = append(slices.Clone(t.Fields), links)
				}
			}
		}},
		remade("create_note", func(op *operation) {
			op.Parameters = append(slices.Clone(op.Parameters), links)
			op.first(func(t task) envelope {
				for _, link := range array(t.params["links"]) {
					if _, ok := object(link)["url"].(string); !ok {
						return mistyped("create_note", "links", "array of objects with a url", t.params["links"])
					}
				}
				return nil
			})
		}),
	)
}

// shelvedNotes asks for the shelf of a new note. Which shelves there are is told who names another.
func shelvedNotes() hooks {
	shelf := parameter{Name: "shelf", Type: "string", Required: true, Description: "Where the note stands"}
	shelves := []any{"A1", "B2"}
	return remade("create_note", func(op *operation) {
		op.Parameters, op.Examples = append(slices.Clone(op.Parameters), shelf), []example{}
		op.first(func(t task) envelope {
			if given := t.params["shelf"]; !slices.Contains(shelves, given) {
				return failure("VALIDATION_INVALID_VALUE", fmt.Sprintf("There is no shelf %v", given),
					map[string]any{"param_name": "shelf", "operation": "create_note", "shelves": shelves})
			}
			delete(t.params, "shelf")
			return nil
		})
	})
}

// uniqueTitles refuses a second note with the same title.
func uniqueTitles() hooks {
	taken := func(t task, title any, but string) bool {
		return title != nil && slices.ContainsFunc(t.store.notesWhere(func(n note) bool { return n["title"] == title }), func(n note) bool { return n["note_id"] != but })
	}
	return both(
		remade("create_note", func(op *operation) {
			op.tell("no two notes have the same title")
			op.first(func(t task) envelope {
				if taken(t, t.params["title"], "") {
					return conflict("note", "title", t.text("title"))
				}
				return nil
			})
		}),
		remade("update_note", func(op *operation) {
			op.first(func(t task) envelope {
				if title := object(t.params["input"])["title"]; taken(t, title, t.text("note_id")) {
					return conflict("note", "title", title.(string))
				}
				return nil
			})
		}))
}

// uniqueNames refuses a second folder with the same name.
func uniqueNames() hooks {
	return remade("create_folder", func(op *operation) {
		op.tell("no two folders have the same name")
		op.first(func(t task) envelope {
			if slices.ContainsFunc(t.store.foldersInOrder(), func(f folder) bool { return f["name"] == t.params["name"] }) {
				return conflict("folder", "name", t.text("name"))
			}
			return nil
		})
	})
}

// normalised keeps texts in a form of its own, and says so.
func normalised(says string, form func(string) string) hooks {
	change := func(values map[string]any) {
		for _, name := range []string{"title", "body", "name"} {
			if text, ok := values[name].(string); ok && form(text) != "" {
				values[name] = form(text)
			}
		}
	}
	return eachWrite(says, change)
}

func sortedSets() hooks {
	return eachWrite("labels are sorted and kept once", func(values map[string]any) {
		tags, ok := values["tags"].([]any)
		if !ok {
			return
		}
		tags = slices.Clone(tags)
		slices.SortFunc(tags, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		values["tags"] = slices.Compact(tags)
	})
}

// eachWrite changes what a client gives after it was validated.
func eachWrite(says string, change func(values map[string]any)) hooks {
	var all hooks
	for _, name := range []string{"create_note", "create_folder", "update_note"} {
		all = both(all, remade(name, func(op *operation) {
			op.tell(says)
			op.first(func(t task) envelope {
				change(t.params)
				if input := object(t.params["input"]); input != nil {
					change(input)
				}
				return nil
			})
		}))
	}
	return all
}
