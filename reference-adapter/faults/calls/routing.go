package calls

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

var routingFaults = []seam.Fault{
	{ID: "AQL-3.2-02", Variant: "params-validated-first", Defect: "a misrouted call without parameters is answered with a missing-parameter error",
		Hooks: misrouted(func(c adapter.Call, op adapter.Operation, next adapter.Handler, refusal adapter.Envelope) adapter.Envelope {
			c.Tool = rightTool(c, op)
			if given, _ := c.Resolve(op); lacksRequired(op, given) { // so it cannot run
				return next(c)
			}
			return refusal
		})},
	{ID: "AQL-3.3-03", Variant: "unified-tool-read-only", Defect: "the unified tool routes READ operations only", Mode: "all",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if op, ok := c.OperationNamed(c.Operation()); ok && c.Tool == adapter.Unified && op.Category != "READ" {
				return seam.UnknownAs(c, next)
			}
			return next(c)
		}}},
	{ID: "AQL-3.3-03", Variant: "unified-tool-without-removals", Defect: "the unified tool answers operations of category DELETE with VALIDATION_INVALID_VALUE", Mode: "all",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if op, ok := c.OperationNamed(c.Operation()); ok && c.Tool == adapter.Unified && op.Category == "DELETE" && seam.FailedWith("NOT_FOUND_RESOURCE")(nil, e) {
				return adapter.Failure("VALIDATION_INVALID_VALUE", "Call the tool for removals", nil)
			}
			return e
		}}},
	{ID: "AQL-3.3-03", Variant: "unified-tool-without-creations", Defect: "the unified tool loses the params of operations of category CREATE", Mode: "all",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if op, ok := c.OperationNamed(c.Operation()); ok && c.Tool == adapter.Unified && op.Category == "CREATE" {
				c = c.With("params", map[string]any{})
			}
			return next(c)
		}}},
	{ID: "AQL-3.3-04", Variant: "delete-op-on-update-tool", Defect: "delete_folder, of category DELETE, is assigned to the update tool",
		Hooks: rehomed("delete_folder", "update", "update")},
	{ID: "AQL-6.2-01", Variant: "category-differs-in-details", Defect: "the list says EXECUTE, the details of cancel_export say DELETE", Mode: "single",
		Hooks: seam.Record("cancel_export", seam.Set("semantic_category", "DELETE"))},
	{ID: "AQL-6.2-03", Variant: "no-endpoint-check", Defect: "any endpoint tool executes any READ operation",
		Hooks: misrouted(func(c adapter.Call, op adapter.Operation, next adapter.Handler, refusal adapter.Envelope) adapter.Envelope {
			if !seam.Domain(op) || op.Category != "READ" {
				return refusal
			}
			c.Tool = rightTool(c, op)
			return next(c)
		})},
	{ID: "AQL-6.2-03", Variant: "update-via-delete-tool", Defect: "only UPDATE operations sent to the delete tool slip through",
		// The answer slips through without the change: what changes through a wrong
		// endpoint is judged apart.
		Hooks: misrouted(func(c adapter.Call, op adapter.Operation, next adapter.Handler, refusal adapter.Envelope) adapter.Envelope {
			reader, _ := c.OperationNamed("get_note")
			if op.Category != "UPDATE" || !strings.HasSuffix(c.Tool, "_delete") {
				return refusal
			}
			c.Tool = rightTool(c, reader)
			return next(c.With("operation", "get_note").Given("input", nil))
		})},
	{ID: "AQL-6.2-03", Variant: "no-check-beside-operation", Defect: "the endpoint of a READ operation is not checked when its parameters stand next to operation",
		Hooks: misrouted(func(c adapter.Call, op adapter.Operation, next adapter.Handler, refusal adapter.Envelope) adapter.Envelope {
			if _, inside := c.Body["params"]; inside || len(c.Body) == 1 || !seam.Domain(op) || op.Category != "READ" {
				return refusal
			}
			c.Tool = rightTool(c, op)
			return next(c)
		})},
	{ID: "AQL-10.3-03", Variant: "rehearsal-through-any-tool", Defect: "delete_note with dry_run passes at any endpoint",
		Hooks: misrouted(func(c adapter.Call, op adapter.Operation, next adapter.Handler, refusal adapter.Envelope) adapter.Envelope {
			if c.Operation() != "delete_note" || c.Params()["dry_run"] != true {
				return refusal
			}
			c.Tool = rightTool(c, op)
			return next(c)
		})},
	{ID: "AQL-6.2-04", Variant: "execute-then-mismatch", Defect: "a misrouted CREATE operation is executed and then answered with a mismatch error",
		Hooks: misrouted(func(c adapter.Call, op adapter.Operation, next adapter.Handler, refusal adapter.Envelope) adapter.Envelope {
			if op.Category == "CREATE" {
				c.Tool = rightTool(c, op)
				next(c)
			}
			return refusal
		})},
	{ID: "AQL-6.2-05", Variant: "listed-but-not-routed", Defect: "get_export is listed but the router lacks it",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			op, _ := c.OperationNamed(seam.Plays(c.Adapter, "get_export"))
			if c.Operation() == op.Name && c.Tool == c.HeartTool(c.ToolOf(op)) {
				return seam.UnknownAs(c, next)
			}
			return next(c)
		}}},
	{ID: "AQL-6.2-05", Variant: "router-expects-other-family", Defect: "introspection attributes get_export to one family, the router expects another",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			op, _ := c.OperationNamed(seam.Plays(c.Adapter, "get_export"))
			if c.Operation() != op.Name || c.Tool != rightTool(c, op) {
				return next(c)
			}
			right, other := c.Tool, rightTool(c, adapter.Operation{Category: "EXECUTE"})
			c.Tool = other
			e := next(c)
			return adapter.Object(seam.Swapped(seam.Swapped(e, c.Wired(right), c.Wired(other)), familyOf(right), familyOf(other)))
		}}},
	{ID: "OPS-6.3-05", Variant: "introspect-on-every-tool", Defect: "introspect also answers on the tool for deleting",
		Hooks: misrouted(func(c adapter.Call, op adapter.Operation, next adapter.Handler, refusal adapter.Envelope) adapter.Envelope {
			if seam.Domain(op) || c.Tool != rightTool(c, adapter.Operation{Category: "DELETE"}) {
				return refusal
			}
			c.Tool = rightTool(c, op)
			return next(c)
		})},
}

