package probes

// settled is what all cells wait for that need not wait: a channel for each would take
// as much memory as a quarter of what it guards.
var settled = make(chan struct{})

func init() { close(settled) }

// settle lets all who wait for the cell go on.
func (e *Engine) settle(c *Kept) {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(c.done)
	c.done = settled
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

// shelve keeps of an observation what memory there is for.
func (e *Engine) shelve(k *Kept, payload []byte) {
	o := k.whole
	s, fresh := o.shelf.(*shelf)
	if !fresh {
		return
	}
	if spare := o.Probe.sparing(s); spare.told != nil {
		o.Probe, s.held.payload = spare, payload
	}
	f := s.held
	k.plain = !mentionsConfirmation(f.received)
	e.mu.Lock()
	e.kept += len(f.payload) + len(f.sent) + len(f.received)
	kept := e.kept
	e.mu.Unlock()
	if kept > maxRead {
		s.release()
	}
	if kept > maxHeld {
		s.put(e.store)
		e.mu.Lock()
		defer e.mu.Unlock()
		k.pack(&e.forms)
	}
}
