package adapter

var envelopeFaults = []Fault{
	{ID: "AQL-5.1-01", Variant: "bare-result", Defect: "search_notes answers with the bare array",
		hooks: results(succeededAt("search_notes"), func(result map[string]any) {
			items := object(saidIn(result)["data"])["items"]
			delete(result, "structuredContent")
			text(result, func(string) string { return printed(items) })
		})},
	{ID: "AQL-5.1-01", Variant: "success-as-string", Defect: "success is the string \"true\"",
		hooks: results(succeededAt("search_notes"), reshaped(set("success", "true")))},
	{ID: "AQL-5.1-01", Variant: "failure-without-success", Defect: "failures carry error but no success member",
		hooks: results(func(arguments map[string]any, e envelope) bool {
			return arguments["operation"] == "search_notes" && failedWith("VALIDATION_MISSING_PARAM")(nil, e)
		}, reshaped(drop("success")))},
	{ID: "AQL-5.1-01", Variant: "two-truths", Defect: "the text of a refused search says success true, structuredContent says success false",
		hooks: results(func(arguments map[string]any, e envelope) bool {
			return arguments["operation"] == "search_notes" && failedWith("VALIDATION_MISSING_PARAM")(nil, e)
		}, func(result map[string]any) {
			text(result, func(string) string { return printed(success([]any{})) })
		})},
	{ID: "AQL-5.1-02", Variant: "data-undefined-dropped", Defect: "a delete answers {\"success\":true}",
		hooks: after(func(c call, e envelope) {
			if named("delete_note", "delete_folder")(operation{Name: c.operation()}) {
				delete(e, "data")
			}
		})},
	{ID: "AQL-5.1-03", Variant: "success-with-null-error", Defect: "every success carries \"error\":null",
		hooks: after(func(_ call, e envelope) {
			if succeeded(e) {
				e["error"] = nil
			}
		})},
	{ID: "AQL-5.1-04", Variant: "error-as-text", Defect: "error is a string",
		hooks: after(func(c call, e envelope) {
			if reason := object(e["error"]); reason != nil && malformed(c) {
				e["error"] = reason["message"]
			}
		})},
	{ID: "AQL-5.1-05", Variant: "failure-with-null-data", Defect: "every failure carries \"data\":null",
		hooks: after(func(_ call, e envelope) {
			if !succeeded(e) {
				e["data"] = nil
			}
		})},
	{ID: "AQL-5.1-06", Variant: "numeric-error-code", Defect: "code is 404", hooks: whenMalformed(set("code", 404))},
	{ID: "AQL-5.1-06", Variant: "camel-error-code", Defect: "code is \"notFound\"", hooks: whenMalformed(set("code", "notFound"))},
	{ID: "AQL-5.1-07", Variant: "message-missing", Defect: "errors have a code but no message", hooks: whenMalformed(drop("message"))},
	{ID: "AQL-5.1-07", Variant: "message-array", Defect: "message is an array of strings",
		hooks: whenMalformed(func(reason map[string]any) { reason["message"] = []any{reason["message"]} })},
	{ID: "AQL-5.1-08", Variant: "details-array", Defect: "details is an array of field errors",
		hooks: whenMalformed(func(reason map[string]any) { reason["details"] = []any{reason["details"]} })},
	{ID: "AQL-5.1-09", Variant: "envelope-request-id", Defect: "the envelope carries a top-level requestId",
		hooks: after(func(c call, e envelope) {
			if c.operation() == "list_folders" && succeeded(e) {
				e["requestId"] = "request-1"
			}
		})},
	{ID: "OPS-3.2-02", Variant: "payload-beside-data", Defect: "data is {} and the item sits under \"result\"",
		hooks: after(func(c call, e envelope) {
			if c.operation() == "get_folder" && succeeded(e) {
				e["result"] = e["data"]
				e["data"] = map[string]any{}
			}
		})},
}

var carrierFaults = []Fault{
	{ID: "AQL-5.1-10", Variant: "validation-throws-rpc-error", Defect: "an introspect request without query is answered with JSON-RPC -32602",
		hooks: rpcRefusal(func(x *exchange, result map[string]any) bool {
			return withoutQuery(x.arguments(), saidIn(result))
		}, -32602, "invalid params: query is required")},
	{ID: "AQL-5.1-10", Variant: "plain-error-text", Defect: "an introspect request without query is answered with isError text and no envelope",
		hooks: results(withoutQuery, func(result map[string]any) {
			delete(result, "structuredContent")
			text(result, func(string) string { return "Missing required parameter 'query'. Expected: string" })
		})},
	{ID: "AQL-5.1-11", Variant: "structured-differs", Defect: "the text says success true, structuredContent false",
		hooks: results(succeededAt("search_notes"), func(result map[string]any) {
			result["structuredContent"] = failure("INTERNAL_ERROR", "The search failed unexpectedly; try again", nil)
		})},
	{ID: "MCP-RESULT-07", Variant: "envelope-after-prose", Defect: "the text reads \"Result: {...}\"",
		hooks: results(failedWith("NOT_FOUND_OPERATION"), func(result map[string]any) {
			text(result, func(envelope string) string { return "Result: " + envelope })
		})},
	{ID: "MCP-RESULT-09", Variant: "is-error-always-true", Defect: "isError is true on every result",
		hooks: results(func(map[string]any, envelope) bool { return true }, set("isError", true))},
}

// reshaped changes the envelope in both forms in which a result carries it.
func reshaped(change func(map[string]any)) func(result map[string]any) {
	return func(result map[string]any) {
		e := saidIn(result)
		change(e)
		text(result, func(string) string { return printed(e) })
	}
}
