package suites

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// A batch saves a model round trips, and must save it nothing else: what each entry
// is answered is what it would be answered alone. Most of what is asked here are
// listings of introspect, which every adapter has and which change nothing.

// announcesBatch reports whether the adapter says that it takes batches. Some
// adapters write the flag as their evidence files do.
func announcesBatch(f *Face) bool {
	flags := f.Protocol.At("capabilities")
	return flags.At("batch").True() || flags.At("batch_operations").True()
}

// batching reports whether batches are worth trying: they are announced, or the
// schema of the tool has a place for them. Elsewhere a batch is a request without
// an operation.
func batching(f *Face) bool {
	tool, _ := f.Tool(f.Introspect)
	return announcesBatch(f) || takesOperations(tool)
}

// takesOperations reports whether a tool's schema knows an array called operations.
func takesOperations(tool probes.Tool) bool {
	root := tool.Raw.At("inputSchema")
	for _, schema := range slices.Concat([]probes.Value{root}, root.At("oneOf").Items(), root.At("anyOf").Items()) {
		place := schema.At("properties", "operations")
		if place.Is(probes.Object) && (place.At("type").Text() == "array" || place.Has("items")) {
			return true
		}
	}
	return false
}

// batchOf is the batch of some calls, sent to a tool.
func (f *Face) batchOf(tool string, calls ...probes.Probe) probes.Probe {
	entries := make([]any, len(calls))
	for i, p := range calls {
		entries[i] = p.Args()
	}
	return probes.CallWith(f.Conn, tool, map[string]any{"operations": entries})
}

// plainPair is the smallest batch there is: the two listings, which succeed alone.
func (f *Face) plainPair() probes.Probe {
	return f.batchOf(f.Introspect, f.Listing(), f.TypesListing())
}

// mixedThree is a batch of two listings with a request between them that fails.
func (f *Face) mixedThree() probes.Probe {
	return f.batchOf(f.Introspect, f.Listing(), f.Query(map[string]any{}), f.TypesListing())
}

// resultsOf returns the results of a batch that was processed; absent of any other
// answer. An adapter that hides them in data is understood all the same.
func resultsOf(o probes.Observation) probes.Value {
	if !o.Succeeded() {
		return probes.Value{}
	}
	if all := o.Envelope().At("results"); all.Is(probes.Array) {
		return all
	}
	if all := o.Data().At("results"); all.Is(probes.Array) {
		return all
	}
	return probes.Value{}
}

// entriesIn counts the entries of the batch that a probe sends.
func entriesIn(p probes.Probe) int {
	entries, _ := p.Args()["operations"].([]any)
	return len(entries)
}

// numbered reports whether the results of the pair carry the right index each; where
// they do not, which is a finding of its own, results are known by their place.
func numbered(pair probes.Observation) bool {
	return indexed(pair).verdict != reports.Fail && misplaced(pair).verdict != reports.Fail
}

// answerIn returns the result of the entry at a position of a batch, absent where it
// has none. The pair tells how results are joined to entries.
func answerIn(pair, o probes.Observation, position int) probes.Value {
	items := resultsOf(o).Items()
	if !numbered(pair) {
		if len(items) != entriesIn(o.Probe) || position >= len(items) {
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
func untaken(s Subject, o probes.Observation) (r Ruling, untaken bool) {
	switch {
	case resultsOf(o).Is(probes.Array):
		return Ruling{}, false
	case announcesBatch(s.Face):
		return NotProven("a batch of two listings answered with results", o).Because("OPS-7.1-02"), true
	}
	return NotApplicable("does not hold: batch requests are supported").By(o), true
}

// batched completes a check on an adapter that takes batches: it is asked first for
// the smallest one, whose answer comes first to the judge.
func batched(c Check) Check {
	ask, drive, judge := c.Ask, c.Drive, c.Judge
	c.On, c.Ask = given(batching, introspecting), nil
	c.Drive = func(s Subject, asking Asking) {
		if !resultsOf(asking(s.plainPair())).Is(probes.Array) {
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
	c.Judge = func(s Subject, got []probes.Observation) Ruling {
		if r, untaken := untaken(s, got[0]); untaken {
			return r
		}
		return judge(s, got)
	}
	return c
}

// Introspection document, section 4.1.1, and operations document, section 7.1. A
// client that reads the flag sends this form and no other.
var _ = register(Check{
	Requirement: "OPS-7.1-02",
	On:          given(announcesBatch, introspecting),
	Drive: func(s Subject, ask Asking) {
		if resultsOf(ask(s.plainPair())).Is(probes.Array) {
			return
		}
		pair := s.plainPair()
		ask(pair.Drop("operations").Top("batch", pair.Args()["operations"]))
		for _, t := range s.Tools {
			if takesOperations(t) && t.Name != s.Introspect && !slices.Contains(s.AQL, t.Name) {
				ask(pair.To(t.Name))
			}
		}
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		pair := got[0]
		tool, _ := s.Face.Tool(s.Introspect)
		complaint, _ := againstSchema(tool.Raw.At("inputSchema"), pair.Probe)
		unfit, _ := againstSchema(tool.Raw.At("inputSchema"), s.Listing())
		others := slices.DeleteFunc(slices.Clone(got[1:]), func(o probes.Observation) bool { return !resultsOf(o).Is(probes.Array) })
		results := len(resultsOf(pair).Items())
		switch {
		case pair.Deferred():
			return NotProven("a batch of two listings answered", pair)
		case resultsOf(pair).Is(probes.Array) && results != 2:
			return NotProven("two results", results).By(pair).Because("OPS-7.2-01")
		case resultsOf(pair).Is(probes.Array) && complaint != "" && unfit != "":
			return NotProven("an inputSchema that admits a request by itself", unfit).By(pair).Because("AQL-D-01")
		case resultsOf(pair).Is(probes.Array) && complaint != "":
			return Departs("an inputSchema that admits the batch", complaint).By(pair)
		case resultsOf(pair).Is(probes.Array):
			return Conforms().By(pair)
		case len(others) == 0 && pair.RefusedBelow() && complaint != "":
			return Violates("a batch of two listings answered", pair).Noting("inputSchema does not admit it: " + complaint)
		case len(others) == 0:
			return Violates("a batch of two listings answered", pair)
		case others[0].Probe.Tool != s.Introspect:
			return Departs("batches taken by "+s.Introspect, "a tool of their own, "+others[0].Probe.Tool).By(pair, others[0])
		}
		return Violates("the batch in a member operations", "another member, batch").By(pair, others[0])
	},
	Fix: "accept {\"operations\":[…]} on every tool, or do not announce batch",
})
