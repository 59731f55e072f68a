package adapter

import (
	"regexp"
	"slices"
)

var (
	probeName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	camelCase = regexp.MustCompile(`^[a-z]+[A-Z]`)
)

// unknownNameFaults accept parameters that nobody documents.
var unknownNameFaults = []Fault{
	{ID: "AQL-4.6-01", Variant: "unknown-params-dropped", Defect: "READ operations drop unknown parameters before dispatch",
		hooks: before(domainRead, func(c call, op operation) call { return c.dropUnknown(op, probeName.MatchString) })},
	{ID: "AQL-4.6-01", Variant: "unknown-params-warned", Defect: "READ operations answer unknown parameters with success and a warning",
		hooks: hooks{item: func(c call, next handler) envelope {
			op, ok := c.operationNamed(c.operation())
			if !ok || !domainRead(op) || len(c.unknownNames(op)) == 0 {
				return next(c)
			}
			e := next(c.dropUnknown(op, probeName.MatchString))
			if succeeded(e) {
				e["warnings"] = plain([]any{map[string]any{"code": "UNKNOWN_PARAM_IGNORED", "message": "Unknown parameters were ignored", "severity": "low"}})
			}
			return e
		}}},
	{ID: "AQL-4.6-06", Variant: "prototype-name-accepted", Defect: "constructor and other inherited names count as documented",
		hooks: before(named("introspect"), func(c call, op operation) call { return c.dropUnknown(op, inherited.MatchString) })},
	{ID: "AQL-4.6-09", Variant: "hidden-limit", Defect: "list_notes honours an undocumented limit while refusing random names",
		hooks: before(named("list_notes"), func(c call, _ operation) call {
			if limit := c.params()["limit"]; jsonType(limit) == "number" {
				return c.given("first", limit).given("limit", nil)
			}
			return c
		})},
	{ID: "AQL-4.6-09", Variant: "hidden-fields", Defect: "list_folders type-checks an undocumented first parameter",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			value, ok := c.params()["first"]
			if c.operation() == "list_folders" && failedWith("VALIDATION_UNKNOWN_PARAM")(nil, e) && ok && jsonType(value) != "number" {
				return mistyped("list_folders", "first", "integer", value)
			}
			return e
		}}},
	{ID: "OPS-9.2-06", Variant: "introspect-skips-validation", Defect: "introspect ignores an extra key while all other operations refuse it",
		hooks: before(named("introspect"), func(c call, op operation) call {
			if len(c.unknownNames(op)) == 1 { // two at once belong to other requirements
				return c.dropUnknown(op, probeName.MatchString)
			}
			return c
		})},
	{ID: "OPS-4.1-03", Variant: "alias-value-dropped", Defect: "titleOnly is accepted for title_only but its value is dropped",
		hooks: before(named("search_notes"), func(c call, op operation) call {
			return c.dropUnknown(op, func(name string) bool { return camelCase.MatchString(name) && !inherited.MatchString(name) })
		})},
	{ID: "AQL-4.6.2-04", Variant: "strict-mode-parameter", Defect: "params.strict_mode:false switches the unknown-parameter check off",
		hooks: before(anyOperation, func(c call, op operation) call {
			if c.params()["strict_mode"] == false {
				return c.dropUnknown(op, func(string) bool { return true })
			}
			return c
		})},
	{ID: "AQL-10.3-03", Variant: "dry-run-skips-validation", Defect: "with fields given unknown parameters pass",
		hooks: before(domainRead, func(c call, op operation) call {
			if c.params()["fields"] != nil {
				return c.dropUnknown(op, probeName.MatchString)
			}
			return c
		})},
	{ID: "AQL-10.3-03", Variant: "fields-strip-envelope", Defect: "a list in fields also strips success from the envelope",
		hooks: after(func(c call, e envelope) {
			if c.operation() == "list_folders" && array(c.params()["fields"]) != nil {
				delete(e, "success")
			}
		})},
}

func domainRead(op operation) bool { return domain(op) && op.Category == "READ" }

// dropUnknown drops the unknown names in params that it picks.
func (c call) dropUnknown(op operation, pick func(name string) bool) call {
	for _, name := range c.unknownNames(op) {
		if pick(name) {
			c = c.given(name, nil)
		}
	}
	return c
}

