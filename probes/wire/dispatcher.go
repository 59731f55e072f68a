package wire

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Caps of what a dispatcher keeps beside the record.
const (
	maxStrays    = 1000
	maxNews      = 1000
	maxNoise     = 2 << 10 // of unreadable output, for StartError
	maxQuestions = 64      // requests of the peer that wait for our answer
	maxID        = 1 << 10 // of an id of the peer that is answered or named
)

// The states of an id that we sent out.
type state int

const (
	waiting   state = iota // somebody waits for the answer
	abandoned              // nobody waits any more; an answer would be late
	answered
)

// A call is one request of ours. Its channel takes exactly one delivery.
type call struct {
	id     string // exact text; empty for a thrown frame
	status int    // of HTTP, once known
	state  state
	answer chan delivery
	heard  chan struct{} // of a thrown frame: signals that held was set
	held   *delivery     // an unreadable line, or the answer to a message behind the frame; the answer may follow
	mute   bool          // a thrown notification, to which there is no answer
	late   bool          // its answer came when nobody waited any more
	lent   bool          // the answer to a message behind the frame was taken for its own
}

// spent stands for every call that has its answer, so that a long run does not
// keep them all.
var spent = &call{state: answered}

// A delivery is an answer on its way to whoever waits for it.
type delivery struct {
	frame Frame
	env   envelope
	class Class

	status int    // of HTTP
	after  string // Retry-After of HTTP
	exit   string // for Gone
}

// A dispatcher hands each message that comes in over one stream to whoever
// waits for it, and keeps what nobody waits for. It never blocks its reader.
type dispatcher struct {
	name string
	rec  *Recorder

	mu     sync.Mutex
	last   int
	calls  map[string]*call // by the exact text of the id
	thrown *call            // takes what nobody else claims
	behind map[string]*call // thrown frames by the ids of the messages behind them
	owing  bool             // a frame was thrown, or nobody waits for its answer any more: one may still come
	strays []Frame
	news   []Frame // what the peer said unasked
	noise  []byte

	questions chan []byte // our answers to requests of the peer
	gone      chan struct{}
	exit      string // how the peer ended; set before gone is closed
	once      sync.Once
}

func newDispatcher(name string, rec *Recorder) *dispatcher {
	return &dispatcher{name: name, rec: rec, calls: map[string]*call{}, behind: map[string]*call{},
		questions: make(chan []byte, maxQuestions), gone: make(chan struct{})}
}

// event notes something that happened to the connection.
func (d *dispatcher) event(format string, args ...any) {
	d.rec.Add(d.name, Event, nil, fmt.Sprintf(format, args...))
}

// ownID is the n-th id of our own.
func ownID(n int) string { return ownPrefix + strconv.Itoa(n) + `"` }

const ownPrefix = `"aql-`

// nextID returns an id of our own. It is a string, so it cannot meet the
// integers of the go-sdk session on the same connection.
func (d *dispatcher) nextID() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	return ownID(d.last)
}

// own reports whether an id is one that nextID has given.
func (d *dispatcher) own(id string) bool {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(id, ownPrefix), `"`))
	return err == nil && 0 < n && n <= d.last && id == ownID(n)
}

// callOf returns the call of an id; nil for one that nobody sent out. What is done with
// and was ours need not be remembered.
func (d *dispatcher) callOf(id string) *call {
	if c := d.calls[id]; c != nil {
		return c
	}
	if d.own(id) {
		return spent
	}
	return nil
}

// expect registers a request under the exact text of its id.
func (d *dispatcher) expect(id string) *call {
	c := &call{id: id, answer: make(chan delivery, 1)}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls[id] = c
	return c
}

// throw registers a frame whose answer may not be told by its id. The ids that
// the frame itself carries are remembered, so that a late answer is no stray.
// So are those of the messages behind it: their answers may come after the next
// frame was thrown, and are not its.
func (d *dispatcher) throw(ids, behind []string) *call {
	c := &call{answer: make(chan delivery, 1), heard: make(chan struct{}, 1)}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.thrown = c
	for _, id := range behind {
		d.behind[id] = c
	}
	for i, id := range ids {
		switch {
		case id == "null": // carried by every answer that belongs to nobody
		case i == 0:
			d.calls[id] = c
		default: // one exchange has one answer; those to the rest of a batch are late
			d.calls[id] = &call{state: abandoned}
		}
	}
	return c
}

// owe notes that answers may come that carry no id and are not for the request in flight.
func (d *dispatcher) owe() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.owing = true
}

// abandon ends the wait for a call with otherwise, unless an answer came in the
// very last moment.
func (d *dispatcher) abandon(c *call, otherwise delivery) delivery {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case got := <-c.answer:
		return got
	default:
	}
	if c.state == waiting {
		c.state, d.owing = abandoned, true
	}
	d.release(c)
	otherwise.status = c.status
	return otherwise
}

// take ends the wait for a thrown frame with the unreadable line that was held
// for it, unless an answer came meanwhile.
func (d *dispatcher) take(c *call) delivery {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case got := <-c.answer:
		return got
	default:
	}
	got := *c.held
	c.held, c.state, c.lent = nil, answered, d.answersBehind(c, c.held.env)
	d.release(c)
	return got
}

// release ends the exclusive claim of a call, if it has it. What was held for
// it and not taken answered nothing, or a message behind it.
func (d *dispatcher) release(c *call) {
	if d.thrown == c {
		d.thrown = nil
	}
	if c.held != nil {
		why := unreadable
		if d.answersBehind(c, c.held.env) {
			why = c.held.env.fault()
		}
		d.stray(c.held.frame, nil, why)
		c.held = nil
	}
}

// conclude ends the wait for a call with what became of it, unless it has ended.
func (d *dispatcher) conclude(c *call, got delivery) {
	if c == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if c.state == waiting {
		d.deliver(c, got)
	}
}

// over reports whether nobody waits for a call, or ever did.
func (d *dispatcher) over(c *call) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return c == nil || c.state != waiting
}

func (d *dispatcher) setStatus(c *call, status int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c != nil {
		c.status = status
	}
}

// deliver ends the wait for a call.
func (d *dispatcher) deliver(c *call, got delivery) {
	if c == d.thrown && got.env.valid && got.env.array {
		got.class = Answered // a batch was asked, a batch may answer
	}
	if got.status == 0 {
		got.status = c.status
	}
	c.state = answered
	c.answer <- got
	d.release(c)
	switch {
	case d.own(c.id):
		delete(d.calls, c.id)
	case c.id != "":
		d.calls[c.id] = spent
	}
}

// end marks the peer as gone, for the first reason given.
func (d *dispatcher) end(exit string) {
	d.once.Do(func() {
		d.exit = exit
		close(d.gone)
	})
}

func (d *dispatcher) alive() bool {
	select {
	case <-d.gone:
		return false
	default:
		return true
	}
}
