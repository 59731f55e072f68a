package adapter

import "strings"

// hiddenFaults break rules that healthy behaviour elsewhere hides: the defect
// shows only for another value, another category, or after the refusal.
var hiddenFaults = []Fault{
	{ID: "AQL-3.2-01", Variant: "prefix-dispatch", Defect: "a name that only begins with the name of a READ operation runs that operation",
		hooks: hooks{item: func(c call, next handler) envelope {
			for _, op := range c.operations {
				if domainRead(op) && strings.HasPrefix(c.operation(), op.Name+"_") {
					return next(c.with("operation", op.Name))
				}
			}
			return next(c)
		}}},
	{ID: "AQL-3.2-03", Variant: "mistyped-never-answered", Defect: "search_notes never answers a parameter of the wrong type",
		hooks: hooks{answer: func(x *exchange) {
			arguments := x.arguments()
			e := saidIn(object(x.replies[0]["result"]))
			if arguments["operation"] == "search_notes" && failedWith("VALIDATION_INVALID_TYPE")(nil, e) {
				x.replies = nil
			}
		}}},
	{ID: "AQL-3.3-04", Variant: "creates-on-update-tool", Defect: "every CREATE operation is assigned to the tool for updating, under the family create",
		hooks: both(rehomed("create_note", "update", ""), rehomed("create_folder", "update", ""))},
	{ID: "AQL-4.6-01", Variant: "unknown-params-crash", Defect: "READ operations crash on an unknown parameter that holds an object or an array",
		hooks: hooks{item: func(c call, next handler) envelope {
			e := next(c)
			op, _ := c.operationNamed(c.operation())
			for _, name := range c.unknownNames(op) {
				kind := jsonType(c.params()[name])
				if domainRead(op) && failedWith(unknownParam)(nil, e) && (kind == "object" || kind == "array") {
					return failure("INTERNAL_ERROR", "The operation failed unexpectedly; try again", nil)
				}
			}
			return e
		}}},
	{ID: "AQL-4.6-01", Variant: "changes-drop-unknown", Defect: "UPDATE and DELETE operations drop unknown parameters before dispatch",
		hooks: before(alters, func(c call, op operation) call { return c.dropUnknown(op, probeName.MatchString) })},
	{ID: "AQL-4.6-06", Variant: "inherited-names-on-reads", Defect: "constructor and other inherited names pass as parameters of READ operations",
		hooks: before(domainRead, func(c call, op operation) call { return c.dropUnknown(op, inherited.MatchString) })},
	{ID: "AQL-4.6-07", Variant: "removed-then-refused", Defect: "the unknown name is reported after the resource was deleted",
		hooks: doneAndRefused("DELETE", unknownParam, func(c call, op operation) call { return c.dropUnknown(op, func(string) bool { return true }) })},
	{ID: "AQL-5.1-10", Variant: "domain-validation-as-rpc-error", Defect: "READ operations answer missing and mistyped parameters with JSON-RPC -32602",
		hooks: rpcRefusal(whenRead("VALIDATION_MISSING_PARAM", "VALIDATION_INVALID_TYPE"), -32602, "invalid params")},
	{ID: "AQL-5.1-10", Variant: "not-found-as-rpc-error", Defect: "get_folder answers a missing resource with JSON-RPC -32602",
		hooks: rpcRefusal(func(x *exchange, result map[string]any) bool {
			arguments := x.arguments()
			return arguments["operation"] == "get_folder" && whenRead("NOT_FOUND_RESOURCE")(x, result)
		}, -32602, "no such resource")},
	{ID: "AQL-5.1-10", Variant: "unknown-query-as-rpc-error", Defect: "introspect answers an unknown query with JSON-RPC -32602",
		hooks: rpcRefusal(func(x *exchange, result map[string]any) bool {
			arguments := x.arguments()
			e := saidIn(result)
			return arguments["operation"] == "introspect" && failedWith("VALIDATION_INVALID_VALUE")(nil, e)
		}, -32602, "invalid params: no such query")},
	{ID: "AQL-6.2-04", Variant: "removed-then-mismatch", Defect: "a misrouted DELETE operation is executed and then answered with a mismatch error",
		hooks: misrouted(func(c call, op operation, next handler, refusal envelope) envelope {
			if op.Category == "DELETE" {
				c.tool = c.rightTool(op)
				next(c)
			}
			return refusal
		})},
	{ID: "MCP-RESULT-09", Variant: "is-error-on-searches", Defect: "isError is true beside the successes of search_notes",
		hooks: results(succeededAt("search_notes"), set("isError", true))},
	{ID: "OPS-5.4-01", Variant: "absent-params-unvalidated", Defect: "search_notes checks params only if there are any, and runs without",
		hooks: hooks{item: func(c call, next handler) envelope {
			if _, given := c.body["params"]; c.operation() == "search_notes" && !given && len(c.body) == 1 {
				return next(c.given("query", "note"))
			}
			return next(c)
		}}},
	{ID: "OPS-8.1-03", Variant: "missing-resource-crashes", Defect: "a missing resource is answered with INTERNAL_ERROR",
		hooks: refused("NOT_FOUND_RESOURCE", calling("get_note", "get_folder"), code("INTERNAL_ERROR"))},
}

func alters(op operation) bool { return op.Category == "UPDATE" || op.Category == "DELETE" }

// whenRead picks the failures of READ operations with one of the codes.
func whenRead(codes ...string) func(x *exchange, result map[string]any) bool {
	return func(x *exchange, result map[string]any) bool {
		arguments := x.arguments()
		name, _ := arguments["operation"].(string)
		op, ok := x.operationNamed(name)
		for _, code := range codes {
			if ok && domainRead(op) && failedWith(code)(nil, saidIn(result)) {
				return true
			}
		}
		return false
	}
}
