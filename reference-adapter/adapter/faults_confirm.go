package adapter

import "maps"

// pardoned lets tokens pass some of the rules, where unless allows it.
func pardoned(unless func(k *token, t task) bool, rules ...string) hooks {
	return hooks{table: func(a *Adapter) {
		for _, rule := range a.confirmationRules(rules...) {
			strict := rule.broken
			rule.broken = func(k *token, t task) bool { return strict(k, t) && !unless(k, t) }
		}
	}}
}

func always(*token, task) bool { return true }

// waived lets calls through that wait for a confirmation.
func waived(holds func(t task) bool) hooks {
	return hooks{table: func(a *Adapter) { a.consent.waives = holds }}
}

// refusedLate answers a call with some tokens with a refusal, after it was carried out.
func refusedLate(code string, late func(k *token, target string) bool) hooks {
	return hooks{item: func(c call, next handler) envelope {
		name, given := tokenOf(c)
		params := maps.Clone(object(c.body["params"]))
		delete(params, "confirmation_token")
		k := c.consent.tokens[name]
		e := next(c)
		if given && succeeded(e) && late(k, printed(params)) {
			return refusedToken(code)
		}
		return e
	}}
}

// tokenFaults break what a confirmation stands for.
var tokenFaults = []Fault{
	{ID: "AQL-2.3.3-01", Variant: "token-store-global", Defect: "tokens are kept in a store shared by all sessions", Transport: "http",
		Features: confirming, hooks: pardoned(always, "session", "ended")},
	{ID: "AQL-2.3.3-02", Variant: "tokens-cleared-on-orderly-close-only", Defect: "tokens are cleared only by the orderly close handler", Transport: "stdio",
		Features: confirming, hooks: pardoned(func(k *token, _ task) bool { return k.session.cut }, "session", "ended")},
	{ID: "AQL-2.3.5-02", Variant: "token-by-meta-session", Defect: "the token store is looked up by _meta.session_id", Transport: "http",
		Features: confirming, hooks: both(
			hooks{item: func(c call, next handler) envelope {
				c.session.claims, _ = object(c.body["_meta"])["session_id"].(string)
				return next(c)
			}},
			pardoned(func(k *token, t task) bool { return k.session.identity() == t.session.claims }, "session"))},
	{ID: "AQL-2.3.5-03", Variant: "session-by-client-info", Defect: "session identity is taken from initialize.clientInfo.name", Transport: "http",
		Features: confirming, hooks: pardoned(func(k *token, t task) bool { return k.session.client == t.session.client }, "session")},
	{ID: "CMP-TOKEN-01", Variant: "token-opens-other-operation", Defect: "a valid token of one operation releases any other",
		Features: confirming, hooks: pardoned(func(k *token, t task) bool { return k.operation != t.operation }, "operation", "target")},
	{ID: "CMP-TOKEN-02", Variant: "token-ignores-target", Defect: "a token of one target releases another",
		Features: confirming, hooks: pardoned(func(k *token, t task) bool { return k.operation == t.operation }, "target")},
	{ID: "CMP-TOKEN-02", Variant: "other-target-done-yet-refused", Defect: "the call with the token of another target is refused after it was carried out",
		Features: confirming, hooks: both(pardoned(func(k *token, t task) bool { return k.operation == t.operation }, "target"),
			refusedLate("TOKEN_SCOPE_MISMATCH", func(k *token, target string) bool { return k != nil && k.target != target }))},
	{ID: "CMP-TOKEN-03", Variant: "invented-token-done-yet-refused", Defect: "the call with an invented token is refused after it was carried out",
		Features: confirming, hooks: both(hooks{table: func(a *Adapter) { a.consent.forged = true }},
			refusedLate("TOKEN_INVALID", func(k *token, _ string) bool { return k == nil }))},
	{ID: "CMP-TOKEN-03", Variant: "any-token-accepted", Defect: "only the presence of a token is checked",
		Features: confirming, hooks: hooks{table: func(a *Adapter) { a.consent.forged = true }}},
	{ID: "CMP-TOKEN-04", Variant: "token-reusable", Defect: "a token stays valid after use",
		Features: confirming, hooks: pardoned(always, "used")},
	{ID: "CMP-TOKEN-05", Variant: "gate-missing-on-one", Defect: "shred_note says that it requires confirmation and runs at once",
		Features: confirming, hooks: waived(func(t task) bool { return t.operation == "shred_note" })},
	{ID: "INT-4.1.1-18", Variant: "confirmation-token-never-accepted", Defect: "a fresh token is always refused on the retry",
		Features: confirming, hooks: hooks{table: func(a *Adapter) {
			a.consent.rules = append(a.consent.rules, tokenRule{"mood", "TOKEN_INVALID", always})
		}}},
	{ID: "AX-R4-05", Variant: "confirmation-unannounced", Defect: "calls wait for a confirmation while the flag is false",
		Features: confirming, hooks: capability("confirmation", false)},
	{ID: "INT-4.1.1-18", Variant: "advertised-but-absent", Defect: "confirmation is announced and no operation asks for one",
		hooks: both(capability("confirmation", true), showsSession(true, freshSession))},
}

