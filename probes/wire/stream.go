//go:build !js

package wire

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// noiseWait is how long the answer to a thrown frame may follow a line that is
// no message: adapters print a complaint before they answer.
const noiseWait = 250 * time.Millisecond

// A carrier moves frames to the peer. What comes back goes to its dispatcher.
type carrier interface {
	// send puts one frame on the wire. c is the call that it asks for, nil if it
	// wants no answer. A reply other than nil says that it could not go out.
	send(ctx context.Context, frame []byte, c *call) (Frame, *Reply)
	// alive reports whether the peer is still there.
	alive() bool
	// stderr returns the end of what the process wrote there.
	stderr() string
	// close ends the peer, with grace between ever harder means.
	close(grace time.Duration)
	// abort leaves the peer without a word.
	abort(grace time.Duration)
}

// A stream is a Conn over one stream of messages that answers in any order.
type stream struct {
	*dispatcher
	carrier carrier
	grace   time.Duration
	hello   Hello
	agreed  func(revision string) // told of the negotiated revision, may be nil
	meta    []byte                // members of _meta that every request owes; nil before 2026-07-28

	throwing sync.Mutex
	life     context.Context // ends with the connection
	end      context.CancelFunc
	closing  sync.Once
	answers  sync.WaitGroup
}

func newStream(ctx context.Context, t Target, d *dispatcher, c carrier) *stream {
	s := &stream{dispatcher: d, carrier: c, grace: t.Grace}
	s.life, s.end = context.WithCancel(context.WithoutCancel(ctx))
	s.answers.Go(s.answerQuestions)
	return s
}

// openStream completes the handshake over a carrier, or closes it.
func openStream(ctx context.Context, t Target, d *dispatcher, c carrier) (Conn, error) {
	s := newStream(ctx, t, d, c)
	l := newLink(s, t.patience())
	revision, err := connectSDK(ctx, l, t.Client, t.Revision)
	_ = l.Close()
	if !s.greeted(ctx, &l.greeting, revision, err) {
		return nil, s.refuse(s.noAnswer(ctx, err))
	}
	return s, nil
}

// refuse closes a connection that did not come about and completes the reason.
func (s *stream) refuse(e *StartError) error {
	s.closeAfter(min(s.grace, 100*time.Millisecond)) // it owes us no clean end
	e.Stderr = s.Stderr()
	if e.Stdout == "" {
		s.mu.Lock()
		defer s.mu.Unlock()
		e.Stdout = string(s.noise)
	}
	return e
}

// answerQuestions answers the requests of the peer. It does so for every
// carrier alike, because the go-sdk session is gone once the handshake is done.
func (s *stream) answerQuestions() {
	for {
		select {
		case answer := <-s.questions:
			ctx, cancel := context.WithTimeout(s.life, defaultStart)
			s.carrier.send(ctx, answer, nil)
			cancel()
		case <-s.life.Done():
			return
		}
	}
}

// request is a JSON-RPC request with the given raw parts.
func request(id, method string, params []byte) []byte {
	b := make([]byte, 0, len(params)+len(method)+len(id)+48)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"method":`...)
	b, _ = jsontext.AppendQuote(b, method) // ours, and so a text
	if params != nil {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	return append(b, '}')
}

// bounded gives a wait without a deadline the default one.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, defaultWait)
}

// Hello returns the outcome of the handshake.
func (s *stream) Hello() Hello { return s.hello }

// Ask sends one request and waits for its answer.
func (s *stream) Ask(ctx context.Context, method string, params []byte) Reply {
	id := s.nextID()
	return s.exchange(ctx, s.expect(id), request(id, method, withMeta(params, s.meta)))
}

// Throw sends one frame as it is and takes whatever nobody else claims.
func (s *stream) Throw(ctx context.Context, frame []byte) Reply {
	s.throwing.Lock()
	defer s.throwing.Unlock()
	c := s.throw(peek(frame).ids, idsBehind(frame))
	s.owe()
	first, _, _ := bytes.Cut(frame, []byte("\n"))
	head := peek(first)
	c.mute = head.valid && head.object && len(head.ids) == 0
	return s.exchange(ctx, c, frame)
}

// idsBehind returns the ids of the messages on further lines of a frame.
func idsBehind(frame []byte) []string {
	var ids []string
	_, rest, _ := bytes.Cut(frame, []byte("\n"))
	for line := range bytes.Lines(rest) {
		ids = append(ids, peek(line).ids...)
	}
	return ids
}

func (s *stream) exchange(ctx context.Context, c *call, frame []byte) Reply {
	ctx, cancel := bounded(ctx)
	defer cancel()
	start := time.Now()
	sent, refusal := s.carrier.send(ctx, frame, c)
	if refusal != nil {
		s.abandon(c, delivery{})
		refusal.Sent, refusal.Elapsed = sent, time.Since(start)
		return *refusal
	}
	got := s.wait(ctx, c)
	reply := Reply{Class: got.class, Status: got.status, After: got.after, Sent: sent, Received: got.frame, Exit: got.exit, Elapsed: time.Since(start)}
	if got.frame.Seq > 0 {
		reply.Elapsed = got.frame.At - sent.At
	}
	return reply
}

// wait waits for the delivery to a call, the end of the peer or the deadline.
func (s *stream) wait(ctx context.Context, c *call) delivery {
	select {
	case got := <-c.answer:
		return got
	case <-c.heard:
		return s.waitOn(ctx, c)
	case <-s.gone:
		return s.abandon(c, delivery{class: Gone, exit: s.exit})
	case <-ctx.Done():
		return s.abandon(c, delivery{class: Silent})
	}
}

// waitOn waits for an answer behind a line that was none.
func (s *stream) waitOn(ctx context.Context, c *call) delivery {
	timer := time.NewTimer(noiseWait)
	defer timer.Stop()
	select {
	case got := <-c.answer:
		return got
	case <-timer.C:
	case <-s.gone:
	case <-ctx.Done():
	}
	return s.take(c)
}

// Strays returns what answered nothing, in the order it came.
func (s *stream) Strays() []Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.strays)
}

// News returns what the peer said unasked, in the order it came.
func (s *stream) News() []Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.news)
}

// Stderr returns the end of what the process wrote to stderr.
func (s *stream) Stderr() string { return string(s.rec.mask([]byte(s.carrier.stderr()))) }

// Alive reports whether the peer is still there.
func (s *stream) Alive() bool { return s.carrier.alive() }

// Close ends the session and the peer.
func (s *stream) Close() error {
	s.closeAfter(s.grace)
	if c, ok := s.carrier.(interface{ farewell() error }); ok {
		return c.farewell()
	}
	return nil
}

// Abort leaves the session and the peer without a word.
func (s *stream) Abort() { s.part(func() { s.carrier.abort(s.grace) }) }

func (s *stream) closeAfter(grace time.Duration) { s.part(func() { s.carrier.close(grace) }) }

// part ends the connection once, in the first of the ways that are asked for.
func (s *stream) part(way func()) {
	s.closing.Do(func() {
		way()
		s.end()
		s.answers.Wait()
	})
}
