//go:build !js

package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

var errNoEndpoint = errors.New("the event stream names no endpoint")

// A legacy is a carrier over HTTP+SSE as MCP 2024-11-05 has it: one GET opens
// the stream on which all answers come, its first event names the endpoint that
// takes the requests.
type legacy struct {
	*web
	endpoint *url.URL
	opened   chan struct{} // closed when endpoint is set or never will be
}

// openLegacy connects to a server that refused streamable HTTP, which is what
// the error says if the server offers no event stream either.
func openLegacy(ctx context.Context, t Target, d *dispatcher, before *StartError) (Conn, error) {
	w, err := newWeb(ctx, t, d)
	if err != nil {
		return nil, &StartError{Stage: "connect", Err: err}
	}
	l := &legacy{web: w, opened: make(chan struct{})}
	if err := l.open(ctx); err != nil {
		w.close(t.Grace)
		before.Err = fmt.Errorf("%w; HTTP+SSE: %w", before.Err, err)
		return nil, before
	}
	return openStream(ctx, t, d, l)
}

// open starts the event stream and waits for the endpoint.
func (l *legacy) open(ctx context.Context) error {
	l.rec.Add(l.name, Sent, nil, "GET "+l.url.EscapedPath())
	own, cancel := context.WithCancel(l.life)
	stop := context.AfterFunc(ctx, cancel)
	defer stop()
	resp, err := l.do(own, http.MethodGet, nil, "")
	if err != nil {
		cancel()
		return cause(err)
	}
	if !isEventStream(resp) {
		defer cancel()
		data, size, _ := readCapped(resp.Body)
		l.rec.add(l.name, Received, data, size, responseNote(resp))
		return fmt.Errorf("GET answered with HTTP %d %s and no event stream", resp.StatusCode, http.StatusText(resp.StatusCode))
	}
	l.track(func() {
		defer cancel()
		l.listen(resp)
	})
	select {
	case <-l.opened:
	case <-ctx.Done():
		cancel()
		return context.Cause(ctx)
	}
	if l.endpoint == nil {
		cancel()
		return errNoEndpoint
	}
	return nil
}

// listen hands the events of the stream to the dispatcher until it ends.
func (l *legacy) listen(resp *http.Response) {
	defer func() { _ = resp.Body.Close() }()
	note, parser, named := responseNote(resp), &eventParser{}, false
	name := func() {
		if !named {
			named = true
			close(l.opened)
		}
	}
	defer name()
	b := make([]byte, 32<<10)
	for {
		n, err := resp.Body.Read(b)
		parser.feed(b[:n], func(e event) {
			if e.name == "" || e.name == "message" {
				l.receive(e.data, e.size, note, nil)
				return
			}
			l.rec.add(l.name, Received, e.data, e.size, note+" event "+e.name)
			if e.name == "endpoint" && !named {
				l.endpoint = l.resolve(string(e.data))
				name()
			}
		})
		if err != nil {
			reason := "closed the event stream"
			if !errors.Is(err, io.EOF) {
				reason += ": " + err.Error()
			}
			l.event("%s", reason)
			l.dispatcher.end(reason)
			return
		}
	}
}

// resolve returns the endpoint that the server named, nil if it is not on the
// server's own origin: our headers may hold secrets.
func (l *legacy) resolve(named string) *url.URL {
	u, err := l.url.Parse(named)
	if err != nil || !l.sameOrigin(u) {
		l.event("endpoint of another origin refused: %s", named)
		return nil
	}
	return u
}

// send posts one frame; its answer comes on the stream.
func (l *legacy) send(ctx context.Context, frame []byte, c *call) (Frame, *Reply) {
	sent := l.rec.Add(l.name, Sent, frame, "POST "+l.endpoint.EscapedPath())
	own, cancel := context.WithCancel(l.life)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	req, err := http.NewRequestWithContext(own, http.MethodPost, l.endpoint.String(), bytes.NewReader(frame))
	if err != nil {
		return sent, &Reply{Class: Gone, Exit: err.Error()}
	}
	l.dress(req.Header, frame)
	resp, err := l.client.Do(req)
	if err != nil {
		l.conclude(c, l.failure(ctx, err))
		return sent, nil
	}
	data, size, _ := readCapped(resp.Body)
	l.setStatus(c, resp.StatusCode)
	if resp.StatusCode >= 300 || len(bytes.TrimSpace(data)) > 0 {
		got := delivery{class: Rejected, status: resp.StatusCode, after: resp.Header.Get(headerAfter), env: peek(data)}
		got.frame = l.rec.add(l.name, Received, data, size, responseNote(resp))
		if resp.StatusCode >= 300 {
			l.conclude(c, got)
		}
	}
	return sent, nil
}

func (l *legacy) alive() bool { return l.web.alive() }
