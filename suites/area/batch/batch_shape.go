package batch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// plainAndMixed asks beside the pair for the batch with a failure in it.
func plainAndMixed(s model.Subject) []probes.Probe { return []probes.Probe{mixedThree(s.Adapter)} }

// eachBatch rules on every batch that was processed.
func eachBatch(got probes.Answers, judge func(o probes.Observation) ruling.Ruling) ruling.Ruling {
	var rs []ruling.Ruling
	for _, o := range got {
		if check.BatchResults(o).Is(probes.Array) {
			rs = append(rs, judge(o))
		}
	}
	return ruling.Worst(rs...)
}

// eachResult rules on the results of every batch that was processed. Of those that are
// left out nothing is known.
func eachResult(got probes.Answers, judge func(o probes.Observation) ruling.Ruling) ruling.Ruling {
	return eachBatch(got, func(o probes.Observation) ruling.Ruling {
		r := judge(o)
		if n := len(check.BatchResults(o).Items()); n < check.EntryCount(o.Probe) && r.Verdict == ruling.Conforms().Verdict {
			return ruling.NotProven(fmt.Sprintf("%d results", check.EntryCount(o.Probe)), n).By(o).Because("OPS-7.2-01")
		}
		return r
	})
}

// Operations document, section 7.2.
var batchReturnsOneResultPerOperation = batched(check.Check{
	Requirement: "OPS-7.2-01",
	Ask:         plainAndMixed,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		pair, mixed := got[0], got.Step(mixedBatch)
		items := check.BatchResults(mixed).Items()
		switch {
		case !pair.Envelope().At("results").Is(probes.Array):
			return ruling.Violates("a member results of the envelope", "results inside data").By(pair)
		case len(check.BatchResults(pair).Items()) != 2:
			return ruling.Violates("2 results", len(check.BatchResults(pair).Items())).By(pair)
		case !check.BatchResults(mixed).Is(probes.Array):
			return ruling.NotProven("a batch in which one entry fails answered with results", mixed).Because("OPS-7.3-04")
		case len(items) == 2 && fails(items[1].At("result")):
			return ruling.NotProven("3 results", "none after the one that failed").By(mixed).Because("OPS-7.3-02")
		case len(items) != 3:
			return ruling.Violates("3 results", len(items)).By(mixed, pair)
		}
		return ruling.Conforms().By(mixed, pair)
	},
	Fix: "give every entry of a batch its own result, failed or not",
}).WithRule(
	"A batch answer holds one individual result per executed operation.",
	"A result that is left out is an operation whose fate nobody knows.")

// Operations document, section 7.2.
var batchResultsCarryTheirIndex = batched(check.Check{
	Requirement: "OPS-7.2-02",
	// The entries of the further batches fail for other reasons than that of the mixed one.
	Ask: func(s model.Subject) []probes.Probe {
		ps := plainAndMixed(s)
		batches, _ := likeAlone(s)
		for i, p := range batches {
			ps = append(ps, p.As(probes.Nth("indexes of a batch", i)))
		}
		return ps
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		return ruling.Worst(eachResult(got, indexed), misplaced(got[0]))
	},
	Fix: "number the results of a batch as its entries, from 0",
}).WithRule(
	"Each results entry carries index: the zero-based position in the request, each exactly once.",
	"The index is what joins a result to its request.")

// indexed rules on the indexes of one batch.
func indexed(o probes.Observation) ruling.Ruling {
	most, ordered := check.EntryCount(o.Probe), true
	var seen []int
	for _, item := range check.BatchResults(o).Items() {
		at, ok := item.At("index").Float()
		switch {
		case !ok || !item.At("index").Whole() || at < 0 || int(at) >= most:
			return ruling.Violates(fmt.Sprintf("an index from 0 to %d", most-1), item.At("index")).By(o)
		case slices.Contains(seen, int(at)):
			return ruling.Violates("each index once", fmt.Sprintf("index %d twice", int(at))).By(o)
		}
		ordered = ordered && (len(seen) == 0 || int(at) > seen[len(seen)-1])
		seen = append(seen, int(at))
	}
	if !ordered {
		return ruling.Departs("ascending indexes", fmt.Sprint(seen)).By(o)
	}
	return ruling.Conforms().By(o)
}

// misplaced rules on whether the indexes of the pair are true: what stands at an
// index is known by what it lists.
func misplaced(pair probes.Observation) ruling.Ruling {
	items := check.BatchResults(pair).Items()
	lists := []string{"operations", "types"}
	for i, item := range items {
		at, ok := item.At("index").Float()
		if !ok || len(items) != 2 || at < 0 || at > 1 || int(at) == i {
			continue
		}
		if data := item.At("result", "data"); data.Has(lists[i]) && !data.Has(lists[int(at)]) {
			return ruling.Violates(fmt.Sprintf("index %d at the answer to the entry %d", i, i), item.At("index")).By(pair)
		}
	}
	return ruling.Conforms().By(pair)
}

