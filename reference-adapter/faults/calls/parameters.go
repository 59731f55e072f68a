package calls

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// unknownNameFaults accept parameters that nobody documents.
var unknownNameFaults = []seam.Fault{
	{ID: "AQL-4.6-01", Variant: "unknown-params-dropped", Defect: "READ operations drop unknown parameters before dispatch",
		Hooks: seam.Before(seam.DomainRead, func(c adapter.Call, op adapter.Operation) adapter.Call {
			return seam.DropUnknown(c, op, seam.ProbeName.MatchString)
		})},
	{ID: "AQL-4.6-01", Variant: "unknown-dropped-beside-size", Defect: "list_notes drops unknown parameters if a size of pages is given",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, op adapter.Operation) adapter.Call {
			if c.Params()["first"] == nil {
				return c
			}
			return seam.DropUnknown(c, op, seam.ProbeName.MatchString)
		})},
	{ID: "AQL-4.6-01", Variant: "unknown-params-warned", Defect: "READ operations answer unknown parameters with success and a warning",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			op, ok := c.OperationNamed(c.Operation())
			if !ok || !seam.DomainRead(op) || len(seam.UnknownNames(c, op)) == 0 {
				return next(c)
			}
			e := next(seam.DropUnknown(c, op, seam.ProbeName.MatchString))
			if adapter.Succeeded(e) {
				e["warnings"] = adapter.Plain([]any{map[string]any{"code": "UNKNOWN_PARAM_IGNORED", "message": "Unknown parameters were ignored", "severity": "low"}})
			}
			return e
		}}},
	{ID: "AQL-4.6-06", Variant: "prototype-name-accepted", Defect: "constructor and other inherited names count as documented",
		Hooks: seam.Before(seam.Named("introspect"), func(c adapter.Call, op adapter.Operation) adapter.Call {
			return seam.DropUnknown(c, op, inherited.MatchString)
		})},
	{ID: "AQL-4.6-06", Variant: "case-of-names-ignored", Defect: "create_folder takes the names of its parameters in any case",
		Hooks: seam.Before(seam.Named("create_folder"), inLowerCase)},
	{ID: "AQL-4.6-06", Variant: "case-of-names-ignored-by-a-read", Defect: "get_folder takes the names of its parameters in any case",
		Hooks: seam.Before(seam.Named("get_folder"), inLowerCase)},
	{ID: "AQL-4.6-09", Variant: "hidden-limit", Defect: "list_notes honours an undocumented limit while refusing random names",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if limit := c.Params()["limit"]; adapter.JSONType(limit) == "number" {
				return c.Given("first", limit).Given("limit", nil)
			}
			return c
		})},
	{ID: "AQL-4.6-09", Variant: "offered-not-documented", Defect: "introspection leaves created_after of list_notes out, and refusals offer it",
		Hooks: seam.Both(seam.Needs("list_notes", seam.Taking("created_after")), seam.Record("list_notes", func(op map[string]any) {
			op["parameters"] = slices.DeleteFunc(adapter.Array(op["parameters"]), func(p any) bool { return adapter.Object(p)["name"] == "created_after" })
		}))},
	{ID: "AQL-4.6-09", Variant: "hidden-fields-of-writes", Defect: "create_folder takes an undocumented fields while refusing random names",
		Hooks: seam.Before(seam.Named("create_folder"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			return c.Given("fields", nil)
		})},
	{ID: "AQL-4.6-09", Variant: "hidden-fields", Defect: "list_folders type-checks an undocumented first parameter",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			value, ok := c.Params()["first"]
			if c.Operation() == "list_folders" && seam.FailedWith("VALIDATION_UNKNOWN_PARAM")(nil, e) && ok && adapter.JSONType(value) != "number" {
				return adapter.Mistyped("list_folders", "first", "integer", value)
			}
			return e
		}}},
	{ID: "OPS-9.2-06", Variant: "introspect-skips-validation", Defect: "introspect ignores an extra key while all other operations refuse it",
		Hooks: seam.Before(seam.Named("introspect"), func(c adapter.Call, op adapter.Operation) adapter.Call {
			if len(seam.UnknownNames(c, op)) == 1 { // two at once belong to other requirements
				return seam.DropUnknown(c, op, seam.ProbeName.MatchString)
			}
			return c
		})},
	{ID: "OPS-9.2-06", Variant: "lookup-skips-validation", Defect: "introspect ignores an extra key where a name is looked up",
		Hooks: seam.Before(seam.Named("introspect"), func(c adapter.Call, op adapter.Operation) adapter.Call {
			if name, _, given := c.Value("name"); given && name != nil && len(seam.UnknownNames(c, op)) == 1 {
				return seam.DropUnknown(c, op, seam.ProbeName.MatchString)
			}
			return c
		})},
	{ID: "OPS-4.1-03", Variant: "alias-value-dropped", Defect: "titleOnly is accepted for title_only but its value is dropped",
		Hooks: seam.Before(seam.Named("search_notes"), func(c adapter.Call, op adapter.Operation) adapter.Call {
			return seam.DropUnknown(c, op, func(name string) bool { return seam.CamelCase.MatchString(name) && !inherited.MatchString(name) })
		})},
	{ID: "AQL-4.6.2-04", Variant: "strict-mode-parameter", Defect: "params.strict_mode:false switches the unknown-parameter check off",
		Hooks: seam.Before(anyOperation, func(c adapter.Call, op adapter.Operation) adapter.Call {
			if c.Params()["strict_mode"] == false {
				return seam.DropUnknown(c, op, func(string) bool { return true })
			}
			return c
		})},
	{ID: "AQL-10.3-03", Variant: "dry-run-skips-validation", Defect: "with fields given unknown parameters pass",
		Hooks: seam.Before(seam.DomainRead, func(c adapter.Call, op adapter.Operation) adapter.Call {
			if c.Params()["fields"] != nil {
				return seam.DropUnknown(c, op, seam.ProbeName.MatchString)
			}
			return c
		})},
	{ID: "AQL-10.3-03", Variant: "fields-strip-envelope", Defect: "a list in fields also strips success from the envelope",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if c.Operation() == "list_folders" && adapter.Array(c.Params()["fields"]) != nil {
				delete(e, "success")
			}
		})},
	{ID: "AQL-10.3-03", Variant: "selected-fields-lose-envelope", Defect: "a list of documented fields of list_folders strips success from the envelope",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			list := adapter.Array(c.Params()["fields"])
			if c.Operation() == "list_folders" && list != nil && !slices.Contains(list, any("success")) && adapter.Succeeded(e) {
				delete(e, "success")
			}
		})},
	{ID: "AQL-10.3-03", Variant: "rehearsal-takes-unknown-names", Defect: "delete_note with dry_run takes unknown parameters",
		Hooks: seam.Before(seam.Named("delete_note"), func(c adapter.Call, op adapter.Operation) adapter.Call {
			if c.Params()["dry_run"] == true {
				return seam.DropUnknown(c, op, seam.ProbeName.MatchString)
			}
			return c
		})},
}

