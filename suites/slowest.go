package suites

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// Slowest names the operations of which a call took longest, as the checker saw it with
// all that was in flight beside it. It is information, no verdict; "" where nothing was
// answered.
func (f *Face) Slowest(record probes.Record) string {
	const most = 3
	worst := map[string]time.Duration{}
	var all []time.Duration
	for _, o := range record.Observations {
		name := o.Probe.Operation()
		if _, listed := f.Operation(name); !listed || !f.owns(o.Probe.Conn) || o.Lost() || o.Elapsed <= 0 {
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
		slowest = append(slowest, fmt.Sprintf("%s %s", clip(name), rounded(worst[name])))
	}
	return fmt.Sprintf("slowest calls: %s; the median of %s is %s", strings.Join(slowest, ", "), grouped(len(all)), rounded(all[len(all)/2]))
}

// rounded leaves of a time what a reader compares.
func rounded(d time.Duration) time.Duration {
	if d < 10*time.Millisecond {
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(time.Millisecond)
}
