package calls

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// batchFaults break what a batch does.
var batchFaults = []seam.Fault{
	{ID: "AX-R4-05", Variant: "batch-unannounced", Defect: "batches work while the batch flag is false", Hooks: seam.Capability("batch", false)},
	{ID: "AQL-6.2-06", Variant: "batch-bypasses-router", Defect: "the batch handler calls operation handlers directly, whatever the endpoint",
		Hooks: bypassing(func(adapter.Call, adapter.Operation) bool { return true })},
	{ID: "AQL-6.2-06", Variant: "batch-checks-creations-alone", Defect: "the batch handler looks at the endpoint of creations alone",
		Hooks: bypassing(func(_ adapter.Call, op adapter.Operation) bool { return op.Category != "CREATE" })},
	{ID: "AQL-6.2-06", Variant: "batch-forgets-creations", Defect: "the batch handler looks at the endpoint of all but creations",
		Hooks: bypassing(func(_ adapter.Call, op adapter.Operation) bool { return op.Category == "CREATE" })},
	{ID: "AQL-6.2-06", Variant: "batch-checks-one-tool-alone", Defect: "the batch handler looks at the endpoint on the tool for reading alone",
		Hooks: bypassing(func(c adapter.Call, _ adapter.Operation) bool {
			return c.Tool != rightTool(c, adapter.Operation{Category: "READ"})
		})},
	{ID: "OPS-7.1-02", Variant: "batch-flag-untrue", Defect: "the batch flag is true, but the operations shape is refused",
		Hooks: adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope { return next(c.Without("operations")) }}},
	{ID: "OPS-7.1-02", Variant: "batch-key-differs", Defect: "a batch is expected in a member called batch",
		Hooks: seam.Both(adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			list, ok := c.Body["batch"]
			if c = c.Without("batch").Without("operations"); ok {
				c = c.With("operations", list)
			}
			return next(c)
		}}, inSchemas(func(schema map[string]any) {
			properties := adapter.Object(schema["properties"])
			properties["batch"] = properties["operations"]
			delete(properties, "operations")
			schema["anyOf"] = seam.Swapped(schema["anyOf"], "operations", "batch")
		}))},
	{ID: "OPS-7.1-02", Variant: "batch-beyond-schema", Defect: "batches work, but inputSchema requires operation",
		Hooks: inSchemas(func(schema map[string]any) {
			delete(adapter.Object(schema["properties"]), "operations")
			delete(schema, "anyOf")
			schema["required"] = []any{"operation"}
		})},
	{ID: "OPS-7.1-03", Variant: "malformed-batch-succeeds", Defect: "operations given as text is answered success:true with no results",
		Hooks: acceptsAsBatch(func(operations any) bool { return adapter.JSONType(operations) == "string" })},
	{ID: "OPS-7.1-03", Variant: "object-batch-succeeds", Defect: "operations given as an object is answered success:true with no results",
		Hooks: acceptsAsBatch(func(operations any) bool { return adapter.JSONType(operations) == "object" })},
	{ID: "OPS-7.1-03", Variant: "number-entry-passes", Defect: "entries that are no objects are passed over without a result",
		Hooks: acceptsAsBatch(func(operations any) bool { return slices.Equal(adapter.Array(operations), []any{json.Number("42")}) })},
	{ID: "OPS-7.1-03", Variant: "empty-batch-succeeds", Defect: "an empty batch is answered success:true with no results",
		Hooks: acceptsAsBatch(func(operations any) bool {
			return adapter.JSONType(operations) == "array" && len(adapter.Array(operations)) == 0
		})},
	{ID: "OPS-7.3-01", Variant: "batch-concurrent", Defect: "entries are executed concurrently, so that the last may come first", Mode: "all",
		Hooks: adapter.Hooks{Call: lastFirst}},
	{ID: "OPS-7.3-01", Variant: "batch-concurrent-in-family", Defect: "the entries of one family are executed concurrently", Mode: "semantic",
		Hooks: adapter.Hooks{Call: lastFirst}},
	{ID: "OPS-7.3-02", Variant: "batch-aborts", Defect: "the entries after the first failure are refused unseen",
		Hooks: skipsAfter(func(adapter.Call, adapter.Envelope) bool { return true })},
	{ID: "OPS-7.3-02", Variant: "batch-skips-after-absent-update", Defect: "the entries after the update of an object that does not exist are refused unseen",
		Hooks: skipsAfter(func(c adapter.Call, e adapter.Envelope) bool {
			op, _ := c.OperationNamed(c.Operation())
			return op.Category == "UPDATE" && seam.FailedWith("NOT_FOUND_RESOURCE")(nil, e)
		})},
	{ID: "OPS-7.3-02", Variant: "batch-undone-as-whole", Defect: "the notes are as before a batch of which an entry fails, and the other entries are answered as done",
		Hooks: adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			before := maps.Clone(c.Store.Notes)
			for id, note := range before {
				before[id] = maps.Clone(note)
			}
			e := next(c)
			if slices.ContainsFunc(adapter.Array(e["results"]), failedEntry) {
				c.Store.Notes = before
			}
			return e
		}}},
	{ID: "OPS-7.3-02", Variant: "batch-ends-early", Defect: "results end at the first failure",
		Hooks: batchReply(func(_ adapter.Call, e adapter.Envelope) {
			results := adapter.Array(e["results"])
			if at := slices.IndexFunc(results, failedEntry); at >= 0 {
				e["results"] = results[:at+1]
			}
		})},
	{ID: "OPS-7.3-02", Variant: "batch-ends-at-unknown-operation", Defect: "the results end at an operation that does not exist", Hooks: batchEndsAt("NOT_FOUND_OPERATION")},
	{ID: "OPS-7.3-02", Variant: "batch-ends-at-absent-object", Defect: "the results end at an object that does not exist", Hooks: batchEndsAt("NOT_FOUND_RESOURCE", "READ")},
	{ID: "OPS-7.3-02", Variant: "batch-ends-at-absent-removal", Defect: "the results end at the removal of an object that does not exist", Hooks: batchEndsAt("NOT_FOUND_RESOURCE", "DELETE")},
	{ID: "OPS-7.3-02", Variant: "batch-ends-at-refused-creation", Defect: "the results end at a creation that is refused", Hooks: batchEndsAt("VALIDATION_UNKNOWN_PARAM", "CREATE")},
	{ID: "OPS-7.3-03", Variant: "batch-skips-validation", Defect: "inside a batch unknown parameters are not checked",
		Hooks: seam.OfBatch(func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			op, _ := c.OperationNamed(c.Operation())
			for _, name := range seam.UnknownNames(c, op) {
				c = c.Given(name, nil)
			}
			return next(c)
		})},
	{ID: "OPS-7.3-03", Variant: "batch-shortens-data", Defect: "inside a batch get_note leaves the dates out",
		Hooks: seam.OfBatch(func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			e := next(c)
			if c.Operation() == "get_note" {
				delete(adapter.Object(e["data"]), "created_at")
			}
			return e
		})},
	{ID: "OPS-7.3-04", Variant: "batch-fails-with-absent-object", Defect: "an entry whose object is absent fails the batch as a whole",
		Hooks: batchReply(func(_ adapter.Call, e adapter.Envelope) {
			for _, r := range adapter.Array(e["results"]) {
				if result := adapter.Object(adapter.Object(r)["result"]); adapter.Object(result["error"])["code"] == "NOT_FOUND_RESOURCE" {
					clear(e)
					maps.Copy(e, result)
					return
				}
			}
		})},
	{ID: "OPS-7.3-04", Variant: "batch-success-conjunction", Defect: "success of the batch is the conjunction of all entries",
		Hooks: batchReply(func(_ adapter.Call, e adapter.Envelope) {
			if slices.ContainsFunc(adapter.Array(e["results"]), failedEntry) {
				failWhole(e)
			}
		})},
	{ID: "OPS-7.3-04", Variant: "batch-of-writes-fails-whole", Defect: "a batch in which a creation fails is answered success false",
		Hooks: batchReply(func(c adapter.Call, e adapter.Envelope) {
			if slices.ContainsFunc(adapter.Array(e["results"]), func(entry any) bool {
				name, _ := adapter.Object(entry)["operation"].(string)
				op, _ := c.OperationNamed(name)
				return op.Category == "CREATE" && failedEntry(entry)
			}) {
				failWhole(e)
			}
		})},
}

