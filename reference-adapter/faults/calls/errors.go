package calls

import (
	"fmt"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

var codeFaults = []seam.Fault{
	{ID: "AQL-5.3-01", Variant: "missing-param-bad-request", Defect: "a missing parameter is answered with code BAD_REQUEST",
		// The input of an update has a row of its own, and so has the query of introspect.
		Hooks: seam.Refused("VALIDATION_MISSING_PARAM", not(seam.Calling("introspect", "update_note", "")), seam.Code("BAD_REQUEST"))},
	{ID: "INT-3.1-04", Variant: "introspection-own-code", Defect: "a bad query is answered with INTROSPECTION_ERROR",
		Hooks: seam.Refused("VALIDATION_INVALID_VALUE", seam.Calling("introspect"), seam.Code("INTROSPECTION_ERROR"))},
	{ID: "OPS-8.1-02", Variant: "wrong-type-bad-request", Defect: "a wrong type is answered with code BAD_REQUEST",
		Hooks: seam.Refused("VALIDATION_INVALID_TYPE", func(c adapter.Call) bool {
			return !seam.Malformed(c) && !seam.Calling("introspect", "update_note")(c)
		}, seam.Code("BAD_REQUEST"))},
	{ID: "OPS-8.1-03", Variant: "missing-resource-generic-code", Defect: "a missing resource is answered with code ERROR",
		Hooks: seam.Refused("NOT_FOUND_RESOURCE", seam.Calling("get_note", "get_folder", "get_export"), seam.Code("ERROR"))},
	{ID: "OPS-8.1-04", Variant: "unknown-operation-not-found-resource", Defect: "unknown operations are answered with NOT_FOUND_RESOURCE",
		Hooks: seam.Refused("NOT_FOUND_OPERATION", seam.AnyCall, seam.Code("NOT_FOUND_RESOURCE"))},
	{ID: "OPS-8.1-04", Variant: "unknown-operation-validation-code", Defect: "unknown operations are answered with VALIDATION_UNKNOWN_OPERATION",
		Hooks: seam.Refused("NOT_FOUND_OPERATION", seam.AnyCall, seam.Code("VALIDATION_UNKNOWN_OPERATION"))},
	{ID: "OPS-8.1-05", Variant: "permission-generic-code", Defect: "the refusal of cancel_exports to this identity has code ERROR",
		Hints: map[string]string{"credentials": `{"op":"cancel_exports","params":{}}`},
		Hooks: instead("cancel_exports", "Only administrators may run cancel_exports")},
	{ID: "OPS-8.1-06", Variant: "rate-limit-generic-code", Defect: "a rate limit is answered with code ERROR",
		Hints: map[string]string{"low_rate_launch": "reference-adapter -rate 5"},
		Hooks: adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if seam.FailedWith("RATE_LIMIT_EXCEEDED")(nil, e) {
				adapter.Object(e["error"])["code"] = "ERROR"
			}
			return e
		}}},
	{ID: "OPS-8.1-07", Variant: "internal-fault-generic-code", Defect: "a fault inside cancel_exports is answered with code ERROR",
		Hints: map[string]string{"fault_trigger": `{"op":"cancel_exports","params":{}}`},
		Hooks: instead("cancel_exports", "The exports could not be cancelled; try again later")},
	{ID: "OPS-8.3-01", Variant: "foreign-code-prefix", Defect: "a failure carries code GITHUB_TIMEOUT",
		Hooks: seam.WhenMalformed(seam.Set("code", "GITHUB_TIMEOUT"))},
	{ID: "OPS-6.3-03", Variant: "misrouting-not-found", Defect: "misrouting is answered with NOT_FOUND_OPERATION",
		Hooks: seam.Refused("VALIDATION_ENDPOINT_MISMATCH", seam.AnyCall, seam.Code("NOT_FOUND_OPERATION"))},
	{ID: "OPS-6.3-03", Variant: "misrouting-conflict", Defect: "misrouting is answered with CONFLICT_WRONG_ENDPOINT",
		Hooks: seam.Refused("VALIDATION_ENDPOINT_MISMATCH", seam.AnyCall, seam.Code("CONFLICT_WRONG_ENDPOINT"))},
	{ID: "OPS-6.3-04", Variant: "endpoints-swapped", Defect: "expected_endpoint and actual_endpoint are swapped",
		Hooks: seam.Refused("VALIDATION_ENDPOINT_MISMATCH", seam.AnyCall, func(_ adapter.Call, _, details map[string]any) {
			details["expected_endpoint"], details["actual_endpoint"] = details["actual_endpoint"], details["expected_endpoint"]
		})},
}

// instead fails an operation with code ERROR.
func instead(operation, message string) adapter.Hooks {
	return seam.Both(seam.Needs(operation, nil), adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if e := next(c); c.Operation() != operation || e["success"] != true {
			return e
		}
		return adapter.Failure("ERROR", message, map[string]any{"operation": operation})
	}})
}

var messageFaults = []seam.Fault{
	{ID: "INT-8.2.3-01", Variant: "message-failed", Defect: "every message is just \"failed\"",
		Hooks: seam.After(func(_ adapter.Call, e adapter.Envelope) {
			if reason := adapter.Object(e["error"]); reason != nil {
				reason["message"] = "failed"
			}
		})},
	{ID: "INT-8.2.3-01", Variant: "one-message-for-all", Defect: "every message is the same sentence, with the number of an incident",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			if reason := adapter.Object(e["error"]); reason != nil {
				reason["message"] = fmt.Sprintf("The request could not be carried out as it must be; see introspect (incident %d)", len(c.Operation()))
			}
		})},
	{ID: "INT-8.2.3-02", Variant: "enum-error-without-values", Defect: "\"invalid value for status\" names neither type nor allowed values",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			reason := adapter.Object(e["error"])
			details := adapter.Object(reason["details"])
			if c.Operation() == "list_notes" && details["param_name"] == "status" {
				reason["message"] = "Invalid value for parameter 'status'"
				delete(details, "allowed")
				delete(details, "expected_type")
			}
		})},
	{ID: "INT-8.2.3-02", Variant: "enum-error-denies-alone", Defect: "\"the status is not supported\" names neither type nor allowed values",
		Hooks: seam.After(func(c adapter.Call, e adapter.Envelope) {
			reason := adapter.Object(e["error"])
			details := adapter.Object(reason["details"])
			if c.Operation() == "list_notes" && details["param_name"] == "status" {
				reason["message"] = "The status is not supported"
				delete(details, "allowed")
				delete(details, "expected_type")
			}
		})},
	{ID: "INT-8.2.3-03", Variant: "unknown-op-no-pointer", Defect: "an unknown operation is answered \"not found\" without pointing to introspect",
		Hooks: seam.Refused("NOT_FOUND_OPERATION", seam.AnyCall, func(c adapter.Call, reason, details map[string]any) {
			reason["message"] = "The operation '" + c.Operation() + "' was not found"
			delete(details, "available")
		})},
	{ID: "OPS-8.4-02", Variant: "not-found-without-id", Defect: "the not-found message does not say which item",
		Hooks: seam.Refused("NOT_FOUND_RESOURCE", seam.Calling("get_note", "get_folder", "get_export"), func(_ adapter.Call, reason, details map[string]any) {
			reason["message"] = "The item was not found; list the items to see which exist"
			delete(details, "resource_id")
		})},
}

func not(pick func(adapter.Call) bool) func(adapter.Call) bool {
	return func(c adapter.Call) bool { return !pick(c) }
}
