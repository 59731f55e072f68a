package batch

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const furtherFailures = "batch: another entry fails"

// furtherMixed are batches of three entries. The second fails for another reason than that of the mixed
// batch: its operation does not exist, a parameter is unknown, or its object is absent.
func furtherMixed(s model.Subject) []probes.Probe {
	batches := []probes.Probe{
		batchOf(s.Adapter, s.Introspect, s.Listing(), check.UnknownOperation(s.Adapter, s.Introspect), s.TypesListing()),
		batchOf(s.Adapter, s.Introspect, s.Listing(), unknownListing(s), s.TypesListing()),
	}
	absent, good := absentOn(s)
	beside := absent.Tool != "" && absent.Tool == s.Introspect
	if beside { // the last entry is that of the pair, which tells that it succeeds after another one
		batches = append(batches, batchOf(s.Adapter, absent.Tool, s.Listing(), absent, s.TypesListing()))
	}
	for i := range batches {
		batches[i] = batches[i].As(probes.Nth(furtherFailures, i))
	}
	if absent.Tool != "" && !beside { // no READ of objects is on the tool of introspect: a pair of its own
		batches = append(batches, batchOf(s.Adapter, absent.Tool, good, good).As(pairOfReads), batchOf(s.Adapter, absent.Tool, good, absent, good).As(absentBetween))
	}
	for i, absent := range absentWrites(s) {
		batches = append(batches, batchOf(s.Adapter, absent.Tool, absent, absent).As(probes.Nth(failingTwice, i)))
	}
	return append(batches, refusedCreations(s)...)
}

// refusedCreations is a batch of two creations that nothing is made by: both have an unknown parameter.
func refusedCreations(s model.Subject) []probes.Probe {
	if t, name, ok := refusedMaker(s); ok {
		return []probes.Probe{batchOf(s.Adapter, t.Op.Tool, refusedCreation(t, name, " first"), refusedCreation(t, name, " second")).As(refusedTwice)}
	}
	return nil
}

// refusedMaker is a creation, and the name of a parameter that it does not know.
func refusedMaker(s model.Subject) (t model.Subject, unknown string, ok bool) {
	for _, t := range model.EachMade(s.Adapter) {
		if t.Ruling == nil {
			return t, check.UnknownName(t), true
		}
	}
	return model.Subject{}, "", false
}

func refusedCreation(t model.Subject, unknown, which string) probes.Probe {
	return t.FreshCall(refusedTwice+which).With(unknown, 1)
}

// absentWrites are a call that changes what is absent and one that removes it, as far as they are known to be refused for that.
func absentWrites(s model.Subject) (all []probes.Probe) {
	for _, category := range []string{"UPDATE", "DELETE"} {
		for _, t := range model.EachUsable(s.Adapter) {
			if b := t.KnownGoodRequest(); t.Ruling == nil && t.Op.Category == category && b.State == model.ProvenAbsent {
				all = append(all, t.ValidCall())
				break
			}
		}
	}
	return all
}

// absentOn returns a READ of what is absent and one of what is there, on the tool of introspect where one is; without a
// tool where no READ has reported anything as not found.
func absentOn(s model.Subject) (absent, good probes.Probe) {
	for _, t := range s.ProvenReads() {
		if p, ok := absentRead(t); ok && (absent.Tool == "" || p.Tool == s.Introspect && absent.Tool != s.Introspect) {
			absent, good = p, t.ValidCall()
		}
	}
	return absent, good
}

const (
	failingTwice  = "batch: a write fails twice"
	refusedTwice  = failingTwice + ": creation"
	pairOfReads   = "batch: a READ twice"
	absentBetween = "batch: a READ that finds nothing between two that do"
)

