package calls

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// requestFaults break how the request object is read.
var requestFaults = []seam.Fault{
	{ID: "AQL-3.2-01", Variant: "unknown-operation-succeeds", Defect: "unknown operations are answered success:true with data null",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if seam.FailedWith("NOT_FOUND_OPERATION")(nil, e) && seam.PlainName.MatchString(c.Operation()) {
				return adapter.Envelope{"success": true, "data": nil}
			}
			return e
		}}},
	{ID: "AQL-4.1-01", Variant: "missing-operation-defaults", Defect: "a request without operation is treated as introspect",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if _, ok := c.Body["operation"]; !ok {
				c = c.With("operation", "introspect")
			}
			return next(c)
		}}},
	{ID: "AQL-4.1-02", Variant: "operation-coerced-to-string", Defect: "operation [\"introspect\"] is stringified and executed",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if names := adapter.Array(c.Body["operation"]); len(names) == 1 {
				c = c.With("operation", names[0])
			}
			return next(c)
		}}},
	{ID: "AQL-4.1-03", Variant: "params-dereferenced-unchecked", Defect: "a missing params member is answered with INTERNAL_ERROR",
		// Only where nothing is required: elsewhere the missing parameter is somebody else's case.
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if seam.Calling("list_notes", "list_folders")(c) && adapter.Succeeded(e) && len(c.Body) == 1 {
				return adapter.Failure("INTERNAL_ERROR", "The operation failed unexpectedly; try again", nil)
			}
			return e
		}}},
	{ID: "AQL-4.1-03", Variant: "params-dereferenced-by-one", Defect: "list_folders alone answers a missing params member with INTERNAL_ERROR",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if seam.Calling("list_folders")(c) && adapter.Succeeded(e) && len(c.Body) == 1 {
				return adapter.Failure("INTERNAL_ERROR", "The operation failed unexpectedly; try again", nil)
			}
			return e
		}}},
	{ID: "AQL-4.1-03", Variant: "other-data-without-params", Defect: "list_notes answers one note where params is missing",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if seam.Calling("list_notes")(c) && len(c.Body) == 1 {
				c = c.With("params", map[string]any{"first": 1})
			}
			return next(c)
		}}},
	{ID: "AQL-4.1-04", Variant: "params-array-accepted", Defect: "params given as an array is ignored and the call goes on",
		Hooks: forgives(func(params any) bool { return adapter.Array(params) != nil })},
	{ID: "AQL-4.1-04", Variant: "params-number-ignored", Defect: "params:5 is ignored and the operation runs without parameters",
		Hooks: forgives(func(params any) bool { return adapter.JSONType(params) == "number" })},
	{ID: "AQL-4.1-04", Variant: "listing-for-any-params", Defect: "introspect lists the operations where params is a list or a number",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if params := c.Body["params"]; c.Operation() == "introspect" && (adapter.Array(params) != nil || adapter.JSONType(params) == "number") {
				c = c.With("params", map[string]any{"query": "operations"})
			}
			return next(c)
		}}},
	{ID: "AQL-D-01", Variant: "schema-requires-element-type", Defect: "inputSchema requires a top-level element_type next to operation",
		Hooks: demandsMember("element_type")},
	{ID: "AQL-D-01", Variant: "schema-renames-operation", Defect: "inputSchema requires a property called op",
		Hooks: demandsMember("op")},
	{ID: "AQL-D-01", Variant: "schema-closes-params", Defect: "inputSchema of the tool for executing admits no member of params, though its operations take some",
		Hooks: seam.ToolHosting("cancel_export", func(tool map[string]any) {
			adapter.Object(adapter.Object(adapter.Object(tool["inputSchema"])["properties"])["params"])["additionalProperties"] = false
		})},
	{ID: "OPS-2.2-05", Variant: "empty-name-lists-operations", Defect: "an empty operation name is taken as a request for the operation list",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if name, ok := c.Body["operation"].(string); ok && strings.TrimSpace(name) == "" {
				c = c.With("operation", "introspect").Given("query", "operations")
			}
			return next(c)
		}}},
	{ID: "OPS-2.2-05", Variant: "empty-name-in-batch", Defect: "an empty operation name in a batch is taken as a request for the operation list",
		Hooks: seam.OfBatch(func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if c.Body["operation"] == "" {
				c = c.With("operation", "introspect").Given("query", "operations")
			}
			return next(c)
		})},
	{ID: "OPS-2.4-01", Variant: "router-lowercases-names", Defect: "the router lower-cases the operation name before looking it up",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if name := c.Operation(); name != "" {
				c = c.With("operation", strings.ToLower(name))
			}
			return next(c)
		}}},
	{ID: "MCP-SEC-04", Variant: "constructor-resolves", Defect: "operation constructor resolves and is answered with success",
		Hooks: resolves(inherited)},
	{ID: "MCP-SEC-04", Variant: "attribute-resolves", Defect: "operation __str__ resolves and is answered with success",
		Hooks: resolves(regexp.MustCompile(`^__(str|repr|dir|doc|class|hash)__$`))},
}

var inherited = regexp.MustCompile(`^(constructor|toString|hasOwnProperty|valueOf)$`)

// resolves answers names that are no operations with success.
func resolves(names *regexp.Regexp) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		if names.MatchString(c.Operation()) {
			return adapter.Success(map[string]any{})
		}
		return e
	}}
}

