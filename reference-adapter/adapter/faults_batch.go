package adapter

import (
	"encoding/json"
	"maps"
	"slices"
)

// batchFaults break what a batch does.
var batchFaults = []Fault{
	{ID: "AX-R4-05", Variant: "batch-unannounced", Defect: "batches work while the batch flag is false", hooks: capability("batch", false)},
	{ID: "AQL-6.2-06", Variant: "batch-bypasses-router", Defect: "the batch handler calls operation handlers directly, whatever the endpoint",
		hooks: ofBatch(func(c call, next handler) envelope {
			if op, ok := c.operationNamed(c.operation()); ok && c.tool != unified {
				c.tool = c.rightTool(op)
			}
			return next(c)
		})},
	{ID: "OPS-7.1-02", Variant: "batch-flag-untrue", Defect: "the batch flag is true, but the operations shape is refused",
		hooks: hooks{call: func(c call, next handler) envelope { return next(c.without("operations")) }}},
	{ID: "OPS-7.1-02", Variant: "batch-key-differs", Defect: "a batch is expected in a member called batch",
		hooks: both(hooks{call: func(c call, next handler) envelope {
			list, ok := c.body["batch"]
			if c = c.without("batch").without("operations"); ok {
				c = c.with("operations", list)
			}
			return next(c)
		}}, inSchemas(func(schema map[string]any) {
			properties := object(schema["properties"])
			properties["batch"] = properties["operations"]
			delete(properties, "operations")
			schema["anyOf"] = swapped(schema["anyOf"], "operations", "batch")
		}))},
	{ID: "OPS-7.1-02", Variant: "batch-beyond-schema", Defect: "batches work, but inputSchema requires operation",
		hooks: inSchemas(func(schema map[string]any) {
			delete(object(schema["properties"]), "operations")
			delete(schema, "anyOf")
			schema["required"] = []any{"operation"}
		})},
	{ID: "OPS-7.1-03", Variant: "malformed-batch-succeeds", Defect: "operations given as text is answered success:true with no results",
		hooks: acceptsAsBatch(func(operations any) bool { return jsonType(operations) == "string" })},
	{ID: "OPS-7.1-03", Variant: "object-batch-succeeds", Defect: "operations given as an object is answered success:true with no results",
		hooks: acceptsAsBatch(func(operations any) bool { return jsonType(operations) == "object" })},
	{ID: "OPS-7.1-03", Variant: "number-entry-passes", Defect: "entries that are no objects are passed over without a result",
		hooks: acceptsAsBatch(func(operations any) bool { return slices.Equal(array(operations), []any{json.Number("42")}) })},
	{ID: "OPS-7.1-03", Variant: "empty-batch-succeeds", Defect: "an empty batch is answered success:true with no results",
		hooks: acceptsAsBatch(func(operations any) bool { return jsonType(operations) == "array" && len(array(operations)) == 0 })},
	{ID: "OPS-7.3-01", Variant: "batch-concurrent", Defect: "entries are executed concurrently, so that the last may come first", Mode: "all",
		hooks: hooks{call: lastFirst}},
	{ID: "OPS-7.3-01", Variant: "batch-concurrent-in-family", Defect: "the entries of one family are executed concurrently", Mode: "semantic",
		hooks: hooks{call: lastFirst}},
	{ID: "OPS-7.3-02", Variant: "batch-aborts", Defect: "the entries after the first failure are refused unseen",
		hooks: both(hooks{call: func(c call, next handler) envelope {
			delete(c.session.marks, "batch failed")
			return next(c)
		}}, ofBatch(func(c call, next handler) envelope {
			if c.session.marked("batch failed") {
				return failure("CONFLICT_BATCH_ABORTED", "An earlier operation of the batch failed; send this one again", nil)
			}
			e := next(c)
			if !succeeded(e) {
				c.session.mark("batch failed")
			}
			return e
		}))},
	{ID: "OPS-7.3-02", Variant: "batch-ends-early", Defect: "results end at the first failure",
		hooks: batchReply(func(_ call, e envelope) {
			results := array(e["results"])
			if at := slices.IndexFunc(results, failedEntry); at >= 0 {
				e["results"] = results[:at+1]
			}
		})},
	{ID: "OPS-7.3-03", Variant: "batch-skips-validation", Defect: "inside a batch unknown parameters are not checked",
		hooks: ofBatch(func(c call, next handler) envelope {
			op, _ := c.operationNamed(c.operation())
			for _, name := range c.unknownNames(op) {
				c = c.given(name, nil)
			}
			return next(c)
		})},
	{ID: "OPS-7.3-03", Variant: "batch-shortens-data", Defect: "inside a batch get_note leaves the dates out",
		hooks: ofBatch(func(c call, next handler) envelope {
			e := next(c)
			if c.operation() == "get_note" {
				delete(object(e["data"]), "created_at")
			}
			return e
		})},
	{ID: "OPS-7.3-04", Variant: "batch-success-conjunction", Defect: "success of the batch is the conjunction of all entries",
		hooks: batchReply(func(_ call, e envelope) {
			if !slices.ContainsFunc(array(e["results"]), failedEntry) {
				return
			}
			refusal := failure("CONFLICT_BATCH_FAILED", "Not all operations of the batch succeeded; see details.results for each",
				map[string]any{"results": e["results"], "summary": e["summary"]})
			clear(e)
			maps.Copy(e, refusal)
		})},
}