// failWhole makes a failure of the answer to a batch.
func failWhole(e adapter.Envelope) {
	refusal := adapter.Failure("CONFLICT_BATCH_FAILED", "Not all operations of the batch succeeded; see details.results for each",
		map[string]any{"results": e["results"], "summary": e["summary"]})
	clear(e)
	maps.Copy(e, refusal)
}

// batchResultFaults break how the outcome of a batch is told.
var batchResultFaults = []seam.Fault{
	{ID: "OPS-7.2-01", Variant: "batch-reports-failures-only", Defect: "only failing entries are reported",
		Hooks: batchReply(func(_ adapter.Call, e adapter.Envelope) {
			e["results"] = slices.DeleteFunc(adapter.Array(e["results"]), func(r any) bool { return !failedEntry(r) })
		})},
	{ID: "OPS-7.2-01", Variant: "batch-reports-successes-only", Defect: "failing entries are not reported",
		Hooks: batchReply(func(_ adapter.Call, e adapter.Envelope) {
			e["results"] = slices.DeleteFunc(adapter.Array(e["results"]), failedEntry)
		})},
	{ID: "OPS-7.2-02", Variant: "one-based-index", Defect: "index starts at 1",
		Hooks: eachResult(func(results []any, i int) { adapter.Object(results[i])["index"] = i + 1 })},
	{ID: "OPS-7.2-02", Variant: "unknown-operation-unnumbered", Defect: "the result of an operation that does not exist has no index",
		Hooks: eachResult(func(results []any, i int) {
			if entry := adapter.Object(results[i]); seam.FailedWith("NOT_FOUND_OPERATION")(nil, adapter.Object(entry["result"])) {
				delete(entry, "index")
			}
		})},
	{ID: "OPS-7.2-02", Variant: "index-from-the-end", Defect: "index counts from the last entry",
		Hooks: eachResult(func(results []any, i int) { adapter.Object(results[i])["index"] = len(results) - 1 - i })},
	{ID: "OPS-7.2-02", Variant: "results-unordered", Defect: "results stand in the order opposite to their index",
		Hooks: batchReply(func(_ adapter.Call, e adapter.Envelope) { slices.Reverse(adapter.Array(e["results"])) })},
	{ID: "OPS-7.2-03", Variant: "batch-operation-wrong", Defect: "operation repeats the first entry everywhere",
		Hooks: eachResult(func(results []any, i int) {
			adapter.Object(results[i])["operation"] = adapter.Object(results[0])["operation"]
		})},
	{ID: "OPS-7.2-03", Variant: "batch-operation-missing", Defect: "the results do not name their operation",
		Hooks: eachResult(func(results []any, i int) { delete(adapter.Object(results[i]), "operation") })},
	{ID: "OPS-7.2-04", Variant: "batch-bare-data", Defect: "result is the bare data of an entry that succeeds",
		Hooks: eachResult(func(results []any, i int) {
			if entry := adapter.Object(results[i]); !failedEntry(entry) {
				entry["result"] = adapter.Object(entry["result"])["data"]
			}
		})},
	{ID: "OPS-7.2-04", Variant: "batch-bare-message", Defect: "result of an entry that fails has no error object but a text",
		Hooks: eachResult(func(results []any, i int) {
			if entry := adapter.Object(results[i]); failedEntry(entry) {
				result := adapter.Object(entry["result"])
				result["error"] = adapter.Object(result["error"])["message"]
			}
		})},
	{ID: "OPS-7.2-05", Variant: "batch-data-repeats", Defect: "data repeats the results",
		Hooks: batchReply(func(_ adapter.Call, e adapter.Envelope) {
			e["data"] = map[string]any{"entries": adapter.Plain(e["results"])}
		})},
	{ID: "OPS-7.2-06", Variant: "batch-summary-wrong", Defect: "failed counts only faults of the batch itself",
		Hooks: batchReply(func(_ adapter.Call, e adapter.Envelope) { adapter.Object(e["summary"])["failed"] = 0 })},
	{ID: "OPS-7.2-06", Variant: "batch-summary-missing", Defect: "a batch is answered without summary",
		Hooks: batchReply(func(_ adapter.Call, e adapter.Envelope) { delete(e, "summary") })},
}

