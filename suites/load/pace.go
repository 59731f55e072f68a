// Package load says when the requests of a load are sent, and measures how they are answered. It
// knows neither requests nor rules.
package load

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

// An Order is a load as it is wanted.
type Order struct {
	PerSecond float64 // requests, on average; the times between them are random, as those of independent clients are
	For       time.Duration
	Seed      uint64
}

// A Turn waits until the next request of a script may be sent, and returns when it was due. ok is false
// when the load is over.
type Turn func() (due time.Time, ok bool)

// Bounds on the scripts that run at a time: so many take turns, and more are begun while none of them is
// ready, so that a slow adapter is asked no less often.
const (
	leastScripts = 4
	spreadMost   = 128
	secondsMost  = 10 // of the rate: what is on its way when answers take that long
	mostScripts  = 1000
)

// Drive runs scripts until the time is over, and returns when the last has ended. Requests are due at
// the stated rate whatever becomes of those before (an open model): one that has to wait is late, and its
// latency counts from when it was due.
func Drive(ctx context.Context, o Order, script func(n int, next Turn)) {
	ctx, cancel := context.WithTimeout(ctx, o.For)
	defer cancel()
	spread := min(max(int(o.PerSecond/2), leastScripts), spreadMost)
	most := min(max(int(secondsMost*o.PerSecond), spread), mostScripts)
	d := &driver{ctx: ctx, turns: make(chan time.Time), script: script}
	defer d.group.Wait()
	r := rand.New(rand.NewPCG(o.Seed, 2))
	timer := time.NewTimer(0)
	defer timer.Stop()
	for due := time.Now(); ; {
		due = due.Add(time.Duration(r.ExpFloat64() / o.PerSecond * float64(time.Second)))
		timer.Reset(time.Until(due))
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		if d.running() < spread {
			d.begin(due)
			continue
		}
		select {
		case d.turns <- due:
			continue
		default:
		}
		if d.running() < most {
			d.begin(due)
			continue
		}
		select {
		case d.turns <- due:
		case <-ctx.Done():
			return
		}
	}
}

// A driver has the scripts that run.
type driver struct {
	ctx    context.Context
	turns  chan time.Time
	script func(n int, next Turn)
	group  sync.WaitGroup

	mu     sync.Mutex
	begun  int
	active int
}

func (d *driver) running() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.active
}

// begin starts a script, whose first request is due.
func (d *driver) begin(due time.Time) {
	d.mu.Lock()
	n := d.begun
	d.begun++
	d.active++
	d.mu.Unlock()
	first := true
	d.group.Go(func() {
		defer func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.active--
		}()
		d.script(n, func() (time.Time, bool) {
			if first {
				first = false
				return due, d.ctx.Err() == nil
			}
			select {
			case at := <-d.turns:
				return at, true
			case <-d.ctx.Done():
				return time.Time{}, false
			}
		})
	})
}