// batched rewrites the answer to a batch.
func batched(rewrite func(c call, e envelope)) hooks {
	return hooks{call: func(c call, next handler) envelope {
		e := next(c)
		if _, batch := c.body["operations"]; batch && c.body["operation"] == nil {
			rewrite(c, e)
		}
		return e
	}}
}

// onHalt rewrites the answer to a batch that halted.
func onHalt(rewrite func(c call, e, halt, summary map[string]any)) hooks {
	return batched(func(c call, e envelope) {
		if halt := object(e["halted_at"]); halt != nil {
			rewrite(c, e, halt, object(e["summary"]))
		}
	})
}

// inBatches marks the session while it runs a batch.
func inBatches(h hooks) hooks {
	return both(hooks{call: func(c call, next handler) envelope {
		if _, batch := c.body["operations"]; batch && c.body["operation"] == nil {
			c.session.mark("in batch")
			defer delete(c.session.marks, "in batch")
		}
		return next(c)
	}}, h)
}

// skipping has batches go on behind a call that waits.
func skipping(h hooks) hooks {
	return both(hooks{table: func(a *Adapter) { a.consent.skips = true }}, h)
}

// gatedBatchFaults break what a batch does with a call that waits.
var gatedBatchFaults = []Fault{
	{ID: "OPS-7.5.2-01", Variant: "batch-runs-gated", Defect: "the batch executes the gated entry",
		Features: confirming, hooks: inBatches(waived(func(t task) bool { return t.session.marked("in batch") }))},
	{ID: "OPS-7.5.2-02", Variant: "batch-refused-up-front", Defect: "nothing of a batch is executed because one entry is gated",
		Features: confirming, hooks: hooks{call: refusedUpFront}},
	{ID: "OPS-7.5.2-03", Variant: "batch-token-missing", Defect: "inside a batch the token is missing",
		Features: confirming, hooks: onHalt(func(_ call, _, halt, _ map[string]any) {
			delete(object(object(object(halt["result"])["error"])["details"]), "confirmation_token")
		})},
	{ID: "OPS-7.5.2-04", Variant: "later-entries-run", Defect: "later entries run, only their results are withheld",
		Features: confirming, hooks: onHalt(func(c call, e, _, _ map[string]any) {
			for _, left := range array(plain(e["pending_operations"])) {
				entry := object(left)
				delete(entry, "index")
				whole(call{Adapter: c.Adapter, session: c.session, tool: c.tool, body: entry})
			}
		})},
	{ID: "OPS-7.5.2-05", Variant: "pending-without-params", Defect: "pending_operations repeats other parameters than the request had",
		Features: confirming, hooks: onHalt(func(_ call, e, _, _ map[string]any) {
			for _, left := range array(e["pending_operations"]) {
				object(left)["params"] = map[string]any{}
			}
		})},
	{ID: "OPS-7.5.2-05", Variant: "pending-omitted", Defect: "pending_operations is left out although entries are pending",
		Features: confirming, hooks: onHalt(func(_ call, e, _, _ map[string]any) { delete(e, "pending_operations") })},
	{ID: "OPS-7.5.3-01", Variant: "continuation-token-unknown", Defect: "confirmation_token is refused as unknown parameter in the continuation",
		Features: confirming, hooks: inBatches(hooks{item: func(c call, next handler) envelope {
			if name, _, given := c.value("confirmation_token"); given && c.session.marked("in batch") {
				return object(swapped(next(c.given("confirmation_token", nil).given("zz_token", name)), "zz_token", "confirmation_token"))
			}
			return next(c)
		}})},
	{ID: "OPS-7.5.4-02", Variant: "halt-mode-by-request", Defect: "a request key on_confirmation:\"skip\" changes the mode",
		Features: confirming, hooks: hooks{call: func(c call, next handler) envelope {
			if c.body["on_confirmation"] != "skip" {
				return next(c)
			}
			c.Adapter.consent.skips = true
			defer func() { c.Adapter.consent.skips = false }()
			return next(c.without("on_confirmation"))
		}}},
	{ID: "OPS-7.5.4-03", Variant: "skip-without-status", Defect: "gated entries carry no status where the batch goes on",
		Features: confirming, hooks: skipping(batched(func(_ call, e envelope) {
			for _, r := range array(e["results"]) {
				delete(object(r), "status")
			}
		}))},
	{ID: "OPS-7.5.4-05", Variant: "skip-counter-missing", Defect: "summary lacks pending_confirmation where the batch goes on",
		Features: confirming, hooks: skipping(batched(func(_ call, e envelope) { delete(object(e["summary"]), "pending_confirmation") }))},
	{ID: "OPS-7.5.5-01", Variant: "gated-counted-failed", Defect: "summary.failed counts the gated entry",
		Features: confirming, hooks: onHalt(func(_ call, _, _, summary map[string]any) {
			summary["failed"] = plain(integer(summary["failed"]) + 1)
		})},
	{ID: "OPS-7.5.5-02", Variant: "gated-batch-fails", Defect: "the batch answers success:false with CONFIRMATION_REQUIRED",
		Features: confirming, hooks: onHalt(func(_ call, e, halt, _ map[string]any) {
			e["success"], e["error"] = false, object(plain(halt["result"]))["error"]
			delete(e, "data")
		})},
	{ID: "OPS-7.5.5-03", Variant: "halted-counter-missing", Defect: "summary.halted is missing",
		Features: confirming, hooks: onHalt(func(_ call, _, _, summary map[string]any) { delete(summary, "halted") })},
	{ID: "OPS-7.5.5-03", Variant: "pending-includes-gated", Defect: "summary.pending also counts the gated entry",
		Features: confirming, hooks: onHalt(func(_ call, _, _, summary map[string]any) {
			summary["pending"] = plain(integer(summary["pending"]) + 1)
		})},
}

// refusedUpFront looks for an entry that waits before anything is carried out, and
// leaves out what stands before it.
func refusedUpFront(c call, next handler) envelope {
	entries := array(c.body["operations"])
	at := 0
	for i, entry := range entries {
		if named("empty_folder", "shred_note")(operation{Name: call{body: object(entry)}.operation()}) {
			at = i
			break
		}
	}
	if at == 0 {
		return next(c)
	}
	e := next(c.with("operations", entries[at:]))
	halt := object(e["halted_at"])
	if halt == nil {
		return next(c)
	}
	for _, place := range append(array(e["pending_operations"]), halt) {
		object(place)["index"] = plain(integer(plain(object(place)["index"])) + at)
	}
	object(e["summary"])["total"] = plain(len(entries))
	return e
}