// unknownReplyFaults break what the refusal of an unknown parameter says.
var unknownReplyFaults = []Fault{
	{ID: "AQL-4.6-02", Variant: "unknown-param-wrong-code", Defect: "an unknown parameter of introspect is refused with VALIDATION_INVALID_TYPE",
		hooks: refused(unknownParam, func(c call) bool {
			op, _ := c.operationNamed("introspect")
			return c.operation() == "introspect" && len(c.unknownNames(op)) > 0
		}, code("VALIDATION_INVALID_TYPE"))},
	{ID: "AQL-4.6-02", Variant: "nested-unknown-is-mistyped", Defect: "an unknown parameter that holds an array or an object is refused with VALIDATION_INVALID_TYPE",
		hooks: refused(unknownParam, func(c call) bool {
			op, _ := c.operationNamed(c.operation())
			return slices.ContainsFunc(c.unknownNames(op), func(name string) bool {
				value := c.params()[name]
				return array(value) != nil || object(value) != nil
			})
		}, code("VALIDATION_INVALID_TYPE"))},
	{ID: "AQL-4.6-03", Variant: "details-without-operation", Defect: "details of unknown-parameter errors lack operation",
		hooks: refused(unknownParam, anyCall, func(_ call, _, details map[string]any) { delete(details, "operation") })},
	{ID: "AQL-4.6-04", Variant: "first-unknown-only", Defect: "only the first of several unknown names is reported",
		hooks: refused(unknownParam, anyCall, func(c call, reason, details map[string]any) {
			names := array(details["unknown_params"])[:1]
			details["unknown_params"] = names
			reason["message"] = "Unknown parameter '" + names[0].(string) + "' for operation '" + c.operation() + "'"
		})},
	{ID: "AQL-4.6-05", Variant: "valid-params-stale", Defect: "valid_params holds a name that is documented no longer",
		hooks: refused(unknownParam, calling("list_notes", "list_folders"), func(_ call, _, details map[string]any) {
			details["valid_params"] = append(array(details["valid_params"]), "archived_only")
		})},
	{ID: "AQL-4.6.1-03", Variant: "operation-reported-unknown", Defect: "unknown_params lists operation for an ordinary request",
		hooks: refused(unknownParam, not(calling("introspect")), func(_ call, _, details map[string]any) {
			details["unknown_params"] = append(array(details["unknown_params"]), "operation")
		})},
}

const unknownParam = "VALIDATION_UNKNOWN_PARAM"

// topLevelFaults break the check of names beside params.
var topLevelFaults = []Fault{
	{ID: "AQL-4.6.1-01", Variant: "toplevel-unknowns-ignored", Defect: "unknown names next to operation are ignored while those in params are refused",
		hooks: before(anyOperation, func(c call, op operation) call {
			return c.dropTop(func(name string) bool { return name[:1] != "_" && !documents(op, name) })
		})},
	{ID: "AQL-4.6.1-02", Variant: "toplevel-field-dropped", Defect: "no parameter is resolved at top level, and any extra field there is dropped without a word",
		hooks: before(anyOperation, func(c call, _ operation) call {
			return c.dropTop(func(name string) bool { return name[:1] != "_" })
		})},
	{ID: "AQL-4.6.1-04", Variant: "meta-refused", Defect: "_meta and _request_id beside operation are refused as unknown",
		hooks: hooks{item: func(c call, next handler) envelope {
			names := []string{"_meta", "_request_id"}
			for _, name := range names {
				if value, ok := c.body[name]; ok {
					c = c.without(name).with(name[1:], value)
				}
			}
			e := next(c)
			if reason := object(e["error"]); reason["code"] == unknownParam {
				for _, name := range names {
					e["error"] = swapped(e["error"], name[1:], name)
				}
			}
			return e
		}}},
	{ID: "AQL-4.6.1-04", Variant: "progress-token-refused", Defect: "a progressToken in _meta of the MCP request is taken for a parameter, which is unknown",
		hooks: calledAs(func(_ *exchange, params map[string]any) {
			arguments := copied(params["arguments"])
			if token := object(params["_meta"])["progressToken"]; token != nil && arguments != nil {
				arguments["progress_token"] = token
				params["arguments"] = arguments
			}
		})},
}

// dropTop drops the members beside operation and params that it picks.
func (c call) dropTop(pick func(name string) bool) call {
	for name := range c.body {
		if name != "" && name != "operation" && name != "params" && pick(name) {
			c = c.without(name)
		}
	}
	return c
}
