package probes

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// A Record is all that a run has observed.
type Record struct {
	Observations []*Kept            // ordered by probe key
	Strays       map[string][]Frame // messages that answered nothing, by connection
	News         map[string][]Frame // notifications and requests of the peer, by connection
	Asked        int                // requests sent
}

// All yields the observations, ordered by probe key.
func (r Record) All() iter.Seq[Observation] {
	return func(yield func(Observation) bool) {
		for _, o := range r.Observations {
			if !yield(o.Observation()) {
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
	key := digestOf([]byte(overtimeProbe(name, n).Key()))
	e.mu.Lock()
	defer e.mu.Unlock()
	known := e.room.find(key) != nil
	if known || e.recalled != nil || time.Now().Before(deadline) {
		return known
	}
	c := e.room.cell(key)
	c.step, c.number = e.forms.step(name), int32(n)
	e.arrived = append(e.arrived, c)
	if e.transcript != nil {
		e.transcript.Add(Entry{Kind: "answer", Answer: written(c.Observation(), e.transcript.mask)})
	}
	return true
}

// overtime is the observation that the time for the n-th thing of a name was over.
func overtime(name string, n int) Observation {
	return Observation{Probe: overtimeProbe(name, n), Outcome: Unasked, Exit: "no time left"}
}

func overtimeProbe(name string, n int) Probe {
	return Request("", overtimeMethod+name, nil).Numbered(n)
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
	r.Observations = e.shown(e.inOrder())
	if e.recalled != nil {
		r.Strays, r.News = e.recalled.strays, e.recalled.news
		return r, nil
	}
	return r, maps.Clone(e.conns)
}

// inOrder returns what is settled, by key.
func (e *Engine) inOrder() []*Kept {
	if len(e.sorted) < len(e.arrived) {
		e.sorted = inKeyOrder(e.sorted, e.arrived[len(e.sorted):])
	}
	return e.sorted
}

// Since returns what was observed after the first so many observations, in the order in
// which it came.
func (e *Engine) Since(n int) []*Kept {
	e.mu.Lock()
	cells := e.arrived[n:]
	e.mu.Unlock()
	return e.shown(cells)
}

// shown returns the observations as a judge may see them.
func (e *Engine) shown(cells []*Kept) []*Kept {
	if !e.rec.Masks() {
		return cells
	}
	all := slices.Clone(cells)
	for i, c := range cells {
		if masked := e.Shown(c.Observation()); masked.held == nil {
			all[i] = &Kept{whole: &whole{key: c.Key()}}
			all[i].keep(masked)
		}
	}
	return all
}

// callHead begins the payload of most calls, before the name of the operation.
const callHead = `{"arguments":{"operation":"`

// headOf returns the beginning of a key, to the end of the name of the operation. Two keys with
// different heads have the order of their heads: no head begins another one, unless it is a whole key.
func headOf(key string) string {
	_, rest, _ := strings.Cut(key, "\x00") // the connection
	_, payload, _ := strings.Cut(rest, "\x00")
	n := min(len(payload), len(callHead))
	if name, isCall := strings.CutPrefix(payload, callHead); isCall {
		if n = len(payload); strings.Contains(name, `"`) {
			n = len(callHead) + strings.Index(name, `"`) + 1
		}
	}
	return key[:len(key)-len(payload)+n]
}

func (k *Kept) head() string {
	if k.form != nil {
		return k.form.head
	}
	return headOf(k.Key())
}

// inKeyOrder returns all observations by probe key. The sorted ones are in this order already. The
// keys of packed observations are in the store, so only those of one head are in memory at a time.
func inKeyOrder(sorted, fresh []*Kept) []*Kept {
	type group struct {
		all   []*Kept
		fresh bool
	}
	groups := map[string]*group{}
	for i, some := range [][]*Kept{sorted, fresh} {
		for _, k := range some {
			head := k.head()
			g := groups[head]
			if g == nil {
				g = &group{}
				groups[head] = g
			}
			g.all, g.fresh = append(g.all, k), i == 1
		}
	}
	all := make([]*Kept, 0, len(sorted)+len(fresh))
	for _, head := range slices.Sorted(maps.Keys(groups)) {
		if g := groups[head]; g.fresh {
			sortByKey(g.all)
		}
		all = append(all, groups[head].all...)
	}
	return all
}

// sortByKey sorts by keys that are read once.
func sortByKey(all []*Kept) {
	type keyed struct {
		key string
		of  *Kept
	}
	keys := make([]keyed, len(all))
	for i, k := range all {
		keys[i] = keyed{k.Key(), k}
	}
	slices.SortStableFunc(keys, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	for i, k := range keys {
		all[i] = k.of
	}
}
