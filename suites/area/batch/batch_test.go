package batch

import (
	"slices"
	"testing"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check/checktest"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Results that are missing show nothing of their form, and a batch in which nothing
// fails shows nothing of those in which something does.
func TestBatchesAreJudgedByTheirResults(t *testing.T) {
	batch := func(n int) probes.Probe {
		return probes.CallWith("main", "mcp_aql", map[string]any{"operations": make([]any, n)})
	}
	const (
		none   = `{"success":true,"data":null,"results":[]}`
		good0  = `{"index":0,"operation":"introspect","result":{"success":true,"data":{}}}`
		good1  = `{"index":1,"operation":"introspect","result":{"success":true,"data":{}}}`
		good2  = `{"index":2,"operation":"introspect","result":{"success":true,"data":{}}}`
		bad0   = `{"index":0,"operation":"introspect","result":{"success":false,"error":{"code":"VALIDATION_MISSING_PARAM","message":"query"}}}`
		bad1   = `{"index":1,"operation":"introspect","result":{"success":false,"error":{"code":"VALIDATION_MISSING_PARAM","message":"query"}}}`
		begin  = `{"success":true,"data":null,"results":[`
		failed = `{"success":false,"error":{"code":"VALIDATION_MISSING_PARAM","message":"query"}}`
	)
	pair := begin + good0 + "," + good1 + "]}"
	alone := probes.Call("main", "mcp_aql", "introspect", nil)
	of := func(probe probes.Probe, envelope string) probes.Observation {
		return checktest.AnswerWithEnvelope(t, probe, envelope)
	}
	mixed := batch(3).As(mixedBatch)
	both := batch(2).As("failing entries: batch of both")
	twice, between := batch(2).As(pairOfReads), batch(3).As(absentBetween)
	goesOn := []probes.Observation{of(batch(2), pair), of(mixed, begin+good0+","+bad1+","+good2+"]}")}
	reads := func(two, three string) []probes.Observation {
		return append(slices.Clone(goesOn), of(twice, two), of(between, three))
	}
	empty, unknown := alone.As("failing entries: introspect without a query"), alone.As("failing entries: listing with an unknown parameter")
	for name, c := range map[string]struct {
		id   string
		got  []probes.Observation
		want reports.Verdict
	}{
		"indexes":            {"OPS-7.2-02", []probes.Observation{of(batch(2), pair), of(mixed, begin+good0+","+bad1+","+good2+"]}")}, reports.Pass},
		"no results":         {"OPS-7.2-02", []probes.Observation{of(batch(2), none), of(mixed, none)}, reports.NotProven},
		"results left out":   {"OPS-7.2-02", []probes.Observation{of(batch(2), pair), of(mixed, begin+good0+"]}")}, reports.NotProven},
		"envelopes":          {"OPS-7.2-04", []probes.Observation{of(batch(2), pair), of(mixed, begin+good0+","+bad1+","+good2+"]}")}, reports.Pass},
		"no envelopes":       {"OPS-7.2-04", []probes.Observation{of(batch(2), none), of(mixed, none)}, reports.NotProven},
		"entries that fail":  {"OPS-7.3-04", []probes.Observation{of(batch(2), pair), of(empty, failed), of(unknown, failed), of(both, begin+bad0+","+bad1+"]}"), of(mixed, begin+good0+","+bad1+","+good2+"]}")}, reports.Pass},
		"entries unchecked":  {"OPS-7.3-04", []probes.Observation{of(batch(2), pair), of(empty, failed), of(unknown, failed), of(both, pair), of(mixed, begin+good0+","+good1+","+good2+"]}")}, reports.NotProven},
		"goes on":            {"OPS-7.3-02", reads(pair, begin+good0+","+bad1+","+good2+"]}"), reports.Pass},
		"ends at the absent": {"OPS-7.3-02", reads(pair, begin+good0+","+bad1+"]}"), reports.Fail},
		"reads that fail":    {"OPS-7.3-02", reads(begin+good0+","+bad1+"]}", begin+good0+","+bad1+"]}"), reports.Pass},
		"entries unanswered": {"OPS-7.3-04", []probes.Observation{of(batch(2), pair), of(empty, failed), of(unknown, failed), of(both, none), of(mixed, none)}, reports.NotProven},
	} {
		if got := checktest.JudgeOf(t, Checks, c.id)(model.Subject{}, c.got); got.Verdict != c.want {
			t.Errorf("%s: %s is ruled %s (want %s, got %s), want %s", name, c.id, got.Verdict, got.Want, got.Got, c.want)
		}
	}
}
