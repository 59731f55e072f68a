package session

import (
	"context"
	"errors"
	"runtime/metrics"
	"time"
)

// memoryLook is how often the heap is looked at.
const memoryLook = 100 * time.Millisecond

// withinMemory returns a context that ends when the run holds more than so many MiB: an adapter must
// not be able to use up the memory of the machine that judges it. exceeded says so afterwards. With 0
// there is no limit.
func withinMemory(ctx context.Context, most uint) (bounded context.Context, exceeded func() bool, stop func()) {
	ctx, end := context.WithCancelCause(ctx)
	over := errors.New("the run holds more memory than it may")
	go func() {
		tick := time.NewTicker(memoryLook)
		defer tick.Stop()
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-tick.C:
				if metrics.Read(live); most > 0 && live[0].Value.Uint64() > uint64(most)<<20 {
					end(over)
				}
			}
		}
	}()
	return ctx, func() bool { return context.Cause(ctx) == over }, func() { end(nil) }
}
