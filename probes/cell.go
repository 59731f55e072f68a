package probes

import (
	"sync"

	"github.com/aql-conform/aql-conform/probes/wire"
)

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

// Keep adds an exchange of a load to the record and to the transcript, as if it had been asked with Ask.
// A known one is not added again.
func (e *Engine) Keep(o Observation) {
	payload := o.Probe.Payload()
	key := o.Probe.appendKey(nil, payload)
	e.mu.Lock()
	short := digestOf(key)
	if e.room.find(short) != nil {
		e.mu.Unlock()
		return
	}
	c := e.room.cell(short)
	c.whole = &whole{key: string(key), done: make(chan struct{})}
	e.mu.Unlock()
	e.put(c, o, payload)
}

// put stores an observation in its cell and writes it to the transcript and the trace.
func (e *Engine) put(c *Kept, o Observation, payload []byte) {
	c.keep(o)
	done := e.large.alone(o.Received.Size)
	if e.transcript != nil {
		e.transcript.answer(c.whole.Observation)
	}
	if e.trace != nil {
		e.trace(c.whole.Observation)
	}
	stored := e.shelve(c, payload)
	done()
	e.settle(c, stored)
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
	maxRead = 1 << 18
	maxHeld = 1 << 20
)

// shelve keeps of an observation what memory there is for. It reports whether it laid the bytes
// into the store, so that the observation can be packed.
func (e *Engine) shelve(k *Kept, payload []byte) (stored bool) {
	o := k.whole
	s, fresh := o.shelf.(*shelf)
	if !fresh {
		return false
	}
	if s.held == nil { // it is large
		s.held = s.frames()
	}
	if spare := o.Probe.sparing(s); spare.told != nil {
		o.Probe, s.held.payload = spare, payload
	}
	f := s.held
	large := len(f.received) > largeAnswer
	o.plain = !mentionsSecrets(f.received) && len(wire.Credentials(payload)) == 0
	e.mu.Lock()
	e.kept += len(f.payload) + len(f.sent) + len(f.received)
	kept := e.kept
	e.mu.Unlock()
	if kept > maxRead || large {
		s.release()
	}
	if kept > maxHeld || large {
		s.put(e.store)
	}
	return kept > maxHeld || large
}

// largeAnswer is the size in bytes from which on an answer is large: to take it apart needs several
// times its memory. largeAtOnce is how much of large answers an adapter is asked for at a time.
const (
	largeAnswer = 256 << 10
	largeAtOnce = 8 << 20
)

// large keeps the memory that large answers take within bounds: as many are on their way as fit into
// largeAtOnce, judged by the largest one so far, and one is taken apart at a time.
type large struct {
	one     sync.Mutex
	mu      sync.Mutex
	fewer   sync.Cond
	largest int // answer so far
	asked   int // requests on their way
}

// enter waits until a further answer has room. Requests that have to be on their way together wait for none.
func (l *large) enter(atOnce bool) (leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fewer.L = &l.mu
	for !atOnce && l.full() {
		l.fewer.Wait()
	}
	l.asked++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.asked--
		l.fewer.Broadcast()
	}
}

func (l *large) full() bool {
	return l.asked > 0 && l.largest > largeAnswer && (l.asked+1)*l.largest > largeAtOnce
}

// alone waits until no other large answer is taken apart.
func (l *large) alone(size int) (done func()) {
	if size <= largeAnswer {
		return func() {}
	}
	l.one.Lock()
	return l.one.Unlock
}

// note remembers how large answers are, and lets a large one go where memory does not count.
func (l *large) note(size int, o Observation, in *store) {
	l.mu.Lock()
	l.largest = max(l.largest, size)
	l.mu.Unlock()
	if s, fresh := o.shelf.(*shelf); fresh && size > largeAnswer {
		s.release()
		s.put(in)
	}
}
