package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// SlowestCalls names the operations with the slowest calls, as measured under the load of the run.
// It is information, not a verdict; "" without answers.
func SlowestCalls(f *model.Adapter, record probes.Record) string {
	const most = 3
	worst := map[string]time.Duration{}
	var all []time.Duration
	for o := range record.All() {
		name := o.Probe.Operation()
		if _, listed := f.Operation(name); !listed || !f.OwnsConnection(o.Probe.Conn) || o.Lost() || o.Elapsed <= 0 || underLoad(o.Probe.Number) {
			continue
		}
		all = append(all, o.Elapsed)
		worst[name] = max(worst[name], o.Elapsed)
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	names := slices.SortedFunc(maps.Keys(worst), func(a, b string) int {
		return cmp.Or(cmp.Compare(worst[b], worst[a]), cmp.Compare(a, b))
	})
	var slowest []string
	for _, name := range names[:min(most, len(names))] {
		slowest = append(slowest, fmt.Sprintf("%s %s", ruling.Clip(name), roundDuration(worst[name])))
	}
	return fmt.Sprintf("slowest calls: %s; the median of %s is %s", strings.Join(slowest, ", "), check.GroupThousands(len(all)), roundDuration(all[len(all)/2]))
}

// roundDuration rounds a duration for display.
func roundDuration(d time.Duration) time.Duration {
	if d < 10*time.Millisecond {
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(time.Millisecond)
}

// TokenCost estimates how many tokens a model needs to read the tool list and the introspection,
// next to the figures of the specification's own example (spec, Appendix; introspection 7.1). It is
// information, not a verdict.
func TokenCost(f *model.Adapter, record probes.Record) string {
	var lookups []probes.Probe
	for _, o := range f.Operations {
		lookups = append(lookups, f.Lookup("operations", o.Name))
	}
	for _, t := range f.Types {
		lookups = append(lookups, f.Lookup("types", t.Name))
	}
	sizes, asking := map[string]int{}, map[string]bool{}
	for _, p := range slices.Concat(f.Pages, []probes.Probe{f.Listing(), f.TypesListing()}, lookups) {
		sizes[p.Key()], asking[p.Operation()] = 0, true
	}
	for o := range record.All() {
		if !asking[o.Probe.Operation()] { // the key of most would be read from disk
			continue
		}
		if _, wanted := sizes[o.Probe.Key()]; !wanted {
			continue
		}
		if sizes[o.Probe.Key()] = check.ByteSize(o.Result()); o.Succeeded() {
			sizes[o.Probe.Key()] = check.ByteSize(o.Envelope())
		}
	}
	cost := func(ps ...probes.Probe) int {
		total := 0
		for _, p := range ps {
			total += sizes[p.Key()]
		}
		return (total + check.BytesPerToken/2) / check.BytesPerToken
	}
	tools, list, kinds, details := cost(f.Pages...), cost(f.Listing()), cost(f.TypesListing()), cost(lookups...)
	return fmt.Sprintf("token cost (estimate, bytes/%d): tools/list %s, listing %s, types %s, all %d details %s, together %s; "+
		"the specification's example: 29,600 for discrete tools, 4,300 for five semantic tools, 1,100 for a single tool",
		check.BytesPerToken, check.GroupThousands(tools), check.GroupThousands(list), check.GroupThousands(kinds), len(lookups), check.GroupThousands(details), check.GroupThousands(tools+list+kinds+details))
}
