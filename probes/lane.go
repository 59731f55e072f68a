package probes

import (
	"context"
	"sync"
)

// A Lane says what may be in flight beside a task.
type Lane int

// The lanes, in the order in which they run.
const (
	Parallel   Lane = iota // read-only questions, many at once
	Serial                 // scenarios that change state, in order
	Exclusive              // requests that may confuse an adapter: last, nothing else in flight
	Disposable             // questions that may kill the adapter: a process of their own
)

// A Task is one piece of asking in a lane.
type Task struct {
	Lane Lane
	Do   func(context.Context)
}

// Run does the tasks, lane after lane: the parallel ones jobs at a time, all
// others one by one in the order given.
func (e *Engine) Run(ctx context.Context, tasks []Task) {
	var group sync.WaitGroup
	slots, trouble := make(chan struct{}, e.jobs), make(chan any, 1)
	for _, t := range tasks {
		if t.Lane != Parallel {
			continue
		}
		slots <- struct{}{}
		group.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					select {
					case trouble <- r:
					default:
					}
				}
				<-slots
			}()
			t.Do(ctx)
		})
	}
	group.Wait()
	select {
	case r := <-trouble:
		panic(r) // where the caller can close the adapter before it gives up
	default:
	}
	for lane := Serial; lane <= Disposable; lane++ {
		for _, t := range tasks {
			if t.Lane == lane {
				t.Do(ctx)
			}
		}
	}
}
