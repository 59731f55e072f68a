package probes

import "github.com/aql-conform/aql-conform/probes/wire"

// settled is what all cells wait for that need not wait: a channel for each would take
// as much memory as a quarter of what it guards.
var settled = make(chan struct{})

func init() { close(settled) }

// settle lets all who wait for the cell go on.
func (e *Engine) settle(c *Kept, stored bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	done := c.whole.done
	c.whole.done = settled
	if stored {
		c.pack(&e.forms)
	}
	close(done)
	e.arrived = append(e.arrived, c)
}

// as returns the observation with the question as it was put.
func (k *Kept) as(p Probe) Observation {
	o := k.Observation()
	o.Probe = p
	return o
}

// How many bytes of exchanges an engine keeps the readings of, and how many it keeps in
// memory at all.
const (
	maxRead = 1 << 20
	maxHeld = 4 << 20
)

// shelve keeps of an observation what memory there is for. It reports whether it laid the bytes
// into the store, so that the observation can be packed.
func (e *Engine) shelve(k *Kept, payload []byte) (stored bool) {
	o := k.whole
	s, fresh := o.shelf.(*shelf)
	if !fresh {
		return false
	}
	if spare := o.Probe.sparing(s); spare.told != nil {
		o.Probe, s.held.payload = spare, payload
	}
	f := s.held
	o.plain = !mentionsSecrets(f.received) && len(wire.Credentials(payload)) == 0
	e.mu.Lock()
	e.kept += len(f.payload) + len(f.sent) + len(f.received)
	kept := e.kept
	e.mu.Unlock()
	if kept > maxRead {
		s.release()
	}
	if kept > maxHeld {
		s.put(e.store)
	}
	return kept > maxHeld
}
