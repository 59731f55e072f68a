package habits

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// validationAxes are the order of validation, what is refused besides, and the words of refusals.
func validationAxes() []Axis {
	order := func(steps ...string) func(*shaped) { return func(m *shaped) { m.Order = steps } }
	speak := func(language string) func(*shaped) { return func(m *shaped) { m.Speaks = language } }
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
			{Name: "titles", Section: ownKinds + "; operations 6.1", Hooks: uniqueTitles()},
			{Name: "folder names", Section: ownKinds + "; operations 6.1", From: "b", Hooks: uniqueNames()},
		}},
		{Name: "texts", Habits: []Habit{
			{Name: "as given", Section: ownKinds},
			{Name: "trimmed", Section: ownKinds, From: "c", Hooks: normalised("blanks around texts are removed", strings.TrimSpace)},
			{Name: "sets sorted", Section: ownKinds, Hooks: sortedSets()},
		}},
		{Name: "lists hold", Habits: []Habit{
			{Name: "texts", Section: "introspection 3.4.1"},
			{Name: "objects without a type", Section: "introspection 3.4.1 (items is a ParameterInfo, which has no members)", From: "a c", Announces: []string{"INT-3.4.1-06"}, Hooks: linkedNotes()},
		}},
		{Name: "refusals alone tell", Habits: []Habit{
			{Name: "nothing", Section: "introspection 3.4.1"},
			{Name: "the values of a required text", Section: "introspection 3.4.1 (constraints are optional); operations 8.4", Announces: []string{"INT-1.2-01", "INT-8.2-01"}, Hooks: shelvedNotes()},
		}},
	}
}

// linkedNotes takes links at creation, each an object with an address. items cannot say so.
func linkedNotes() adapter.Hooks {
	links := adapter.Parameter{Name: "links", Type: "array", Items: map[string]any{"type": "object"}, Description: "Links of the note, each with a url"}
	return seam.Both(
		adapter.Hooks{Table: func(a *adapter.Adapter) {
			for i, t := range a.Types {
				if t.Name == "Note" {
					a.Types[i].Fields = append(slices.Clone(t.Fields), links)
				}
			}
		}},
		seam.Remade("create_note", func(op *adapter.Operation) {
			op.Parameters = append(slices.Clone(op.Parameters), links)
			seam.First(op, func(t adapter.Task) adapter.Envelope {
				for _, link := range adapter.Array(t.Params["links"]) {
					if _, ok := adapter.Object(link)["url"].(string); !ok {
						return adapter.Mistyped("create_note", "links", "array of objects with a url", t.Params["links"])
					}
				}
				return nil
			})
		}),
	)
}

// shelvedNotes asks for the shelf of a new note. Which shelves there are is told who names another.
func shelvedNotes() adapter.Hooks {
	shelf := adapter.Parameter{Name: "shelf", Type: "string", Required: true, Description: "Where the note stands"}
	shelves := []any{"A1", "B2"}
	return seam.Remade("create_note", func(op *adapter.Operation) {
		op.Parameters, op.Examples = append(slices.Clone(op.Parameters), shelf), []adapter.Example{}
		seam.First(op, func(t adapter.Task) adapter.Envelope {
			if given := t.Params["shelf"]; !slices.Contains(shelves, given) {
				return adapter.Failure("VALIDATION_INVALID_VALUE", fmt.Sprintf("There is no shelf %v", given),
					map[string]any{"param_name": "shelf", "operation": "create_note", "shelves": shelves})
			}
			delete(t.Params, "shelf")
			return nil
		})
	})
}

// uniqueTitles refuses a second note with the same title.
func uniqueTitles() adapter.Hooks {
	taken := func(t adapter.Task, title any, but string) bool {
		return title != nil && slices.ContainsFunc(t.Store.NotesWhere(func(n adapter.Note) bool { return n["title"] == title }), func(n adapter.Note) bool { return n["note_id"] != but })
	}
	return seam.Both(
		seam.Remade("create_note", func(op *adapter.Operation) {
			tell(op, "no two notes have the same title")
			seam.First(op, func(t adapter.Task) adapter.Envelope {
				if taken(t, t.Params["title"], "") {
					return conflict("note", "title", t.Text("title"))
				}
				return nil
			})
		}),
		seam.Remade("update_note", func(op *adapter.Operation) {
			seam.First(op, func(t adapter.Task) adapter.Envelope {
				if title := adapter.Object(t.Params["input"])["title"]; taken(t, title, t.Text("note_id")) {
					return conflict("note", "title", title.(string))
				}
				return nil
			})
		}))
}

// uniqueNames refuses a second folder with the same name.
func uniqueNames() adapter.Hooks {
	return seam.Remade("create_folder", func(op *adapter.Operation) {
		tell(op, "no two folders have the same name")
		seam.First(op, func(t adapter.Task) adapter.Envelope {
			if slices.ContainsFunc(t.Store.FoldersInOrder(), func(f adapter.Folder) bool { return f["name"] == t.Params["name"] }) {
				return conflict("folder", "name", t.Text("name"))
			}
			return nil
		})
	})
}

// normalised keeps texts in a form of its own, and says so.
func normalised(says string, form func(string) string) adapter.Hooks {
	change := func(values map[string]any) {
		for _, name := range []string{"title", "body", "name"} {
			if text, ok := values[name].(string); ok && form(text) != "" {
				values[name] = form(text)
			}
		}
	}
	return eachWrite(says, change)
}

func sortedSets() adapter.Hooks {
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
func eachWrite(says string, change func(values map[string]any)) adapter.Hooks {
	var all adapter.Hooks
	for _, name := range []string{"create_note", "create_folder", "update_note"} {
		all = seam.Both(all, seam.Remade(name, func(op *adapter.Operation) {
			tell(op, says)
			seam.First(op, func(t adapter.Task) adapter.Envelope {
				change(t.Params)
				if input := adapter.Object(t.Params["input"]); input != nil {
					change(input)
				}
				return nil
			})
		}))
	}
	return all
}
