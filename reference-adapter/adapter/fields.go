package adapter

import (
	"maps"
	"slices"
	"strings"
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