// differentCalls are calls of different operations that one tool takes, none of
// which changes anything. With introspect alone the second is of an operation that
// does not exist.
func differentCalls(f *model.Adapter) (tool string, calls []probes.Probe) {
	byTool := map[string][]probes.Probe{f.Introspect: {f.Listing()}}
	tools := []string{f.Introspect}
	for _, s := range f.ProvenReads() {
		p := s.ValidCall()
		if !slices.Contains(tools, p.Tool) {
			tools = append(tools, p.Tool)
		}
		byTool[p.Tool] = append(byTool[p.Tool], p)
	}
	for _, tool := range tools {
		if calls := byTool[tool]; len(calls) > 1 {
			return tool, append(slices.Clone(calls[:2]), calls[0])
		}
	}
	stranger := check.UnknownOperation(f, f.Introspect)
	return f.Introspect, []probes.Probe{f.Listing(), stranger, f.Listing()}
}

// Operations document, section 7.2.
var batchResultsNameTheirOperation = batched(check.Check{
	Requirement: "OPS-7.2-03",
	Ask: func(s model.Subject) []probes.Probe {
		tool, calls := differentCalls(s.Adapter)
		return []probes.Probe{batchOf(s.Adapter, tool, calls...).As("batch of different operations")}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		o := got.Step("batch of different operations")
		_, calls := differentCalls(s.Adapter)
		items := check.BatchResults(o).Items()
		switch {
		case !check.BatchResults(o).Is(probes.Array):
			return ruling.NotProven("a batch of different operations answered with results", o)
		case len(items) != len(calls):
			return ruling.NotProven("3 results of a batch of different operations", len(items)).By(o).Because("OPS-7.2-01")
		}
		for i, item := range items {
			want := []string{calls[i].Operation()}
			if at, ok := item.At("index").Float(); ok && at >= 0 && int(at) < len(calls) {
				want = append(want, calls[int(at)].Operation())
			}
			switch name := item.At("operation"); {
			case name.Is(probes.Absent):
				return ruling.Departs("operation "+want[0], name).By(o)
			case !slices.Contains(want, name.Text()):
				return ruling.Violates("operation "+want[0], name).By(o)
			}
		}
		return ruling.Conforms().By(o)
	},
	Fix: "name in each result the operation of its entry",
}).WithRule(
	"Each results entry carries operation: the name from the request at that position.",
	"The name beside the index lets a log be read without the request.")

// Operations document, section 7.2.
var batchResultsHoldCompleteEnvelopes = batched(check.Check{
	Requirement: "OPS-7.2-04",
	Ask: func(s model.Subject) []probes.Probe {
		ps := []probes.Probe{mixedThree(s.Adapter)}
		for i, p := range []probes.Probe{s.Listing(), s.Query(map[string]any{}), s.TypesListing()} {
			ps = append(ps, p.As(probes.Nth("complete envelopes: call alone", i)))
		}
		return ps
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		alone, lacks := got.Under("complete envelopes: call alone"), map[string]bool{}
		for _, o := range alone {
			lacks[envelopeLack(o.Envelope())] = true
		}
		return eachResult(probes.Answers{got[0], got.Step(mixedBatch)}, func(o probes.Observation) ruling.Ruling {
			for _, item := range check.BatchResults(o).Items() {
				switch lack := envelopeLack(item.At("result")); {
				case lack == "":
				case lacks[lack]:
					return ruling.NotProven("a complete envelope of the same call alone", lack).By(o).By(alone...).Because("AQL-5.1-01")
				default:
					return ruling.Violates("a complete envelope in result", lack).By(o)
				}
			}
			return ruling.Conforms().By(o)
		})
	},
	Fix: "put the whole envelope of each entry into its result",
}).WithRule(
	"Each results entry carries result: a complete operation envelope obeying all OPS-3.* rules.",
	"What reads the answer of a single call reads each result of a batch with the same code.")

// envelopeLack says what keeps a value from being an envelope (section 5.1), or "".
func envelopeLack(e probes.Value) string {
	fault := e.At("error")
	switch {
	case !e.Is(probes.Object):
		return "no object"
	case !e.At("success").Is(probes.Boolean):
		return "no success true or false"
	case succeeds(e) && !e.Has("data"):
		return "a success without data"
	case succeeds(e) && e.Has("error"):
		return "a success with an error"
	case succeeds(e):
		return ""
	case e.Has("data"):
		return "a failure with data"
	case !fault.Is(probes.Object):
		return "a failure without an error object"
	case !check.CodePattern.MatchString(fault.At("code").Text()):
		return "a failure without a code"
	case strings.TrimSpace(fault.At("message").Text()) == "":
		return "a failure without a message"
	}
	return ""
}

// Operations document, section 7.2.
var batchEnvelopeDataIsNull = batched(check.Check{
	Requirement: "OPS-7.2-05",
	Ask:         plainAndMixed,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		return eachBatch(got, func(o probes.Observation) ruling.Ruling {
			if data := o.Envelope().At("data"); !data.Is(probes.Null) {
				return ruling.Departs("data null beside results", data).By(o)
			}
			return ruling.Conforms().By(o)
		})
	},
	Fix: "write data null in the envelope of a batch",
}).WithRule(
	"A batch envelope has data null; individual payloads live in results.",
	"One place for what was answered: a copy in data is another truth to keep.")
