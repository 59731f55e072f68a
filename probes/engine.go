package probes

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// An Asker answers probes: a live Engine, or a record of one.
type Asker interface {
	Ask(context.Context, Probe) Observation
}

// A Lane says what may be in flight beside a task.
type Lane int

// The lanes, in the order in which they run.
const (
	Parallel   Lane = iota // read-only questions, many at once
	Serial                 // scenarios that change state, in order
	Exclusive              // requests that may confuse an adapter: last, nothing else in flight
	Disposable             // questions that may kill the adapter: a process of their own
)

// A Task is one piece of asking in a lane.
type Task struct {
	Lane Lane
	Do   func(context.Context)
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
	cells    map[string]*cell
	conns    map[string]*connection
	down     map[string]bool // faces over HTTP that have answered nothing since an exchange broke
	progress func(asked int)
	gate     func(Probe) string
	runner   Runner
	longest  time.Duration // pause that is made
	wait     func(context.Context, time.Duration)
	launches map[string]Launch // by the name of the connection that they are for
	begun    map[string]func(context.Context) error
	asked    int
	kept     int // bytes of exchanges so far
	store    *store
	pace     pace

	transcript *Transcript // nil: none is written
	recalled   *recalled   // nil: the engine asks
}

type cell struct {
	done chan struct{} // closed when obs is there
	obs  Observation
}

// settled is what all cells wait for that need not wait: a channel for each would take
// as much memory as a quarter of what it guards.
var settled = make(chan struct{})

func init() { close(settled) }

type connection struct {
	mu       sync.Mutex
	conn     wire.Conn
	err      error
	opened   int
	past     []wire.Conn
	waiting  int            // requests in flight
	pace     time.Duration  // what one request takes of the adapter's time, on average
	silences int            // in a row, over all operations
	hung     map[string]int // silences by operation
}

// Limits on what a dying or hanging adapter may cost the run.
const (
	maxOpens      = 4 // starts of one connection
	maxSilences   = 5 // unanswered requests in a row before a connection is given up
	maxOpSilences = 2 // unanswered requests before one operation is given up
	defaultPause  = 10 * time.Second
	maxPatience   = 4 // times the timeout, for requests that queue behind others
)

// NewEngine returns an engine that records into rec. timeout bounds each call;
// jobs bounds the tasks of the parallel lane.
func NewEngine(rec *wire.Recorder, timeout time.Duration, jobs int) *Engine {
	return &Engine{
		targets: map[string]wire.Target{}, rec: rec, timeout: timeout, jobs: max(jobs, 1),
		cells: map[string]*cell{}, conns: map[string]*connection{}, down: map[string]bool{}, launches: map[string]Launch{}, begun: map[string]func(context.Context) error{},
		store: &store{}, longest: defaultPause, wait: Sleep,
	}
}

// OnAsked sets a function that is called with the number of requests sent so far.
func (e *Engine) OnAsked(f func(asked int)) { e.progress = f }

// Bar sets a gate that every probe passes before anything is sent. A probe that
// the gate gives a reason against is not sent: it becomes an Unasked observation
// with that reason. nil opens the gate again.
func (e *Engine) Bar(gate func(Probe) (why string)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gate = gate
}

// Limit bounds how many calls are sent in a second, over all connections. It has to
// be set before the first one is opened.
func (e *Engine) Limit(perSecond float64) { e.pace.limit(perSecond) }

// Open adds a face and connects to it. The error is a *wire.StartError.
func (e *Engine) Open(ctx context.Context, face string, t wire.Target) error {
	e.mu.Lock()
	e.targets[face] = t
	e.mu.Unlock()
	if e.recalled != nil {
		return nil
	}
	_, _, err := e.connect(ctx, face)
	return err
}

// Ask sends the probe, unless an equal one was sent before, and returns what
// became of it. It never fails: misbehaviour is an observation.
func (e *Engine) Ask(ctx context.Context, p Probe) Observation {
	payload := p.Payload()
	key := p.keyOf(payload)
	e.mu.Lock()
	c, known := e.cells[key]
	if !known {
		c = &cell{done: make(chan struct{})}
		e.cells[key] = c
	}
	gate, done := e.gate, c.done
	e.mu.Unlock()
	if !known {
		c.obs = e.pass(ctx, p, gate)
		c.obs.Exit = string(e.rec.Mask([]byte(c.obs.Exit))) // a command's or a process's own words
		c.obs.held = &c.obs
		if e.transcript != nil {
			e.transcript.answer(c.obs)
		}
		e.shelve(&c.obs, payload)
		e.settle(c)
		return c.as(p)
	}
	select {
	case <-done:
		o := c.as(p)
		if e.recalled != nil {
			o.held = nil
		}
		return o
	case <-ctx.Done():
		return Observation{Probe: p, Outcome: Unasked}
	}
}

