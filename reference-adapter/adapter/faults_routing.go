package adapter

import (
	"slices"
	"strings"
)

var routingFaults = []Fault{
	{ID: "AQL-3.2-02", Variant: "params-validated-first", Defect: "a misrouted call without parameters is answered with a missing-parameter error",
		hooks: misrouted(func(c call, op operation, next handler, refusal envelope) envelope {
			c.tool = c.rightTool(op)
			if given, _ := c.resolve(op); lacksRequired(op, given) { // so it cannot run
				return next(c)
			}
			return refusal
		})},
	{ID: "AQL-3.3-03", Variant: "unified-tool-read-only", Defect: "the unified tool routes READ operations only", Mode: "all",
		hooks: hooks{item: func(c call, next handler) envelope {
			if op, ok := c.operationNamed(c.operation()); ok && c.tool == unified && op.Category != "READ" {
				return unknownAs(c, next)
			}
			return next(c)
		}}},
	{ID: "AQL-3.3-03", Variant: "unified-tool-without-removals", Defect: "the unified tool answers operations of category DELETE with VALIDATION_INVALID_VALUE", Mode: "all",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			if op, ok := c.operationNamed(c.operation()); ok && c.tool == unified && op.Category == "DELETE" && failedWith("NOT_FOUND_RESOURCE")(nil, e) {
				return failure("VALIDATION_INVALID_VALUE", "Call the tool for removals", nil)
			}
			return e
		}}},
	{ID: "AQL-3.3-04", Variant: "delete-op-on-update-tool", Defect: "delete_folder, of category DELETE, is assigned to the update tool",
		hooks: rehomed("delete_folder", "update", "update")},
	{ID: "AQL-6.2-01", Variant: "category-differs-in-details", Defect: "the list says EXECUTE, the details of cancel_export say DELETE", Mode: "single",
		hooks: record("cancel_export", set("semantic_category", "DELETE"))},
	{ID: "AQL-6.2-03", Variant: "no-endpoint-check", Defect: "any endpoint tool executes any READ operation",
		hooks: misrouted(func(c call, op operation, next handler, refusal envelope) envelope {
			if !domain(op) || op.Category != "READ" {
				return refusal
			}
			c.tool = c.rightTool(op)
			return next(c)
		})},
	{ID: "AQL-6.2-03", Variant: "update-via-delete-tool", Defect: "only UPDATE operations sent to the delete tool slip through",
		// The answer slips through without the change: what changes through a wrong
		// endpoint is judged apart.
		hooks: misrouted(func(c call, op operation, next handler, refusal envelope) envelope {
			reader, _ := c.operationNamed("get_note")
			if op.Category != "UPDATE" || !strings.HasSuffix(c.tool, "_delete") {
				return refusal
			}
			c.tool = c.rightTool(reader)
			return next(c.with("operation", "get_note").given("input", nil))
		})},
	{ID: "AQL-6.2-04", Variant: "execute-then-mismatch", Defect: "a misrouted CREATE operation is executed and then answered with a mismatch error",
		hooks: misrouted(func(c call, op operation, next handler, refusal envelope) envelope {
			if op.Category == "CREATE" {
				c.tool = c.rightTool(op)
				next(c)
			}
			return refusal
		})},
	{ID: "AQL-6.2-05", Variant: "listed-but-not-routed", Defect: "get_export is listed but the router lacks it",
		hooks: hooks{item: func(c call, next handler) envelope {
			op, _ := c.operationNamed(c.plays("get_export"))
			if c.operation() == op.Name && c.tool == c.heartTool(c.toolOf(op)) {
				return unknownAs(c, next)
			}
			return next(c)
		}}},
	{ID: "AQL-6.2-05", Variant: "router-expects-other-family", Defect: "introspection attributes get_export to one family, the router expects another",
		hooks: hooks{item: func(c call, next handler) envelope {
			op, _ := c.operationNamed(c.plays("get_export"))
			if c.operation() != op.Name || c.tool != c.rightTool(op) {
				return next(c)
			}
			right, other := c.tool, c.rightTool(operation{Category: "EXECUTE"})
			c.tool = other
			e := next(c)
			return object(swapped(swapped(e, c.wired(right), c.wired(other)), familyOf(right), familyOf(other)))
		}}},
	{ID: "OPS-6.3-05", Variant: "introspect-on-every-tool", Defect: "introspect also answers on the tool for deleting",
		hooks: misrouted(func(c call, op operation, next handler, refusal envelope) envelope {
			if domain(op) || c.tool != c.rightTool(operation{Category: "DELETE"}) {
				return refusal
			}
			c.tool = c.rightTool(op)
			return next(c)
		})},
}