// unknownReplyFaults break what the refusal of an unknown parameter says.
var unknownReplyFaults = []seam.Fault{
	{ID: "AQL-4.6-02", Variant: "unknown-param-wrong-code", Defect: "an unknown parameter of introspect is refused with VALIDATION_INVALID_TYPE",
		Hooks: seam.Refused(seam.UnknownParam, func(c adapter.Call) bool {
			op, _ := c.OperationNamed("introspect")
			return c.Operation() == "introspect" && len(seam.UnknownNames(c, op)) > 0
		}, seam.Code("VALIDATION_INVALID_TYPE"))},
	{ID: "AQL-4.6-02", Variant: "nested-unknown-is-mistyped", Defect: "an unknown parameter that holds an array or an object is refused with VALIDATION_INVALID_TYPE",
		Hooks: seam.Refused(seam.UnknownParam, func(c adapter.Call) bool {
			op, _ := c.OperationNamed(c.Operation())
			return slices.ContainsFunc(seam.UnknownNames(c, op), func(name string) bool {
				value := c.Params()[name]
				return adapter.Array(value) != nil || adapter.Object(value) != nil
			})
		}, seam.Code("VALIDATION_INVALID_TYPE"))},
	{ID: "AQL-4.6-03", Variant: "details-without-operation", Defect: "details of unknown-parameter errors lack operation",
		Hooks: seam.Refused(seam.UnknownParam, seam.AnyCall, func(_ adapter.Call, _, details map[string]any) { delete(details, "operation") })},
	{ID: "AQL-4.6-04", Variant: "first-unknown-only", Defect: "only the first of several unknown names is reported",
		Hooks: seam.Refused(seam.UnknownParam, seam.AnyCall, firstUnknown)},
	{ID: "AQL-4.6-04", Variant: "first-unknown-of-lists", Defect: "list_folders reports only the first of several unknown names",
		Hooks: seam.Refused(seam.UnknownParam, seam.Calling("list_folders"), firstUnknown)},
	{ID: "AQL-4.6-05", Variant: "valid-params-stale", Defect: "valid_params holds a name that is documented no longer",
		Hooks: seam.Refused(seam.UnknownParam, seam.Calling("list_notes", "list_folders"), func(_ adapter.Call, _, details map[string]any) {
			details["valid_params"] = append(adapter.Array(details["valid_params"]), "archived_only")
		})},
	{ID: "AQL-4.6.1-03", Variant: "operation-reported-unknown", Defect: "unknown_params lists operation for an ordinary request",
		Hooks: seam.Refused(seam.UnknownParam, not(seam.Calling("introspect")), func(_ adapter.Call, _, details map[string]any) {
			details["unknown_params"] = append(adapter.Array(details["unknown_params"]), "operation")
		})},
}

