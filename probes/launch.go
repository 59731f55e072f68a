package probes

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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
		if rev, ok := strings.CutPrefix(part, "rev="); ok {
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

// StartAhead starts processes of an endpoint mode for later connections if its first start was slow.
func (e *Engine) StartAhead(face string, n int) {
	e.mu.Lock()
	t, c := e.targets[face], e.conns[face]
	e.mu.Unlock()
	if c == nil || len(t.Command) == 0 || t.Spares != nil {
		return
	}
	conn := c.current()
	if conn == nil || conn.Hello().Answer.At-conn.Hello().Asked.At < slowStart {
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
