package probes

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// An Asker answers probes: a live Engine, or a record of one.
type Asker interface {
	Ask(context.Context, Probe) Observation
}

// An Engine asks live adapters. Equal probes are asked once and share their
// observation; a connection is opened when it is first needed and reopened a few
// times when the adapter dies.
type Engine struct {
	targets  map[string]wire.Target
	rec      *wire.Recorder
	timeout  time.Duration
	jobs     int
	mu       sync.Mutex
	arrived  []*Kept // those that are settled, as they came
	sorted   []*Kept // the first of them, by key
	conns    map[string]*connection
	down     map[string]bool // faces over HTTP that have answered nothing since an exchange broke
	progress func(asked int)
	trace    func(Observation)
	bar      func(Probe) string
	gates    map[string]Gate // by face
	runner   Runner
	longest  time.Duration // pause that is made
	wait     func(context.Context, time.Duration)
	launches map[string]Launch // by the name of the connection that they are for
	begun    map[string]func(context.Context) error
	asked    int
	vain     atomic.Int32 // requests without an answer that got none when they were sent once more
	cured    atomic.Int32 // errors that passed
	kept     int          // bytes of exchanges so far
	store    *store
	forms    forms
	room     room
	pace     pace
	budget   budget
	large    large

	transcript *Transcript // nil: none is written
	recalled   *recalled   // nil: the engine asks
}

// NewEngine returns an engine that records into rec. timeout bounds each call;
// jobs bounds the tasks of the parallel lane.
func NewEngine(rec *wire.Recorder, timeout time.Duration, jobs int) *Engine {
	return &Engine{
		targets: map[string]wire.Target{}, rec: rec, timeout: timeout, jobs: max(jobs, 1),
		conns: map[string]*connection{}, down: map[string]bool{}, launches: map[string]Launch{}, begun: map[string]func(context.Context) error{}, gates: map[string]Gate{},
		store: &store{}, longest: defaultPause, wait: Sleep,
	}
}

// OnAsked sets a function that is called with the number of requests sent so far.
func (e *Engine) OnAsked(f func(asked int)) { e.progress = f }

// OnAnswered sets a function that is called with what became of each probe, once, as it
// comes; several may come at a time. It has to be set before the first is asked.
func (e *Engine) OnAnswered(f func(Observation)) { e.trace = f }

// Guard sets the gate of a face. It cannot be taken away. A face without one is asked
// nothing but handshakes, listings of tools and introspection.
func (e *Engine) Guard(face string, g Gate) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gates[face] = g
}

// Bar holds back, beside the gates, the probes that it gives a reason against. nil holds
// back none.
func (e *Engine) Bar(hold func(Probe) (why string)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.bar = hold
}

// Limit bounds how many calls are sent in a second, over all connections. It has to
// be set before the first one is opened.
func (e *Engine) Limit(perSecond float64) { e.pace.limit(perSecond) }

// Open adds a face and connects to it. The error is a *wire.StartError.
func (e *Engine) Open(ctx context.Context, face string, t wire.Target) error {
	e.mu.Lock()
	t.Kept = new(wire.Keeping)
	e.targets[face] = t
	e.mu.Unlock()
	if e.recalled != nil {
		return nil
	}
	if t.Revision == "" {
		return e.openNewest(ctx, face)
	}
	_, _, err := e.connect(ctx, face)
	return err
}

// Ask sends the probe, unless an equal one was sent before, and returns what
// became of it. It never fails: misbehaviour is an observation.
func (e *Engine) Ask(ctx context.Context, p Probe) Observation {
	if beside := passing(ctx); beside != nil && e.recalled == nil {
		return e.passBy(ctx, p, beside)
	}
	payload := p.Payload()
	buffer := buffers.Get().(*[]byte)
	key := p.appendKey((*buffer)[:0], payload)
	short := digestOf(key)
	e.mu.Lock()
	c, done := e.room.find(short), settled
	known := c != nil
	if !known {
		c = e.room.cell(short)
		c.whole = &whole{key: string(key), done: make(chan struct{})}
	}
	if c.whole != nil {
		done = c.whole.done
	}
	e.mu.Unlock()
	*buffer = key
	buffers.Put(buffer)
	if !known {
		o := e.pass(ctx, p.printedAs(payload))
		o.Probe.printed = nil                       // the shelf has it
		o.Exit = string(e.rec.Mask([]byte(o.Exit))) // a command's or a process's own words
		e.put(c, o, payload)
		return c.as(p)
	}
	select {
	case <-done:
		o := c.as(p)
		if e.recalled != nil {
			o.held = nil
			e.recallSpent(o)
		}
		return o
	case <-ctx.Done():
		return Observation{Probe: p, Outcome: Unasked}
	}
}

