package batch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// malformedBatches are members operations that hold no requests.
var malformedBatches = []any{"introspect", map[string]any{}, []any{}, []any{42}}

// Operations document, sections 7.1 and 7.3.
var malformedBatchIsRefusedAsWhole = batched(check.Check{
	Requirement: "OPS-7.1-03",
	Lane:        probes.Exclusive,
	Handles:     check.Unanswered,
	Ask: func(s model.Subject) []probes.Probe {
		var ps []probes.Probe
		for i, operations := range malformedBatches {
			ps = append(ps, plainPair(s.Adapter).Top("operations", operations).As(probes.Nth("malformed batch: operations", i)))
		}
		return append(ps, plainPair(s.Adapter).Anew("malformed batch: pair after it"))
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		tried, alive := got.Under("malformed batch: operations"), got.Step("malformed batch: pair after it")
		if alive.Lost() && !slices.ContainsFunc(tried, probes.Observation.Lost) {
			return ruling.NotProven("an answer to a batch after the malformed ones", alive).Because("AQL-3.2-03")
		}
		rs := []ruling.Ruling{ruling.Conforms().By(tried...)}
		for i, o := range tried {
			rs = append(rs, malformedRuling(o, i))
		}
		return ruling.Worst(rs...)
	},
	Fix: "refuse operations that is no array of requests with a VALIDATION_ error",
}).WithRule(
	"A malformed batch is refused as a whole.",
	"A batch that cannot be read and is answered with success has lost its work in silence.")

// malformedRuling rules on the answer to one of the malformed batches.
func malformedRuling(o probes.Observation, which int) ruling.Ruling {
	sent := fmt.Sprintf("operations %s", probes.ValueOf(malformedBatches[which]))
	empty, number := which == 2, which == 3
	failed, _ := o.Envelope().At("summary", "failed").Float()
	total, counted := o.Envelope().At("summary", "total").Float()
	switch {
	case o.Outcome == probes.Gone && !o.Late && o.Sent.Seq > 0:
		return ruling.Violates("a refusal of "+sent, o)
	case o.Lost():
		return ruling.NotProven("a refusal of "+sent, o).Because("AQL-3.2-03")
	case o.Deferred():
		return ruling.NotProven("a refusal of "+sent, o)
	case o.Refused():
		return ruling.Conforms().By(o)
	case o.RefusedBelow():
		return ruling.Departs("a failure envelope for "+sent, o)
	case !o.Succeeded():
		return ruling.NotProven("an envelope for "+sent, o).Because("AQL-5.1-01")
	case empty && len(check.BatchResults(o).Items()) == 0 && (!counted || total == 0):
		return ruling.Departs("a refusal of an empty batch", "success with no results").By(o)
	case number && failed > 0, number && slices.ContainsFunc(check.BatchResults(o).Items(), func(item probes.Value) bool { return !succeeds(item.At("result")) }):
		return ruling.Conforms().By(o)
	}
	return ruling.Violates("a refusal of "+sent, o)
}

// unknownListing is a listing with a parameter that introspect does not document.
func unknownListing(s model.Subject) probes.Probe { return s.Listing().With(check.UnknownName(s), 1) }

// failingSteps are batches with entries that fail, by step, and the steps of the same entries alone.
var failingSteps = []struct {
	batch string
	alone []string
}{
	{"failing entries: batch of both", []string{"failing entries: introspect without a query", "failing entries: listing with an unknown parameter"}},
	{mixedBatch, []string{"failing entries: introspect without a query"}},
	{"failing entries: batch with an absent object", []string{"failing entries: absent object"}},
	{refusedTwice, []string{"failing entries: refused creation"}},
}

// acceptedCreation is a batch of one creation that succeeds: an adapter may take no batches of writes at all.
const acceptedCreation = "failing entries: batch of a creation"

