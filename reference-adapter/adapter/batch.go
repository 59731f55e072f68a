package adapter

import (
	"encoding/json"
	"fmt"
	"strings"
)

// batch runs its entries in order; each succeeds or fails on its own, under the
// same routing and validation as a single request (operations 7).
func (c Call) batch(value any) Envelope {
	entries, ok := value.([]any)
	if !ok {
		return Mistyped("batch", "operations", "array", value)
	}
	if len(entries) == 0 {
		return Misvalued("batch", "operations", "an array with at least one request")
	}
	for name := range c.Body {
		if name != "operations" && !strings.HasPrefix(name, "_") {
			return Misvalued("batch", name, "nothing; a batch holds operations alone")
		}
	}
	results, good := []any{}, 0
	for i, entry := range entries {
		body, ok := entry.(map[string]any)
		result := Mistyped("batch", fmt.Sprintf("operations[%d]", i), "object", entry)
		if ok {
			result = c.Hooks.wrapItem(one)(Call{Adapter: c.Adapter, Session: c.Session, Tool: c.Tool, Entry: true, Body: body})
		}
		if waits(result) && !c.Consent.Skips {
			return halted(entries, results, result)
		}
		if Succeeded(result) {
			good++
		}
		name, _ := body["operation"].(string)
		results = append(results, map[string]any{"index": i, "operation": name, "result": result})
	}
	summary := map[string]any{"total": len(results), "succeeded": good, "failed": len(results) - good}
	return skipped(Envelope{"success": true, "data": nil, "results": results, "summary": Plain(summary)})
}

// inputSchema admits the standard request, and the batch request where batches are
// offered; it demands one of the two.
func (a *Adapter) inputSchema() json.RawMessage {
	if a.Has(Batching) {
		return eitherSchema
	}
	return singleSchema
}

// The schemas leave params open on purpose: an unknown parameter shall be answered
// by the adapter, which can name the valid ones, not by the MCP layer.
var (
	singleSchema = json.RawMessage(`{
	"type": "object",
	"properties": {
		"operation": {"type": "string", "description": "Name of the operation to run"},
		"params": {"type": "object", "description": "Parameters of the operation", "additionalProperties": true}
	},
	"required": ["operation"],
	"additionalProperties": true
}`)
	eitherSchema = json.RawMessage(`{
	"type": "object",
	"properties": {
		"operation": {"type": "string", "description": "Name of the operation to run"},
		"params": {"type": "object", "description": "Parameters of the operation", "additionalProperties": true},
		"operations": {
			"type": "array",
			"description": "Batch: several requests of this endpoint, run in order",
			"minItems": 1,
			"items": {
				"type": "object",
				"properties": {"operation": {"type": "string"}, "params": {"type": "object"}},
				"required": ["operation"]
			}
		}
	},
	"anyOf": [{"required": ["operation"]}, {"required": ["operations"]}],
	"additionalProperties": true
}`)
)

// waits reports whether an entry of a batch was answered with a token.
func waits(result Envelope) bool {
	reason, _ := result["error"].(map[string]any)
	return reason["code"] == "CONFIRMATION_REQUIRED"
}

// halted ends a batch at an entry that waits for a confirmation: what came before
// stays done, what comes after is left to the client (operations 7.5.2).
func halted(entries, results []any, result Envelope) Envelope {
	at := len(results)
	body, _ := entries[at].(map[string]any)
	pending := []any{}
	for i, entry := range entries[at+1:] {
		left, _ := entry.(map[string]any)
		rest := map[string]any{"index": at + 1 + i, "operation": left["operation"]}
		for name, value := range left {
			if name != "operation" {
				rest[name] = value
			}
		}
		pending = append(pending, rest)
	}
	good := 0
	for _, r := range results {
		if e, _ := r.(map[string]any)["result"].(map[string]any); Succeeded(e) {
			good++
		}
	}
	return Envelope{
		"success": true, "data": nil, "results": results,
		"halted_at":          map[string]any{"index": at, "operation": body["operation"], "result": result},
		"pending_operations": pending,
		"summary": Plain(map[string]any{"total": len(entries), "succeeded": good, "failed": at - good,
			"halted": 1, "pending": len(pending)}),
	}
}

// skipped marks the entries of a whole batch that wait for a confirmation: the other
// way to deal with them (operations 7.5.4).
func skipped(e Envelope) Envelope {
	waiting := 0
	results, _ := e["results"].([]any)
	for _, r := range results {
		entry := r.(map[string]any)
		if result, _ := entry["result"].(map[string]any); waits(result) {
			entry["status"] = "pending_confirmation"
			waiting++
		}
	}
	summary, _ := e["summary"].(map[string]any)
	if waiting > 0 {
		e["summary"] = Plain(map[string]any{"total": len(results), "succeeded": summary["succeeded"],
			"failed": len(results) - Integer(summary["succeeded"]) - waiting, "pending_confirmation": waiting})
	}
	return e
}
