package calls

import (
	"fmt"
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// selectionFaults break the choice of fields.
var selectionFaults = []seam.Fault{
	{ID: "INT-4.1.1-12", Variant: "field-selection-flag-untrue", Defect: "capabilities.field_selection is true but fields has no effect",
		Features: adapter.FieldSelection, Hooks: seam.Both(seam.Protocol(seam.Set("conformance", "level-1")), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if _, _, given := c.Value("fields"); given && adapter.Succeeded(e) {
				return next(c.Given("fields", nil).Without("fields"))
			}
			return e
		}})},
	{ID: "INT-4.1.1-12", Variant: "first-position-left-out", Defect: "a selection leaves out the position of the first folder",
		Features: adapter.FieldSelection, Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if v, _, _ := c.Value("fields"); adapter.Array(v) != nil && c.Operation() == "list_folders" && adapter.Succeeded(e) {
				for _, folder := range adapter.Array(adapter.Object(e["data"])["items"]) {
					if row := adapter.Object(folder); fmt.Sprint(row["position"]) == "1" {
						delete(row, "position")
					}
				}
			}
			return e
		}}},
	{ID: "INT-4.1.1-12", Variant: "advertised-but-absent", Defect: "capabilities.field_selection is true but no operation takes fields",
		Features: "-" + adapter.FieldSelection, Hooks: seam.Capability("field_selection", true)},
	{ID: "INT-8.3-06", Variant: "introspect-fields-ignored", Defect: "fields on introspect is documented but ignored",
		Hooks: seam.Added("introspect", adapter.Parameter{Name: "fields", Type: "string[]", Description: "Fields to return of each entry"}, func(adapter.Task) adapter.Envelope { return nil })},
	{ID: "OPS-4.2-06", Variant: "select-instead-of-fields", Defect: "get_note takes select",
		Features: "-" + adapter.FieldSelection,
		Hooks: seam.Added("get_note", adapter.Parameter{Name: "select", Type: "array", Items: map[string]any{"type": "string"}, Description: "Fields of the note to return"},
			func(t adapter.Task) adapter.Envelope { seam.Moved(t.Params, "select", "fields"); return nil })},
	{ID: "OPS-4.2-06", Variant: "fields-typed-object", Defect: "fields is typed object",
		Features: "-" + adapter.FieldSelection,
		Hooks: seam.Both(seam.Added("get_note", adapter.Parameter{Name: "fields", Type: "FieldChoice", Description: "Fields of the note to return: an object with the member only"},
			func(t adapter.Task) adapter.Envelope {
				if choice := adapter.Object(t.Params["fields"]); choice != nil {
					t.Params["fields"] = choice["only"]
				}
				return nil
			}),
			adapter.Hooks{Table: func(a *adapter.Adapter) {
				a.Types = append(a.Types, adapter.TypeInfo{Name: "FieldChoice", Kind: "object", Description: "Choice of fields",
					Fields: []adapter.Parameter{{Name: "only", Type: "array", Required: true, Items: map[string]any{"type": "string"}, Description: "Names of the fields to return"}}})
			}})},
	{ID: "OPS-4.4.1-11", Variant: "fields-on-one-read", Defect: "of all READ operations get_note alone documents fields",
		Hooks: adapter.Hooks{Table: func(a *adapter.Adapter) {
			for i, op := range a.Operations {
				if op.Name != "get_note" {
					a.Operations[i].Parameters = seam.LeftOut(op.Parameters, "fields")
				}
			}
		}}},
}

// summaryFaults break aggregation and what introspection says of it.
var summaryFaults = []seam.Fault{
	{ID: "AX-R4-05", Variant: "aggregations-unannounced", Defect: "aggregate works while the flag aggregations is false",
		Features: adapter.Aggregating, Hooks: seam.Capability("aggregations", false)},
	{ID: "INT-3.3-11", Variant: "aggregation-supported-text", Defect: "supported is \"full\"",
		Features: adapter.Aggregating, Hooks: aggregationRecord(seam.Set("supported", "full"))},
	{ID: "INT-3.3-11", Variant: "aggregation-functions-text", Defect: "functions is \"count,sum\"",
		Features: adapter.Aggregating, Hooks: aggregationRecord(seam.Set("functions", "count,sum"))},
	{ID: "INT-3.3-36", Variant: "unsupported-with-functions", Defect: "aggregation_support says supported false and lists functions",
		Hooks: seam.Record("list_folders", seam.Set("aggregation_support", map[string]any{"supported": false, "functions": []string{"count"}}))},
	{ID: "INT-4.1.1-13", Variant: "aggregation-flag-untrue", Defect: "capabilities.aggregations is true but aggregate is refused",
		Features: adapter.Aggregating, Hooks: unavailable("list_notes", "aggregate")},
	{ID: "INT-4.1.1-13", Variant: "advertised-but-absent", Defect: "capabilities.aggregations is true but no operation discloses aggregation",
		Features: "-" + adapter.Aggregating, Hooks: seam.Capability("aggregations", true)},
	{ID: "INT-8.1.2-07", Variant: "groups-unfiltered", Defect: "list_notes groups all notes, whatever it filters by",
		Features: adapter.Aggregating, Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			value, _, _ := c.Value("aggregate")
			for label, expression := range adapter.Object(value) {
				if c.Operation() != "list_notes" || !adapter.Succeeded(e) || adapter.Object(expression)["group_by"] == nil {
					continue
				}
				all := c.Store.NotesWhere(func(adapter.Note) bool { return true })
				groups, problem := adapter.Task{Adapter: c.Adapter, Operation: "list_notes"}.Aggregated(all, map[string]any{label: expression})
				if summaries := adapter.Object(adapter.Object(e["data"])["aggregations"]); problem == nil && summaries != nil {
					summaries[label] = groups[label]
				}
			}
			return e
		}}},
	{ID: "OPS-4.2-07", Variant: "group-by-parameter", Defect: "list_notes takes a top-level group_by",
		Hooks: seam.Added("list_notes", adapter.Parameter{Name: "group_by", Type: "string", Enum: adapter.Groupable, Description: "Count the notes by the values of this field instead of listing them"},
			func(t adapter.Task) adapter.Envelope {
				if t.Params["group_by"] == nil {
					return nil
				}
				all := t.Store.NotesWhere(func(adapter.Note) bool { return true })
				groups, problem := t.Aggregated(all, map[string]any{"groups": map[string]any{"group_by": t.Params["group_by"], "count": true}})
				if problem != nil {
					return problem
				}
				return adapter.Success(groups)
			})},
}