// Operations document, section 7.3.
var failingEntryDoesNotStopBatch = batched(check.Check{
	Requirement: "OPS-7.3-02",
	Ask:         func(s model.Subject) []probes.Probe { return append(plainAndMixed(s), furtherMixed(s)...) },
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		pair, mixed := got[0], got.Step(mixedBatch)
		rs := []ruling.Ruling{continues(pair, mixed)}
		further := func(pair, o probes.Observation) {
			// A batch that is refused as a whole, or whose entries succeed, is the matter of others.
			if check.BatchResults(o).Is(probes.Array) && fails(entryOf(pair, o, 1)) && succeeds(entryOf(pair, o, 0)) {
				rs = append(rs, continues(pair, o))
			}
		}
		for _, o := range got.Under(furtherFailures) {
			further(pair, o)
		}
		for _, o := range got.Under(failingTwice) {
			rs = append(rs, failsAgain(entryOf(pair, o, 0), entryOf(pair, o, 1)).By(o, pair))
		}
		two, o := got.Step(pairOfReads), got.Step(absentBetween)
		if o.MayPass() == "" && succeeds(answerIn(two, two, 0)) && succeeds(answerIn(two, two, 1)) { // reads of objects meet errors that pass
			further(two, o)
		}
		return ruling.Worst(rs...)
	},
	Fix: "go on with the next entry after one that failed",
}).WithRule(
	"A failing entry does not stop later entries.",
	"What a failing entry keeps from running was asked for all the same.")

// entryOf is the result of an entry; where results carry no index, the one at its place, also if results are missing.
func entryOf(pair, o probes.Observation, position int) probes.Value {
	if items := check.BatchResults(o).Items(); !numbered(pair) && position < len(items) {
		return items[position].At("result")
	}
	return answerIn(pair, o, position)
}

// failsAgain rules on two entries that fail for the same reason. A skipped one fails for another.
func failsAgain(first, second probes.Value) ruling.Ruling {
	own := func(code string) bool {
		return strings.HasPrefix(code, "NOT_FOUND_") || strings.HasPrefix(code, "VALIDATION_")
	}
	switch code, next := codeIn(first), codeIn(second); {
	case !fails(first) || !own(code):
		return ruling.Conforms() // what became of a write that was not refused as such is the matter of others
	case second.Is(probes.Absent):
		return ruling.Violates("a result of the entry after the one that fails", "none")
	case fails(second) && next != code && next != "" && next != "INTERNAL_ERROR" && !strings.HasPrefix(next, "RATE_LIMIT_"):
		return ruling.Violates("error "+code+" of the entry after the one that fails with it", "error "+next)
	}
	return ruling.Conforms()
}

// continues rules on the last of three entries, after one that fails.
func continues(pair, mixed probes.Observation) ruling.Ruling {
	failed, next := answerIn(pair, mixed, 1), answerIn(pair, mixed, 2)
	switch {
	case !check.BatchResults(mixed).Is(probes.Array):
		return ruling.NotProven("a batch in which one entry fails answered with results", mixed).Because("OPS-7.3-04")
	case succeeds(next) && fails(failed):
		return ruling.Conforms().By(mixed)
	case succeeds(next):
		return ruling.NotProven("an entry that fails", ruling.Clip(failed.String())).By(mixed)
	case !succeeds(answerIn(pair, pair, 1)):
		return ruling.NotProven("the same entry to succeed after one that succeeds", ruling.Clip(check.BatchResults(pair).String())).By(pair).Because("OPS-7.2-01")
	case next.Is(probes.Absent):
		return ruling.Violates("a result of the entry after the one that fails", "none").By(mixed, pair)
	case !fails(next):
		return ruling.NotProven("a result that says success or not", ruling.Clip(next.String())).By(mixed).Because("OPS-7.2-04")
	case strings.HasPrefix(codeIn(next), "RATE_LIMIT_"):
		return ruling.NotProven("an answer to the entry after the one that fails", codeIn(next)).By(mixed)
	}
	return ruling.Violates("success of the entry after the one that fails", "error "+codeIn(next)).By(mixed, pair)
}
