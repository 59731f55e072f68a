package adapter

import "encoding/json"

func introspectOperation() operation {
	return operation{
		Name: "introspect", Category: "READ",
		Description: "Discover the operations and types of this adapter",
		Parameters: []parameter{
			{Name: "query", Type: "string", Required: true, Enum: []string{"operations", "types"}, Description: "What to look for: the operations or the types"},
			{Name: "name", Type: "string", Description: "Name of one operation or type to show in full; without it all are listed in short"},
		},
		Returns: typeInfo{Name: "Introspection", Kind: "object", Description: "A list in short, or one item in full"},
		Examples: []example{
			{"List all operations", request("introspect", map[string]any{"query": "operations"})},
			{"Show one operation in full", request("introspect", map[string]any{"query": "operations", "name": "create_note"})},
			{"Show one type in full", request("introspect", map[string]any{"query": "types", "name": "NoteStatus"})},
		},
		run: introspect,
	}
}

// introspect answers from the tables that the adapter itself runs on. A name
// that does not exist is not an error: the answer is null (introspection 4.3).
func introspect(t task) envelope {
	name, lookup := t.params["name"].(string)
	switch {
	case t.text("query") == "operations" && lookup:
		return success(map[string]any{"operation": t.details(name)})
	case t.text("query") == "operations":
		return success(map[string]any{"_protocol": t.protocol(t.session), "operations": t.summaries()})
	case lookup:
		return success(map[string]any{"type": t.typeDetails(name)})
	}
	var short []typeInfo
	for _, kind := range t.types {
		short = append(short, kind.summary())
	}
	return success(map[string]any{"types": short})
}

func (t typeInfo) summary() typeInfo {
	return typeInfo{Name: t.Name, Kind: t.Kind, Description: t.Description}
}

func (a *Adapter) typeDetails(name string) any {
	if found, ok := a.typeNamed(name); ok {
		return found
	}
	return nil
}

func (a *Adapter) summaries() []any {
	var list []any
	for _, op := range a.operations {
		list = append(list, map[string]any{
			"name": op.Name, "semantic_category": op.Category, "endpoint": a.profile.of(op), "description": op.Description,
		})
	}
	return list
}

func (a *Adapter) details(name string) any {
	op, ok := a.operationNamed(name)
	if !ok {
		return nil
	}
	parameters := op.Parameters
	if parameters == nil {
		parameters = []parameter{}
	}
	record := map[string]any{
		"name": op.Name, "semantic_category": op.Category, "endpoint": a.profile.of(op), "mcpTool": a.toolOf(op),
		"description": op.Description,
		"permissions": map[string]any{
			"readOnly":    op.Category == "READ",
			"destructive": op.Category != "READ" && op.Category != "CREATE",
		},
		"parameters": parameters,
		"returns":    op.Returns.summary(),
		"examples":   op.Examples,
	}
	if op.Lifecycle != nil {
		record["lifecycle"] = op.Lifecycle
	}
	if op.Aggregation != nil {
		record["aggregation_support"] = op.Aggregation
	}
	if op.Relations != nil {
		record["relationship_capabilities"] = op.Relations
	}
	if op.Computed != nil {
		record["computed_fields"] = op.Computed
	}
	return record
}

// protocol states what this adapter is and can do, and nothing else
// (introspection 4.1.1, spec 4.7.5 and 9.3.3).
func (a *Adapter) protocol(s *session) map[string]any {
	shown := map[string]any{
		"version":     "1.0.0-draft",
		"conformance": a.level(),
		"mode":        a.mode,
		"capabilities": map[string]any{
			"batch": a.has(batching), "field_selection": a.has(fieldSelection), "pagination": a.has(paging),
			"aggregations": a.has(aggregating), "computed_fields": a.has(computing), "relationship_queries": a.has(relating),
			"warnings": false, "confirmation": a.has(confirming), "dangerous_operations": false,
		},
		"limits": map[string]any{
			"max_request_size": a.advertised.request, "max_response_size": a.advertised.response, "max_string_length": a.advertised.text,
			"max_array_elements": a.advertised.elements, "max_nesting_depth": a.advertised.depth,
		},
	}
	if a.has(concurrency) {
		shown["concurrency"] = "serialized"
	}
	if a.has(etags) {
		shown["supports_etag"] = true
	}
	if a.remembers() {
		shown["session_id"] = s.identity()
	}
	if a.has(safetyLoop) {
		shown["capabilities"].(map[string]any)["execution_safety_loop"] = a.loop.mode
	}
	return shown
}

// level is the conformance level that the adapter reaches with the features that it
// offers (spec 10.1).
func (a *Adapter) level() string {
	if a.has(batching) && a.has(fieldSelection) {
		return "level-2"
	}
	return "level-1"
}

func printed(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // only decoded JSON comes here
	}
	return string(raw)
}
