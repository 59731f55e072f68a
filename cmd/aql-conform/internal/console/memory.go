package console

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A checker stands beside other jobs: up to leastMemory it takes memory as it comes,
// and beyond that it would rather take time, as long as that is a share of what a
// run needs to live. A fixed bound would have a large run do nothing but collect.
const (
	leastMemory = 96 << 20
	beyondLive  = 88 << 20 // or a third of what is live, whichever is more
	memoryEvery = 200 * time.Millisecond
	collectAt   = 400 // percent of what is live; far from the bound, collecting more often frees nothing of worth
)

// BoundMemory keeps the memory of the run near what it holds on to, until stop. Who
// has set GOMEMLIMIT knows better.
func BoundMemory() (stop func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before, pace := debug.SetMemoryLimit(leastMemory), debug.SetGCPercent(collectAt)
	ended := make(chan struct{})
	go func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		tick := time.NewTicker(memoryEvery)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				metrics.Read(live)
				held := int64(live[0].Value.Uint64())
				debug.SetMemoryLimit(max(leastMemory, held+max(held/3, min(held, beyondLive))))
			}
		}
	}()
	return func() { close(ended); debug.SetMemoryLimit(before); debug.SetGCPercent(pace) }
}
