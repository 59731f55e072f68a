package probes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// Labels of connections to launches of their own: "main/restarted" is the adapter
// started again on the same state, "main/limited" one with a small rate limit.
// "main/restarted/2" is one more session with it. "main/restarted=NAME" is another
// start, after all that was asked until then: what has to outlive a restart has to
// be there before it.
const (
	Restarted = "restarted"
	Limited   = "limited"
)

// A Launch is another way to start the adapter of a face, for what one launch cannot
// show.
type Launch struct {
	Target wire.Target
	Before func(context.Context) error // what has to be done once before it can be reached; nil for nothing
	Ends   bool                        // the launch takes the place of the first one, whose connections are closed
}

// Offer makes a launch known under a face and one of the labels above. It is started
// when a probe first asks for such a connection.
func (e *Engine) Offer(face, label string, l Launch) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.launches[face+"/"+label] = l
}

// begin does what has to be done before a launch can be reached, once for each name
// that it is asked for under.
func (e *Engine) begin(ctx context.Context, face, name string, l Launch) error {
	e.mu.Lock()
	begun, known := e.begun[face+"/"+name]
	if !known {
		begun = once(func(ctx context.Context) error {
			if l.Ends {
				e.retire(face)
			}
			if l.Before == nil {
				return nil
			}
			return l.Before(ctx)
		})
		e.begun[face+"/"+name] = begun
	}
	e.mu.Unlock()
	return begun(ctx)
}

func once(do func(context.Context) error) func(context.Context) error {
	var first sync.Once
	var err error
	return func(ctx context.Context) error {
		first.Do(func() { err = do(ctx) })
		return err
	}
}

// targetOf returns what a connection of that name is opened to.
func (e *Engine) targetOf(ctx context.Context, name string) (wire.Target, error) {
	face, label, _ := strings.Cut(name, "/")
	first, _, _ := strings.Cut(label, "/")
	kind, _, _ := strings.Cut(first, "=")
	e.mu.Lock()
	target, known := e.targets[face]
	launch, own := e.launches[face+"/"+kind]
	e.mu.Unlock()
	switch {
	case own:
		launch.Target.Revision = cmp.Or(launch.Target.Revision, target.Revision)
		launch.Target.Handshake, launch.Target.Patient = target.Handshake, target.Patient
		return labelled(launch.Target, label), e.begin(ctx, face, first, launch)
	case !known:
		return target, fmt.Errorf("no face named %q", face)
	case kind == Restarted || kind == Limited:
		return target, fmt.Errorf("no launch for %q", first)
	}
	return labelled(target, label), nil
}

// inSession is the label of connections with a session.
const inSession = "session"

// InSession names a connection like the given one, but with a session: over the last revision with a
// handshake where the run has a newer one. What the adapter answers tells whether it offers that.
func InSession(conn string) string { return conn + "/" + inSession }

// labelled returns the target as the parts of a label want it.
func labelled(t wire.Target, label string) wire.Target {
	for part := range strings.SplitSeq(label, "/") {
		if rev, ok := strings.CutPrefix(part, "rev="); ok && !(t.Handshake && rev > wire.DefaultRevision) {
			t.Revision = rev
		}
		if name, ok := strings.CutPrefix(part, "client="); ok {
			t.Client = name
		}
		if part == inSession && t.Revision > wire.DefaultRevision {
			t.Revision = wire.DefaultRevision
		}
	}
	return t
}

// slowStart is the time of a start from which on it is worth to start processes ahead.
const slowStart = 200 * time.Millisecond

// StartAhead starts n processes of an endpoint mode for later connections if its first start was slow.
func (e *Engine) StartAhead(face string, n int) {
	e.mu.Lock()
	t, c := e.targets[face], e.conns[face]
	e.mu.Unlock()
	if runtime.GOOS == "js" || c == nil || len(t.Command) == 0 || t.Spares != nil {
		return
	}
	if c.current() == nil || c.startTook() < slowStart {
		return
	}
	t.Spares = wire.NewSpares(t, n)
	e.mu.Lock()
	e.targets[face] = t
	e.mu.Unlock()
}

// retire closes the connections to the first launch of a face. They are opened
// again when somebody asks for them.
func (e *Engine) retire(face string) {
	e.mu.Lock()
	spares := e.targets[face].Spares
	defer spares.Close()
	conns := maps.Clone(e.conns)
	e.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(conns)) {
		c := conns[name]
		if owner, _, _ := strings.Cut(name, "/"); owner != face {
			continue
		}
		c.mu.Lock()
		if c.conn != nil && c.conn.Alive() {
			c.conn.Close()
			c.opened-- // it did not die
		}
		c.mu.Unlock()
	}
}

// openNewest connects to a face in the newest revision of MCP that it offers, and keeps what it
// learned for the later connections. An adapter that knows no request before initialize may end,
// hang, or be lost for the client, over the first one of the newest revision: it is started again.
func (e *Engine) openNewest(ctx context.Context, face string) error {
	e.learn(face, func(t *wire.Target) { t.Revision = wire.Revisions[len(wire.Revisions)-1] })
	conn, err := e.try(ctx, face)
	if err == nil && conn.Hello().Late { // its start took longer than server/discover is waited for
		_ = conn.Close()
		e.learn(face, func(t *wire.Target) { t.Patient = true })
		conn, err = e.try(ctx, face)
	}
	if err == nil && conn.Hello().Modern && conn.Hello().SDKError == "" {
		e.learn(face, func(t *wire.Target) { t.Patient = true }) // a later start may take longer
		e.tell(face, conn)
		return nil
	}
	e.learn(face, func(t *wire.Target) { t.Revision, t.Handshake, t.Patient = wire.DefaultRevision, true, false })
	if err == nil && conn.Hello().SDKError == "" {
		e.tell(face, conn)
		return nil
	}
	again, cancel := ctx, context.CancelFunc(func() {})
	var refused *wire.StartError
	switch {
	case err == nil:
		_ = conn.Close()
	case !errors.As(err, &refused) || ctx.Err() != nil:
		return err
	case refused.Hung: // most of these are no MCP servers, so the second wait is shorter
		again, cancel = secondStart(ctx, e.target(face).StartTimeout)
	case refused.Exit == "":
		return err
	}
	defer cancel()
	if conn, err = e.try(again, face); err == nil {
		e.tell(face, conn)
	}
	return err
}

// secondStart bounds the start of an adapter that answered nothing the first time.
func secondStart(ctx context.Context, first time.Duration) (context.Context, context.CancelFunc) {
	if first <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, first/2, fmt.Errorf("no answer to initialize within %v, nor after another start within %v", first, first/2))
}

// try opens the first connection to a face anew, of which the transcript shall have the last alone.
func (e *Engine) try(ctx context.Context, face string) (wire.Conn, error) {
	e.mu.Lock()
	c := &connection{hung: map[string]int{}, trial: true}
	e.conns[face] = c
	e.mu.Unlock()
	_, conn, err := e.connect(ctx, face)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trial = false
	return conn, err
}

func (e *Engine) target(face string) wire.Target {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.targets[face]
}

// learn changes the target of later connections to a face.
func (e *Engine) learn(face string, change func(*wire.Target)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	t := e.targets[face]
	change(&t)
	e.targets[face] = t
}