// topLevelWins has an operation take a parameter from the top level although params has it.
func topLevelWins(operation string) adapter.Hooks {
	return seam.Before(seam.Named(operation), func(c adapter.Call, op adapter.Operation) adapter.Call {
		for name := range c.Params() {
			if value, ok := c.Body[name]; ok && seam.Documents(op, name) {
				c = c.Given(name, value)
			}
		}
		return c
	})
}

// placeFaults break the resolution of parameters at top level.
var placeFaults = []seam.Fault{
	{ID: "AQL-4.2-02", Variant: "toplevel-shadows-params", Defect: "introspect takes the top-level value of a parameter although params has it",
		Hooks: topLevelWins("introspect")},
	{ID: "AQL-4.2-02", Variant: "toplevel-shadows-in-one-read", Defect: "list_notes takes a parameter from the top level although params has it",
		Hooks: topLevelWins("list_notes")},
	{ID: "AQL-4.2-02", Variant: "false-in-params-lost", Defect: "search_notes takes a false in params for nothing, and looks at the top level",
		Hooks: seam.Before(seam.Named("search_notes"), func(c adapter.Call, _ adapter.Operation) adapter.Call {
			if only, top := c.Params()["title_only"], c.Body["title_only"]; only == false && top == true {
				return c.Given("title_only", top)
			}
			return c
		})},
	{ID: "AQL-4.2-03", Variant: "fallback-only-without-params", Defect: "top-level parameters are read only if params is missing altogether",
		// An empty params decides here; mixing both places has a row of its own.
		Hooks: seam.Before(anyOperation, func(c adapter.Call, op adapter.Operation) adapter.Call {
			if params := c.Params(); params != nil && len(params) == 0 {
				return withoutTop(c, op)
			}
			return c
		})},
	{ID: "AQL-4.2-03", Variant: "toplevel-value-untyped", Defect: "a top-level value skips the type check that the params value gets",
		Hooks: seam.Before(anyOperation, func(c adapter.Call, op adapter.Operation) adapter.Call {
			for _, p := range op.Parameters {
				value, ok := c.Body[p.Name]
				if _, inParams, _ := c.Value(p.Name); !ok || inParams || adapter.HasType(p.Type, value) {
					continue
				}
				if p.Type == "string" {
					c = c.With(p.Name, adapter.Printed(value))
				} else if adapter.JSONType(value) != "string" || p.Type == "integer" || p.Type == "boolean" {
					c = c.Without(p.Name)
				}
			}
			return c
		})},
	{ID: "AQL-4.2-03", Variant: "optional-parameter-dropped", Defect: "one optional parameter of a READ is dropped at the top level, the others are read",
		Hooks: seam.Before(seam.Domain, func(c adapter.Call, op adapter.Operation) adapter.Call {
			optional := slices.DeleteFunc(slices.Clone(op.Parameters), func(p adapter.Parameter) bool { return p.Required || p.Type != "integer" && p.Type != "string" })
			if op.Category != "READ" || len(optional) < 2 {
				return c
			}
			if _, beside := c.Body[optional[1].Name]; beside {
				return c.Without(optional[1].Name)
			}
			return c
		})},
	{ID: "AQL-4.2-04", Variant: "one-place-per-request", Defect: "either params or the top level is used, never both",
		Hooks: seam.Before(anyOperation, func(c adapter.Call, op adapter.Operation) adapter.Call {
			if len(c.Params()) > 0 {
				return withoutTop(c, op)
			}
			return c
		})},
}

func anyOperation(adapter.Operation) bool { return true }

// withoutTop drops the documented parameters of op from the top level; unknown
// names stay and are refused as ever.
func withoutTop(c adapter.Call, op adapter.Operation) adapter.Call {
	for _, p := range op.Parameters {
		if _, ok := c.Body[p.Name]; ok {
			c = c.Without(p.Name)
		}
	}
	return c
}

// forgives replaces params that it picks by an object that introspect can live
// with, so that its leniency shows there too.
func forgives(pick func(params any) bool) adapter.Hooks {
	return seam.Before(anyOperation, func(c adapter.Call, op adapter.Operation) adapter.Call {
		if !pick(c.Body["params"]) {
			return c
		}
		if seam.Domain(op) {
			return c.With("params", map[string]any{})
		}
		return c.With("params", map[string]any{"query": "operations"})
	})
}

// demandsMember makes the schema of the tool for reading require one more
// top-level member, and has get_folder refused without it. Discovery stays open,
// else nothing but the closed door could be judged.
func demandsMember(member string) adapter.Hooks {
	return seam.Both(
		seam.Both(
			adapter.Hooks{Ask: func(x *adapter.Exchange) {
				if arguments := adapter.Object(adapter.Object(x.Request["params"])["arguments"]); arguments != nil {
					delete(arguments, member)
				}
			}},
			seam.ToolHosting("get_folder", func(tool map[string]any) {
				schema := adapter.Object(tool["inputSchema"])
				adapter.Object(schema["properties"])[member] = map[string]any{"type": "string"}
				schema["required"] = []any{member}
			})),
		seam.RPCRefusal(func(x *adapter.Exchange, _ map[string]any) bool {
			params := adapter.Object(x.Original["params"])
			arguments := adapter.Object(params["arguments"])
			_, given := arguments[member]
			op, _ := x.OperationNamed("get_folder")
			return params["name"] == x.ToolOf(op) && arguments["operation"] == "get_folder" && !given
		}, -32602, "invalid params: missing property "+member))
}
