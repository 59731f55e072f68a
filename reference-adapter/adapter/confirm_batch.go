package adapter

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
