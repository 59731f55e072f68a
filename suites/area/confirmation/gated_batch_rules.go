package confirmation

import (
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Operations document, section 7.5.2.
var gatedBatchHaltsOrSkips = gatedBatchCheck("OPS-7.5.2-01", "", "halt the batch at the entry that waits, and say so in halted_at",
	func(b gatedBatch, whole probes.Observation, got probes.Answers) ruling.Ruling {
		const want = "a batch that halts at the entry that waits"
		took := gatedEntry(whole).At("success").True() || b.Op.Category == "DELETE" && check.NotFoundAt(got, b.Step(lookGated))
		// What waits in the middle of a batch may pass at its beginning or end.
		for _, o := range slices.Concat(got.Under(b.Step(lastGated)), got.Under(b.Step(manyLeft)), got.Under(b.Step(twiceGated))) {
			if last := float64(check.EntryCount(o.Probe) - 1); resultAt(o, 0).At("success").True() || resultAt(o, last).At("success").True() {
				return ruling.Violates("no effect without a confirmation, wherever the entry stands", "the entry that waits was carried out").By(o, whole)
			}
		}
		switch {
		case took:
			return ruling.Violates("no effect without a confirmation", "the entry that waits was carried out")
		case modeOf(whole) == skipping:
			return ruling.Departs(want, "one that skips it").Noting("allowed, and not recommended")
		case modeOf(whole) == "":
			return ruling.Departs(want, whole)
		}
		return ruling.Conforms()
	}).WithRule(
	"A batch stops at the first entry that needs confirmation.",
	"What a person has to agree to does not become harmless by company.")

// Operations document, section 7.5.2.
var entriesBeforeGateAreExecuted = gatedBatchCheck("OPS-7.5.2-02", halting, "carry out the entries before the one that waits",
	func(b gatedBatch, whole probes.Observation, got probes.Answers) ruling.Ruling {
		const want = "the entry before the one that waits carried out"
		first := resultAt(whole, 0)
		alone := check.NotFoundAt(got, b.free.Step(lookAlone))
		switch {
		case !first.At("success").True():
			return ruling.Violates(want, "no success of it in results")
		case b.frees && alone && check.FoundAt(got, b.free.Step(lookBefore)):
			return ruling.Violates(want, "a success without the effect")
		}
		return ruling.Conforms()
	}).WithRule(
	"Entries before the gated one are executed normally.",
	"The entries before the gated one need no confirmation, and the partial results of the answer report what they did.")

// Operations document, section 7.5.2.
var gatedEntryReportsItsToken = gatedBatchCheck("OPS-7.5.2-03", "", "answer the entry with what the operation answers alone: code, token, reasons and expiry",
	func(b gatedBatch, whole probes.Observation, got probes.Answers) ruling.Ruling {
		entry := gatedEntry(whole)
		if !entry.Is(probes.Object) && awaitsConsent(whole.Envelope()) {
			entry = whole.Envelope()
		}
		details := entry.At("error", "details")
		_, at := time.Parse(time.RFC3339, details.At("expires_at").Text())
		switch {
		case !entry.Is(probes.Object):
			return ruling.Violates("an answer to the entry that waits", "none")
		case !awaitsConsent(entry):
			return ruling.Violates("the code CONFIRMATION_REQUIRED", entry.At("error", "code"))
		case details.At("confirmation_token").Text() == "" && tokenOfEntry(entry).Text() != "":
			return ruling.Departs("the token in error.details", "one under confirmation")
		case tokenOfEntry(entry).Text() == "":
			return ruling.Violates("a token in error.details.confirmation_token", "none")
		case at != nil:
			return ruling.Departs("a date and time expires_at in error.details", details.At("expires_at"))
		}
		for _, member := range []string{"operation", "danger_level", "reasons"} {
			if v := details.At(member); v.Is(probes.Absent) || v.Is(probes.Null) || v.Is(probes.Array) && len(v.Items()) == 0 || v.Is(probes.String) && v.Text() == "" {
				return ruling.Departs(member+" in error.details", v)
			}
		}
		if name := details.At("operation"); name.Text() != b.Op.Name {
			return ruling.Departs("operation "+b.Op.Name+" in error.details", name)
		}
		return ruling.Conforms()
	}).WithRule(
	"The gated entry reports CONFIRMATION_REQUIRED together with a token.",
	"The token is all a client needs to go on, so it stands where the client looks.")

// Operations document, section 7.5.2.
var entriesAfterGateDoNotRun = gatedBatchCheck("OPS-7.5.2-04", halting, "leave the entries behind the one that waits alone",
	func(b gatedBatch, whole probes.Observation, got probes.Answers) ruling.Ruling {
		const want = "the object of the entry behind the one that waits as it was"
		after := b.free.Step(lookAfter)
		switch {
		case !b.frees || !check.NotFoundAt(got, b.free.Step(lookAlone)) || !check.FoundAt(got, b.free.Step(seenAfter)):
			return ruling.NotProven("an entry whose effect a READ shows", "none")
		case check.FoundAt(got, after):
			return ruling.Conforms()
		case !check.NotFoundAt(got, after):
			return ruling.NotProven("a look at the object afterwards", got.Last())
		}
		look := got.Step(after)
		for _, p := range whole.Envelope().At("pending_operations").Items() {
			if namesRequest(p, 2, b.free.Name) {
				return ruling.Violates(want, "gone, though pending_operations names the entry").By(whole, look)
			}
		}
		return ruling.Departs(want, "gone").By(whole, look)
	}).WithRule(
	"Entries after the gated one are not executed.",
	"What comes after may count on what was not done.")

// Operations document, section 7.5.2.
var haltedAnswerAllowsContinuation = gatedBatchCheck("OPS-7.5.2-05", halting, "give results, halted_at and pending_operations with the requests as they came",
	func(b gatedBatch, whole probes.Observation, got probes.Answers) ruling.Ruling {
		e := whole.Envelope()
		halt, pending := e.At("halted_at"), e.At("pending_operations")
		last, many := got.Step(b.Step(lastGated)), got.Step(b.Step(manyLeft))
		left := last.Envelope().At("pending_operations") // null is a list without a value, section 4.7.6
		after := sentEntry(whole, 2)
		operation, _ := after["operation"].(string)
		switch {
		case !e.At("results").Is(probes.Array):
			return ruling.Violates("an array of results", e.At("results"))
		case !namesRequest(halt, 1, b.Name) || !halt.At("result").Is(probes.Object):
			return ruling.Violates("index, operation and result of the entry that waits in halted_at", halt)
		case slices.ContainsFunc(e.At("results").Items(), func(r probes.Value) bool { return namesRequest(r, 1, b.Name) }):
			return ruling.Violates("the entry that waits in halted_at alone", "in results as well")
		case len(e.At("results").Items()) > 1:
			return ruling.Violates("results of the one entry that was carried out", e.At("results"))
		case !pending.Is(probes.Array):
			return ruling.Violates("an array of pending_operations", pending)
		case len(pending.Items()) != 1 || !namesRequest(pending.Items()[0], 2, operation):
			return ruling.Violates("the one entry that was left out in pending_operations", pending)
		case !sameParams(pending.Items()[0], after["params"]):
			return ruling.Violates("the params of the request in pending_operations", pending.Items()[0])
		case modeOf(last) == halting && !left.Is(probes.Array) && !left.Is(probes.Null):
			return ruling.Violates("an empty array of pending_operations where nothing is left", "none").By(last)
		case modeOf(many) == halting && !resultAt(many, 0).At("success").True() && !leavesInOrder(many):
			return ruling.Violates("the entries that were left out, in their order", many.Envelope().At("pending_operations")).By(many)
		}
		return ruling.Conforms()
	}).WithRule(
	"The halted answer contains the partial results and what is needed to continue.",
	"A client that has to work out for itself what was left out works it out wrong.")

// leavesInOrder reports whether a batch that halted at its first entry names the other two in the
// order in which they came.
func leavesInOrder(many probes.Observation) bool {
	pending := many.Envelope().At("pending_operations").Items()
	for i, p := range pending {
		operation, _ := sentEntry(many, i+1)["operation"].(string)
		if !namesRequest(p, float64(i+1), operation) {
			return false
		}
	}
	return len(pending) == 2
}

// Operations document, section 7.5.3.
var continuationWithTokenCompletesBatch = gatedBatchCheck("OPS-7.5.3-01", halting, "take confirmation_token in the params of an entry",
	func(b gatedBatch, whole probes.Observation, got probes.Answers) ruling.Ruling {
		const want = "the entry carried out with its token, and the rest with it"
		if tokenOfEntry(gatedEntry(whole)).Is(probes.Absent) {
			return ruling.NotProven("a token that the caller is shown", "none")
		}
		var last probes.Observation
		for i := range 3 {
			o, asked := got.Find(b.Step(probes.Nth(goOn, i)))
			if !asked {
				continue
			}
			last = o
			switch entry := resultAt(o, 0); {
			case entry.At("error", "code").Text() == "TOKEN_EXPIRED":
				return ruling.NotProven("a token that is still good", "one that expired").By(o)
			case !entry.At("success").True():
			case o.Envelope().Has("halted_at") || resultAt(o, 1).Is(probes.Object):
				return ruling.Conforms().By(o, whole)
			}
		}
		return ruling.Violates(want, last).By(whole)
	}).WithRule(
	"Resubmitting the halted entry with its token, followed by the pending ones, completes the work.",
	"The way on is a batch from where it halted.")

// Operations document, section 7.5.4.
var haltingModeIsNotSwitchable = gatedBatchCheck("OPS-7.5.4-02", "", "fix the mode in the configuration, and refuse what would switch it",
	func(b gatedBatch, whole probes.Observation, got probes.Answers) ruling.Ruling {
		is := modeOf(whole)
		if is == "" {
			return ruling.NotProven("a batch that halts or skips", whole).Because("OPS-7.5.2-01")
		}
		for _, o := range slices.Concat(got.Under(b.Step(twiceGated)), got.Under(b.Step(withKey))) {
			if mode := modeOf(o); mode != "" && mode != is {
				return ruling.Violates("the mode "+is+" each time", "the mode "+mode).By(o, whole)
			}
		}
		return ruling.Conforms()
	}).WithRule(
	"Which mode applies is fixed by configuration and cannot be switched by the request.",
	"A client plans for one way; a request that switches it gets round the decision of who runs the adapter.")

// Operations document, section 7.5.4.
var skippedEntriesAreMarkedPending = gatedBatchCheck("OPS-7.5.4-03", skipping, "give every entry a result, and those that wait the status pending_confirmation",
	func(b gatedBatch, whole probes.Observation, _ probes.Answers) ruling.Ruling {
		results := whole.Envelope().At("results").Items()
		if len(results) != 3 {
			return ruling.Violates("a result for each of 3 entries", len(results))
		}
		for _, r := range results {
			if awaitsConsent(r.At("result")) && r.At("status").Text() != "pending_confirmation" {
				return ruling.Violates("the status pending_confirmation", r.At("status"))
			}
		}
		return ruling.Conforms()
	}).WithRule(
	"In skip mode every entry has a result and the gated ones are marked with status pending_confirmation.",
	"Who skips has to say what was skipped.")

// entriesThat counts the entries of a batch whose answers are of a sort.
func entriesThat(whole probes.Observation, holds func(result probes.Value) bool) int {
	n := 0
	for i := range 3 {
		if r := resultAt(whole, float64(i)); r.Is(probes.Object) && holds(r) {
			n++
		}
	}
	return n
}

// counts reports whether a member of summary is that number.
func counts(whole probes.Observation, member string, n int) bool {
	v, ok := whole.Envelope().At("summary", member).Float()
	return ok && v == float64(n)
}

// Operations document, section 7.5.4.
var skipSummaryCountsPendingEntries = gatedBatchCheck("OPS-7.5.4-05", skipping, "count the entries that wait in summary.pending_confirmation",
	func(_ gatedBatch, whole probes.Observation, _ probes.Answers) ruling.Ruling {
		if n := entriesThat(whole, awaitsConsent); !counts(whole, "pending_confirmation", n) {
			return ruling.Violates("summary.pending_confirmation that counts the entries that wait", whole.Envelope().At("summary"))
		}
		return ruling.Conforms()
	}).WithRule(
	"In skip mode summary.pending_confirmation counts gated entries and they are not counted as failed.",
	"As in the results, so in the sum of them.")

// Operations document, section 7.5.5.
var needingConfirmationIsNotFailure = gatedBatchCheck("OPS-7.5.5-01", "", "leave the entry that waits out of summary.failed",
	func(_ gatedBatch, whole probes.Observation, _ probes.Answers) ruling.Ruling {
		summary := whole.Envelope().At("summary")
		failed := entriesThat(whole, func(r probes.Value) bool { return r.At("success").False() && !awaitsConsent(r) })
		n, ok := summary.At("failed").Float()
		switch {
		case !ok || !awaitsConsent(gatedEntry(whole)):
			return ruling.NotProven("a summary of a batch with an entry that waits", summary)
		case failed > 0:
			return ruling.NotProven("entries that succeed around the one that waits", whole)
		case n > 0:
			return ruling.Violates("summary.failed without the entry that waits", summary)
		}
		return ruling.Conforms()
	}).WithRule(
	"Needing confirmation is not counted as failure.",
	"To wait is not to fail: who retries failures must not retry what a person has yet to decide.")

// Operations document, section 7.5.5.
var gatedBatchIsSuccessfulOverall = gatedBatchCheck("OPS-7.5.5-02", "", "answer a batch that waits with success: true",
	func(_ gatedBatch, whole probes.Observation, _ probes.Answers) ruling.Ruling {
		switch {
		case whole.Succeeded():
			return ruling.Conforms()
		case whole.Refused() && (awaitsConsent(whole.Envelope()) || modeOf(whole) != ""):
			return ruling.Violates("success: true", whole)
		}
		return ruling.NotProven("an answer of a batch", whole)
	}).WithRule(
	"A batch with a gated entry is still successful overall.",
	"The batch has done what it could.")

// Operations document, section 7.5.5.
var haltSummaryCountsHaltedAndPending = gatedBatchCheck("OPS-7.5.5-03", halting, "count in summary.halted what halted the batch, in summary.pending what was not run",
	func(b gatedBatch, whole probes.Observation, got probes.Answers) ruling.Ruling {
		many := got.Step(b.Step(manyLeft))
		switch {
		case !counts(whole, "halted", 1):
			return ruling.Violates("summary.halted 1", whole.Envelope().At("summary"))
		case !counts(whole, "pending", 1):
			return ruling.Violates("summary.pending 1", whole.Envelope().At("summary"))
		case whole.Envelope().At("summary").Has("total") && !counts(whole, "total", 3):
			return ruling.Violates("summary.total 3, the entries of the request", whole.Envelope().At("summary"))
		case modeOf(many) == halting && len(many.Envelope().At("results").Items()) == 0 && !counts(many, "pending", 2):
			return ruling.Violates("summary.pending 2 where two entries were not run", many.Envelope().At("summary")).By(many)
		}
		return ruling.Conforms()
	}).WithRule(
	"summary.halted counts the entries that halted the batch, summary.pending those that were not run.",
	"The counts are how a program sees without reading on that something is left to do.")
