package model

import (
	"slices"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A Takeover is a creation that succeeded under the identifier of an object of the run that was still there.
type Takeover struct {
	First, Shown, Second, Taken probes.Observation // the creation of the first object, a read of it, the second creation, and a read after it
}

// takeovers are those of one record, found once for all operations.
type takeovers struct {
	mu sync.Mutex
	of int                 // requests in the record
	by map[string]Takeover // the first one by CREATE operation
}

// TakeoverBy returns the first takeover by a creation of this operation. An adapter may make a part of the identifier,
// or all of it: of many creations none may end under an identifier that another object has.
func (s Subject) TakeoverBy(record probes.Record) (t Takeover, found bool) {
	known := &s.Adapter.takeovers
	known.mu.Lock()
	defer known.mu.Unlock()
	if known.by == nil || known.of != len(record.Observations) {
		known.by, known.of = s.findTakeovers(record), len(record.Observations)
	}
	t, found = known.by[s.Name]
	return t, found
}

func (f *Adapter) findTakeovers(record probes.Record) map[string]Takeover {
	kinds, made := map[string]gate.Kind{}, map[string]map[string][]probes.Observation{} // by operation and identifier
	for _, o := range f.Operations {
		if k, known := f.Rules.Kind(o.Name); known && o.Category == "CREATE" && len(k.Views) > 0 && !k.Listed() {
			kinds[o.Name], made[o.Name] = k, map[string][]probes.Observation{}
		}
	}
	for o := range record.All() {
		k, known := kinds[o.Probe.Operation()]
		if !known || !o.Succeeded() || o.Deferred() {
			continue
		}
		if keys := gate.Told(k, o); len(keys) == 1 {
			at := keyAt(o.Probe.Conn, keys[0])
			made[o.Probe.Operation()][at] = append(made[o.Probe.Operation()][at], o)
		}
	}
	first := map[string]Takeover{}
	for name, at := range made {
		for _, of := range at {
			t, found := f.takeover(kinds[name], of, record)
			if before, known := first[name]; found && (!known || t.Second.Sent.Seq < before.Second.Sent.Seq) {
				first[name] = t
			}
		}
	}
	return first
}

func keyAt(conn string, key []probes.Value) string {
	for _, v := range key {
		conn += "\x00" + v.Canonical(nil)
	}
	return conn
}

// takeover finds the first one among the creations of one identifier.
func (f *Adapter) takeover(k gate.Kind, made []probes.Observation, record probes.Record) (t Takeover, found bool) {
	if len(made) < 2 {
		return t, false
	}
	slices.SortFunc(made, func(a, b probes.Observation) int { return a.Sent.Seq - b.Sent.Seq })
	key := gate.Told(k, made[0])[0]
	var about []probes.Observation // in the order in which they were answered
	for o := range record.All() {
		named, whole := k.KeyIn(probes.ValueOf(o.Probe.Params()))
		if ended := o.Outcome == probes.Gone; o.Probe.Conn == made[0].Probe.Conn && (ended || whole && slices.EqualFunc(named, key, gate.SameOwn)) {
			about = append(about, o)
		}
	}
	slices.SortFunc(about, func(a, b probes.Observation) int { return a.Received.Seq - b.Received.Seq })
	for i := 1; i < len(made); i++ {
		t := Takeover{First: made[i-1], Second: made[i]}
		t.look(f, k, key, about)
		if t.Shown.Sent.Seq > 0 && t.Taken.Sent.Seq > 0 {
			return t, true
		}
	}
	return t, false
}

// look finds the last read that shows the first object before the second creation, with no write to it since, and the
// first one after it that shows the second object alone.
func (t *Takeover) look(f *Adapter, k gate.Kind, key []probes.Value, about []probes.Observation) {
	was, is := gate.MarkedIn(probes.ValueOf(t.First.Probe.Params()), f.Nonce), gate.MarkedIn(probes.ValueOf(t.Second.Probe.Params()), f.Nonce)
	for _, o := range about {
		op, _ := f.Operation(o.Probe.Operation())
		read := op.Category == "READ" && o.Succeeded()
		switch {
		case o.Received.Seq < t.First.Received.Seq:
		case o.Received.Seq < t.Second.Sent.Seq && read && gate.Shows(o, k, key, was):
			t.Shown = o
		case o.Received.Seq < t.Second.Sent.Seq && op.Category != "READ":
			t.Shown = probes.Observation{} // it may have gone since
		case o.Sent.Seq > t.Second.Received.Seq && read && t.Taken.Sent.Seq == 0 && gate.Shows(o, k, key, is) && !gate.Shows(o, k, key, was):
			t.Taken = o
		}
	}
}