func aggregationRecord(rewrite func(support map[string]any)) adapter.Hooks {
	return seam.Record("list_notes", func(op map[string]any) { rewrite(adapter.Object(op["aggregation_support"])) })
}

// unavailable refuses every request of an operation that gives a parameter, or with
// an empty name every request.
func unavailable(operation, name string) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		if _, _, given := c.Value(name); c.Operation() == operation && adapter.Succeeded(e) && (given || name == "") {
			return adapter.Failure("INTERNAL_NOT_IMPLEMENTED", "This part of the service is not there yet; leave it out", nil)
		}
		return e
	}}
}

// computedFaults break computed fields and what introspection says of them.
var computedFaults = []seam.Fault{
	{ID: "AX-R4-05", Variant: "computed-fields-unannounced", Defect: "computed fields are answered while the flag computed_fields is false",
		Features: adapter.Computing, Hooks: seam.Capability("computed_fields", false)},
	{ID: "INT-3.3-10", Variant: "computed-fields-map", Defect: "computed_fields is an object",
		Features: adapter.Computing, Hooks: seam.Record("list_notes", seam.Set("computed_fields", map[string]any{"word_count": "integer", "overdue": "boolean"}))},
	{ID: "INT-3.3-10", Variant: "computed-field-without-type", Defect: "one computed field has no type",
		Features: adapter.Computing, Hooks: computedRecord(seam.Drop("type"))},
	{ID: "INT-3.3-20", Variant: "filterable-text", Defect: "filterable is \"yes\"", Features: adapter.Computing, Hooks: computedRecord(seam.Set("filterable", "yes"))},
	{ID: "INT-3.3-20", Variant: "sortable-number", Defect: "sortable is 0", Features: adapter.Computing, Hooks: computedRecord(seam.Set("sortable", 0))},
	{ID: "INT-4.1.1-14", Variant: "computed-flag-untrue", Defect: "capabilities.computed_fields is true but declared names never appear",
		Features: adapter.Computing, Hooks: seam.After(func(_ adapter.Call, e adapter.Envelope) {
			data := adapter.Object(e["data"])
			delete(data, "_computed")
			for _, item := range adapter.Array(data["items"]) {
				delete(adapter.Object(item), "_computed")
			}
		})},
	{ID: "INT-4.1.1-14", Variant: "advertised-but-absent", Defect: "capabilities.computed_fields is true but none is disclosed",
		Features: "-" + adapter.Computing, Hooks: seam.Capability("computed_fields", true)},
}

func computedRecord(rewrite func(field map[string]any)) adapter.Hooks {
	return seam.Record("list_notes", func(op map[string]any) { seam.InList(op["computed_fields"], "overdue", rewrite) })
}

// relationFaults break relationship queries and what introspection says of them.
var relationFaults = []seam.Fault{
	{ID: "AX-R4-05", Variant: "relationship-queries-unannounced", Defect: "relationships are followed while the flag relationship_queries is false",
		Features: adapter.Relating, Hints: map[string]string{"samples.query_relationships": `{root: [{element_type: folder, element_name: folder_1}], direction: [outgoing]}`},
		Hooks: seam.Capability("relationship_queries", false)},
	{ID: "INT-3.3-12", Variant: "relationship-direction-in", Defect: "directions is [\"in\"]",
		Features: adapter.Relating, Hooks: relationRecord(seam.Set("directions", []string{"in"}))},
	{ID: "INT-3.3-12", Variant: "relationship-depth-text", Defect: "max_depth is \"3\"",
		Features: adapter.Relating, Hooks: relationRecord(seam.Set("max_depth", "3"))},
	{ID: "INT-4.1.1-16", Variant: "relationship-flag-untrue", Defect: "capabilities.relationship_queries is true but every traversal is refused",
		Features: adapter.Relating, Hooks: unavailable("query_relationships", "")},
	{ID: "INT-4.1.1-16", Variant: "advertised-but-absent", Defect: "capabilities.relationship_queries is true but no operation follows relationships",
		Hooks: seam.Capability("relationship_queries", true)},
}

func relationRecord(rewrite func(capabilities map[string]any)) adapter.Hooks {
	return seam.Record("query_relationships", func(op map[string]any) { rewrite(adapter.Object(op["relationship_capabilities"])) })
}

// queryFeatureFaults are all faults of the features that shape what a query answers.
var queryFeatureFaults = slices.Concat(cursorFaults, compatibleFaults, selectionFaults, summaryFaults, computedFaults, relationFaults)
