package model

import (
	"bytes"
	"slices"
	"sync"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// An Overwrite is a creation that succeeded under the identifier of an object of the run that was still there.
type Overwrite struct {
	First, Shown, Second, Taken probes.Observation // the creation of the first object, a read of it, the second creation, and a read after it
}

// overwrites are those of one record, found once for all operations.
type overwrites struct {
	mu sync.Mutex
	of int                  // requests in the record
	by map[string]Overwrite // the first one by CREATE operation
}

// OverwriteBy returns the first overwrite by a creation of this operation. An adapter may make a part of the identifier,
// or all of it: of many creations none may end under an identifier that another object has.
func (s Subject) OverwriteBy(record probes.Record) (t Overwrite, found bool) {
	known := &s.Adapter.overwrites
	known.mu.Lock()
	defer known.mu.Unlock()
	if known.by == nil || known.of != len(record.Observations) {
		known.by, known.of = s.findOverwrites(record), len(record.Observations)
	}
	t, found = known.by[s.Name]
	return t, found
}

func (f *Adapter) findOverwrites(record probes.Record) map[string]Overwrite {
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
	first := map[string]Overwrite{}
	for name, at := range made {
		for _, of := range at {
			t, found := f.overwrite(kinds[name], of, record)
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

// overwrite finds the first one among the creations of one identifier.
func (f *Adapter) overwrite(k gate.Kind, made []probes.Observation, record probes.Record) (t Overwrite, found bool) {
	if len(made) < 2 {
		return t, false
	}
	slices.SortFunc(made, func(a, b probes.Observation) int { return a.Sent.Seq - b.Sent.Seq })
	key := gate.Told(k, made[0])[0]
	var about []probes.Observation // in the order in which they were answered
	for o := range record.All() {
		if o.Probe.Conn == made[0].Probe.Conn && f.concerns(o, k, key) {
			about = append(about, o)
		}
	}
	slices.SortFunc(about, func(a, b probes.Observation) int { return a.Received.Seq - b.Received.Seq })
	for i := 1; i < len(made); i++ {
		t := Overwrite{First: made[i-1], Second: made[i]}
		t.look(f, k, key, about)
		if t.Shown.Sent.Seq > 0 && t.Taken.Sent.Seq > 0 {
			return t, true
		}
	}
	return t, false
}

// concerns reports whether a request reads an object by its identifier, may write it, or may remove anything: with its
// parent an object may go too, and a batch does not say what it does.
func (f *Adapter) concerns(o probes.Observation, k gate.Kind, key []probes.Value) bool {
	op, listed := f.Operation(o.Probe.Operation())
	switch {
	case o.Outcome == probes.Gone:
		return true
	case listed && op.Category == "READ":
		named, whole := k.KeyIn(probes.ValueOf(o.Probe.Params()))
		return whole && slices.EqualFunc(named, key, gate.SameOwn)
	case listed && (op.Category == "CREATE" || op.Category == "UPDATE"):
		return !slices.ContainsFunc(key, func(v probes.Value) bool { return !bytes.Contains(o.Probe.Arguments(), v.Raw()) })
	}
	return o.Probe.Tool != "" || o.Probe.Frame != nil
}

// look finds the last read that shows the first object before the second creation, with nothing between that may have
// removed it, and the first read after it that shows the second object alone.
func (t *Overwrite) look(f *Adapter, k gate.Kind, key []probes.Value, about []probes.Observation) {
	was, is := gate.MarkedIn(probes.ValueOf(t.First.Probe.Params()), f.Nonce), gate.MarkedIn(probes.ValueOf(t.Second.Probe.Params()), f.Nonce)
	for _, o := range about {
		op, listed := f.Operation(o.Probe.Operation())
		reads := listed && op.Category == "READ"
		switch {
		case o.Received.Seq <= t.First.Received.Seq, o.Sent.Seq == t.Second.Sent.Seq:
		case !reads && o.Sent.Seq < t.Second.Received.Seq:
			t.Shown = probes.Observation{}
		case !o.Succeeded():
		case o.Received.Seq < t.Second.Sent.Seq && gate.Shows(o, k, key, was):
			t.Shown = o
		case o.Sent.Seq > t.Second.Received.Seq && t.Taken.Sent.Seq == 0 && gate.Shows(o, k, key, is) && !gate.Shows(o, k, key, was):
			t.Taken = o
		}
	}
}
