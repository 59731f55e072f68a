package console

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"time"
)

// A checker stands beside other jobs: up to leastHeap it takes memory as it comes, and beyond that
// two fifths of what a run holds. A run that holds 75 MiB may take mostBeyond more. With less room, a
// large run would do little but collect, and its time would grow faster than its work. A run that holds
// much more may take beyondLive of that.
const (
	leastHeap   = 68 << 20
	beyondLive  = 40 // percent of what is live
	mostBeyond  = 56 << 20
	collectAt   = 400 // percent; far from leastHeap, collecting more often frees nothing of worth
	beside      = 15  // percent of the heap that lies idle between what is live, at least
	noHeap      = 20 << 20
	memoryEvery = 100 * time.Millisecond
	leastOf     = 3 // cycles: what is taken while the collector is at work counts as live in that one
)

// roomFor is the heap that a run may take which holds so many bytes.
func roomFor(held int64) int64 {
	rising := max(held*2/5, held*11/5-108<<20) // the second is more from 60 MiB on
	beyond := max(held*beyondLive/100, min(rising, mostBeyond))
	return max(leastHeap, held+beyond)
}

// BoundMemory keeps the memory of the run near what it holds on to, until stop. Who
// has set GOMEMLIMIT knows better.
func BoundMemory() (stop func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	limit := func(heap, idle int64) int64 { return heap + max(heap*beside/100, idle) + noHeap }
	before, pace := debug.SetMemoryLimit(limit(leastHeap, 0)), debug.SetGCPercent(collectAt)
	ended := make(chan struct{})
	go func() {
		read := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
		tick := time.NewTicker(memoryEvery)
		defer tick.Stop()
		cycles := make([]int64, leastOf) // what lived after the last ones
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				metrics.Read(read)
				last := max(int64(read[0].Value.Uint64()), 1<<20)
				if last == cycles[0] {
					continue
				}
				cycles = append([]int64{last}, cycles[:leastOf-1]...)
				held := max(slices.Min(cycles), 1<<20)
				heap := roomFor(held)
				debug.SetGCPercent(int(min(collectAt, 100*(heap-held)/held)))
				// The limit is for what grows between two ticks. A limit that leaves out the idle part of the heap has the
				// collector run without pause.
				debug.SetMemoryLimit(limit(heap, int64(read[1].Value.Uint64())))
			}
		}
	}()
	return func() { close(ended); debug.SetMemoryLimit(before); debug.SetGCPercent(pace) }
}
