package plan

import (
	"runtime"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// An AmbientMonitor shows each reply of a run to the ambient checks, once: while the run goes on,
// or when it is over, which comes to the same.
type AmbientMonitor struct {
	plan    *Plan
	made    map[*Case]*monitorState
	shown   map[string]bool // by probe key
	looking sync.Mutex
	trouble any // what a check panicked with in a glance
}

func (p *Plan) NewAmbientMonitor() *AmbientMonitor {
	l := &AmbientMonitor{plan: p, made: map[*Case]*monitorState{}, shown: map[string]bool{}}
	for _, c := range p.Cases {
		if c.Check.Watch != nil {
			l.made[c] = newMonitorState(c)
		}
	}
	return l
}

// Poll shows what came since the last time, beside whatever goes on; nothing where a
// glance is not over yet. It leaves a processor to those who ask and answer.
func (l *AmbientMonitor) Poll(record func() probes.Record) {
	if !l.looking.TryLock() {
		return
	}
	go func() {
		defer l.looking.Unlock()
		defer func() { // what goes wrong is kept until the findings are asked for
			if r := recover(); r != nil {
				l.trouble = r
			}
		}()
		l.Show(record(), max(1, runtime.GOMAXPROCS(0)-1))
	}()
}

// Settle returns when no glance goes on any more.
func (l *AmbientMonitor) Settle() {
	l.looking.Lock()
	defer l.looking.Unlock()
}

// Show shows what came since the last time. Each reply is taken apart once and shown to
// all checks; so many stretches of the record are looked at side by side.
func (l *AmbientMonitor) Show(record probes.Record, stretches int) {
	var fresh []reply
	for n, key := range record.Keys {
		if !l.shown[key] {
			l.shown[key] = true
			fresh = append(fresh, reply{key, record.Observations[n]})
		}
	}
	parts := make([]map[*Case]*monitorState, min(stretches, len(fresh)))
	probes.SideBySide(len(parts), len(parts), func(i int) {
		parts[i] = map[*Case]*monitorState{}
		for c := range l.made {
			parts[i][c] = newMonitorState(c)
		}
		for _, s := range fresh[len(fresh)*i/len(parts) : len(fresh)*(i+1)/len(parts)] {
			pin := s.of.Pin()
			for _, w := range parts[i] {
				w.see(s)
			}
			runtime.KeepAlive(pin)
		}
	})
	for _, part := range parts {
		for c, w := range part {
			l.made[c].join(w)
		}
	}
}

// Findings shows the rest of the record, and returns what makes the findings of each
// ambient check. A panic of a check is passed on.
func (l *AmbientMonitor) Findings(record probes.Record) map[*Case]func() []reports.Finding {
	l.looking.Lock()
	defer l.looking.Unlock()
	if l.trouble != nil {
		panic(l.trouble)
	}
	l.Show(record, runtime.GOMAXPROCS(0))
	found := map[*Case]func() []reports.Finding{}
	for _, c := range l.plan.Cases {
		if w, watches := l.made[c]; watches {
			found[c] = func() []reports.Finding { return l.plan.watched(w, record) }
		} else if c.Check.Ambient() {
			found[c] = func() []reports.Finding { return l.plan.JudgeCase(c, record) }
		}
	}
	return found
}
