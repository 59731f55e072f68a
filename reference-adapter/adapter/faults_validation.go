package adapter

import (
	"slices"
	"strings"
)

// typeCheckFaults skip a step of validation, or take it too late.
var typeCheckFaults = []Fault{
	{ID: "AQL-3.2-04", Variant: "wrong-type-reaches-handler", Defect: "first:\"abc\" is passed on to the handler of list_notes",
		hooks: before(named("list_notes"), func(c call, _ operation) call {
			if first := c.params()["first"]; first != nil && jsonType(first) != "number" {
				return c.given("first", nil)
			}
			return c
		})},
	{ID: "AQL-3.2-04", Variant: "boolean-type-unchecked", Defect: "any value is taken as true for a boolean parameter",
		hooks: before(named("search_notes"), func(c call, _ operation) call {
			if value := c.params()["title_only"]; value != nil && jsonType(value) != "boolean" {
				return c.given("title_only", true)
			}
			return c
		})},
	{ID: "OPS-5.4-01", Variant: "required-flag-wrong", Defect: "title is documented as required, create_note succeeds without it",
		hooks: before(named("create_note"), func(c call, _ operation) call {
			if title, _, _ := c.value("title"); title == nil && !malformed(c) {
				return c.given("title", "Untitled")
			}
			return c
		})},
	{ID: "OPS-5.4-01", Variant: "handler-runs-without-id", Defect: "a missing folder_id reaches get_folder and yields NOT_FOUND_RESOURCE for undefined",
		hooks: before(named("get_folder"), func(c call, _ operation) call {
			if id, _, _ := c.value("folder_id"); id == nil && !malformed(c) {
				return c.given("folder_id", "undefined")
			}
			return c
		})},
	{ID: "AQL-4.6-07", Variant: "unknown-checked-after-execute", Defect: "the unknown name is reported after the resource was created",
		hooks: doneAndRefused("CREATE", unknownParam, func(c call, op operation) call {
			return c.dropUnknown(op, func(string) bool { return true })
		})},
	{ID: "OPS-5.1-02", Variant: "insert-then-validate", Defect: "create_note stores the note and then answers an error for an optional field",
		hooks: doneAndRefused("CREATE", "VALIDATION_INVALID_TYPE", func(c call, op operation) call {
			for _, p := range op.Parameters {
				if value := c.params()[p.Name]; !p.Required && c.checkType(op.Name, p.Name, p, value) != nil {
					c = c.given(p.Name, nil)
				}
			}
			return c
		})},
	{ID: "INT-8.1.1-02", Variant: "array-wants-comma-text", Defect: "tags of list_notes is documented as array and accepted only as comma-separated text",
		hooks: hooks{item: func(c call, next handler) envelope {
			tags := c.params()["tags"]
			if c.operation() != "list_notes" || tags == nil {
				return next(c)
			}
			switch tags := tags.(type) {
			case string:
				return next(c.given("tags", plain(strings.Split(tags, ","))))
			case []any:
				if e := next(c); !succeeded(e) {
					return e
				}
				return mistyped("list_notes", "tags", "string", tags)
			}
			return next(c)
		}}},
}

// documentationFaults have the handler and the documentation disagree.
var documentationFaults = []Fault{
	{ID: "AQL-4.3-02", Variant: "documented-name-differs", Defect: "folder_id is documented while the handler of get_folder reads id",
		hooks: hooks{item: func(c call, next handler) envelope {
			if c.operation() != "get_folder" {
				return next(c)
			}
			_, documented := c.params()["folder_id"]
			e := next(c.exchanged("folder_id", "id"))
			if documented && failedWith("VALIDATION_MISSING_PARAM")(nil, e) {
				return failure(unknownParam, "Unknown parameter 'folder_id' for operation 'get_folder'. Valid parameters: folder_id, fields",
					map[string]any{"operation": "get_folder", "unknown_params": []string{"folder_id"}, "valid_params": []string{"folder_id", "fields"}})
			}
			return e
		}}},
	{ID: "AQL-4.3-02", Variant: "required-names-only", Defect: "the valid names of search_notes are the required ones, so title_only is refused while titleOnly is accepted",
		hooks: both(needs("search_notes", taking("title_only")), hooks{item: func(c call, next handler) envelope {
			if c.operation() != "search_notes" {
				return next(c)
			}
			_, documented := c.params()["title_only"]
			e := next(c.exchanged("title_only", "titleOnly"))
			if details := object(object(e["error"])["details"]); documented && details["unknown_params"] != nil {
				e["error"] = swapped(e["error"], "title_only", "titleOnly")
				object(object(e["error"])["details"])["valid_params"] = []any{"query"}
			}
			return e
		}})},
	{ID: "INT-8.1.1-04", Variant: "optional-demanded", Defect: "title_only is documented as optional but demanded",
		hooks: both(both(needs("search_notes", taking("title_only")), demands("title_only", "boolean")), record("search_notes", func(op map[string]any) {
			for _, e := range array(op["examples"]) { // an example that works is judged apart
				object(object(object(e)["request"])["params"])["title_only"] = false
			}
		}))},
	{ID: "INT-8.1.1-04", Variant: "creation-demands-optional", Defect: "create_folder demands owner, which is documented as optional",
		hooks: both(both(needs("create_folder", taking("owner")), remade("create_folder", func(op *operation) {
			op.Parameters = slices.Clone(op.Parameters)
			for i := range op.Parameters {
				op.Parameters[i].Required = op.Parameters[i].Required || op.Parameters[i].Name == "owner"
			}
		})), both(documented("create_folder", "owner", set("required", false)), record("create_folder", func(op map[string]any) {
			for _, e := range array(op["examples"]) { // an example that works is judged apart
				object(object(object(e)["request"])["params"])["owner"] = "ada@example.com"
			}
		})))},
	{ID: "INT-8.1.1-04", Variant: "undocumented-demanded", Defect: "search_notes demands tenant, which introspection does not list",
		hooks: demands("tenant", "string")},
	{ID: "INT-8.1.2-07", Variant: "documented-but-refused", Defect: "sort is documented but refused as unknown",
		hooks: both(
			remade("list_notes", func(op *operation) { op.Parameters = leftOut(op.Parameters, "sort") }),
			both(asHealthy("list_notes"), refused(unknownParam, calling("list_notes"), func(_ call, _, details map[string]any) {
				details["valid_params"] = append(array(details["valid_params"]), "sort")
			})))},
}

// demands has search_notes refuse requests without a parameter that is not
// documented as required.
func demands(name, kind string) hooks {
	return hooks{item: func(c call, next handler) envelope {
		if c.operation() != "search_notes" {
			return next(c)
		}
		_, _, given := c.value(name)
		if op, _ := c.operationNamed("search_notes"); given && !documents(op, name) {
			c = c.given(name, nil).without(name)
		}
		e := next(c)
		if !given && succeeded(e) {
			return missing("search_notes", parameter{Name: name, Type: kind, Description: "needed to answer the search"})
		}
		return e
	}}
}
