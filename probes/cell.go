package probes

type cell struct {
	key  string        // of the probe
	done chan struct{} // closed when obs is there
	obs  Observation
}

// keep puts what became of a probe into its cell.
func (c *cell) keep(o Observation) {
	c.obs = o
	c.obs.held = c
}

// settled is what all cells wait for that need not wait: a channel for each would take
// as much memory as a quarter of what it guards.
var settled = make(chan struct{})

func init() { close(settled) }

// settle lets all who wait for the cell go on.
func (e *Engine) settle(c *cell) {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(c.done)
	c.done = settled
	e.arrived = append(e.arrived, c)
}

// as returns the observation with the question as it was put.
func (c *cell) as(p Probe) Observation {
	o := c.obs
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
func (e *Engine) shelve(o *Observation, payload []byte) {
	if o.shelf == nil {
		return
	}
	if spare := o.Probe.sparing(o.shelf); spare.told != nil {
		o.Probe, o.shelf.held.payload = spare, payload
	}
	f := o.shelf.held
	e.mu.Lock()
	e.kept += len(f.payload) + len(f.sent) + len(f.received)
	kept := e.kept
	e.mu.Unlock()
	if kept > maxRead {
		o.shelf.release()
	}
	if kept > maxHeld {
		o.shelf.put(e.store)
	}
}
