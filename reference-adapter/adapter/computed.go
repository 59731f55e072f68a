package adapter

import (
	"slices"
	"strings"
	"time"
)

// computedField is a value that is worked out from a note when it is asked for. It
// is never stored and cannot be written.
type computedField struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
	Filterable  bool   `json:"filterable"`
	Sortable    bool   `json:"sortable"`

	of func(n Note, now time.Time) any
}

// noteComputed are the computed fields of a note (introspection 3.3).
var noteComputed = []computedField{
	{Name: "word_count", Type: "integer", Description: "Number of words in the body of the note", of: func(n Note, _ time.Time) any {
		body, _ := n["body"].(string)
		return len(strings.Fields(body))
	}},
	{Name: "overdue", Type: "boolean", Description: "Whether the day on which the note is due has passed", of: func(n Note, now time.Time) any {
		due, _ := n["due_date"].(string)
		return due != "" && due < now.UTC().Format(time.DateOnly)
	}},
}

// computedPrefix is how fields asks for a computed field by its path.
const computedPrefix = "_computed."

// computed splits the paths of computed fields from the others, or refuses one that
// does not exist.
//
// Without field selection nobody can ask for them, so they come with every note.
func (t Task) computed(kind string, paths []string) (plain, names []string, problem Envelope) {
	if kind == "Note" && t.Has(Computing) && !t.Has(FieldSelection) {
		paths = []string{"_computed"}
	}
	for _, path := range paths {
		name, ok := strings.CutPrefix(path, computedPrefix)
		known := slices.ContainsFunc(noteComputed, func(f computedField) bool { return f.Name == name })
		switch {
		case path == "_computed":
			for _, f := range noteComputed {
				names = append(names, f.Name)
			}
		case !ok:
			plain = append(plain, path)
		case !known || kind != "Note" || !t.Has(Computing):
			return nil, nil, Misvalued(t.Operation, "fields", "documented fields alone; "+path+" is none")
		default:
			names = append(names, name)
		}
	}
	return plain, names, nil
}

// compute puts computed fields beside the others of a note.
func (t Task) compute(to map[string]any, n Note, names []string) {
	values := map[string]any{}
	for _, f := range noteComputed {
		if slices.Contains(names, f.Name) {
			values[f.Name] = f.of(n, t.Clock())
		}
	}
	if len(values) > 0 {
		to["_computed"] = values
	}
}