// topLevelFaults break the check of names beside params.
var topLevelFaults = []seam.Fault{
	{ID: "AQL-4.6.1-01", Variant: "toplevel-unknowns-ignored", Defect: "unknown names next to operation are ignored while those in params are refused",
		Hooks: seam.Before(anyOperation, func(c adapter.Call, op adapter.Operation) adapter.Call {
			return dropTop(c, func(name string) bool { return name[:1] != "_" && !seam.Documents(op, name) })
		})},
	{ID: "AQL-4.6.1-01", Variant: "toplevel-unknowns-ignored-in-one-read", Defect: "list_folders ignores unknown names next to operation and refuses those in params",
		Hooks: seam.Before(seam.Named("list_folders"), func(c adapter.Call, op adapter.Operation) adapter.Call {
			return dropTop(c, func(name string) bool { return name[:1] != "_" && !seam.Documents(op, name) })
		})},
	{ID: "AQL-4.6.1-01", Variant: "toplevel-unknowns-ignored-beside-params", Defect: "list_notes ignores unknown names next to operation where params holds a parameter",
		Hooks: seam.Before(seam.Named("list_notes"), func(c adapter.Call, op adapter.Operation) adapter.Call {
			if len(c.Params()) == 0 {
				return c
			}
			return dropTop(c, func(name string) bool { return name[:1] != "_" && !seam.Documents(op, name) })
		})},
	{ID: "AQL-4.6.1-01", Variant: "toplevel-unknowns-ignored-in-a-creation", Defect: "create_folder ignores unknown names next to operation and refuses those in params",
		Hooks: seam.Before(seam.Named("create_folder"), func(c adapter.Call, op adapter.Operation) adapter.Call {
			return dropTop(c, func(name string) bool { return name[:1] != "_" && !seam.Documents(op, name) })
		})},
	{ID: "AQL-4.6.1-02", Variant: "toplevel-field-dropped", Defect: "no parameter is resolved at top level, and any extra field there is dropped without a word",
		Hooks: seam.Before(anyOperation, func(c adapter.Call, _ adapter.Operation) adapter.Call {
			return dropTop(c, func(name string) bool { return name[:1] != "_" })
		})},
	{ID: "AQL-4.6.1-02", Variant: "toplevel-field-dropped-by-one-read", Defect: "no parameter is resolved at top level, and list_folders drops any extra field there without a word",
		Hooks: droppedByFolders},
	{ID: "AQL-4.6.1-02", Variant: "toplevel-field-dropped-beside-a-warning", Defect: "no parameter is resolved at top level, and list_folders drops any extra field there; each answer of it has a warning on something else",
		Hooks: seam.Both(droppedByFolders, seam.Warning(seam.After(func(c adapter.Call, e adapter.Envelope) {
			if c.Operation() == "list_folders" {
				seam.Warned(e, "LIST_UNSORTED", "The folders have no order")
			}
		})))},
	{ID: "AQL-4.6.1-04", Variant: "meta-refused", Defect: "_meta and _request_id beside operation are refused as unknown",
		Hooks: metadataRefused(seam.AnyCall)},
	{ID: "AQL-4.6.1-04", Variant: "meta-refused-by-one-read", Defect: "get_folder refuses _meta and _request_id beside operation as unknown",
		Hooks: metadataRefused(seam.Calling("get_folder"))},
	{ID: "AQL-4.6.1-04", Variant: "meta-warned-about", Defect: "_meta beside operation is taken with a warning that calls it unknown",
		Hooks: seam.Warning(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if _, given := c.Body["_meta"]; given {
				return seam.Warned(e, seam.UnknownParam, "Unknown parameter '_meta' was ignored")
			}
			return e
		}})},
	{ID: "AQL-4.6.1-04", Variant: "progress-token-refused", Defect: "a progressToken in _meta of the MCP request is taken for a parameter, which is unknown",
		Hooks: seam.CalledAs(func(_ *adapter.Exchange, params map[string]any) {
			arguments := seam.Copied(params["arguments"])
			if token := adapter.Object(params["_meta"])["progressToken"]; token != nil && arguments != nil {
				arguments["progress_token"] = token
				params["arguments"] = arguments
			}
		})},
}

