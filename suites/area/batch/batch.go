package batch

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A batch saves a model round trips, and must save it nothing else: what each entry
// is answered is what it would be answered alone. Most of what is asked here are
// listings of introspect, which every adapter has and which change nothing.

// batchOf is the batch of some calls, sent to a tool.
func batchOf(f *model.Adapter, tool string, calls ...probes.Probe) probes.Probe {
	entries := make([]any, len(calls))
	for i, p := range calls {
		entries[i] = p.Args()
	}
	return probes.CallWith(f.Conn, tool, map[string]any{"operations": entries})
}

// plainPair is the smallest batch there is: the two listings, which succeed alone.
func plainPair(f *model.Adapter) probes.Probe {
	return batchOf(f, f.Introspect, f.Listing(), f.TypesListing())
}

// mixedBatch is the step of the mixed batch. All checks share its answer.
const mixedBatch = "batch: one entry fails"

// mixedThree is a batch of two listings with a request between them that fails.
func mixedThree(f *model.Adapter) probes.Probe {
	return batchOf(f, f.Introspect, f.Listing(), f.Query(map[string]any{}), f.TypesListing()).As(mixedBatch)
}

// numbered reports whether the results of the pair carry the right index each; where
// they do not, which is a finding of its own, results are known by their place.
func numbered(pair probes.Observation) bool {
	return indexed(pair).Verdict != reports.Fail && misplaced(pair).Verdict != reports.Fail
}

// answerIn returns the result of the entry at a position of a batch, absent where it
// has none. The pair tells how results are joined to entries.
func answerIn(pair, o probes.Observation, position int) probes.Value {
	items := check.BatchResults(o).Items()
	if !numbered(pair) {
		if len(items) != check.EntryCount(o.Probe) || position >= len(items) {
			return probes.Value{}
		}
		return items[position].At("result")
	}
	for _, item := range items {
		if at, ok := item.At("index").Float(); ok && int(at) == position {
			return item.At("result")
		}
	}
	return probes.Value{}
}

// succeeds and fails read the result of one entry.
func succeeds(result probes.Value) bool { return result.At("success").True() }
func fails(result probes.Value) bool    { return result.At("success").False() }

// codeIn returns the error code of the result of one entry.
func codeIn(result probes.Value) string { return result.At("error", "code").Text() }

// untaken rules on an adapter that does not take the smallest batch there is.
func untaken(s model.Subject, o probes.Observation) (r ruling.Ruling, untaken bool) {
	switch {
	case check.BatchResults(o).Is(probes.Array):
		return ruling.Ruling{}, false
	case check.AnnouncesBatch(s.Adapter):
		return ruling.NotProven("a batch of two listings answered with results", o).Because("OPS-7.1-02"), true
	}
	return ruling.NotApplicable("does not hold: batch requests are supported").By(o), true
}

// batched completes a check on an adapter that takes batches: it is asked first for
// the smallest one, whose answer comes first to the judge.
func batched(c check.Check) check.Check {
	ask, drive, judge := c.Ask, c.Drive, c.Judge
	c.On, c.Ask = model.Given(check.OffersBatch, model.IntrospectSubject), nil
	c.Drive = func(s model.Subject, asking model.AskFunc) {
		if !check.BatchResults(asking(plainPair(s.Adapter))).Is(probes.Array) {
			return
		}
		if drive != nil {
			drive(s, asking)
			return
		}
		for _, p := range ask(s) {
			asking(p)
		}
	}
	c.Judge = func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, untaken := untaken(s, got[0]); untaken {
			return r
		}
		return judge(s, got)
	}
	return c
}

// Introspection document, section 4.1.1, and operations document, section 7.1.
var announcedBatchTakesOperationsArray = check.Check{
	Requirement: "OPS-7.1-02",
	Rule:        "An adapter that announces batch support processes a request whose operations array holds ordinary requests.",
	Why:         "A client that reads the flag sends this form and no other.",
	On:          model.Given(check.AnnouncesBatch, model.IntrospectSubject),
	Drive: func(s model.Subject, ask model.AskFunc) {
		if check.BatchResults(ask(plainPair(s.Adapter))).Is(probes.Array) {
			return
		}
		pair := plainPair(s.Adapter)
		ask(pair.Drop("operations").Top("batch", pair.Args()["operations"]).As("batch elsewhere: in a member batch"))
		for i, t := range s.Tools {
			if check.TakesOperations(t) && t.Name != s.Introspect && !slices.Contains(s.AQL, t.Name) {
				ask(pair.To(t.Name).As(probes.Nth("batch elsewhere: to tool", i)))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		pair := got[0]
		tool, _ := s.Adapter.Tool(s.Introspect)
		complaint, _ := check.SchemaViolation(tool.Raw.At("inputSchema"), pair.Probe)
		unfit, _ := check.SchemaViolation(tool.Raw.At("inputSchema"), s.Listing())
		others := slices.DeleteFunc(got.Under("batch elsewhere"), func(o probes.Observation) bool { return !check.BatchResults(o).Is(probes.Array) })
		results := len(check.BatchResults(pair).Items())
		switch {
		case pair.Deferred():
			return ruling.NotProven("a batch of two listings answered", pair)
		case check.BatchResults(pair).Is(probes.Array) && results != 2:
			return ruling.NotProven("two results", results).By(pair).Because("OPS-7.2-01")
		case check.BatchResults(pair).Is(probes.Array) && complaint != "" && unfit != "":
			return ruling.NotProven("an inputSchema that admits a request by itself", unfit).By(pair).Because("AQL-D-01")
		case check.BatchResults(pair).Is(probes.Array) && complaint != "":
			return ruling.Departs("an inputSchema that admits the batch", complaint).By(pair)
		case check.BatchResults(pair).Is(probes.Array):
			return ruling.Conforms().By(pair)
		case len(others) == 0 && pair.RefusedBelow() && complaint != "":
			return ruling.Violates("a batch of two listings answered", pair).Noting("inputSchema does not admit it: " + complaint)
		case len(others) == 0:
			return ruling.Violates("a batch of two listings answered", pair)
		case others[0].Probe.Tool != s.Introspect:
			return ruling.Departs("batches taken by "+s.Introspect, "a tool of their own, "+others[0].Probe.Tool).By(pair, others[0])
		}
		return ruling.Violates("the batch in a member operations", "another member, batch").By(pair, others[0])
	},
	Fix: "accept {\"operations\":[…]} on every tool, or do not announce batch",
}
