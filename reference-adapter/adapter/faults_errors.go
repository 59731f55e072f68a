package adapter

var codeFaults = []Fault{
	{ID: "AQL-5.3-01", Variant: "missing-param-bad-request", Defect: "a missing parameter is answered with code BAD_REQUEST",
		// The input of an update has a row of its own, and so has the query of introspect.
		hooks: refused("VALIDATION_MISSING_PARAM", not(calling("introspect", "update_note", "")), code("BAD_REQUEST"))},
	{ID: "INT-3.1-04", Variant: "introspection-own-code", Defect: "a bad query is answered with INTROSPECTION_ERROR",
		hooks: refused("VALIDATION_INVALID_VALUE", calling("introspect"), code("INTROSPECTION_ERROR"))},
	{ID: "OPS-8.1-02", Variant: "wrong-type-bad-request", Defect: "a wrong type is answered with code BAD_REQUEST",
		hooks: refused("VALIDATION_INVALID_TYPE", func(c call) bool {
			return !malformed(c) && !calling("introspect", "update_note")(c)
		}, code("BAD_REQUEST"))},
	{ID: "OPS-8.1-03", Variant: "missing-resource-generic-code", Defect: "a missing resource is answered with code ERROR",
		hooks: refused("NOT_FOUND_RESOURCE", calling("get_note", "get_folder", "get_export"), code("ERROR"))},
	{ID: "OPS-8.1-04", Variant: "unknown-operation-not-found-resource", Defect: "unknown operations are answered with NOT_FOUND_RESOURCE",
		hooks: refused("NOT_FOUND_OPERATION", anyCall, code("NOT_FOUND_RESOURCE"))},
	{ID: "OPS-8.1-04", Variant: "unknown-operation-validation-code", Defect: "unknown operations are answered with VALIDATION_UNKNOWN_OPERATION",
		hooks: refused("NOT_FOUND_OPERATION", anyCall, code("VALIDATION_UNKNOWN_OPERATION"))},
	{ID: "OPS-8.1-05", Variant: "permission-generic-code", Defect: "the refusal of cancel_exports to this identity has code ERROR",
		Hints: map[string]string{"credentials": `{"op":"cancel_exports","params":{}}`},
		hooks: instead("cancel_exports", "Only administrators may run cancel_exports")},
	{ID: "OPS-8.1-06", Variant: "rate-limit-generic-code", Defect: "a rate limit is answered with code ERROR",
		Hints: map[string]string{"low_rate_launch": "reference-adapter -rate 5"},
		hooks: hooks{call: func(c call, next handler) envelope {
			e := next(c)
			if failedWith("RATE_LIMIT_EXCEEDED")(nil, e) {
				object(e["error"])["code"] = "ERROR"
			}
			return e
		}}},
	{ID: "OPS-8.1-07", Variant: "internal-fault-generic-code", Defect: "a fault inside cancel_exports is answered with code ERROR",
		Hints: map[string]string{"fault_trigger": `{"op":"cancel_exports","params":{}}`},
		hooks: instead("cancel_exports", "The exports could not be cancelled; try again later")},
	{ID: "OPS-8.3-01", Variant: "foreign-code-prefix", Defect: "a failure carries code GITHUB_TIMEOUT",
		hooks: whenMalformed(set("code", "GITHUB_TIMEOUT"))},
	{ID: "OPS-6.3-03", Variant: "misrouting-not-found", Defect: "misrouting is answered with NOT_FOUND_OPERATION",
		hooks: refused("VALIDATION_ENDPOINT_MISMATCH", anyCall, code("NOT_FOUND_OPERATION"))},
	{ID: "OPS-6.3-04", Variant: "endpoints-swapped", Defect: "expected_endpoint and actual_endpoint are swapped",
		hooks: refused("VALIDATION_ENDPOINT_MISMATCH", anyCall, func(_ call, _, details map[string]any) {
			details["expected_endpoint"], details["actual_endpoint"] = details["actual_endpoint"], details["expected_endpoint"]
		})},
}

// instead fails an operation with code ERROR.
func instead(operation, message string) hooks {
	return both(needs(operation, nil), hooks{item: func(c call, next handler) envelope {
		if e := next(c); c.operation() != operation || e["success"] != true {
			return e
		}
		return failure("ERROR", message, map[string]any{"operation": operation})
	}})
}

var messageFaults = []Fault{
	{ID: "INT-8.2.3-01", Variant: "message-failed", Defect: "every message is just \"failed\"",
		hooks: after(func(_ call, e envelope) {
			if reason := object(e["error"]); reason != nil {
				reason["message"] = "failed"
			}
		})},
	{ID: "INT-8.2.3-02", Variant: "enum-error-without-values", Defect: "\"invalid value for status\" names neither type nor allowed values",
		hooks: after(func(c call, e envelope) {
			reason := object(e["error"])
			details := object(reason["details"])
			if c.operation() == "list_notes" && details["param_name"] == "status" {
				reason["message"] = "Invalid value for parameter 'status'"
				delete(details, "allowed")
				delete(details, "expected_type")
			}
		})},
	{ID: "INT-8.2.3-03", Variant: "unknown-op-no-pointer", Defect: "an unknown operation is answered \"not found\" without pointing to introspect",
		hooks: refused("NOT_FOUND_OPERATION", anyCall, func(c call, reason, details map[string]any) {
			reason["message"] = "The operation '" + c.operation() + "' was not found"
			delete(details, "available")
		})},
	{ID: "OPS-8.4-02", Variant: "not-found-without-id", Defect: "the not-found message does not say which item",
		hooks: refused("NOT_FOUND_RESOURCE", calling("get_note", "get_folder", "get_export"), func(_ call, reason, details map[string]any) {
			reason["message"] = "The item was not found; list the items to see which exist"
			delete(details, "resource_id")
		})},
}

func code(other string) func(call, map[string]any, map[string]any) {
	return func(_ call, reason, _ map[string]any) { reason["code"] = other }
}

func not(pick func(call) bool) func(call) bool { return func(c call) bool { return !pick(c) } }
