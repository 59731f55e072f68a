package adapter

import "slices"

// selectionFaults break the choice of fields.
var selectionFaults = []Fault{
	{ID: "INT-4.1.1-12", Variant: "field-selection-flag-untrue", Defect: "capabilities.field_selection is true but fields has no effect",
		Features: fieldSelection, hooks: both(protocol(set("conformance", "level-1")), hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if _, _, given := c.value("fields"); given && succeeded(e) {
				return next(c.given("fields", nil))
			}
			return e
		}})},
	{ID: "INT-4.1.1-12", Variant: "advertised-but-absent", Defect: "capabilities.field_selection is true but no operation takes fields",
		Features: "-" + fieldSelection, hooks: capability("field_selection", true)},
	{ID: "INT-8.3-06", Variant: "introspect-fields-ignored", Defect: "fields on introspect is documented but ignored",
		hooks: added("introspect", parameter{Name: "fields", Type: "string[]", Description: "Fields to return of each entry"}, func(task) envelope { return nil })},
	{ID: "OPS-4.2-06", Variant: "select-instead-of-fields", Defect: "get_note takes select",
		Features: "-" + fieldSelection,
		hooks: added("get_note", parameter{Name: "select", Type: "array", Items: map[string]any{"type": "string"}, Description: "Fields of the note to return"},
			func(t task) envelope { moved(t.params, "select", "fields"); return nil })},
	{ID: "OPS-4.2-06", Variant: "fields-typed-object", Defect: "fields is typed object",
		Features: "-" + fieldSelection,
		hooks: both(added("get_note", parameter{Name: "fields", Type: "FieldChoice", Description: "Fields of the note to return: an object with the member only"},
			func(t task) envelope {
				if choice := object(t.params["fields"]); choice != nil {
					t.params["fields"] = choice["only"]
				}
				return nil
			}),
			hooks{table: func(a *Adapter) {
				a.types = append(a.types, typeInfo{Name: "FieldChoice", Kind: "object", Description: "Choice of fields",
					Fields: []parameter{{Name: "only", Type: "array", Required: true, Items: map[string]any{"type": "string"}, Description: "Names of the fields to return"}}})
			}})},
	{ID: "OPS-4.4.1-11", Variant: "fields-on-one-read", Defect: "of all READ operations get_note alone documents fields",
		hooks: hooks{table: func(a *Adapter) {
			for i, op := range a.operations {
				if op.Name != "get_note" {
					a.operations[i].Parameters = leftOut(op.Parameters, "fields")
				}
			}
		}}},
}

// summaryFaults break aggregation and what introspection says of it.
var summaryFaults = []Fault{
	{ID: "AX-R4-05", Variant: "aggregations-unannounced", Defect: "aggregate works while the flag aggregations is false",
		Features: aggregating, hooks: capability("aggregations", false)},
	{ID: "INT-3.3-11", Variant: "aggregation-supported-text", Defect: "supported is \"full\"",
		Features: aggregating, hooks: aggregationRecord(set("supported", "full"))},
	{ID: "INT-3.3-11", Variant: "aggregation-functions-text", Defect: "functions is \"count,sum\"",
		Features: aggregating, hooks: aggregationRecord(set("functions", "count,sum"))},
	{ID: "INT-3.3-36", Variant: "unsupported-with-functions", Defect: "aggregation_support says supported false and lists functions",
		hooks: record("list_folders", set("aggregation_support", map[string]any{"supported": false, "functions": []string{"count"}}))},
	{ID: "INT-4.1.1-13", Variant: "aggregation-flag-untrue", Defect: "capabilities.aggregations is true but aggregate is refused",
		Features: aggregating, hooks: unavailable("list_notes", "aggregate")},
	{ID: "INT-4.1.1-13", Variant: "advertised-but-absent", Defect: "capabilities.aggregations is true but no operation discloses aggregation",
		Features: "-" + aggregating, hooks: capability("aggregations", true)},
	{ID: "OPS-4.2-07", Variant: "group-by-parameter", Defect: "list_notes takes a top-level group_by",
		hooks: added("list_notes", parameter{Name: "group_by", Type: "string", Enum: groupable, Description: "Count the notes by the values of this field instead of listing them"},
			func(t task) envelope {
				if t.params["group_by"] == nil {
					return nil
				}
				all := t.store.notesWhere(func(note) bool { return true })
				groups, problem := t.aggregated(all, map[string]any{"groups": map[string]any{"group_by": t.params["group_by"], "count": true}})
				if problem != nil {
					return problem
				}
				return success(groups)
			})},
}

