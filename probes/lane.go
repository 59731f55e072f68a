package probes

import (
	"context"
	"sync"
	"sync/atomic"
)

// A Lane says what may be in flight beside a task.
type Lane int

// The lanes, in the order in which they run.
const (
	Parallel   Lane = iota // read-only questions, many at once
	Sparse                 // scenarios that look for their objects in listings, in order, while the run has made few
	Serial                 // scenarios that change state, in order
	Exclusive              // requests that may confuse an adapter: last, nothing else in flight
	Disposable             // questions that may kill the adapter: a process of their own
	Walking                // no lane of its own: Parallel where the run can make no object, else Sparse
)

// A Task is one piece of asking in a lane.
type Task struct {
	Lane Lane
	Do   func(context.Context)
}

// Run does the tasks, lane after lane: the parallel ones jobs at a time, all
// others one by one in the order given.
func (e *Engine) Run(ctx context.Context, tasks []Task) {
	lanes := map[Lane][]Task{}
	for _, t := range tasks {
		lanes[t.Lane] = append(lanes[t.Lane], t)
	}
	beside := lanes[Parallel]
	SideBySide(len(beside), e.jobs, func(i int) { beside[i].Do(ctx) })
	for lane := Sparse; lane <= Disposable; lane++ {
		for _, t := range lanes[lane] {
			t.Do(ctx)
		}
	}
}

// AtOnce returns how many reads an asker takes at a time.
func AtOnce(a Asker) int {
	if e, live := a.(*Engine); live && !e.Recalled() {
		return e.jobs
	}
	return 1
}

// Ahead asks side by side what is going to be asked one by one. The answers are known then.
func Ahead(ctx context.Context, a Asker, ps []Probe) {
	atOnce := AtOnce(a)
	if atOnce == 1 {
		return
	}
	SideBySide(len(ps), atOnce, func(i int) {
		if ctx.Err() == nil {
			a.Ask(ctx, ps[i])
		}
	})
}

// SideBySide does something for each number below n, begun in order and so many at once,
// and returns when all is done. A panic of one is the caller's then, who can close an
// adapter before it gives up.
func SideBySide(n, atOnce int, do func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	trouble := make(chan any, 1)
	each := func(i int) {
		defer func() {
			if r := recover(); r != nil {
				select {
				case trouble <- r:
				default:
				}
			}
		}()
		do(i)
	}
	for range min(n, atOnce) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				each(i)
			}
		})
	}
	group.Wait()
	select {
	case r := <-trouble:
		panic(r)
	default:
	}
}