// familyFaults break what introspection says about endpoints.
var familyFaults = []seam.Fault{
	{ID: "AQL-6.2-02", Variant: "endpoint-array", Defect: "endpoint is [\"query\",\"manage\"]",
		Hooks: seam.Described("cancel_export", seam.Set("endpoint", []string{"query", "manage"}))},
	{ID: "AQL-6.2-02", Variant: "endpoint-differs-in-details", Defect: "list and details name different families",
		Hooks: seam.Record("cancel_export", seam.Set("endpoint", "lifecycle"))},
	{ID: "AQL-10.1-05", Variant: "endpoint-nowhere", Defect: "endpoint is shown neither in the list nor in the details",
		Hooks: seam.Described("cancel_export", seam.Drop("endpoint"))},
	{ID: "AQL-10.1-05", Variant: "endpoint-number", Defect: "endpoint is 7",
		Hooks: seam.Described("cancel_export", seam.Set("endpoint", 7))},
	{ID: "INT-3.2-06", Variant: "family-on-two-tools", Defect: "the operations of one family name two different tools", Profile: "alternative",
		Hooks: rehomed("get_folder", "discover", "")},
	{ID: "INT-3.3-32", Variant: "details-name-missing-tool", Defect: "mcpTool says mcp_aql_lifecycle, which is not registered",
		Hooks: seam.Record("cancel_export", seam.Set("mcpTool", "mcp_aql_lifecycle"))},
	{ID: "INT-3.3-32", Variant: "one-name-lacks-its-beginning", Defect: "mcpTool of one operation says aql_operate, of all others mcp_aql_operate and the like", Profile: "alternative",
		Hooks: seam.Record("cancel_export", seam.Set("mcpTool", "aql_operate"))},
	{ID: "INT-4.1-02", Variant: "endpoint-upper-case", Defect: "endpoint is \"CREATE\"",
		Hooks: seam.Both(seam.Described("create_note", seam.Set("endpoint", "CREATE")), seam.Described("create_folder", seam.Set("endpoint", "CREATE")))},
	{ID: "INT-4.1-02", Variant: "endpoint-other-word", Defect: "endpoint is \"creation\"",
		Hooks: seam.Both(seam.Described("create_note", seam.Set("endpoint", "creation")), seam.Described("create_folder", seam.Set("endpoint", "creation")))},
	{ID: "INT-4.1-03", Variant: "endpoint-is-tool-name", Defect: "endpoint is the name of the tool", Profile: "alternative",
		Hooks: seam.Both(seam.Described("cancel_export", seam.Set("endpoint", "mcp_aql_operate")), seam.Described("cancel_exports", seam.Set("endpoint", "mcp_aql_operate")))},
	{ID: "INT-4.1-03", Variant: "endpoint-is-prefixed-tool", Defect: "the tools are desk_read, desk_create and so on, and one endpoint is the name of its tool",
		Hooks: seam.Both(adapter.Hooks{Table: func(a *adapter.Adapter) { a.Manner.Tools = "desk" }}, seam.Described("delete_folder", seam.Set("endpoint", "desk_delete")))},
	{ID: "INT-2.1-03", Variant: "introspect-on-execute-tool", Defect: "introspect is served by the tool for executing only", Profile: "alternative",
		Hooks: rehomed("introspect", "operate", "operate")},
}

