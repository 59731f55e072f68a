package adapter

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Presets name the fields of each resource that the shorter presets keep; full
// keeps all.
var Presets = map[string]map[string][]string{
	"Note": {
		"minimal":  {"note_id", "title"},
		"standard": {"note_id", "title", "folder_id", "status", "priority", "pinned", "tags", "created_at", "updated_at"},
	},
	"Folder": {"minimal": {"folder_id", "name"}, "standard": {"folder_id", "name", "position", "created_at"}},
	"Export": {"minimal": {"execution_id", "status"}, "standard": {"execution_id", "status", "folder_id", "format", "started_at", "finished_at", "progress"}},
}

// selected answers with one resource, cut down to what fields asks for.
func (t Task) selected(resource map[string]any, kind string) Envelope {
	list, problem := t.selectEach([]map[string]any{resource}, kind)
	if problem != nil {
		return problem
	}
	return Success(list[0])
}

// selectEach cuts every resource down to the fields asked for. A path that no
// resource of the kind has is refused; one that this resource happens to lack is
// left out.
func (t Task) selectEach(resources []map[string]any, kind string) ([]map[string]any, Envelope) {
	paths, problem := t.paths(kind)
	if problem != nil {
		return nil, problem
	}
	plain, computed, problem := t.computed(kind, paths)
	if problem != nil {
		return nil, problem
	}
	list := []map[string]any{}
	for _, resource := range resources {
		resource = t.Tagged(kind, resource)
		kept := map[string]any{}
		if paths == nil {
			kept = maps.Clone(resource)
		}
		for _, path := range plain {
			copyPath(kept, resource, strings.Split(path, "."))
		}
		t.compute(kept, resource, computed)
		list = append(list, kept)
	}
	return list, nil
}

// paths returns the paths that fields asks for, or nil for all.
func (t Task) paths(kind string) ([]string, Envelope) {
	named, _ := t.TypeNamed(kind)
	var known []string
	for _, f := range named.Fields {
		known = append(known, f.Name)
	}
	switch wanted := t.Params["fields"].(type) {
	case nil:
		return nil, nil
	case string:
		if wanted == "full" {
			return nil, nil
		}
		if list, ok := Presets[kind][wanted]; ok {
			return list, nil
		}
	case []any:
		var paths []string
		for _, path := range wanted {
			top, _, _ := strings.Cut(path.(string), ".")
			if !slices.Contains(known, top) {
				return nil, Misvalued(t.Operation, "fields", known)
			}
			paths = append(paths, path.(string))
		}
		if len(paths) > 0 {
			return paths, nil
		}
	}
	return nil, Misvalued(t.Operation, "fields", append([]string{"minimal", "standard", "full"}, known...))
}

func copyPath(to, from map[string]any, path []string) {
	value, ok := from[path[0]]
	if !ok {
		return
	}
	inner, nested := value.(map[string]any)
	if len(path) == 1 || !nested {
		if len(path) == 1 {
			to[path[0]] = value
		}
		return
	}
	kept, ok := to[path[0]].(map[string]any)
	if !ok {
		kept = map[string]any{}
		to[path[0]] = kept
	}
	copyPath(kept, inner, path[1:])
}

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
