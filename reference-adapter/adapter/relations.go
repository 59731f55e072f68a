package adapter

import (
	"fmt"
	"slices"
)

// relations is what query_relationships advertises (introspection 3.3).
var relations = map[string]any{
	"supported": true, "directions": relationDirections, "relationship_types": []string{"contains"}, "max_depth": 2,
}

var (
	relationDirections = []string{"incoming", "outgoing", "both"}
	relationSections   = []string{"root", "relationships", "graph"}
	elementTypes       = []string{"folder", "note"}
)

func relationOperations() []Operation {
	return []Operation{{
		Name: "query_relationships", Category: "READ", Feature: Relating, Relations: relations,
		Description: "Find what contains a note or folder and what it contains. Similar to list, but it follows relationships from one element",
		Parameters: []Parameter{
			{Name: "root", Type: "ElementReference", Required: true, Description: "Element to begin at: an object with element_type (folder or note) and element_name (its identifier)"},
			{Name: "direction", Type: "string", Required: true, Enum: relationDirections, Description: "Which way to follow: outgoing from a folder to its notes, incoming from a note to its folder, or both"},
			{Name: "depth", Type: "integer", Default: 1, Minimum: Ref(1), Maximum: Ref(2), Description: "How many relationships to follow in a row"},
			{Name: "include", Type: "array", Items: map[string]any{"type": "string"}, Description: "Sections to answer, all without it: root, relationships and graph"},
		},
		Returns: TypeInfo{Name: "RelationshipGraph", Kind: "object", Description: "The root, and what it is related to"},
		Examples: []Example{{"List what is in a folder", Request("query_relationships", map[string]any{
			"root": map[string]any{"element_type": "folder", "element_name": "folder_1"}, "direction": "outgoing"})}},
		Run: queryRelationships,
	}}
}

func relationTypes() []TypeInfo {
	return []TypeInfo{
		{Name: "ElementReference", Kind: "object", Feature: Relating, Description: "One folder or note", Fields: []Parameter{
			{Name: "element_type", Type: "string", Required: true, Enum: elementTypes, Description: "Kind of the element"},
			Field("element_name", "string", true, "Identifier of the element")}},
		{Name: "RelationshipGraph", Kind: "object", Feature: Relating, Description: "A part of the graph of folders and notes", Fields: []Parameter{
			Field("root", "ElementReference", false, "Where it begins"), Field("relationships", "array", false, "Each with type, direction, target and depth"),
			Field("graph", "object", false, "The same as nodes and edges")}},
	}
}

func element(kind, id string) map[string]any {
	return map[string]any{"element_type": kind, "element_name": id}
}

// queryRelationships follows containment from the root. What was seen is not
// visited again, so that going both ways comes to an end.
func queryRelationships(t Task) Envelope {
	for _, section := range Array(t.Params["include"]) {
		if !slices.Contains(relationSections, section.(string)) {
			return Misvalued(t.Operation, "include", relationSections)
		}
	}
	root := Object(t.Params["root"])
	kind, id := root["element_type"].(string), root["element_name"].(string)
	if t.Store.elements(kind)[id] == nil {
		return Absent(kind, id)
	}
	nodes, edges, relationships := []any{root}, []any{}, []any{}
	seen, front := map[string]bool{id: true}, []map[string]any{root}
	for depth := 1; depth <= Integer(t.Params["depth"]); depth++ {
		var next []map[string]any
		for _, from := range front {
			for _, r := range t.related(from) {
				target := Object(r["target"])
				if name := target["element_name"].(string); !seen[name] {
					seen[name] = true
					r["depth"] = depth
					relationships, nodes, next = append(relationships, r), append(nodes, target), append(next, target)
					edges = append(edges, map[string]any{"type": r["type"], "from": from, "to": target})
				}
			}
		}
		front = next
	}
	answer := map[string]any{"root": root, "relationships": relationships, "graph": map[string]any{"nodes": nodes, "edges": edges}}
	if wanted := Array(t.Params["include"]); wanted != nil {
		for _, section := range relationSections {
			if !slices.Contains(wanted, any(section)) {
				delete(answer, section)
			}
		}
	}
	return Success(answer)
}

// related returns the relationships of one element in the direction asked for.
func (t Task) related(from map[string]any) []map[string]any {
	var all []map[string]any
	id := from["element_name"]
	add := func(direction, kind string, name any) {
		if asked := t.Text("direction"); asked == direction || asked == "both" {
			all = append(all, map[string]any{"type": "contains", "direction": direction, "target": element(kind, fmt.Sprint(name))})
		}
	}
	if from["element_type"] == "note" {
		add("incoming", "folder", t.Store.Notes[id.(string)]["folder_id"])
		return all
	}
	for _, n := range t.Store.NotesWhere(func(n Note) bool { return n["folder_id"] == id }) {
		add("outgoing", "note", n["note_id"])
	}
	return all
}

func (s *Store) elements(kind string) map[string]map[string]any {
	if kind == "note" {
		return s.Notes
	}
	return s.Folders
}