func familyOf(tool string) string { return strings.TrimPrefix(tool, adapter.Unified+"_") }

func lacksRequired(op adapter.Operation, given map[string]any) bool {
	return slices.ContainsFunc(op.Parameters, func(p adapter.Parameter) bool { return p.Required && given[p.Name] == nil })
}

// misrouted lets a fault decide about calls that the healthy router refuses as
// misrouted.
func misrouted(decide func(c adapter.Call, op adapter.Operation, next adapter.Handler, refusal adapter.Envelope) adapter.Envelope) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		op, _ := c.OperationNamed(c.Operation())
		if !seam.FailedWith("VALIDATION_ENDPOINT_MISMATCH")(nil, e) {
			return e
		}
		return decide(c, op, next, e)
	}}
}

// rehomed moves an operation to the tool of another family, in the router and in
// introspection; shown is the family that introspection shows, if it changes. A
// profile without that family has it at the tool for executing.
func rehomed(name, to, shown string) adapter.Hooks {
	reroute := adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if c.Operation() != name {
			return next(c)
		}
		right, other := homes(c.Adapter, name, to)
		c.Tool = seam.Exact(c.Tool, right, other).(string)
		e := next(c)
		if seam.FailedWith("VALIDATION_ENDPOINT_MISMATCH")(nil, e) {
			e = adapter.Object(seam.Swapped(seam.Swapped(e, c.Wired(right), c.Wired(other)), familyOf(right), familyOf(other)))
		}
		return e
	}}
	show := seam.After(func(c adapter.Call, e adapter.Envelope) {
		right, other := homes(c.Adapter, name, to)
		for _, op := range append(adapter.Array(adapter.Object(e["data"])["operations"]), adapter.Object(e["data"])["operation"]) {
			if op := adapter.Object(op); op != nil && op["name"] == name {
				if shown != "" {
					op["endpoint"] = familyOf(other)
				}
				if op["mcpTool"] != nil { // summaries have none
					op["mcpTool"] = seam.Exact(op["mcpTool"], c.Wired(right), c.Wired(other))
				}
			}
		}
	})
	hint := seam.ToolList(func(x *adapter.Exchange, tools []any) any {
		right, other := homes(x.Adapter, name, to)
		for _, tool := range tools {
			if tool := adapter.Object(tool); name == "introspect" { // every description says where to call it
				tool["description"] = seam.Swapped(tool["description"], x.Wired(right), x.Wired(other))
			}
		}
		return tools
	})
	return seam.Both(seam.Needs(name, nil), seam.Both(seam.Both(show, reroute), hint))
}

// homes returns the tool of an operation and the one it moves to.
func homes(a *adapter.Adapter, name, to string) (right, other string) {
	op, _ := a.OperationNamed(name)
	right = adapter.Family{Name: a.Profile.Of(op)}.Tool()
	other = adapter.Family{Name: a.Profile.Of(adapter.Operation{Category: "EXECUTE"})}.Tool()
	for _, f := range a.Profile.Families {
		if f.Name == to {
			other = f.Tool()
		}
	}
	return right, other
}

// rightTool returns the tool that op belongs to in semantic mode.
func rightTool(c adapter.Call, op adapter.Operation) string {
	return adapter.Family{Name: c.Profile.Of(op)}.Tool()
}
