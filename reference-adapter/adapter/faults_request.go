package adapter

import (
	"regexp"
	"strings"
)

// requestFaults break how the request object is read.
var requestFaults = []Fault{
	{ID: "AQL-3.2-01", Variant: "unknown-operation-succeeds", Defect: "unknown operations are answered success:true with data null",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if failedWith("NOT_FOUND_OPERATION")(nil, e) && plainName.MatchString(c.operation()) {
				return envelope{"success": true, "data": nil}
			}
			return e
		}}},
	{ID: "AQL-4.1-01", Variant: "missing-operation-defaults", Defect: "a request without operation is treated as introspect",
		hooks: hooks{item: func(c call, next handler) envelope {
			if _, ok := c.body["operation"]; !ok {
				c = c.with("operation", "introspect")
			}
			return next(c)
		}}},
	{ID: "AQL-4.1-02", Variant: "operation-coerced-to-string", Defect: "operation [\"introspect\"] is stringified and executed",
		hooks: hooks{item: func(c call, next handler) envelope {
			if names := array(c.body["operation"]); len(names) == 1 {
				c = c.with("operation", names[0])
			}
			return next(c)
		}}},
	{ID: "AQL-4.1-03", Variant: "params-dereferenced-unchecked", Defect: "a missing params member is answered with INTERNAL_ERROR",
		// Only where nothing is required: elsewhere the missing parameter is somebody else's case.
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if calling("list_notes", "list_folders")(c) && succeeded(e) && len(c.body) == 1 {
				return failure("INTERNAL_ERROR", "The operation failed unexpectedly; try again", nil)
			}
			return e
		}}},
	{ID: "AQL-4.1-04", Variant: "params-array-accepted", Defect: "params given as an array is ignored and the call goes on",
		hooks: forgives(func(params any) bool { return array(params) != nil })},
	{ID: "AQL-4.1-04", Variant: "params-number-ignored", Defect: "params:5 is ignored and the operation runs without parameters",
		hooks: forgives(func(params any) bool { return jsonType(params) == "number" })},
	{ID: "AQL-4.1-04", Variant: "listing-for-any-params", Defect: "introspect lists the operations where params is a list or a number",
		hooks: hooks{item: func(c call, next handler) envelope {
			if params := c.body["params"]; c.operation() == "introspect" && (array(params) != nil || jsonType(params) == "number") {
				c = c.with("params", map[string]any{"query": "operations"})
			}
			return next(c)
		}}},
	{ID: "AQL-D-01", Variant: "schema-requires-element-type", Defect: "inputSchema requires a top-level element_type next to operation",
		hooks: demandsMember("element_type")},
	{ID: "AQL-D-01", Variant: "schema-renames-operation", Defect: "inputSchema requires a property called op",
		hooks: demandsMember("op")},
	{ID: "AQL-D-01", Variant: "schema-closes-params", Defect: "inputSchema of the tool for executing admits no member of params, though its operations take some",
		hooks: toolHosting("cancel_export", func(tool map[string]any) {
			object(object(object(tool["inputSchema"])["properties"])["params"])["additionalProperties"] = false
		})},
	{ID: "OPS-2.2-05", Variant: "empty-name-lists-operations", Defect: "an empty operation name is taken as a request for the operation list",
		hooks: hooks{item: func(c call, next handler) envelope {
			if name, ok := c.body["operation"].(string); ok && strings.TrimSpace(name) == "" {
				c = c.with("operation", "introspect").given("query", "operations")
			}
			return next(c)
		}}},
	{ID: "OPS-2.4-01", Variant: "router-lowercases-names", Defect: "the router lower-cases the operation name before looking it up",
		hooks: hooks{item: func(c call, next handler) envelope {
			if name := c.operation(); name != "" {
				c = c.with("operation", strings.ToLower(name))
			}
			return next(c)
		}}},
	{ID: "MCP-SEC-04", Variant: "constructor-resolves", Defect: "operation constructor resolves and is answered with success",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if inherited.MatchString(c.operation()) {
				return success(map[string]any{})
			}
			return e
		}}},
}

var inherited = regexp.MustCompile(`^(constructor|toString|hasOwnProperty|valueOf)$`)

// placeFaults break the resolution of parameters at top level.
var placeFaults = []Fault{
	{ID: "AQL-4.2-02", Variant: "toplevel-shadows-params", Defect: "the top-level value of a parameter overrides the one in params",
		hooks: before(anyOperation, func(c call, op operation) call {
			for name := range c.params() {
				if value, ok := c.body[name]; ok && documents(op, name) {
					c = c.given(name, value)
				}
			}
			return c
		})},
	{ID: "AQL-4.2-03", Variant: "fallback-only-without-params", Defect: "top-level parameters are read only if params is missing altogether",
		// An empty params decides here; mixing both places has a row of its own.
		hooks: before(anyOperation, func(c call, op operation) call {
			if params := c.params(); params != nil && len(params) == 0 {
				return c.withoutTop(op)
			}
			return c
		})},
	{ID: "AQL-4.2-03", Variant: "toplevel-value-untyped", Defect: "a top-level value skips the type check that the params value gets",
		hooks: before(anyOperation, func(c call, op operation) call {
			for _, p := range op.Parameters {
				value, ok := c.body[p.Name]
				if _, inParams, _ := c.value(p.Name); !ok || inParams || hasType(p.Type, value) {
					continue
				}
				if p.Type == "string" {
					c = c.with(p.Name, printed(value))
				} else if jsonType(value) != "string" || p.Type == "integer" || p.Type == "boolean" {
					c = c.without(p.Name)
				}
			}
			return c
		})},
	{ID: "AQL-4.2-04", Variant: "one-place-per-request", Defect: "either params or the top level is used, never both",
		hooks: before(anyOperation, func(c call, op operation) call {
			if len(c.params()) > 0 {
				return c.withoutTop(op)
			}
			return c
		})},
}

func anyOperation(operation) bool { return true }

// withoutTop drops the documented parameters of op from the top level; unknown
// names stay and are refused as ever.
func (c call) withoutTop(op operation) call {
	for _, p := range op.Parameters {
		if _, ok := c.body[p.Name]; ok {
			c = c.without(p.Name)
		}
	}
	return c
}

// forgives replaces params that it picks by an object that introspect can live
// with, so that its leniency shows there too.
func forgives(pick func(params any) bool) hooks {
	return before(anyOperation, func(c call, op operation) call {
		if !pick(c.body["params"]) {
			return c
		}
		if domain(op) {
			return c.with("params", map[string]any{})
		}
		return c.with("params", map[string]any{"query": "operations"})
	})
}

// demandsMember makes the schema of the tool for reading require one more
// top-level member, and has get_folder refused without it. Discovery stays open,
// else nothing but the closed door could be judged.
func demandsMember(member string) hooks {
	return both(
		both(
			hooks{ask: func(x *exchange) {
				if arguments := object(object(x.request["params"])["arguments"]); arguments != nil {
					delete(arguments, member)
				}
			}},
			toolHosting("get_folder", func(tool map[string]any) {
				schema := object(tool["inputSchema"])
				object(schema["properties"])[member] = map[string]any{"type": "string"}
				schema["required"] = []any{member}
			})),
		rpcRefusal(func(x *exchange, _ map[string]any) bool {
			params := object(x.original["params"])
			arguments := object(params["arguments"])
			_, given := arguments[member]
			op, _ := x.operationNamed("get_folder")
			return params["name"] == x.toolOf(op) && arguments["operation"] == "get_folder" && !given
		}, -32602, "invalid params: missing property "+member))
}