// Knows reports whether all probes were asked before, so that asking them sends nothing.
func (e *Engine) Knows(ps []Probe) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return !slices.ContainsFunc(ps, func(p Probe) bool { return e.room.find(digestOf(p.appendKey(nil, p.Payload()))) == nil })
}

func (e *Engine) ask(ctx context.Context, p Probe) Observation {
	if ctx.Err() != nil {
		return Observation{Probe: p, Outcome: Unasked, Exit: "interrupted"}
	}
	switch {
	case p.CommandName() != "":
		return e.command(ctx, p)
	case p.Method == pauseMethod:
		return e.pause(ctx, p)
	case p.Method == leaveMethod:
		return e.leave(p)
	case p.Method == heardMethod:
		return e.heard(p)
	case p.Method == webMethod:
		return e.web(ctx, p)
	}
	if p.Method == "initialize" && p.Frame == nil {
		return e.handshake(ctx, p)
	}
	if p.AtOnce {
		return e.once(ctx, p)
	}
	return e.pace.ask(ctx, func() Observation { return e.once(ctx, p) })
}

func (e *Engine) once(ctx context.Context, p Probe) Observation {
	c, conn, err := e.connect(ctx, p.Conn)
	if err != nil {
		return Observation{Probe: p, Outcome: Gone, Exit: err.Error()}
	}
	subject := p.Tool + " " + p.Operation()
	if why := c.givenUp(subject); why != "" {
		return Observation{Probe: p, Outcome: Unasked, Exit: why}
	}
	if err := e.pace.turn(ctx, p.AtOnce); err != nil {
		return Observation{Probe: p, Outcome: Unasked, Exit: "interrupted"}
	}
	defer e.large.enter(p.AtOnce)()
	if ctx.Err() != nil { // while it waited
		return Observation{Probe: p, Outcome: Unasked, Exit: "interrupted"}
	}
	if why := e.count(p); why != "" {
		return Observation{Probe: p, Outcome: Unasked, Exit: why}
	}
	before := c.enter()
	params := p.params()
	patience := c.patience(e.timeout, before) + time.Duration(len(params)>>20)*e.timeout/2 // megabytes take their time to be read
	if p.Within > 0 {
		patience = min(patience, p.Within)
	}
	call, cancel := lingering(ctx, patience)
	defer cancel()
	var reply wire.Reply
	if p.Frame != nil {
		reply = conn.Throw(call, p.Frame)
	} else {
		reply = conn.Ask(call, p.method(), params)
	}
	c.leave(reply, before)
	if reply.Class == wire.Silent && ctx.Err() != nil {
		return Observation{Probe: p, Outcome: Unasked, Exit: "interrupted", Sent: traceOf(reply.Sent)} // it may have been carried out
	}
	if passing(ctx) == nil { // many requests of a load meet one pause of the adapter
		c.note(subject, reply.Class)
	}
	size := len(reply.Received.Data)
	done := e.large.alone(size)
	o := Classify(p, reply)
	e.large.note(size, o, e.store)
	done()
	o.Late = o.HungUp() || e.late(p.Conn, reply.Class)
	return o
}

// maxLinger is how long the answer to a request that is on its way is waited for
// when the run is interrupted.
const maxLinger = time.Second

// lingering ends after the patience, or a moment after ctx: an answer that is about
// to come tells what was made, and so what has to be removed.
func lingering(ctx context.Context, patience time.Duration) (context.Context, context.CancelFunc) {
	call, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(maxLinger, cancel) })
	return call, func() { stop(); cancel() }
}

// count counts a request, or says why it must not be sent.
func (e *Engine) count(p Probe) (why string) {
	e.mu.Lock()
	if why = e.keptBack(p); why == "" {
		e.asked++
	}
	n, f := e.asked, e.progress
	e.mu.Unlock()
	if f != nil && why == "" {
		f(n)
	}
	return why
}

// Seal writes into the transcript what the connections said beside their answers.
// Nothing may be asked afterwards.
func (e *Engine) Seal() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.transcript == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(e.conns)) {
		strays, news := e.conns[name].beside()
		e.transcript.rest(name, strays, news)
	}
}

// Close ends every connection; it is bounded by the targets' grace.
func (e *Engine) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	var group sync.WaitGroup
	for _, t := range e.targets {
		group.Go(t.Spares.Close)
	}
	for _, c := range e.conns {
		if conn := c.current(); conn != nil {
			group.Go(func() { conn.Close() })
		}
	}
	group.Wait()
}
