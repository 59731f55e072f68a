package calls

import (
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// typeCheckFaults skip a step of validation, or take it too late.
var typeCheckFaults = []seam.Fault{
	{ID: "AQL-3.2-04", Variant: "wrong-type-reaches-handler", Defect: "first:\"abc\" is passed on to the handler of list_notes",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if first := c.Params()["first"]; first != nil && adapter.JSONType(first) != "number" {
				return c.Given("first", nil)
			}
			return c
		})},
	{ID: "AQL-3.2-04", Variant: "boolean-type-unchecked", Defect: "any value is taken as true for a boolean parameter",
		Hooks: seam.Before(seam.Named("search_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if value := c.Params()["title_only"]; value != nil && adapter.JSONType(value) != "boolean" {
				return c.Given("title_only", true)
			}
			return c
		})},
	{ID: "OPS-5.4-01", Variant: "required-flag-wrong", Defect: "title is documented as required, create_note succeeds without it",
		Hooks: seam.Before(seam.Named("create_note"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if title, _, _ := c.Value("title"); title == nil && !seam.Malformed(c) {
				return c.Given("title", "Untitled")
			}
			return c
		})},
	{ID: "OPS-5.4-01", Variant: "handler-runs-without-id", Defect: "a missing folder_id reaches get_folder and yields NOT_FOUND_RESOURCE for undefined",
		Hooks: seam.Before(seam.Named("get_folder"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if id, _, _ := c.Value("folder_id"); id == nil && !seam.Malformed(c) {
				return c.Given("folder_id", "undefined")
			}
			return c
		})},
	{ID: "AQL-4.6-07", Variant: "unknown-checked-after-execute", Defect: "the unknown name is reported after the resource was created",
		Hooks: doneAndRefused("CREATE", seam.UnknownParam, func(c adapter.Call, op adapter.Operation) adapter.Call {
			return seam.DropUnknown(c, op, func(string) bool { return true })
		})},
	{ID: "OPS-5.1-02", Variant: "insert-then-validate", Defect: "create_note stores the note and then answers an error for an optional field",
		Hooks: doneAndRefused("CREATE", "VALIDATION_INVALID_TYPE", func(c adapter.Call, op adapter.Operation) adapter.Call {
			for _, p := range op.Parameters {
				if value := c.Params()[p.Name]; !p.Required && c.CheckType(op.Name, p.Name, p, value) != nil {
					c = c.Given(p.Name, nil)
				}
			}
			return c
		})},
	{ID: "INT-8.1.1-02", Variant: "array-wants-comma-text", Defect: "tags of list_notes is documented as array and accepted only as comma-separated text",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			tags := c.Params()["tags"]
			if c.Operation() != "list_notes" || tags == nil {
				return next(c)
			}
			switch tags := tags.(type) {
			case string:
				return next(c.Given("tags", adapter.Plain(strings.Split(tags, ","))))
			case []any:
				if e := next(c); !adapter.Succeeded(e) {
					return e
				}
				return adapter.Mistyped("list_notes", "tags", "string", tags)
			}
			return next(c)
		}}},
}

// documentationFaults have the handler and the documentation disagree.
var documentationFaults = []seam.Fault{
	{ID: "AQL-4.3-02", Variant: "documented-name-differs", Defect: "folder_id is documented while the handler of get_folder reads id",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if c.Operation() != "get_folder" {
				return next(c)
			}
			_, documented := c.Params()["folder_id"]
			e := next(seam.Exchanged(c, "folder_id", "id"))
			if documented && seam.FailedWith("VALIDATION_MISSING_PARAM")(nil, e) {
				return adapter.Failure(seam.UnknownParam, "Unknown parameter 'folder_id' for operation 'get_folder'. Valid parameters: folder_id, fields",
					map[string]any{"operation": "get_folder", "unknown_params": []string{"folder_id"}, "valid_params": []string{"folder_id", "fields"}})
			}
			return e
		}}},
	{ID: "AQL-4.3-02", Variant: "required-names-only", Defect: "the valid names of search_notes are the required ones, so title_only is refused while titleOnly is accepted",
		Hooks: seam.Both(seam.Needs("search_notes", seam.Taking("title_only")), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if c.Operation() != "search_notes" {
				return next(c)
			}
			_, documented := c.Params()["title_only"]
			e := next(seam.Exchanged(c, "title_only", "titleOnly"))
			if details := adapter.Object(adapter.Object(e["error"])["details"]); documented && details["unknown_params"] != nil {
				e["error"] = seam.Swapped(e["error"], "title_only", "titleOnly")
				adapter.Object(adapter.Object(e["error"])["details"])["valid_params"] = []any{"query"}
			}
			return e
		}})},
	{ID: "INT-8.1.1-04", Variant: "optional-demanded", Defect: "title_only is documented as optional but demanded",
		Hooks: seam.Both(seam.Both(seam.Needs("search_notes", seam.Taking("title_only")), demands("title_only", "boolean")), seam.Record("search_notes", func(op map[string]any) {
			for _, e := range adapter.Array(op["examples"]) { // an example that works is judged apart
				adapter.Object(adapter.Object(adapter.Object(e)["request"])["params"])["title_only"] = false
			}
		}))},
	{ID: "INT-8.1.1-04", Variant: "creation-demands-optional", Defect: "create_folder demands owner, which is documented as optional",
		Hooks: demandsSecretly("create_folder", "owner", "ada@example.com")},
	{ID: "INT-8.1.1-04", Variant: "creation-demands-text", Defect: "create_note demands body, which is documented as optional",
		Hooks: demandsSecretly("create_note", "body", "Milk, bread")},
	{ID: "INT-8.1.1-04", Variant: "undocumented-demanded", Defect: "search_notes demands tenant, which introspection does not list",
		Hooks: demands("tenant", "string")},
	{ID: "INT-8.1.2-07", Variant: "documented-but-refused", Defect: "sort is documented but refused as unknown",
		Hooks: seam.Both(
			seam.Remade("list_notes", func(op *adapter.Operation) { op.Parameters = seam.LeftOut(op.Parameters, "sort") }),
			seam.Both(seam.AsHealthy("list_notes"), seam.Refused(seam.UnknownParam, seam.Calling("list_notes"), func(_ adapter.Call, _, details map[string]any) {
				details["valid_params"] = append(adapter.Array(details["valid_params"]), "sort")
			})))},
}

// demands has search_notes refuse requests without a parameter that is not
// documented as required.
func demands(name, kind string) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if c.Operation() != "search_notes" {
			return next(c)
		}
		_, _, given := c.Value(name)
		if op, _ := c.OperationNamed("search_notes"); given && !seam.Documents(op, name) {
			c = c.Given(name, nil).Without(name)
		}
		e := next(c)
		if !given && adapter.Succeeded(e) {
			return adapter.Missing("search_notes", adapter.Parameter{Name: name, Type: kind, Description: "needed to answer the search"})
		}
		return e
	}}
}

// demandsSecretly makes a creation demand a parameter that stays documented as optional. Its examples
// give it a value: an example that works is judged apart.
func demandsSecretly(operation, name string, value any) adapter.Hooks {
	demanded := seam.Reworked(operation, name, func(p *adapter.Parameter) { p.Required = true })
	documented := seam.Both(seam.Documented(operation, name, seam.Set("required", false)), seam.Record(operation, func(op map[string]any) {
		for _, e := range adapter.Array(op["examples"]) {
			adapter.Object(adapter.Object(adapter.Object(e)["request"])["params"])[name] = value
		}
	}))
	return seam.Both(seam.Both(seam.Needs(operation, seam.Taking(name)), demanded), documented)
}