// batchReply rewrites the answer to a batch that was processed.
func batchReply(rewrite func(c adapter.Call, e adapter.Envelope)) adapter.Hooks {
	return adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		if e["results"] != nil {
			rewrite(c, e)
		}
		return e
	}}
}

// eachResult rewrites the results of batches one by one.
func eachResult(rewrite func(results []any, i int)) adapter.Hooks {
	return batchReply(func(_ adapter.Call, e adapter.Envelope) {
		results := adapter.Array(e["results"])
		for i := range results {
			rewrite(results, i)
		}
	})
}

func failedEntry(entry any) bool {
	return !adapter.Succeeded(adapter.Object(adapter.Object(entry)["result"]))
}

// inSchemas rewrites the inputSchema of every tool.
func inSchemas(rewrite func(schema map[string]any)) adapter.Hooks {
	return seam.ToolList(func(_ *adapter.Exchange, tools []any) any {
		for _, tool := range tools {
			rewrite(adapter.Object(adapter.Object(tool)["inputSchema"]))
		}
		return tools
	})
}

// acceptsAsBatch answers operations that it picks as a batch of nothing.
func acceptsAsBatch(pick func(operations any) bool) adapter.Hooks {
	return adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		operations, ok := c.Body["operations"]
		if _, single := c.Body["operation"]; !ok || single || !pick(operations) {
			return next(c)
		}
		return adapter.Envelope{"success": true, "data": nil, "results": []any{},
			"summary": adapter.Plain(map[string]any{"total": 0, "succeeded": 0, "failed": 0})}
	}}
}

