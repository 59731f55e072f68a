package adapter

import "encoding/json"

func IntrospectOperation() Operation {
	return Operation{
		Name: "introspect", Category: "READ",
		Description: "Discover the operations and types of this adapter",
		Parameters: []Parameter{
			{Name: "query", Type: "string", Required: true, Enum: []string{"operations", "types"}, Description: "What to look for: the operations or the types"},
			{Name: "name", Type: "string", Description: "Name of one operation or type to show in full; without it all are listed in short"},
		},
		Returns: TypeInfo{Name: "Introspection", Kind: "object", Description: "A list in short, or one item in full"},
		Examples: []Example{
			{"List all operations", Request("introspect", map[string]any{"query": "operations"})},
			{"Show one operation in full", Request("introspect", map[string]any{"query": "operations", "name": "create_note"})},
			{"Show one type in full", Request("introspect", map[string]any{"query": "types", "name": "NoteStatus"})},
		},
		Run: introspect,
	}
}

// introspect answers from the tables that the adapter itself runs on. A name
// that does not exist is not an error: the answer is null (introspection 4.3).
func introspect(t Task) Envelope {
	name, lookup := t.Params["name"].(string)
	switch {
	case t.Text("query") == "operations" && lookup:
		return Success(map[string]any{"operation": t.Details(name)})
	case t.Text("query") == "operations":
		return Success(map[string]any{"_protocol": t.protocol(t.Session), "operations": t.summaries()})
	case lookup:
		return Success(map[string]any{"type": t.typeDetails(name)})
	}
	var short []TypeInfo
	for _, kind := range t.Types {
		short = append(short, kind.Summary())
	}
	return Success(map[string]any{"types": short})
}

func (t TypeInfo) Summary() TypeInfo {
	return TypeInfo{Name: t.Name, Kind: t.Kind, Description: t.Description}
}

func (a *Adapter) typeDetails(name string) any {
	if found, ok := a.TypeNamed(name); ok {
		return found
	}
	return nil
}

func (a *Adapter) summaries() []any {
	var list []any
	for _, op := range a.Operations {
		list = append(list, map[string]any{
			"name": op.Name, "semantic_category": op.Category, "endpoint": a.Profile.Of(op), "description": op.Description,
		})
	}
	return list
}

func (a *Adapter) Details(name string) any {
	op, ok := a.OperationNamed(name)
	if !ok {
		return nil
	}
	parameters := op.Parameters
	if parameters == nil {
		parameters = []Parameter{}
	}
	record := map[string]any{
		"name": op.Name, "semantic_category": op.Category, "endpoint": a.Profile.Of(op), "mcpTool": a.ToolOf(op),
		"description": op.Description,
		"permissions": map[string]any{
			"readOnly":    op.Category == "READ",
			"destructive": op.Category != "READ" && op.Category != "CREATE",
		},
		"parameters": parameters,
		"returns":    op.Returns.Summary(),
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
func (a *Adapter) protocol(s *Session) map[string]any {
	shown := map[string]any{
		"version":     "1.0.0-draft",
		"conformance": a.level(),
		"mode":        a.Mode,
		"capabilities": map[string]any{
			"batch": a.Has(Batching), "field_selection": a.Has(FieldSelection), "pagination": a.Has(Paging),
			"aggregations": a.Has(Aggregating), "computed_fields": a.Has(Computing), "relationship_queries": a.Has(Relating),
			"warnings": false, "confirmation": a.Has(Confirming), "dangerous_operations": false,
		},
		"limits": map[string]any{
			"max_request_size": a.advertised.Request, "max_response_size": a.advertised.Response, "max_string_length": a.advertised.Text,
			"max_array_elements": a.advertised.Elements, "max_nesting_depth": a.advertised.Depth,
		},
	}
	if a.Has(Concurrency) {
		shown["concurrency"] = "serialized"
	}
	if a.Has(Etags) {
		shown["supports_etag"] = true
	}
	if a.remembers() {
		shown["session_id"] = s.Identity()
	}
	a.Extension.Announce(a, shown["capabilities"].(map[string]any))
	return shown
}

// level is the conformance level that the adapter reaches with the features that it
// offers (spec 10.1).
func (a *Adapter) level() string {
	if a.Has(Batching) && a.Has(FieldSelection) {
		return "level-2"
	}
	return "level-1"
}

func Printed(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // only decoded JSON comes here
	}
	return string(raw)
}
