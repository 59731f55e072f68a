package safety

import (
	"maps"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// pardoned lets tokens pass some of the rules, where unless allows it.
func pardoned(unless func(k *adapter.Token, t adapter.Task) bool, rules ...string) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		for _, rule := range a.ConfirmationRules(rules...) {
			strict := rule.Broken
			rule.Broken = func(k *adapter.Token, t adapter.Task) bool { return strict(k, t) && !unless(k, t) }
		}
	}}
}

func always(*adapter.Token, adapter.Task) bool { return true }

// waived lets calls through that wait for a confirmation.
func waived(holds func(t adapter.Task) bool) adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) { a.Consent.Waives = holds }}
}

// refusedLate answers a call with some tokens with a refusal, after it was carried out.
func refusedLate(code string, late func(k *adapter.Token, target string) bool) adapter.Hooks {
	return adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		name, given := tokenOf(c)
		params := maps.Clone(adapter.Object(c.Body["params"]))
		delete(params, "confirmation_token")
		k := c.Consent.Tokens[name]
		e := next(c)
		if given && adapter.Succeeded(e) && late(k, adapter.Printed(params)) {
			return adapter.RefusedToken(code)
		}
		return e
	}}
}

// pulping adds pulp_note, which does what shred_note does.
func pulping() adapter.Hooks {
	return adapter.Hooks{Table: func(a *adapter.Adapter) {
		for _, op := range a.Operations {
			if op.Name == "shred_note" {
				op.Name, op.Description = "pulp_note", "Pulp a note: delete it so that nothing can bring it back. Requires confirmation by a token"
				op.Examples = []adapter.Example{{Description: "Ask to pulp a note", Request: adapter.Request("pulp_note", map[string]any{"note_id": "note_5"})}}
				a.Operations = append(a.Operations, op)
			}
		}
	}}
}

