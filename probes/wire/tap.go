//go:build !js

package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A tap is the http.RoundTripper under the go-sdk client: it records what goes
// by, and keeps what the client must not decide, the end of the session.
type tap struct {
	w        *web
	patience time.Duration // for server/discover, which old servers may ignore
	giveUp   context.CancelCauseFunc
	greeting
	err error // the last exchange that got no response; guarded by the greeting's lock
}

// openWeb shakes hands over streamable HTTP; if the server refuses that, over
// the older HTTP+SSE.
func openWeb(ctx context.Context, t Target, d *dispatcher) (Conn, error) {
	w, err := newWeb(ctx, t, d)
	if err != nil {
		return nil, &StartError{Stage: "connect", Err: err}
	}
	s := newStream(ctx, t, d, w)
	s.agreed = w.agree
	greet, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	p := &tap{w: w, patience: t.patience(), giveUp: giveUp}
	revision, err := connectSDK(greet, &mcp.StreamableClientTransport{
		Endpoint:             w.url.String(),
		HTTPClient:           &http.Client{Transport: p, CheckRedirect: w.redirect},
		MaxRetries:           -1, // a second try would hide the first failure
		DisableStandaloneSSE: true,
	}, t.Client, t.Revision)
	err = w.tidy(err)
	refused := p.refusal(ctx, err)
	if refused == nil && s.greeted(ctx, &p.greeting, revision, err) {
		s.hello.Session = recorded(w.sessionID())
		return s, nil
	}
	if p.older() {
		s.closeAfter(t.Grace)
		return openLegacy(ctx, t, newDispatcher(d.name, d.rec), refused)
	}
	return nil, s.refuse(refused)
}

// tidy takes the URL, which may hold secrets, out of an error of the client.
func (w *web) tidy(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(strings.NewReplacer(w.url.String(), w.place(), w.url.Redacted(), w.place()).Replace(err.Error()))
}

// RoundTrip performs one HTTP exchange of the go-sdk client.
func (p *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodDelete { // the session goes on without the client
		return &http.Response{StatusCode: http.StatusNoContent, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	body, err := requestBody(r)
	if err != nil {
		return nil, err
	}
	env := peek(body)
	ctx, cancel := r.Context(), context.CancelFunc(func() {})
	if env.method == methodDiscover {
		ctx, cancel = context.WithTimeout(ctx, p.patience)
	}
	r = r.Clone(ctx)
	for key, values := range p.w.header {
		r.Header[http.CanonicalHeaderKey(key)] = values
	}
	resp, err := p.patiently(r, env, body)
	if err != nil {
		if env.method == methodDiscover && ctx.Err() != nil {
			p.giveUpOn(nil)
		}
		cancel()
		return nil, p.failed(err)
	}
	p.w.learn(resp.Header)
	return p.tapped(resp, env, cancel)
}

// Bounds on the patience with a server that limits how often it is greeted.
const (
	maxGreetings = 4
	maxAfter     = 5 * time.Second
)

// patiently sends a request of the handshake, again where the server says that
// it comes too soon: a session that is refused for the rate would be lost for good.
func (p *tap) patiently(r *http.Request, env envelope, body []byte) (*http.Response, error) {
	for try := 1; ; try++ {
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		r.Body, _ = r.GetBody()
		p.ask(env, p.w.rec.Add(p.w.name, Sent, body, r.Method+" "+r.URL.EscapedPath()))
		resp, err := p.w.client.Transport.RoundTrip(r)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests || try == maxGreetings {
			return resp, err
		}
		wait, ok := RetryAfter(resp.Header.Get(headerAfter), time.Now())
		if !ok || wait > maxAfter {
			return resp, nil
		}
		data, size, _ := readCapped(resp.Body)
		p.w.rec.add(p.w.name, Received, data, size, responseNote(resp))
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
}

func requestBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	defer func() { _ = r.Body.Close() }()
	return io.ReadAll(r.Body)
}

func (p *tap) failed(err error) error {
	p.w.event("exchange failed: %v", cause(err))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = cause(err)
	return err
}

// tapped replaces the body of a response by one that is recorded as it is read.
func (p *tap) tapped(resp *http.Response, asked envelope, cancel context.CancelFunc) (*http.Response, error) {
	if isEventStream(resp) {
		resp.Body = &tappedStream{ReadCloser: resp.Body, p: p, asked: asked, note: responseNote(resp),
			status: resp.StatusCode, cancel: cancel}
		return resp, nil
	}
	defer cancel()
	data, size, err := readCapped(resp.Body)
	frame := p.w.rec.add(p.w.name, Received, data, size, responseNote(resp))
	if err != nil {
		return nil, p.failed(err)
	}
	if asked.request() {
		got := delivery{frame: frame, env: peek(data), status: resp.StatusCode}
		if got.env.bom || len(got.env.extra) > 0 {
			got.frame = p.w.trim(frame, got.env)
		}
		p.answer(got)
		if got.env.reply() && resp.StatusCode < 300 && !got.env.carries(asked.ids[0]) {
			p.giveUp(errors.New("the answer does not carry the id " + asked.ids[0])) // the client would wait for another
		}
	}
	resp.Body = io.NopCloser(bytes.NewReader(data))
	return resp, nil
}

var errEndlessStream = errors.New("the event stream is longer than 8 MiB")

// A tappedStream records the events of a response while the client reads them.
type tappedStream struct {
	io.ReadCloser
	p      *tap
	asked  envelope
	note   string
	status int
	cancel context.CancelFunc
	parser eventParser
	passed int // bytes that the client was given
}

func (b *tappedStream) Read(buf []byte) (int, error) {
	n, err := b.ReadCloser.Read(buf)
	b.parser.feed(buf[:n], func(e event) {
		frame := b.p.w.rec.add(b.p.w.name, Received, e.data, e.size, b.note)
		env := peek(e.data)
		if b.asked.request() && !env.request() && !env.notification() {
			b.p.answer(delivery{frame: frame, env: env, status: b.status})
		}
	})
	if b.passed += n; b.passed > maxFrameBytes { // the client would take all of it, and answer what it is asked
		b.p.w.event("%v", errEndlessStream)
		return 0, errEndlessStream
	}
	return n, err
}

func (b *tappedStream) Close() error {
	b.cancel()
	return b.ReadCloser.Close()
}

// refusal says why there is no answer to go on with, nil if there is one. A
// malformed answer is one; a web page is none.
func (p *tap) refusal(ctx context.Context, err error) *StartError {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := &StartError{Stage: "handshake", Err: err}
	got := p.got
	switch {
	case err == nil:
		return nil
	case got == nil && ctx.Err() != nil:
		e.Err = context.Cause(ctx)
	case got == nil && p.err != nil:
		e.Stage, e.Err = "connect", fmt.Errorf("reach %s: %w", p.w.place(), p.err)
	case got == nil:
		e.Err = fmt.Errorf("%s answered %s with nothing: %w", p.w.place(), p.method, err)
	case got.status < 300 && got.env.valid && (got.env.object || got.env.array):
		return nil
	case got.status >= 300 && got.env.reply() && member(got.env.body, "jsonrpc") != nil:
		return nil
	default:
		e.Err = fmt.Errorf("%s answered %s with HTTP %d %s and no JSON-RPC", p.w.place(), p.method, got.status, http.StatusText(got.status))
		e.Stdout = string(got.frame.Data[:min(len(got.frame.Data), maxNoise)])
	}
	return e
}

// older reports whether the refusal is the one that a server of the older
// HTTP+SSE transport gives.
func (p *tap) older() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.got == nil {
		return false
	}
	switch p.got.status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed:
		return true
	}
	return false
}