// batchResultFaults break how the outcome of a batch is told.
var batchResultFaults = []Fault{
	{ID: "OPS-7.2-01", Variant: "batch-reports-failures-only", Defect: "only failing entries are reported",
		hooks: batchReply(func(_ call, e envelope) {
			e["results"] = slices.DeleteFunc(array(e["results"]), func(r any) bool { return !failedEntry(r) })
		})},
	{ID: "OPS-7.2-01", Variant: "batch-reports-successes-only", Defect: "failing entries are not reported",
		hooks: batchReply(func(_ call, e envelope) { e["results"] = slices.DeleteFunc(array(e["results"]), failedEntry) })},
	{ID: "OPS-7.2-02", Variant: "one-based-index", Defect: "index starts at 1",
		hooks: eachResult(func(results []any, i int) { object(results[i])["index"] = i + 1 })},
	{ID: "OPS-7.2-02", Variant: "index-from-the-end", Defect: "index counts from the last entry",
		hooks: eachResult(func(results []any, i int) { object(results[i])["index"] = len(results) - 1 - i })},
	{ID: "OPS-7.2-02", Variant: "results-unordered", Defect: "results stand in the order opposite to their index",
		hooks: batchReply(func(_ call, e envelope) { slices.Reverse(array(e["results"])) })},
	{ID: "OPS-7.2-03", Variant: "batch-operation-wrong", Defect: "operation repeats the first entry everywhere",
		hooks: eachResult(func(results []any, i int) { object(results[i])["operation"] = object(results[0])["operation"] })},
	{ID: "OPS-7.2-03", Variant: "batch-operation-missing", Defect: "the results do not name their operation",
		hooks: eachResult(func(results []any, i int) { delete(object(results[i]), "operation") })},
	{ID: "OPS-7.2-04", Variant: "batch-bare-data", Defect: "result is the bare data of an entry that succeeds",
		hooks: eachResult(func(results []any, i int) {
			if entry := object(results[i]); !failedEntry(entry) {
				entry["result"] = object(entry["result"])["data"]
			}
		})},
	{ID: "OPS-7.2-04", Variant: "batch-bare-message", Defect: "result of an entry that fails has no error object but a text",
		hooks: eachResult(func(results []any, i int) {
			if entry := object(results[i]); failedEntry(entry) {
				result := object(entry["result"])
				result["error"] = object(result["error"])["message"]
			}
		})},
	{ID: "OPS-7.2-05", Variant: "batch-data-repeats", Defect: "data repeats the results",
		hooks: batchReply(func(_ call, e envelope) { e["data"] = map[string]any{"entries": plain(e["results"])} })},
	{ID: "OPS-7.2-06", Variant: "batch-summary-wrong", Defect: "failed counts only faults of the batch itself",
		hooks: batchReply(func(_ call, e envelope) { object(e["summary"])["failed"] = 0 })},
	{ID: "OPS-7.2-06", Variant: "batch-summary-missing", Defect: "a batch is answered without summary",
		hooks: batchReply(func(_ call, e envelope) { delete(e, "summary") })},
}

// ofBatch lets a fault reach into the entries of batches alone.
func ofBatch(around func(c call, next handler) envelope) hooks {
	return hooks{item: func(c call, next handler) envelope {
		if !c.entry {
			return next(c)
		}
		return around(c, next)
	}}
}

// batchReply rewrites the answer to a batch that was processed.
func batchReply(rewrite func(c call, e envelope)) hooks {
	return hooks{call: func(c call, next handler) envelope {
		e := next(c)
		if e["results"] != nil {
			rewrite(c, e)
		}
		return e
	}}
}

// eachResult rewrites the results of batches one by one.
func eachResult(rewrite func(results []any, i int)) hooks {
	return batchReply(func(_ call, e envelope) {
		results := array(e["results"])
		for i := range results {
			rewrite(results, i)
		}
	})
}

func failedEntry(entry any) bool { return !succeeded(object(object(entry)["result"])) }

// inSchemas rewrites the inputSchema of every tool.
func inSchemas(rewrite func(schema map[string]any)) hooks {
	return toolList(func(_ *exchange, tools []any) any {
		for _, tool := range tools {
			rewrite(object(object(tool)["inputSchema"]))
		}
		return tools
	})
}

// acceptsAsBatch answers operations that it picks as a batch of nothing.
func acceptsAsBatch(pick func(operations any) bool) hooks {
	return hooks{call: func(c call, next handler) envelope {
		operations, ok := c.body["operations"]
		if _, single := c.body["operation"]; !ok || single || !pick(operations) {
			return next(c)
		}
		return envelope{"success": true, "data": nil, "results": []any{},
			"summary": plain(map[string]any{"total": 0, "succeeded": 0, "failed": 0})}
	}}
}

// lastFirst runs the entries of a batch in an order that a scheduler may choose as
// well, and answers in the order asked for.
func lastFirst(c call, next handler) envelope {
	entries := array(c.body["operations"])
	if entries == nil {
		return next(c)
	}
	entries = slices.Clone(entries)
	slices.Reverse(entries)
	e := next(c.with("operations", entries))
	results := array(e["results"])
	slices.Reverse(results)
	for i := range results {
		object(results[i])["index"] = i
	}
	return e
}