func aggregationRecord(rewrite func(support map[string]any)) hooks {
	return record("list_notes", func(op map[string]any) { rewrite(object(op["aggregation_support"])) })
}

// unavailable refuses every request of an operation that gives a parameter, or with
// an empty name every request.
func unavailable(operation, name string) hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		if _, _, given := c.value(name); c.operation() == operation && succeeded(e) && (given || name == "") {
			return failure("INTERNAL_NOT_IMPLEMENTED", "This part of the service is not there yet; leave it out", nil)
		}
		return e
	}}
}

// computedFaults break computed fields and what introspection says of them.
var computedFaults = []Fault{
	{ID: "AX-R4-05", Variant: "computed-fields-unannounced", Defect: "computed fields are answered while the flag computed_fields is false",
		Features: computing, hooks: capability("computed_fields", false)},
	{ID: "INT-3.3-10", Variant: "computed-fields-map", Defect: "computed_fields is an object",
		Features: computing, hooks: record("list_notes", set("computed_fields", map[string]any{"word_count": "integer", "overdue": "boolean"}))},
	{ID: "INT-3.3-10", Variant: "computed-field-without-type", Defect: "one computed field has no type",
		Features: computing, hooks: computedRecord(drop("type"))},
	{ID: "INT-3.3-20", Variant: "filterable-text", Defect: "filterable is \"yes\"", Features: computing, hooks: computedRecord(set("filterable", "yes"))},
	{ID: "INT-3.3-20", Variant: "sortable-number", Defect: "sortable is 0", Features: computing, hooks: computedRecord(set("sortable", 0))},
	{ID: "INT-4.1.1-14", Variant: "computed-flag-untrue", Defect: "capabilities.computed_fields is true but declared names never appear",
		Features: computing, hooks: after(func(_ call, e envelope) {
			data := object(e["data"])
			delete(data, "_computed")
			for _, item := range array(data["items"]) {
				delete(object(item), "_computed")
			}
		})},
	{ID: "INT-4.1.1-14", Variant: "advertised-but-absent", Defect: "capabilities.computed_fields is true but none is disclosed",
		Features: "-" + computing, hooks: capability("computed_fields", true)},
}

func computedRecord(rewrite func(field map[string]any)) hooks {
	return record("list_notes", func(op map[string]any) { inList(op["computed_fields"], "overdue", rewrite) })
}

// relationFaults break relationship queries and what introspection says of them.
var relationFaults = []Fault{
	{ID: "AX-R4-05", Variant: "relationship-queries-unannounced", Defect: "relationships are followed while the flag relationship_queries is false",
		Features: relating, Hints: map[string]string{"samples.query_relationships": `{root: [{element_type: folder, element_name: folder_1}], direction: [outgoing]}`},
		hooks: capability("relationship_queries", false)},
	{ID: "INT-3.3-12", Variant: "relationship-direction-in", Defect: "directions is [\"in\"]",
		Features: relating, hooks: relationRecord(set("directions", []string{"in"}))},
	{ID: "INT-3.3-12", Variant: "relationship-depth-text", Defect: "max_depth is \"3\"",
		Features: relating, hooks: relationRecord(set("max_depth", "3"))},
	{ID: "INT-4.1.1-16", Variant: "relationship-flag-untrue", Defect: "capabilities.relationship_queries is true but every traversal is refused",
		Features: relating, hooks: unavailable("query_relationships", "")},
	{ID: "INT-4.1.1-16", Variant: "advertised-but-absent", Defect: "capabilities.relationship_queries is true but no operation follows relationships",
		hooks: capability("relationship_queries", true)},
}

func relationRecord(rewrite func(capabilities map[string]any)) hooks {
	return record("query_relationships", func(op map[string]any) { rewrite(object(op["relationship_capabilities"])) })
}

// queryFeatureFaults are all faults of the features that shape what a query answers.
var queryFeatureFaults = slices.Concat(cursorFaults, compatibleFaults, selectionFaults, summaryFaults, computedFaults, relationFaults)
