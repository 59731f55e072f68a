package load

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// The requests come at the stated rate however slowly they are answered, and what had to wait is late.
func TestRateDoesNotDependOnAnswers(t *testing.T) {
	for _, slow := range []time.Duration{time.Millisecond, 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			order := Order{PerSecond: 50, For: time.Minute, Seed: 41}
			var mu sync.Mutex
			sent, late := 0, time.Duration(0)
			Drive(t.Context(), order, func(_ int, next Turn) {
				for range 10 {
					due, ok := next()
					if !ok {
						return
					}
					mu.Lock()
					sent, late = sent+1, max(late, time.Since(due))
					mu.Unlock()
					time.Sleep(slow)
				}
			})
			if sent < 2700 || sent > 3300 || late > 0 {
				t.Errorf("answers after %s: %d requests in a minute at 50 a second, the latest after %s", slow, sent, late)
			}
		})
	}
}

// Where no more scripts may run, a request waits, and that counts as its latency.
func TestLatencyCountsFromWhenRequestWasDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var worst time.Duration
		var mu sync.Mutex
		Drive(t.Context(), Order{PerSecond: 1000, For: 10 * time.Second, Seed: 41}, func(_ int, next Turn) {
			for {
				due, ok := next()
				if !ok {
					return
				}
				time.Sleep(4 * time.Second) // 1000 at a time: a quarter of what is due
				mu.Lock()
				worst = max(worst, time.Since(due))
				mu.Unlock()
			}
		})
		if worst < 6*time.Second {
			t.Errorf("the longest latency is %s, want that of an answer and the wait for a turn", worst)
		}
	})
}

// A load ends with its context.
func TestDriveEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		Drive(ctx, Order{PerSecond: 50, For: time.Hour, Seed: 41}, func(_ int, next Turn) {
			for _, ok := next(); ok; _, ok = next() {
			}
		})
		if took := time.Since(began); took > time.Second {
			t.Errorf("it ended after %s", took)
		}
	})
}

func TestFigures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFigures(Order{PerSecond: 50, For: 2 * time.Second})
		for i := range 100 {
			f.Count(Answer{Latency: time.Duration(i+1) * time.Millisecond})
		}
		f.Count(Answer{Lost: true})
		f.Count(Answer{Limited: true, Latency: time.Millisecond})
		time.Sleep(3 * time.Second)
		f.Count(Answer{Code: "INTERNAL_ERROR", Latency: time.Hour})
		l := f.Load()
		if l.Requests != 103 || l.Unanswered != 1 || l.Limited != 1 || l.Refused["INTERNAL_ERROR"] != 1 || l.Held != 50.5 || l.Seconds != 2 {
			t.Errorf("got %+v", *l)
		}
		if l.Latency.P50 < 49 || l.Latency.P50 > 52 || l.Latency.Max < 800_000 {
			t.Errorf("got %+v", l.Latency)
		}
	})
}
