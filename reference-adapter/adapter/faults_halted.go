package adapter

import (
	"slices"
)

// nearTokenFaults take one token for another.
var nearTokenFaults = []Fault{
	{ID: "CMP-TOKEN-02", Variant: "one-token-opens-batch", Defect: "the token of one entry releases all entries of its batch",
		Features: confirming, hooks: hooks{call: func(c call, next handler) envelope {
			for _, entry := range array(c.body["operations"]) {
				if _, given := tokenOf(call{body: object(entry)}); given {
					consent := &c.Adapter.consent
					strict := consent.waives
					consent.waives = func(task) bool { return true }
					defer func() { consent.waives = strict }()
				}
			}
			return next(c)
		}}},
}

// tokenOf is the token that a call gives.
func tokenOf(c call) (string, bool) {
	value, _, _ := c.value("confirmation_token")
	text, ok := value.(string)
	return text, ok
}

// haltedFaults tell the outcome of a batch that halted in another way.
var haltedFaults = []Fault{
	{ID: "OPS-7.2-03", Variant: "halted-results-unnamed", Defect: "where a batch halts, the results do not name their operation",
		Features: confirming, hooks: onHalt(func(_ call, e, _, _ map[string]any) {
			for _, r := range array(e["results"]) {
				delete(object(r), "operation")
			}
		})},
	{ID: "OPS-7.5.2-05", Variant: "halted-index-one-based", Defect: "the index in halted_at starts at 1",
		Features: confirming, hooks: onHalt(func(_ call, _, halt, _ map[string]any) { halt["index"] = plain(integer(plain(halt["index"])) + 1) })},
	{ID: "OPS-7.5.2-05", Variant: "pending-reversed", Defect: "pending_operations begins with the last entry",
		Features: confirming, hooks: onHalt(func(_ call, e, _, _ map[string]any) { slices.Reverse(array(e["pending_operations"])) })},
	{ID: "OPS-7.5.2-05", Variant: "pending-in-results-too", Defect: "entries that are pending stand in results as failures",
		Features: confirming, hooks: onHalt(func(_ call, e, _, _ map[string]any) {
			for _, left := range array(plain(e["pending_operations"])) {
				e["results"] = append(array(e["results"]), map[string]any{"index": object(left)["index"], "operation": object(left)["operation"],
					"result": failure("CONFLICT_BATCH_HALTED", "An entry before this one waits for a confirmation", nil)})
			}
		})},
	{ID: "OPS-7.5.5-03", Variant: "total-of-executed", Defect: "summary.total counts what was carried out alone",
		Features: confirming, hooks: onHalt(func(_ call, e, _, summary map[string]any) { summary["total"] = plain(len(array(e["results"]))) })},
	{ID: "OPS-7.5.3-01", Variant: "rest-of-continuation-dropped", Defect: "behind an entry with a token the batch ends",
		Features: confirming, hooks: hooks{call: func(c call, next handler) envelope {
			if list := array(c.body["operations"]); len(list) > 1 {
				if _, given := tokenOf(call{body: object(list[0])}); given {
					return next(c.with("operations", list[:1]))
				}
			}
			return next(c)
		}}},
	{ID: "OPS-7.3-03", Variant: "unknown-operation-misvalued", Defect: "inside a batch an unknown operation has the code VALIDATION_INVALID_VALUE", hooks: entryCode("NOT_FOUND_OPERATION", "VALIDATION_INVALID_VALUE")},
	{ID: "OPS-7.3-03", Variant: "absent-resource-crashes", Defect: "inside a batch a missing resource has the code INTERNAL_ERROR", hooks: entryCode("NOT_FOUND_RESOURCE", "INTERNAL_ERROR")},
}

// entryCode gives failing entries of batches another code.
func entryCode(code, other string) hooks {
	return ofBatch(func(c call, next handler) envelope {
		e := next(c)
		if reason := object(e["error"]); reason["code"] == code {
			reason["code"] = other
		}
		return e
	})
}

// twinFaults list something twice.
var twinFaults = []Fault{
	{ID: "INT-3.2-05", Variant: "operation-listed-twice-alike", Defect: "create_folder is listed twice, alike",
		hooks: listing(func(_ call, data map[string]any) { data["operations"] = twice(data["operations"], "create_folder") })},
	{ID: "INT-3.5-04", Variant: "type-listed-twice-alike", Defect: "the type Folder is listed twice, alike",
		hooks: introspected("types", false, func(_ call, data map[string]any) { data["types"] = twice(data["types"], "Folder") })},
	{ID: "INT-3.6-02", Variant: "field-twice", Defect: "a field of the type Folder is documented twice",
		hooks: typeRecord("Folder", func(t map[string]any) { t["fields"] = twice(t["fields"], "name") })},
	{ID: "INT-3.6-03", Variant: "member-twice", Defect: "a union names one of its members twice",
		hooks: typeRecord("FieldSelection", func(t map[string]any) { t["members"] = twice(t["members"], array(t["members"])[0].(string)) })},
}

// twice returns list with what has that name in it twice.
func twice(list any, name string) []any {
	out := []any{}
	for _, item := range array(list) {
		out = append(out, item)
		if object(item)["name"] == name || item == name {
			out = append(out, plain(item))
		}
	}
	return out
}
