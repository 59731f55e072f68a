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

// Operations document, section 7.2.
var batchSummaryFitsResults = batched(check.Check{
	Requirement: "OPS-7.2-06",
	Ask: func(s model.Subject) []probes.Probe {
		return []probes.Probe{mixedThree(s.Adapter), s.Query(map[string]any{}).As("summary: introspect without a query")}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		bad := got.Step("summary: introspect without a query")
		return eachBatch(probes.Answers{got[0], got.Step(mixedBatch)}, func(o probes.Observation) ruling.Ruling {
			total, good := check.EntryCount(o.Probe), 2
			if total == 3 && bad.Succeeded() {
				good = 3
			}
			return summarized(o, total, good)
		})
	},
	Fix: "count every entry once in summary, as what its result says",
}).WithRule(
	"summary.total, succeeded and failed are integers consistent with the results.",
	"A client that reads the summary alone must not be told another story than one who reads the results.")

// counters are the members that a summary may have.
var counters = strings.Fields("total succeeded failed halted pending pending_confirmation")

// summarized rules on a summary. Where the results cannot be counted themselves, good
// of the entries are taken to have succeeded, as they do alone.
func summarized(o probes.Observation, total, good int) ruling.Ruling {
	bad := total - good
	if items := check.BatchResults(o).Items(); len(items) == total && !slices.ContainsFunc(items, unread) {
		good, bad = 0, 0
		for _, item := range items {
			switch result := item.At("result"); {
			case succeeds(result):
				good++
			case codeIn(result) != "CONFIRMATION_REQUIRED":
				bad++
			}
		}
	}
	summary := o.Envelope().At("summary")
	if !summary.Is(probes.Object) {
		return ruling.Violates("a summary of the batch", summary).By(o)
	}
	for i, want := range []int{total, good, bad} {
		if n, ok := summary.At(counters[i]).Float(); !ok || n != float64(want) {
			return ruling.Violates(fmt.Sprintf("summary.%s %d", counters[i], want), summary.At(counters[i])).By(o)
		}
	}
	for _, m := range summary.Members() {
		if m.Value.Is(probes.Number) && !slices.Contains(counters, m.Name) && !strings.HasPrefix(m.Name, "_") {
			return ruling.Departs("the counters "+strings.Join(counters, ", "), m.Name).By(o)
		}
	}
	return ruling.Conforms().By(o)
}

// unread reports whether an item does not say if its entry succeeded.
func unread(item probes.Value) bool { return !item.At("result", "success").Is(probes.Boolean) }
