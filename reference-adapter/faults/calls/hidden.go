package calls

import (
	"strings"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// hiddenFaults break rules that healthy behaviour elsewhere hides: the defect
// shows only for another value, another category, or after the refusal.
var hiddenFaults = []seam.Fault{
	{ID: "AQL-3.2-01", Variant: "prefix-dispatch", Defect: "a name that only begins with the name of a READ operation runs that operation",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			for _, op := range c.Operations {
				if seam.DomainRead(op) && strings.HasPrefix(c.Operation(), op.Name+"_") {
					return next(c.With("operation", op.Name))
				}
			}
			return next(c)
		}}},
	{ID: "AQL-3.2-03", Variant: "mistyped-never-answered", Defect: "search_notes never answers a parameter of the wrong type",
		Hooks: adapter.Hooks{Answer: func(x *adapter.Exchange) {
			arguments := seam.Arguments(x)
			e := seam.SaidIn(adapter.Object(x.Replies[0]["result"]))
			if arguments["operation"] == "search_notes" && seam.FailedWith("VALIDATION_INVALID_TYPE")(nil, e) {
				x.Replies = nil
			}
		}}},
	{ID: "AQL-3.3-04", Variant: "creates-on-update-tool", Defect: "every CREATE operation is assigned to the tool for updating, under the family create",
		Hooks: seam.Both(rehomed("create_note", "update", ""), rehomed("create_folder", "update", ""))},
	{ID: "AQL-4.6-01", Variant: "unknown-params-crash", Defect: "READ operations crash on an unknown parameter that holds an object or an array",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			op, _ := c.OperationNamed(c.Operation())
			for _, name := range seam.UnknownNames(c, op) {
				kind := adapter.JSONType(c.Params()[name])
				if seam.DomainRead(op) && seam.FailedWith(seam.UnknownParam)(nil, e) && (kind == "object" || kind == "array") {
					return adapter.Failure("INTERNAL_ERROR", "The operation failed unexpectedly; try again", nil)
				}
			}
			return e
		}}},
	{ID: "AQL-4.6-01", Variant: "changes-drop-unknown", Defect: "UPDATE and DELETE operations drop unknown parameters before dispatch",
		Hooks: seam.Before(alters, func(c adapter.Call, op adapter.Operation) adapter.Call {
			return seam.DropUnknown(c, op, seam.ProbeName.MatchString)
		})},
	{ID: "AQL-4.6-06", Variant: "inherited-names-on-reads", Defect: "constructor and other inherited names pass as parameters of READ operations",
		Hooks: seam.Before(seam.DomainRead, func(c adapter.Call, op adapter.Operation) adapter.Call {
			return seam.DropUnknown(c, op, inherited.MatchString)
		})},
	{ID: "AQL-4.6-07", Variant: "removed-then-refused", Defect: "the unknown name is reported after the resource was deleted",
		Hooks: doneAndRefused("DELETE", seam.UnknownParam, func(c adapter.Call, op adapter.Operation) adapter.Call {
			return seam.DropUnknown(c, op, func(string) bool { return true })
		})},
	{ID: "AQL-5.1-10", Variant: "domain-validation-as-rpc-error", Defect: "READ operations answer missing and mistyped parameters with JSON-RPC -32602",
		Hooks: seam.RPCRefusal(whenRead("VALIDATION_MISSING_PARAM", "VALIDATION_INVALID_TYPE"), -32602, "invalid params")},
	{ID: "AQL-5.1-10", Variant: "not-found-as-rpc-error", Defect: "get_folder answers a missing resource with JSON-RPC -32602",
		Hooks: seam.RPCRefusal(func(x *adapter.Exchange, result map[string]any) bool {
			arguments := seam.Arguments(x)
			return arguments["operation"] == "get_folder" && whenRead("NOT_FOUND_RESOURCE")(x, result)
		}, -32602, "no such resource")},
	{ID: "AQL-5.1-10", Variant: "unknown-query-as-rpc-error", Defect: "introspect answers an unknown query with JSON-RPC -32602",
		Hooks: seam.RPCRefusal(func(x *adapter.Exchange, result map[string]any) bool {
			arguments := seam.Arguments(x)
			e := seam.SaidIn(result)
			return arguments["operation"] == "introspect" && seam.FailedWith("VALIDATION_INVALID_VALUE")(nil, e)
		}, -32602, "invalid params: no such query")},
	{ID: "AQL-6.2-04", Variant: "removed-then-mismatch", Defect: "a misrouted DELETE operation is executed and then answered with a mismatch error",
		Hooks: misrouted(func(c adapter.Call, op adapter.Operation, next adapter.Handler, refusal adapter.Envelope) adapter.Envelope {
			if op.Category == "DELETE" {
				c.Tool = rightTool(c, op)
				next(c)
			}
			return refusal
		})},
	{ID: "MCP-RESULT-09", Variant: "is-error-on-searches", Defect: "isError is true beside the successes of search_notes",
		Hooks: seam.Results(seam.SucceededAt("search_notes"), seam.Set("isError", true))},
	{ID: "OPS-5.4-01", Variant: "absent-params-unvalidated", Defect: "search_notes checks params only if there are any, and runs without",
		Hooks: adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if _, given := c.Body["params"]; c.Operation() == "search_notes" && !given && len(c.Body) == 1 {
				return next(c.Given("query", "note"))
			}
			return next(c)
		}}},
	{ID: "OPS-8.1-03", Variant: "missing-resource-crashes", Defect: "a missing resource is answered with INTERNAL_ERROR",
		Hooks: seam.Refused("NOT_FOUND_RESOURCE", seam.Calling("get_note", "get_folder"), seam.Code("INTERNAL_ERROR"))},
}

func alters(op adapter.Operation) bool { return op.Category == "UPDATE" || op.Category == "DELETE" }

// whenRead picks the failures of READ operations with one of the codes.
func whenRead(codes ...string) func(x *adapter.Exchange, result map[string]any) bool {
	return func(x *adapter.Exchange, result map[string]any) bool {
		arguments := seam.Arguments(x)
		name, _ := arguments["operation"].(string)
		op, ok := x.OperationNamed(name)
		for _, code := range codes {
			if ok && seam.DomainRead(op) && seam.FailedWith(code)(nil, seam.SaidIn(result)) {
				return true
			}
		}
		return false
	}
}
