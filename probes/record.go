package probes

import (
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// A Record is all that a run has observed.
type Record struct {
	Observations []*Observation     // ordered by probe key
	Keys         []string           // of the observations
	Strays       map[string][]Frame // messages that answered nothing, by connection
	News         map[string][]Frame // notifications and requests of the peer, by connection
	Asked        int                // requests sent
}

// All yields the observations, ordered by probe key.
func (r Record) All() iter.Seq[Observation] {
	return func(yield func(Observation) bool) {
		for _, o := range r.Observations {
			if !yield(*o) {
				return
			}
		}
	}
}

// A Frame is one recorded message.
type Frame = wire.Frame

// Overtime reports whether the deadline has passed. That it had, for the n-th thing
// of that name, is part of the record: whoever judges the run again stops there too.
func (e *Engine) Overtime(deadline time.Time, name string, n int) bool {
	p := Request("", overtimeMethod+name, nil).Numbered(n)
	e.mu.Lock()
	defer e.mu.Unlock()
	_, known := e.cells[p.Key()]
	if known || e.recalled != nil || time.Now().Before(deadline) {
		return known
	}
	c := &cell{done: settled, obs: Observation{Probe: p, Outcome: Unasked, Exit: "no time left"}}
	e.cells[p.Key()] = c
	if e.transcript != nil {
		e.transcript.Add(Entry{Kind: "answer", Answer: written(c.obs, e.transcript.mask)})
	}
	return true
}

// overtimeMethod marks what is no probe but the end of the time for some.
const overtimeMethod = "$overtime/"

// Record returns what was observed so far.
func (e *Engine) Record() Record {
	r, conns := e.settled()
	for name, c := range conns { // which may be busy connecting: nobody else waits for that
		r.Strays[name], r.News[name] = c.beside()
	}
	return r
}

// settled is the record without what the connections said beside.
func (e *Engine) settled() (r Record, conns map[string]*connection) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r = Record{Strays: map[string][]Frame{}, News: map[string][]Frame{}, Asked: e.asked}
	keys := make([]string, 0, len(e.cells))
	for k := range e.cells {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	r.Observations, r.Keys = make([]*Observation, 0, len(keys)), keys[:0] // what is not settled falls out
	for _, k := range keys {
		select {
		case <-e.cells[k].done:
			r.Observations, r.Keys = append(r.Observations, e.Shown(e.cells[k].obs).Held()), append(r.Keys, k)
		default:
		}
	}
	if e.recalled != nil {
		r.Strays, r.News = e.recalled.strays, e.recalled.news
		return r, nil
	}
	return r, maps.Clone(e.conns)
}