// tokenFaults break what a confirmation stands for.
var tokenFaults = []seam.Fault{
	{ID: "AQL-2.3.3-01", Variant: "token-store-global", Defect: "tokens are kept in a store shared by all sessions", Transport: "http",
		Features: adapter.Confirming, Hooks: pardoned(always, "session", "ended")},
	{ID: "AQL-2.3.3-02", Variant: "tokens-cleared-on-orderly-close-only", Defect: "tokens are cleared only by the orderly close handler", Transport: "stdio",
		Features: adapter.Confirming, Hooks: pardoned(func(k *adapter.Token, _ adapter.Task) bool { return k.Session.Cut }, "session", "ended")},
	{ID: "AQL-2.3.5-02", Variant: "token-by-meta-session", Defect: "the token store is looked up by _meta.session_id", Transport: "http",
		Features: adapter.Confirming, Hooks: seam.Both(
			adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				claimed, _ := adapter.Object(c.Body["_meta"])["session_id"].(string)
				seam.Jot(c.Session, claims, claimed)
				return next(c)
			}},
			pardoned(func(k *adapter.Token, t adapter.Task) bool { return k.Session.Identity() == t.Session.Marks[claims] }, "session"))},
	{ID: "AQL-2.3.5-03", Variant: "session-by-client-info", Defect: "session identity is taken from initialize.clientInfo.name", Transport: "http",
		Features: adapter.Confirming, Hooks: pardoned(func(k *adapter.Token, t adapter.Task) bool { return k.Session.Client == t.Session.Client }, "session")},
	{ID: "CMP-TOKEN-01", Variant: "token-opens-other-operation", Defect: "a valid token of one operation releases any other",
		Features: adapter.Confirming, Hooks: pardoned(func(k *adapter.Token, t adapter.Task) bool { return k.Operation != t.Operation }, "operation", "target")},
	{ID: "CMP-TOKEN-01", Variant: "token-opens-earlier-operations", Defect: "a token releases the operations whose names come before that of its own",
		Features: adapter.Confirming, Hooks: pardoned(func(k *adapter.Token, t adapter.Task) bool { return k.Operation > t.Operation }, "operation", "target")},
	{ID: "CMP-TOKEN-01", Variant: "token-opens-later-operations", Defect: "a token releases the operations whose names come after that of its own",
		Features: adapter.Confirming, Hooks: pardoned(func(k *adapter.Token, t adapter.Task) bool { return k.Operation < t.Operation }, "operation", "target")},
	{ID: "CMP-TOKEN-01", Variant: "token-kept-with-object-only", Defect: "a token releases other operations on the same object; a second operation on notes waits for a confirmation",
		Features: adapter.Confirming, Hooks: seam.Both(pulping(), pardoned(func(k *adapter.Token, t adapter.Task) bool { return k.Operation != t.Operation }, "operation"))},
	{ID: "CMP-TOKEN-02", Variant: "token-ignores-target", Defect: "a token of one target releases another",
		Features: adapter.Confirming, Hooks: pardoned(func(k *adapter.Token, t adapter.Task) bool { return k.Operation == t.Operation }, "target")},
	{ID: "CMP-TOKEN-02", Variant: "other-target-done-yet-refused", Defect: "the call with the token of another target is refused after it was carried out",
		Features: adapter.Confirming, Hooks: seam.Both(pardoned(func(k *adapter.Token, t adapter.Task) bool { return k.Operation == t.Operation }, "target"),
			refusedLate("TOKEN_SCOPE_MISMATCH", func(k *adapter.Token, target string) bool { return k != nil && k.Target != target }))},
	{ID: "CMP-TOKEN-03", Variant: "invented-token-done-yet-refused", Defect: "the call with an invented token is refused after it was carried out",
		Features: adapter.Confirming, Hooks: seam.Both(adapter.Hooks{Table: func(a *adapter.Adapter) { a.Consent.Forged = true }},
			refusedLate("TOKEN_INVALID", func(k *adapter.Token, _ string) bool { return k == nil }))},
	{ID: "CMP-TOKEN-03", Variant: "any-token-accepted", Defect: "only the presence of a token is checked",
		Features: adapter.Confirming, Hooks: adapter.Hooks{Table: func(a *adapter.Adapter) { a.Consent.Forged = true }}},
	{ID: "CMP-TOKEN-04", Variant: "token-reusable", Defect: "a token stays valid after use",
		Features: adapter.Confirming, Hooks: pardoned(always, "used")},
	{ID: "CMP-TOKEN-05", Variant: "gate-missing-on-one", Defect: "shred_note says that it requires confirmation and runs at once",
		Features: adapter.Confirming, Hooks: waived(func(t adapter.Task) bool { return t.Operation == "shred_note" })},
	{ID: "INT-4.1.1-18", Variant: "confirmation-token-never-accepted", Defect: "a fresh token is always refused on the retry",
		Features: adapter.Confirming, Hooks: adapter.Hooks{Table: func(a *adapter.Adapter) {
			a.Consent.Rules = append(a.Consent.Rules, adapter.TokenRule{Name: "mood", Code: "TOKEN_INVALID", Broken: always})
		}}},
	{ID: "AX-R4-05", Variant: "confirmation-unannounced", Defect: "calls wait for a confirmation while the flag is false",
		Features: adapter.Confirming, Hooks: seam.Capability("confirmation", false)},
	{ID: "INT-4.1.1-18", Variant: "advertised-but-absent", Defect: "confirmation is announced and no operation asks for one",
		Hooks: seam.Both(seam.Capability("confirmation", true), seam.ShowsSession(true, seam.FreshSession))},
}

// batched rewrites the answer to a batch.
func batched(rewrite func(c adapter.Call, e adapter.Envelope)) adapter.Hooks {
	return adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		e := next(c)
		if _, batch := c.Body["operations"]; batch && c.Body["operation"] == nil {
			rewrite(c, e)
		}
		return e
	}}
}

// onHalt rewrites the answer to a batch that halted.
func onHalt(rewrite func(c adapter.Call, e, halt, summary map[string]any)) adapter.Hooks {
	return batched(func(c adapter.Call, e adapter.Envelope) {
		if halt := adapter.Object(e["halted_at"]); halt != nil {
			rewrite(c, e, halt, adapter.Object(e["summary"]))
		}
	})
}