// Operations document, section 7.3. What a handler reports, as an object that is absent, may be thrown
// and caught elsewhere than what is wrong with a request.
var batchSucceedsAlthoughEntriesFail = batched(check.Check{
	Requirement: "OPS-7.3-04",
	Lane:        probes.Serial,
	Ask: func(s model.Subject) []probes.Probe {
		empty := s.Query(map[string]any{})
		ps := []probes.Probe{
			empty.As(failingSteps[0].alone[0]),
			unknownListing(s).As(failingSteps[0].alone[1]),
			batchOf(s.Adapter, s.Introspect, empty, unknownListing(s)).As(failingSteps[0].batch),
			mixedThree(s.Adapter),
		}
		if t, unknown, ok := refusedMaker(s); ok {
			ps = append(ps, batchOf(s.Adapter, t.Op.Tool, t.FreshCall(acceptedCreation)).As(acceptedCreation),
				refusedCreation(t, unknown, " first").As(failingSteps[3].alone[0]))
			ps = append(ps, refusedCreations(s)...)
		}
		for _, t := range s.ProvenReads() {
			if absent, ok := absentRead(t); ok {
				return append(ps, absent.As(failingSteps[2].alone[0]), batchOf(s.Adapter, absent.Tool, t.ValidCall(), absent).As(failingSteps[2].batch))
			}
		}
		return ps
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{ruling.Conforms().By(got.Step(failingSteps[0].batch), got.Step(mixedBatch))}
		for _, f := range failingSteps {
			// Whether a creation with an unknown parameter is refused is the matter of others.
			untold := f.batch == refusedTwice && (!succeeds(answerIn(got[0], got.Step(acceptedCreation), 0)) || !strings.HasPrefix(got.Step(f.alone[0]).Code(), "VALIDATION_"))
			if o, asked := got.Find(f.batch); asked && !untold {
				rs = append(rs, failingRuling(o, f.alone, got))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer success true when the batch was worked off, whatever its entries met",
}).WithRule(
	"The batch succeeds overall when it was processed, even if every entry failed.",
	"Success of the batch says that it was worked off; a client that takes it for the success of its entries reads the results.")

// failingRuling rules on a batch with entries that are refused alone.
func failingRuling(o probes.Observation, alone []string, got probes.Answers) ruling.Ruling {
	for _, step := range alone {
		if a := got.Step(step); !a.Refused() || a.Deferred() {
			return ruling.NotProven("a refusal of the same request alone", a)
		}
	}
	first := got.Step(alone[0])
	switch {
	case o.Succeeded() && !slices.ContainsFunc(check.BatchResults(o).Items(), func(item probes.Value) bool { return fails(item.At("result")) }):
		return ruling.NotProven("a batch in which an entry fails", "none").By(o, first).Because("OPS-7.3-03")
	case o.Succeeded():
		return ruling.Conforms().By(o)
	case o.Deferred() || !o.Refused() && !o.RefusedBelow():
		return ruling.NotProven("an answer to a batch with failing entries", o)
	}
	return ruling.Violates("success true of a batch whose entries fail", o).By(first)
}

// likeAlone are calls, each sent alone twice and in a batch whose last entry fails: the
// harmless calls of one tool, then one with an unknown parameter, of an operation that
// does not exist, or of a resource that does not.
func likeAlone(s model.Subject) (batches []probes.Probe, calls [][]probes.Probe) {
	calls = append(calls,
		[]probes.Probe{s.Listing(), s.TypesListing(), s.Query(map[string]any{})},
		[]probes.Probe{s.TypesListing(), unknownListing(s)},
		[]probes.Probe{s.TypesListing(), check.UnknownOperation(s.Adapter, s.Introspect)})
	reads := s.ProvenReads()
	for _, t := range reads {
		calls = append(calls, []probes.Probe{t.ValidCall(), t.ValidCall().With(check.UnknownName(t), 1)})
	}
	for _, t := range reads {
		if absent, ok := absentRead(t); ok {
			calls = append(calls, []probes.Probe{t.ValidCall(), absent})
			break
		}
	}
	for _, list := range calls {
		batches = append(batches, batchOf(s.Adapter, list[0].Tool, list...))
	}
	return batches, calls
}

// absentRead is the READ of what it has reported as not found.
func absentRead(t model.Subject) (probes.Probe, bool) {
	for _, p := range t.Op.Parameters {
		if absent, known := t.Absent[t.AbsentKey(t.Op, p)]; known && p.Required && probes.IsReference(t.Op, p) {
			return t.ValidCall().With(p.Name, absent.Go()), true
		}
	}
	return probes.Probe{}, false
}

// Operations document, section 7.3.
var batchEntryEqualsSingleCall = batched(check.Check{
	Requirement: "OPS-7.3-03",
	Handles:     check.Movement,
	Drive: func(s model.Subject, ask model.AskFunc) {
		batches, calls := likeAlone(s)
		for i, list := range calls {
			step := probes.Nth("entries alone: batch", i)
			ask(batches[i].As(step))
			for j, p := range list {
				call := probes.Nth(step+": call", j)
				ask(p.As(call))
				ask(p.Anew(call + ": again"))
			}
			ask(batches[i].Anew(step + ": again"))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		_, calls := likeAlone(s)
		var rs []ruling.Ruling
		for i, list := range calls {
			step := probes.Nth("entries alone: batch", i)
			for j := range list {
				batch, call := got.Step(step), probes.Nth(step+": call", j)
				result, second := answerIn(got[0], batch, j), answerIn(got[0], got.Step(step+": again"), j)
				r := sameAsAlone(batch, result, got.Step(call), got.Step(call+": again"))
				if r.Verdict == reports.Fail && result.Canonical(model.Volatile) != second.Canonical(model.Volatile) {
					r = ruling.Moved("the same answer to the same batch twice", ruling.Clip(second.String())).By(batch, got.Step(step+": again"))
				}
				rs = append(rs, r)
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "run each entry through the same validation and the same handler as a single call",
}).WithRule(
	"Each entry result is what the operation would have answered alone.",
	"A batch that checks less than a single call is a way around the check.")

// sameAsAlone compares the answer to an entry with what the same call got alone,
// twice, since some answers change by themselves.
func sameAsAlone(batch probes.Observation, result probes.Value, alone, again probes.Observation) ruling.Ruling {
	told := func(o probes.Observation) bool { return (o.Succeeded() || o.Refused()) && !o.Deferred() }
	said := "error " + codeIn(result)
	if succeeds(result) {
		said = "success"
	}
	switch {
	case !check.BatchResults(batch).Is(probes.Array):
		return ruling.NotProven("a batch answered with results", batch).Because("OPS-7.3-04")
	case result.Is(probes.Absent) && len(check.BatchResults(batch).Items()) == check.EntryCount(batch.Probe):
		return ruling.NotProven("a result with the index of each entry", "none").By(batch).Because("OPS-7.2-02")
	case result.Is(probes.Absent):
		return ruling.NotProven("a result of each entry", "none").By(batch).Because("OPS-7.2-01")
	case !told(alone) || !told(again) || alone.Succeeded() != again.Succeeded() || alone.Code() != again.Code():
		return ruling.NotProven("the same answer to the same call twice", again).By(alone)
	case envelopeLack(result) != "" && envelopeLack(alone.Envelope()) == "":
		return ruling.NotProven("a complete envelope in result", envelopeLack(result)).By(batch).Because("OPS-7.2-04")
	case strings.HasPrefix(codeIn(result), "RATE_LIMIT_"):
		return ruling.NotProven("an answer to each entry", said).By(batch)
	case alone.Succeeded() != succeeds(result) || alone.Code() != codeIn(result):
		return ruling.Violates("the answer that the entry gets alone: "+alone.Brief(), said).By(batch, alone)
	case alone.Succeeded() && !check.AgreesWhereStable(alone.Data(), again.Data(), result.At("data")):
		return ruling.Violates("the data that the entry gets alone", ruling.Clip(result.At("data").String())).By(batch, alone)
	}
	return ruling.Conforms().By(batch, alone)
}
