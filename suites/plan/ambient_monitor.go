package plan

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// afterInterrupt is how long cases are judged after an interrupt, whose sender waits.
const afterInterrupt = 300 * time.Millisecond

// An AmbientMonitor passes each reply of a run to the ambient checks, once. The result does not
// depend on whether that happens during the run or after it.
type AmbientMonitor struct {
	plan     *Plan
	states   []*monitorState
	since    func(n int) []*probes.Kept // the replies after the first n, in any order
	passed   int                        // replies
	mu       sync.Mutex
	panicked any // panic of a check during Poll

	end atomic.Int64 // the time, in Unix nanoseconds, at which it gives up; 0 for never
	cut atomic.Bool  // it gave up
}

// EndWith makes the monitor give up a moment after ctx ends.
func (m *AmbientMonitor) EndWith(ctx context.Context) {
	context.AfterFunc(ctx, func() { m.end.Store(time.Now().Add(afterInterrupt).UnixNano()) })
}

// over reports whether the monitor gives up.
func (m *AmbientMonitor) over() bool {
	if end := m.end.Load(); end == 0 || time.Now().UnixNano() < end {
		return false
	}
	m.cut.Store(true)
	return true
}

// NewAmbientMonitor returns a monitor for the ambient checks of the plan. since returns the replies
// after the first n, in any order.
func (p *Plan) NewAmbientMonitor(since func(n int) []*probes.Kept) *AmbientMonitor {
	m := &AmbientMonitor{plan: p, since: since}
	for _, c := range p.Cases {
		if c.Check.Watches() {
			m.states = append(m.states, newMonitorState(c))
		}
	}
	return m
}

// Poll starts an update in the background, unless one is running. It leaves one processor to the
// requests.
func (m *AmbientMonitor) Poll() {
	if !m.mu.TryLock() {
		return
	}
	go func() {
		defer m.mu.Unlock()
		defer func() { // Findings raises the panic again
			if r := recover(); r != nil {
				m.panicked = r
			}
		}()
		m.update(max(1, runtime.GOMAXPROCS(0)-1))
	}()
}

// Wait returns when no update is running.
func (m *AmbientMonitor) Wait() {
	m.mu.Lock()
	defer m.mu.Unlock()
}

// update passes the new replies to all checks. Each worker parses a part of the replies once for
// all checks.
func (m *AmbientMonitor) update(workers int) {
	fresh := m.since(m.passed)
	m.passed += len(fresh)
	parts := make([][]*monitorState, min(workers, len(fresh)))
	probes.SideBySide(len(parts), len(parts), func(i int) {
		for _, w := range m.states {
			parts[i] = append(parts[i], newMonitorState(w.c))
		}
		for _, o := range fresh[len(fresh)*i/len(parts) : len(fresh)*(i+1)/len(parts)] {
			if m.over() {
				return
			}
			reply := o.Observation()
			pin, watched := reply.Pin(), newWatchedReply(o, reply, o.Key())
			for _, w := range parts[i] {
				w.observe(watched)
			}
			runtime.KeepAlive(pin)
		}
	})
	for _, part := range parts {
		for n, w := range part {
			m.states[n].merge(w)
		}
	}
}

// Findings passes the remaining replies, and returns a function for the findings of each ambient
// check. It raises the panic of a check again.
func (m *AmbientMonitor) Findings(record probes.Record) map[*Case]func() []reports.Finding {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.panicked != nil {
		panic(m.panicked)
	}
	m.update(runtime.GOMAXPROCS(0))
	found := map[*Case]func() []reports.Finding{}
	for _, w := range m.states {
		found[w.c] = func() []reports.Finding { return m.plan.ambientFindings(w, record, m.cut.Load()) }
	}
	for _, c := range m.plan.Cases {
		if c.Check.Ambient != nil && !c.Check.Watches() {
			found[c] = func() []reports.Finding { return m.plan.JudgeCase(c, record) }
		}
	}
	return found
}
