package model

import (
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// A Takeover is a creation that succeeded under the identifier of an object of the run that was still there.
type Takeover struct {
	Maker                        Subject
	Shown, Second, Taken, Before probes.Observation // the first object in the last read before, the creation, a read after it, and the creation of the first
}

// creations of one kind, by what each of them told as the identifier of the new object.
type creations struct {
	kind gate.Kind
	made map[string][]probes.Observation
}

// Takeovers finds the creations in a record that took the place of another object. ok is false where no two objects
// of one kind were made.
func (f *Adapter) Takeovers(record probes.Record) (found []Takeover, ok bool) {
	by := map[string]*creations{}
	for _, o := range f.Operations {
		if k, known := f.Rules.Kind(o.Name); known && o.Category == "CREATE" && len(k.Views) > 0 && !k.Listed() {
			by[o.Name] = &creations{k, map[string][]probes.Observation{}}
		}
	}
	for o := range record.All() {
		c := by[o.Probe.Operation()]
		if c == nil || !o.Succeeded() || o.Deferred() {
			continue
		}
		keys := gate.Told(c.kind, o)
		if len(keys) != 1 {
			continue
		}
		at := keyAt(o.Probe.Conn, keys[0])
		c.made[at] = append(c.made[at], o)
		ok = ok || len(c.made) > 1
	}
	for _, o := range f.Operations {
		if c := by[o.Name]; c != nil {
			for _, made := range c.made {
				found = append(found, f.takenOver(Subject{Adapter: f, Name: o.Name, Op: o}, c.kind, made, record)...)
			}
		}
	}
	slices.SortFunc(found, func(a, b Takeover) int { return a.Second.Sent.Seq - b.Second.Sent.Seq })
	return found, ok
}

func keyAt(conn string, key []probes.Value) string {
	for _, v := range key {
		conn += "\x00" + v.Canonical(nil)
	}
	return conn
}

// takenOver finds the takeovers among the creations of one identifier.
func (f *Adapter) takenOver(maker Subject, k gate.Kind, made []probes.Observation, record probes.Record) (found []Takeover) {
	if len(made) < 2 {
		return nil
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
		first, second := made[i-1], made[i]
		was, is := gate.MarkedIn(probes.ValueOf(first.Probe.Params()), f.Nonce), gate.MarkedIn(probes.ValueOf(second.Probe.Params()), f.Nonce)
		t := Takeover{Maker: maker, Before: first, Second: second}
		for _, o := range about {
			op, _ := f.Operation(o.Probe.Operation())
			read := op.Category == "READ" && o.Succeeded()
			switch {
			case o.Received.Seq < first.Received.Seq:
			case o.Received.Seq < second.Sent.Seq && read && gate.Shows(o, k, key, was):
				t.Shown = o
			case o.Received.Seq < second.Sent.Seq && op.Category != "READ":
				t.Shown = probes.Observation{} // it may have gone since
			case o.Sent.Seq > second.Received.Seq && read && t.Taken.Sent.Seq == 0:
				if gate.Shows(o, k, key, is) && !gate.Shows(o, k, key, was) {
					t.Taken = o
				}
			}
		}
		if t.Shown.Sent.Seq > 0 && t.Taken.Sent.Seq > 0 {
			found = append(found, t)
		}
	}
	return found
}