// droppedByFolders resolves no parameter beside params. list_folders drops all names there, other operations drop the documented ones.
var droppedByFolders = seam.Before(anyOperation, func(c adapter.Call, op adapter.Operation) adapter.Call {
	return dropTop(c, func(name string) bool {
		return name[:1] != "_" && (op.Name == "list_folders" || seam.Documents(op, name))
	})
})

// metadataRefused has the metadata fields of the calls that it picks refused as unknown.
func metadataRefused(pick func(adapter.Call) bool) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if !pick(c) {
			return next(c)
		}
		names := []string{"_meta", "_request_id"}
		for _, name := range names {
			if value, ok := c.Body[name]; ok {
				c = c.Without(name).With(name[1:], value)
			}
		}
		e := next(c)
		if reason := adapter.Object(e["error"]); reason["code"] == seam.UnknownParam {
			for _, name := range names {
				e["error"] = seam.Swapped(e["error"], name[1:], name)
			}
		}
		return e
	}}
}

// dropTop drops the members beside operation and params that it picks.
func dropTop(c adapter.Call, pick func(name string) bool) adapter.Call {
	for name := range c.Body {
		if name != "" && name != "operation" && name != "params" && pick(name) {
			c = c.Without(name)
		}
	}
	return c
}

// inLowerCase gives each parameter the name that begins with a small letter.
func inLowerCase(c adapter.Call, _ adapter.Operation) adapter.Call {
	for name, value := range c.Params() {
		if lower := strings.ToLower(name[:min(1, len(name))]) + name[min(1, len(name)):]; lower != name {
			c = c.Given(name, nil).Given(lower, value)
		}
	}
	return c
}

// firstUnknown reports one unknown name.
func firstUnknown(c adapter.Call, reason, details map[string]any) {
	names := adapter.Array(details["unknown_params"])[:1]
	details["unknown_params"] = names
	reason["message"] = "Unknown parameter '" + names[0].(string) + "' for operation '" + c.Operation() + "'"
}