// familyFaults break what introspection says about endpoints.
var familyFaults = []Fault{
	{ID: "AQL-6.2-02", Variant: "endpoint-array", Defect: "endpoint is [\"query\",\"manage\"]",
		hooks: described("cancel_export", set("endpoint", []string{"query", "manage"}))},
	{ID: "AQL-6.2-02", Variant: "endpoint-differs-in-details", Defect: "list and details name different families",
		hooks: record("cancel_export", set("endpoint", "lifecycle"))},
	{ID: "AQL-10.1-05", Variant: "endpoint-nowhere", Defect: "endpoint is shown neither in the list nor in the details",
		hooks: described("cancel_export", drop("endpoint"))},
	{ID: "AQL-10.1-05", Variant: "endpoint-number", Defect: "endpoint is 7",
		hooks: described("cancel_export", set("endpoint", 7))},
	{ID: "INT-3.2-06", Variant: "family-on-two-tools", Defect: "the operations of one family name two different tools", Profile: "alternative",
		hooks: rehomed("get_folder", "discover", "")},
	{ID: "INT-3.3-32", Variant: "details-name-missing-tool", Defect: "mcpTool says mcp_aql_lifecycle, which is not registered",
		hooks: record("cancel_export", set("mcpTool", "mcp_aql_lifecycle"))},
	{ID: "INT-4.1-02", Variant: "endpoint-upper-case", Defect: "endpoint is \"CREATE\"",
		hooks: both(described("create_note", set("endpoint", "CREATE")), described("create_folder", set("endpoint", "CREATE")))},
	{ID: "INT-4.1-03", Variant: "endpoint-is-tool-name", Defect: "endpoint is the name of the tool", Profile: "alternative",
		hooks: both(described("cancel_export", set("endpoint", "mcp_aql_operate")), described("cancel_exports", set("endpoint", "mcp_aql_operate")))},
	{ID: "INT-4.1-03", Variant: "endpoint-is-prefixed-tool", Defect: "the tools are desk_read, desk_create and so on, and one endpoint is the name of its tool",
		hooks: both(hooks{table: func(a *Adapter) { a.manner.tools = "desk" }}, described("delete_folder", set("endpoint", "desk_delete")))},
	{ID: "INT-2.1-03", Variant: "introspect-on-execute-tool", Defect: "introspect is served by the tool for executing only", Profile: "alternative",
		hooks: rehomed("introspect", "operate", "operate")},
}

func familyOf(tool string) string { return strings.TrimPrefix(tool, unified+"_") }

func lacksRequired(op operation, given map[string]any) bool {
	return slices.ContainsFunc(op.Parameters, func(p parameter) bool { return p.Required && given[p.Name] == nil })
}

// misrouted lets a fault decide about calls that the healthy router refuses as
// misrouted.
func misrouted(decide func(c call, op operation, next handler, refusal envelope) envelope) hooks {
	return hooks{item: func(c call, next handler) envelope {
		e := next(c)
		op, _ := c.operationNamed(c.operation())
		if !failedWith("VALIDATION_ENDPOINT_MISMATCH")(nil, e) {
			return e
		}
		return decide(c, op, next, e)
	}}
}

// rehomed moves an operation to the tool of another family, in the router and in
// introspection; shown is the family that introspection shows, if it changes. A
// profile without that family has it at the tool for executing.
func rehomed(name, to, shown string) hooks {
	reroute := hooks{item: func(c call, next handler) envelope {
		if c.operation() != name {
			return next(c)
		}
		right, other := c.homes(name, to)
		c.tool = exact(c.tool, right, other).(string)
		e := next(c)
		if failedWith("VALIDATION_ENDPOINT_MISMATCH")(nil, e) {
			e = object(swapped(swapped(e, c.wired(right), c.wired(other)), familyOf(right), familyOf(other)))
		}
		return e
	}}
	show := after(func(c call, e envelope) {
		right, other := c.homes(name, to)
		for _, op := range append(array(object(e["data"])["operations"]), object(e["data"])["operation"]) {
			if op := object(op); op != nil && op["name"] == name {
				if shown != "" {
					op["endpoint"] = familyOf(other)
				}
				if op["mcpTool"] != nil { // summaries have none
					op["mcpTool"] = exact(op["mcpTool"], c.wired(right), c.wired(other))
				}
			}
		}
	})
	hint := toolList(func(x *exchange, tools []any) any {
		right, other := x.homes(name, to)
		for _, tool := range tools {
			if tool := object(tool); name == "introspect" { // every description says where to call it
				tool["description"] = swapped(tool["description"], x.wired(right), x.wired(other))
			}
		}
		return tools
	})
	return both(needs(name, nil), both(both(show, reroute), hint))
}

// homes returns the tool of an operation and the one it moves to.
func (a *Adapter) homes(name, to string) (right, other string) {
	op, _ := a.operationNamed(name)
	right = family{name: a.profile.of(op)}.tool()
	other = family{name: a.profile.of(operation{Category: "EXECUTE"})}.tool()
	for _, f := range a.profile.families {
		if f.name == to {
			other = f.tool()
		}
	}
	return right, other
}
