package probes

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

type connection struct {
	mu       sync.Mutex
	conn     wire.Conn
	err      error
	opened   int
	took     time.Duration // the last time that it was opened, until the handshake was over
	trial    bool          // it may be given up for one over another revision
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
// begins with "client=N" gives the name N to the server, "session" asks for a session,
// and some labels ask for a launch of their own.
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
			c.err = fmt.Errorf("the adapter died %d times; the end of its stderr: %.300s", c.opened, words)
		}
		return nil, nil, c.err
	}
	if c.conn != nil {
		c.past = append(c.past, c.conn)
		c.conn.Close()
	}
	c.opened++
	_ = e.pace.turn(ctx, false) // the handshake is a call too; Open finds out that ctx is over
	began := time.Now()
	conn, err := wire.Open(ctx, target, name, e.rec)
	if err != nil {
		c.err = err
		return nil, nil, err
	}
	c.took = time.Since(began)
	c.conn = conn
	if !c.trial {
		e.tell(name, conn)
	}
	return c, conn, nil
}

// tell writes a handshake into the transcript.
func (e *Engine) tell(name string, conn wire.Conn) {
	if e.transcript != nil {
		e.transcript.Add(Entry{Kind: "hello", Hello: helloEntry(name, conn.Hello())})
	}
}

// opens is how often the named connection has been opened.
func (e *Engine) opens(name string) int {
	e.mu.Lock()
	c := e.conns[name]
	e.mu.Unlock()
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opened
}

// current is what the connection goes through now; nil before it is first opened.
func (c *connection) current() wire.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn
}

// startTook is how long it took to open the connection.
func (c *connection) startTook() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.took
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

// ServerInfo is what a result of initialize, or of server/discover, says of the server.
func ServerInfo(result Value) Value {
	if own := result.At("serverInfo"); !own.Is(Absent) {
		return own
	}
	return result.At("_meta", "io.modelcontextprotocol/serverInfo")
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