// settle lets all who wait for the cell go on.
func (e *Engine) settle(c *cell) {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(c.done)
	c.done = settled
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

// pass asks what the gate lets through.
func (e *Engine) pass(ctx context.Context, p Probe, gate func(Probe) string) Observation {
	if e.recalled != nil {
		return Observation{Probe: p, Outcome: Unasked, Exit: "not in the transcript"}
	}
	if gate != nil {
		if why := gate(p); why != "" {
			return Observation{Probe: p, Outcome: Unasked, Exit: why}
		}
	}
	return e.ask(ctx, p)
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
	if err := e.pace.turn(ctx); err != nil {
		return Observation{Probe: p, Outcome: Unasked, Exit: "interrupted"}
	}
	e.count()
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
		return Observation{Probe: p, Outcome: Unasked, Exit: "interrupted"}
	}
	c.note(subject, reply.Class)
	o := Classify(p, reply)
	o.Late = e.late(p.Conn, reply.Class)
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

func (e *Engine) count() {
	e.mu.Lock()
	e.asked++
	n, f := e.asked, e.progress
	e.mu.Unlock()
	if f != nil {
		f(n)
	}
}

// handshake presents the handshake of a connection as the answer to a probe, so
// that a judge reads it like any other.
func (e *Engine) handshake(ctx context.Context, p Probe) Observation {
	_, conn, err := e.connect(ctx, p.Conn)
	if err != nil {
		return Observation{Probe: p, Outcome: Gone, Exit: err.Error()}
	}
	hello := conn.Hello()
	o := Classify(p, wire.Reply{Class: wire.Answered, Sent: hello.Asked, Received: hello.Answer})
	o.Session = hello.Session
	return o
}

// connect returns the named connection, opened if need be, and what it is connected
// through now: another task may soon replace that. A name is a face or
// a face and a label: "main/2"; a label "rev=R" asks for MCP revision R, one that
// begins with "client=N" gives the name N to the server, and some labels ask for a
// launch of their own.
func (e *Engine) connect(ctx context.Context, name string) (*connection, wire.Conn, error) {
	target, err := e.targetOf(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	e.mu.Lock()
	c := e.conns[name]
	if c == nil {
		c = &connection{hung: map[string]int{}}
		e.conns[name] = c
	}
	e.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil && c.conn.Alive() {
		return c, c.conn, nil
	}
	if c.err != nil || c.opened == maxOpens {
		if c.err == nil {
			words := e.rec.Mask([]byte(c.conn.Stderr())) // before the cut, which may leave half a secret
			c.err = fmt.Errorf("adapter died %d times; last words: %.300s", c.opened, words)
		}
		return nil, nil, c.err
	}
	if c.conn != nil {
		c.past = append(c.past, c.conn)
		c.conn.Close()
	}
	c.opened++
	_ = e.pace.turn(ctx) // the handshake is a call too; Open finds out that ctx is over
	conn, err := wire.Open(ctx, target, name, e.rec)
	if err != nil {
		c.err = err
		return nil, nil, err
	}
	c.conn = conn
	if e.transcript != nil {
		e.transcript.Add(Entry{Kind: "hello", Hello: helloEntry(name, conn.Hello())})
	}
	return c, conn, nil
}

// current is what the connection goes through now; nil before it is first opened.
func (c *connection) current() wire.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn
}

// enter counts a request in and returns how many were in flight before it.
func (c *connection) enter() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting++
	return c.waiting - 1
}

// leave counts a request out and learns the adapter's pace from its answer.
func (c *connection) leave(r wire.Reply, before int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting--
	if r.Class != wire.Answered {
		return
	}
	took := r.Elapsed / time.Duration(before+1)
	if c.pace == 0 {
		c.pace = took
	}
	c.pace += (took - c.pace) / 8
}

// patience is the timeout of a request plus what those before it may take: an
// adapter that works one by one is slow, not silent.
func (c *connection) patience(timeout time.Duration, before int) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return min(timeout+2*time.Duration(before)*c.pace, maxPatience*timeout)
}