// inBatches marks the session while it runs a batch.
func inBatches(h adapter.Hooks) adapter.Hooks {
	return seam.Both(adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
		if _, batch := c.Body["operations"]; batch && c.Body["operation"] == nil {
			seam.Mark(c.Session, "in batch")
			defer delete(c.Session.Marks, "in batch")
		}
		return next(c)
	}}, h)
}

// skipping has batches go on behind a call that waits.
func skipping(h adapter.Hooks) adapter.Hooks {
	return seam.Both(adapter.Hooks{Table: func(a *adapter.Adapter) { a.Consent.Skips = true }}, h)
}

// waiting rewrites the details of the entry that waits.
func waiting(rewrite func(details map[string]any)) func(_ adapter.Call, _, halt, _ map[string]any) {
	return func(_ adapter.Call, _, halt, _ map[string]any) {
		rewrite(adapter.Object(adapter.Object(adapter.Object(halt["result"])["error"])["details"]))
	}
}

// gatedBatchFaults break what a batch does with a call that waits.
var gatedBatchFaults = []seam.Fault{
	{ID: "OPS-7.5.2-01", Variant: "batch-runs-gated", Defect: "the batch executes the gated entry",
		Features: adapter.Confirming, Hooks: inBatches(waived(func(t adapter.Task) bool { return seam.Marked(t.Session, "in batch") }))},
	{ID: "OPS-7.5.2-01", Variant: "batch-runs-gated-at-its-head", Defect: "the batch executes the gated entry where it is the first of several",
		Features: adapter.Confirming, Hooks: seam.Both(inBatches(waived(func(t adapter.Task) bool { return seam.Marked(t.Session, "in batch") })),
			adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				if len(adapter.Array(c.Body["operations"])) == 1 {
					delete(c.Session.Marks, "in batch")
				}
				return next(c)
			}, Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
				defer delete(c.Session.Marks, "in batch")
				return next(c)
			}})},
	{ID: "OPS-7.5.2-02", Variant: "batch-refused-up-front", Defect: "nothing of a batch is executed because one entry is gated",
		Features: adapter.Confirming, Hooks: adapter.Hooks{Call: refusedUpFront}},
	{ID: "OPS-7.5.2-03", Variant: "batch-token-missing", Defect: "inside a batch the token is missing",
		Features: adapter.Confirming, Hooks: onHalt(waiting(seam.Drop("confirmation_token")))},
	{ID: "OPS-7.5.2-03", Variant: "batch-names-no-operation", Defect: "inside a batch the operation in the details is batch",
		Features: adapter.Confirming, Hooks: onHalt(waiting(seam.Set("operation", "batch")))},
	{ID: "OPS-7.5.2-03", Variant: "batch-without-reasons", Defect: "inside a batch the reasons are an empty list",
		Features: adapter.Confirming, Hooks: onHalt(waiting(seam.Set("reasons", []any{})))},
	{ID: "OPS-7.5.2-04", Variant: "later-entries-run", Defect: "later entries run, only their results are withheld",
		Features: adapter.Confirming, Hooks: onHalt(func(c adapter.Call, e, _, _ map[string]any) {
			for _, left := range adapter.Array(adapter.Plain(e["pending_operations"])) {
				entry := adapter.Object(left)
				delete(entry, "index")
				adapter.Whole(adapter.Call{Adapter: c.Adapter, Session: c.Session, Tool: c.Tool, Body: entry})
			}
		})},
	{ID: "OPS-7.5.2-05", Variant: "pending-without-params", Defect: "pending_operations repeats other parameters than the request had",
		Features: adapter.Confirming, Hooks: onHalt(func(_ adapter.Call, e, _, _ map[string]any) {
			for _, left := range adapter.Array(e["pending_operations"]) {
				adapter.Object(left)["params"] = map[string]any{}
			}
		})},
	{ID: "OPS-7.5.2-05", Variant: "pending-omitted", Defect: "pending_operations is left out although entries are pending",
		Features: adapter.Confirming, Hooks: onHalt(func(_ adapter.Call, e, _, _ map[string]any) { delete(e, "pending_operations") })},
	{ID: "OPS-7.5.3-01", Variant: "continuation-token-unknown", Defect: "confirmation_token is refused as unknown parameter in the continuation",
		Features: adapter.Confirming, Hooks: inBatches(adapter.Hooks{Item: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if name, _, given := c.Value("confirmation_token"); given && seam.Marked(c.Session, "in batch") {
				return adapter.Object(seam.Swapped(next(c.Given("confirmation_token", nil).Given("zz_token", name)), "zz_token", "confirmation_token"))
			}
			return next(c)
		}})},
	{ID: "OPS-7.5.4-02", Variant: "halt-mode-by-request", Defect: "a request key on_confirmation:\"skip\" changes the mode",
		Features: adapter.Confirming, Hooks: adapter.Hooks{Call: func(c adapter.Call, next adapter.Handler) adapter.Envelope {
			if c.Body["on_confirmation"] != "skip" {
				return next(c)
			}
			c.Adapter.Consent.Skips = true
			defer func() { c.Adapter.Consent.Skips = false }()
			return next(c.Without("on_confirmation"))
		}}},
	{ID: "OPS-7.5.4-03", Variant: "skip-without-status", Defect: "gated entries carry no status where the batch goes on",
		Features: adapter.Confirming, Hooks: skipping(batched(func(_ adapter.Call, e adapter.Envelope) {
			for _, r := range adapter.Array(e["results"]) {
				delete(adapter.Object(r), "status")
			}
		}))},
	{ID: "OPS-7.5.4-05", Variant: "skip-counter-missing", Defect: "summary lacks pending_confirmation where the batch goes on",
		Features: adapter.Confirming, Hooks: skipping(batched(func(_ adapter.Call, e adapter.Envelope) { delete(adapter.Object(e["summary"]), "pending_confirmation") }))},
	{ID: "OPS-7.5.5-01", Variant: "gated-counted-failed", Defect: "summary.failed counts the gated entry",
		Features: adapter.Confirming, Hooks: onHalt(func(_ adapter.Call, _, _, summary map[string]any) {
			summary["failed"] = adapter.Plain(adapter.Integer(summary["failed"]) + 1)
		})},
	{ID: "OPS-7.5.5-02", Variant: "gated-batch-fails", Defect: "the batch answers success:false with CONFIRMATION_REQUIRED",
		Features: adapter.Confirming, Hooks: onHalt(func(_ adapter.Call, e, halt, _ map[string]any) {
			e["success"], e["error"] = false, adapter.Object(adapter.Plain(halt["result"]))["error"]
			delete(e, "data")
		})},
	{ID: "OPS-7.5.5-03", Variant: "halted-counter-missing", Defect: "summary.halted is missing",
		Features: adapter.Confirming, Hooks: onHalt(func(_ adapter.Call, _, _, summary map[string]any) { delete(summary, "halted") })},
	{ID: "OPS-7.5.5-03", Variant: "pending-includes-gated", Defect: "summary.pending also counts the gated entry",
		Features: adapter.Confirming, Hooks: onHalt(func(_ adapter.Call, _, _, summary map[string]any) {
			summary["pending"] = adapter.Plain(adapter.Integer(summary["pending"]) + 1)
		})},
}

// refusedUpFront looks for an entry that waits before anything is carried out, and
// leaves out what stands before it.
func refusedUpFront(c adapter.Call, next adapter.Handler) adapter.Envelope {
	entries := adapter.Array(c.Body["operations"])
	at := 0
	for i, entry := range entries {
		if seam.Named("empty_folder", "shred_note")(adapter.Operation{Name: adapter.Call{Body: adapter.Object(entry)}.Operation()}) {
			at = i
			break
		}
	}
	if at == 0 {
		return next(c)
	}
	e := next(c.With("operations", entries[at:]))
	halt := adapter.Object(e["halted_at"])
	if halt == nil {
		return next(c)
	}
	for _, place := range append(adapter.Array(e["pending_operations"]), halt) {
		adapter.Object(place)["index"] = adapter.Plain(adapter.Integer(adapter.Plain(adapter.Object(place)["index"])) + at)
	}
	adapter.Object(e["summary"])["total"] = adapter.Plain(len(entries))
	return e
}

// claims is the mark of the session that a client says it is.
const claims = "claims"
