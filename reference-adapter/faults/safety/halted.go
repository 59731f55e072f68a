package safety

import (
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// nearTokenFaults take one token for another.
var nearTokenFaults = []seam.Fault{
	{ID: "CMP-TOKEN-02", Variant: "one-token-opens-batch", Defect: "the token of one entry releases all entries of its batch",
		Features: adapter.Confirming, Hooks: adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			for _, entry := range adapter.Array(c.Body["operations"]) {
				if _, given := tokenOf(adapter.Call{Body: adapter.Object(entry)}); given {
					consent := &c.Adapter.Consent
					strict := consent.Waives
					consent.Waives = func(adapter.Task) bool { return true }
					defer func() { consent.Waives = strict }()
				}
			}
			return next(c)
		}}},
}

// tokenOf is the token that a call gives.
func tokenOf(c adapter.Call) (string, bool) {
	value, _, _ := c.Value("confirmation_token")
	text, ok := value.(string)
	return text, ok
}

// haltedFaults tell the outcome of a batch that halted in another way.
var haltedFaults = []seam.Fault{
	{ID: "OPS-7.2-03", Variant: "halted-results-unnamed", Defect: "where a batch halts, the results do not name their operation",
		Features: adapter.Confirming, Hooks: onHalt(func(_ adapter.Call, e, _, _ map[string]any) {
			for _, r := range adapter.Array(e["results"]) {
				delete(adapter.Object(r), "operation")
			}
		})},
	{ID: "OPS-7.5.2-05", Variant: "halted-index-one-based", Defect: "the index in halted_at starts at 1",
		Features: adapter.Confirming, Hooks: onHalt(func(_ adapter.Call, _, halt, _ map[string]any) {
			halt["index"] = adapter.Plain(adapter.Integer(adapter.Plain(halt["index"])) + 1)
		})},
	{ID: "OPS-7.5.2-05", Variant: "pending-reversed", Defect: "pending_operations begins with the last entry",
		Features: adapter.Confirming, Hooks: onHalt(func(_ adapter.Call, e, _, _ map[string]any) { slices.Reverse(adapter.Array(e["pending_operations"])) })},
	{ID: "OPS-7.5.2-05", Variant: "pending-in-results-too", Defect: "entries that are pending stand in results as failures",
		Features: adapter.Confirming, Hooks: onHalt(func(_ adapter.Call, e, _, _ map[string]any) {
			for _, left := range adapter.Array(adapter.Plain(e["pending_operations"])) {
				e["results"] = append(adapter.Array(e["results"]), map[string]any{"index": adapter.Object(left)["index"], "operation": adapter.Object(left)["operation"],
					"result": adapter.Failure("CONFLICT_BATCH_HALTED", "An entry before this one waits for a confirmation", nil)})
			}
		})},
	{ID: "OPS-7.5.5-03", Variant: "pending-as-flag", Defect: "summary.pending is 1 whenever entries were left out",
		Features: adapter.Confirming, Hooks: onHalt(func(_ adapter.Call, _, _, summary map[string]any) {
			summary["pending"] = adapter.Plain(min(1, adapter.Integer(summary["pending"])))
		})},
	{ID: "OPS-7.5.5-03", Variant: "total-of-executed", Defect: "summary.total counts what was carried out alone",
		Features: adapter.Confirming, Hooks: onHalt(func(_ adapter.Call, e, _, summary map[string]any) {
			summary["total"] = adapter.Plain(len(adapter.Array(e["results"])))
		})},
	{ID: "OPS-7.5.3-01", Variant: "rest-of-continuation-dropped", Defect: "behind an entry with a token the batch ends",
		Features: adapter.Confirming, Hooks: adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if list := adapter.Array(c.Body["operations"]); len(list) > 1 {
				if _, given := tokenOf(adapter.Call{Body: adapter.Object(list[0])}); given {
					return next(c.With("operations", list[:1]))
				}
			}
			return next(c)
		}}},
	{ID: "OPS-7.3-03", Variant: "unknown-operation-misvalued", Defect: "inside a batch an unknown operation has the code VALIDATION_INVALID_VALUE", Hooks: entryCode("NOT_FOUND_OPERATION", "VALIDATION_INVALID_VALUE")},
	{ID: "OPS-7.3-03", Variant: "absent-resource-crashes", Defect: "inside a batch a missing resource has the code INTERNAL_ERROR", Hooks: entryCode("NOT_FOUND_RESOURCE", "INTERNAL_ERROR")},
}

// entryCode gives failing entries of batches another code.
func entryCode(code, other string) adapter.Hooks {
	return seam.OfBatch(func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		if reason := adapter.Object(e["error"]); reason["code"] == code {
			reason["code"] = other
		}
		return e
	})
}

// twinFaults list something twice.
var twinFaults = []seam.Fault{
	{ID: "INT-3.2-05", Variant: "operation-listed-twice-alike", Defect: "create_folder is listed twice, alike",
		Hooks: seam.Listing(func(_ adapter.Call, data map[string]any) {
			data["operations"] = twice(data["operations"], "create_folder")
		})},
	{ID: "INT-3.5-04", Variant: "type-listed-twice-alike", Defect: "the type Folder is listed twice, alike",
		Hooks: seam.Introspected("types", false, func(_ adapter.Call, data map[string]any) { data["types"] = twice(data["types"], "Folder") })},
	{ID: "INT-3.6-02", Variant: "field-twice", Defect: "a field of the type Folder is documented twice",
		Hooks: seam.TypeRecord("Folder", func(t map[string]any) { t["fields"] = twice(t["fields"], "name") })},
	{ID: "INT-3.6-03", Variant: "member-twice", Defect: "a union names one of its members twice",
		Hooks: seam.TypeRecord("FieldSelection", func(t map[string]any) { t["members"] = twice(t["members"], adapter.Array(t["members"])[0].(string)) })},
}

// twice returns list with what has that name in it twice.
func twice(list any, name string) []any {
	out := []any{}
	for _, item := range adapter.Array(list) {
		out = append(out, item)
		if adapter.Object(item)["name"] == name || item == name {
			out = append(out, adapter.Plain(item))
		}
	}
	return out
}
