package wire

import (
	"fmt"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

var envelopeFaults = []seam.Fault{
	{ID: "AQL-5.1-01", Variant: "bare-result", Defect: "search_notes answers with the bare array",
		Hooks: seam.Results(seam.SucceededAt("search_notes"), func(result map[string]any) {
			items := adapter.Object(seam.SaidIn(result)["data"])["items"]
			delete(result, "structuredContent")
			text(result, func(string) string { return adapter.Printed(items) })
		})},
	{ID: "AQL-5.1-01", Variant: "success-as-string", Defect: "success is the string \"true\"",
		Hooks: seam.Results(seam.SucceededAt("search_notes"), reshaped(seam.Set("success", "true")))},
	{ID: "AQL-5.1-01", Variant: "failure-without-success", Defect: "failures carry error but no success member",
		Hooks: seam.Results(func(arguments map[string]any, e adapter.Envelope) bool {
			return arguments["operation"] == "search_notes" && seam.FailedWith("VALIDATION_MISSING_PARAM")(nil, e)
		}, reshaped(seam.Drop("success")))},
	{ID: "AQL-5.1-01", Variant: "two-truths", Defect: "the text of a refused search says success true, structuredContent says success false",
		Hooks: seam.Results(func(arguments map[string]any, e adapter.Envelope) bool {
			return arguments["operation"] == "search_notes" && seam.FailedWith("VALIDATION_MISSING_PARAM")(nil, e)
		}, func(result map[string]any) {
			text(result, func(string) string { return adapter.Printed(adapter.Success([]any{})) })
		})},
	{ID: "AQL-5.1-02", Variant: "data-undefined-dropped", Defect: "a delete answers {\"success\":true}",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if seam.Named("delete_note", "delete_folder")(adapter.Operation{Name: c.Operation()}) {
				delete(e, "data")
			}
		})},
	{ID: "AQL-5.1-03", Variant: "success-with-null-error", Defect: "every success carries \"error\":null",
		Hooks: seam.After(func(_ adapter.Call, e adapter.Envelope) {
			if adapter.Succeeded(e) {
				e["error"] = nil
			}
		})},
	{ID: "AQL-5.1-04", Variant: "error-as-text", Defect: "error is a string",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if reason := adapter.Object(e["error"]); reason != nil && seam.Malformed(c) {
				e["error"] = reason["message"]
			}
		})},
	{ID: "AQL-5.1-05", Variant: "failure-with-null-data", Defect: "every failure carries \"data\":null",
		Hooks: seam.After(func(_ adapter.Call, e adapter.Envelope) {
			if !adapter.Succeeded(e) {
				e["data"] = nil
			}
		})},
	{ID: "AQL-5.1-06", Variant: "numeric-error-code", Defect: "code is 404", Hooks: seam.WhenMalformed(seam.Set("code", 404))},
	{ID: "AQL-5.1-06", Variant: "camel-error-code", Defect: "code is \"notFound\"", Hooks: seam.WhenMalformed(seam.Set("code", "notFound"))},
	{ID: "AQL-5.1-07", Variant: "message-missing", Defect: "errors have a code but no message", Hooks: seam.WhenMalformed(seam.Drop("message"))},
	{ID: "AQL-5.1-07", Variant: "message-array", Defect: "message is an array of strings",
		Hooks: seam.WhenMalformed(func(reason map[string]any) { reason["message"] = []any{reason["message"]} })},
	{ID: "AQL-5.1-07", Variant: "message-serialised-list", Defect: "message is a list of issues as JSON",
		Hooks: seam.WhenMalformed(func(reason map[string]any) { reason["message"] = fmt.Sprintf("[{\"message\":%q}]", reason["message"]) })},
	{ID: "AQL-5.1-08", Variant: "details-array", Defect: "details is an array of field errors",
		Hooks: seam.WhenMalformed(func(reason map[string]any) { reason["details"] = []any{reason["details"]} })},
	{ID: "AQL-5.1-08", Variant: "details-array-in-batch", Defect: "details is an array where an entry of a batch names no operation",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if reason := adapter.Object(e["error"]); c.Entry && reason["code"] == "NOT_FOUND_OPERATION" {
				reason["details"] = []any{reason["details"]}
			}
		})},
	{ID: "AQL-5.1-09", Variant: "envelope-request-id", Defect: "the envelope carries a top-level requestId",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if c.Operation() == "list_folders" && adapter.Succeeded(e) {
				e["requestId"] = "request-1"
			}
		})},
	{ID: "OPS-3.2-02", Variant: "payload-beside-data", Defect: "data is {} and the item sits under \"result\"",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if c.Operation() == "get_folder" && adapter.Succeeded(e) {
				e["result"] = e["data"]
				e["data"] = map[string]any{}
			}
		})},
}

var carrierFaults = []seam.Fault{
	{ID: "AQL-5.1-10", Variant: "validation-throws-rpc-error", Defect: "an introspect request without query is answered with JSON-RPC -32602",
		Hooks: seam.RPCRefusal(func(x *adapter.Exchange, result map[string]any) bool {
			return withoutQuery(seam.Arguments(x), seam.SaidIn(result))
		}, -32602, "invalid params: query is required")},
	{ID: "AQL-5.1-10", Variant: "plain-error-text", Defect: "an introspect request without query is answered with isError text and no envelope",
		Hooks: seam.Results(withoutQuery, func(result map[string]any) {
			delete(result, "structuredContent")
			text(result, func(string) string { return "Missing required parameter 'query'. Expected: string" })
		})},
	{ID: "AQL-5.1-11", Variant: "structured-differs", Defect: "the text says success true, structuredContent false",
		Hooks: seam.Results(seam.SucceededAt("search_notes"), func(result map[string]any) {
			result["structuredContent"] = adapter.Failure("INTERNAL_ERROR", "The search failed unexpectedly; try again", nil)
		})},
	{ID: "AQL-5.1-11", Variant: "structured-data-of-another", Defect: "structuredContent of get_folder is data alone, and that of another folder",
		Hooks: seam.Results(seam.SucceededAt("get_folder"), func(result map[string]any) {
			data := map[string]any{}
			for name, value := range adapter.Object(adapter.Object(result["structuredContent"])["data"]) {
				data[name] = value
			}
			data["name"] = "another folder"
			result["structuredContent"] = data
		})},
	{ID: "MCP-RESULT-07", Variant: "envelope-after-prose", Defect: "the text reads \"Result: {...}\"",
		Hooks: seam.Results(seam.FailedWith("NOT_FOUND_OPERATION"), func(result map[string]any) {
			text(result, func(envelope string) string { return "Result: " + envelope })
		})},
	{ID: "MCP-RESULT-09", Variant: "is-error-always-true", Defect: "isError is true on every result",
		Hooks: seam.Results(func(map[string]any, adapter.Envelope) bool { return true }, seam.Set("isError", true))},
}

// reshaped changes the envelope in both forms in which a result carries it.
func reshaped(change func(map[string]any)) func(result map[string]any) {
	return func(result map[string]any) {
		e := seam.SaidIn(result)
		change(e)
		text(result, func(string) string { return adapter.Printed(e) })
	}
}