func (c *connection) givenUp(subject string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.silences >= maxSilences:
		return "the adapter stopped answering"
	case c.hung[subject] >= maxOpSilences:
		return "the operation did not answer before"
	}
	return ""
}

func (c *connection) note(subject string, class wire.Class) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if class != wire.Silent {
		c.silences = 0
		return
	}
	c.silences++
	c.hung[subject]++
}

// Run does the tasks, lane after lane: the parallel ones jobs at a time, all
// others one by one in the order given.
func (e *Engine) Run(ctx context.Context, tasks []Task) {
	var group sync.WaitGroup
	slots, trouble := make(chan struct{}, e.jobs), make(chan any, 1)
	for _, t := range tasks {
		if t.Lane != Parallel {
			continue
		}
		slots <- struct{}{}
		group.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					select {
					case trouble <- r:
					default:
					}
				}
				<-slots
			}()
			t.Do(ctx)
		})
	}
	group.Wait()
	select {
	case r := <-trouble:
		panic(r) // where the caller can close the adapter before it gives up
	default:
	}
	for lane := Serial; lane <= Disposable; lane++ {
		for _, t := range tasks {
			if t.Lane == lane {
				t.Do(ctx)
			}
		}
	}
}

// A Record is all that a run has observed.
type Record struct {
	Observations []*Observation     // ordered by probe key
	Strays       map[string][]Frame // messages that answered nothing, by connection
	News         map[string][]Frame // notifications and requests of the peer, by connection
	Asked        int                // requests sent
}

// All yields the observations, ordered by probe key.
func (r Record) All() iter.Seq[Observation] {
	return func(yield func(Observation) bool) {
		for _, o := range r.Observations {
			if !yield(*o) {
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
	p := Request("", overtimeMethod+name, nil).Anew(n)
	e.mu.Lock()
	defer e.mu.Unlock()
	_, known := e.cells[p.Key()]
	if known || e.recalled != nil || time.Now().Before(deadline) {
		return known
	}
	c := &cell{done: settled, obs: Observation{Probe: p, Outcome: Unasked, Exit: "no time left"}}
	e.cells[p.Key()] = c
	if e.transcript != nil {
		e.transcript.Add(Entry{Kind: "answer", Answer: written(c.obs, e.transcript.mask)})
	}
	return true
}

// overtimeMethod marks what is no probe but the end of the time for some.
const overtimeMethod = "$overtime/"

// Record returns what was observed so far.
func (e *Engine) Record() Record {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := Record{Strays: map[string][]Frame{}, News: map[string][]Frame{}, Asked: e.asked}
	keys := make([]string, 0, len(e.cells))
	for k := range e.cells {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	r.Observations = make([]*Observation, 0, len(keys))
	for _, k := range keys {
		select {
		case <-e.cells[k].done:
			r.Observations = append(r.Observations, e.Shown(e.cells[k].obs).Held())
		default:
		}
	}
	if e.recalled != nil {
		r.Strays, r.News = e.recalled.strays, e.recalled.news
		return r
	}
	for name, c := range e.conns {
		r.Strays[name], r.News[name] = c.beside()
	}
	return r
}

// beside returns what the connection said that answered nothing.
func (c *connection) beside() (strays, news []Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range append(slices.Clone(c.past), c.conn) {
		if conn != nil {
			strays = append(strays, conn.Strays()...)
			news = append(news, conn.News()...)
		}
	}
	return strays, news
}

// Hello returns the handshake of an open connection.
func (e *Engine) Hello(name string) wire.Hello {
	if e.recalled != nil {
		return e.recalled.hellos[name]
	}
	e.mu.Lock()
	c := e.conns[name]
	e.mu.Unlock()
	if c == nil {
		return wire.Hello{}
	}
	if conn := c.current(); conn != nil {
		return conn.Hello()
	}
	return wire.Hello{}
}

// Stderr returns the last lines of the connection's process.
func (e *Engine) Stderr(name string) string {
	e.mu.Lock()
	c := e.conns[name]
	e.mu.Unlock()
	if c == nil {
		return ""
	}
	if conn := c.current(); conn != nil {
		return conn.Stderr()
	}
	return ""
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
	for _, c := range e.conns {
		if conn := c.current(); conn != nil {
			group.Go(func() { conn.Close() })
		}
	}
	group.Wait()
}
