//go:build !js

package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A link is the transport and the connection of a go-sdk session over a stream.
// It shows the session only answers to its own requests and keeps the answer
// that the session could not read.
type link struct {
	s        *stream
	patience time.Duration // for server/discover, which old servers may ignore
	in       chan jsonrpc.Message
	closed   chan struct{}
	once     sync.Once

	greeting
	err error // why closed; guarded by the greeting's lock
}

func newLink(s *stream, patience time.Duration) *link {
	return &link{s: s, patience: patience, in: make(chan jsonrpc.Message, 4), closed: make(chan struct{})}
}

// Connect returns the link itself.
func (l *link) Connect(context.Context) (mcp.Connection, error) { return l, nil }

// SessionID is empty: a stream is its own session.
func (l *link) SessionID() string { return "" }

// Read returns the next answer to the session.
func (l *link) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-l.in:
		return m, nil
	case <-l.closed:
		l.mu.Lock()
		defer l.mu.Unlock()
		return nil, l.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write sends what the session has to say.
func (l *link) Write(ctx context.Context, m jsonrpc.Message) error {
	frame, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	if done(l.closed) {
		return io.ErrClosedPipe
	}
	env := peek(frame)
	var c *call
	if env.request() {
		c = l.s.throw(env.ids, nil) // the handshake is exclusive: it takes the unattributable answer too
	}
	sent, refusal := l.s.carrier.send(ctx, frame, c)
	if refusal != nil {
		if c != nil {
			l.s.abandon(c, delivery{})
		}
		return fmt.Errorf("sending %s: %w", env.method, refused(refusal))
	}
	l.ask(env, sent)
	if c != nil {
		go l.pass(c, env)
	}
	return nil
}

// refused says why a frame did not reach its reader.
func refused(r *Reply) error {
	switch r.Class {
	case Rejected:
		return fmt.Errorf("refused with HTTP status %d", r.Status)
	case Gone:
		return fmt.Errorf("the peer is gone: %s", r.Exit)
	}
	return errors.New("the peer does not read")
}

// pass waits for the answer to one request and passes it to the session.
func (l *link) pass(c *call, asked envelope) {
	var patience <-chan time.Time
	if asked.method == methodDiscover {
		timer := time.NewTimer(l.patience)
		defer timer.Stop()
		patience = timer.C
	}
	select {
	case got := <-c.answer:
		if got.class != Answered && got.class != Garbled {
			l.fail(refused(&Reply{Class: got.class, Status: got.status, Exit: got.exit}))
			return
		}
		l.answer(got)
		l.hand(got, asked.ids[0])
	case <-patience:
		l.s.abandon(c, delivery{})
		l.giveUpOn(c)
		l.s.event("no answer to %s: going on with initialize", methodDiscover)
		l.hand(delivery{env: peek([]byte(`{"jsonrpc":"2.0","id":` + asked.ids[0] +
			`,"error":{"code":-32601,"message":"no answer"}}`))}, asked.ids[0])
	case <-l.s.gone:
		l.s.abandon(c, delivery{})
		l.fail(errors.New("the peer is gone"))
	case <-l.closed:
		l.s.abandon(c, delivery{})
	}
}

// hand gives an answer to the session, or ends the session where it would wait
// for ever for a better one.
func (l *link) hand(got delivery, id string) {
	if len(got.env.ids) != 1 || got.env.ids[0] != id {
		l.fail(fmt.Errorf("the answer does not carry the id %s", id))
		return
	}
	m, err := jsonrpc.DecodeMessage(got.env.body)
	if err != nil {
		l.fail(fmt.Errorf("unreadable answer: %w", err))
		return
	}
	select {
	case l.in <- m:
	case <-l.closed:
	}
}

func (l *link) fail(err error) {
	l.once.Do(func() {
		l.mu.Lock()
		l.err = err
		l.mu.Unlock()
		close(l.closed)
	})
}

// Close ends the session, not the connection.
func (l *link) Close() error {
	l.fail(io.EOF)
	return nil
}