// lastFirst runs the entries of a batch in an order that a scheduler may choose as
// well, and answers in the order asked for.
func lastFirst(c adapter.Call, next adapter.Handler) adapter.Envelope {
	entries := adapter.Array(c.Body["operations"])
	if entries == nil {
		return next(c)
	}
	entries = slices.Clone(entries)
	slices.Reverse(entries)
	e := next(c.With("operations", entries))
	results := adapter.Array(e["results"])
	slices.Reverse(results)
	for i := range results {
		adapter.Object(results[i])["index"] = i
	}
	return e
}

// skipsAfter refuses the entries of a batch after one that fails so.
func skipsAfter(fails func(c adapter.Call, e adapter.Envelope) bool) adapter.Hooks {
	return seam.Both(adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		delete(c.Session.Marks, "batch failed")
		return next(c)
	}}, seam.OfBatch(func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if seam.Marked(c.Session, "batch failed") {
			return adapter.Failure("CONFLICT_BATCH_ABORTED", "An earlier operation of the batch failed; send this one again", nil)
		}
		e := next(c)
		if !adapter.Succeeded(e) && fails(c, e) {
			seam.Mark(c.Session, "batch failed")
		}
		return e
	}))
}

// batchEndsAt has no results of the entries after one with the code, of an operation of one of the categories if any are named.
func batchEndsAt(code string, categories ...string) adapter.Hooks {
	return batchReply(func(c adapter.Call, e adapter.Envelope) {
		results := adapter.Array(e["results"])
		if at := slices.IndexFunc(results, func(entry any) bool {
			name, _ := adapter.Object(entry)["operation"].(string)
			op, _ := c.OperationNamed(name)
			of := len(categories) == 0 || slices.Contains(categories, op.Category)
			return of && seam.FailedWith(code)(nil, adapter.Object(adapter.Object(entry)["result"]))
		}); at >= 0 {
			e["results"] = results[:at+1]
		}
	})
}

// bypassing runs entries of a batch whatever the endpoint, where the fault says so.
func bypassing(overlooks func(c adapter.Call, op adapter.Operation) bool) adapter.Hooks {
	return seam.OfBatch(func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if op, ok := c.OperationNamed(c.Operation()); ok && c.Tool != adapter.Unified && overlooks(c, op) {
			c.Tool = rightTool(c, op)
		}
		return next(c)
	})
}
