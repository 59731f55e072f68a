//go:build !js

package wire

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	eventStream = "text/event-stream"
	maxHops     = 5               // of redirects within one host
	maxResumes  = 20              // of one event stream
	linger      = 2 * time.Second // for what follows an answer on its stream
)

// A web is a carrier over streamable HTTP: every frame is a POST of its own.
type web struct {
	*dispatcher
	url    *url.URL
	header http.Header // given by the operator
	client *http.Client

	headers  sync.Mutex
	session  string
	revision string

	down   atomic.Bool // the last exchange found nobody
	life   context.Context
	cut    context.CancelFunc
	open   sync.WaitGroup // event streams
	closed bool           // guarded by headers
	kept   error          // why the server did not end the session
	once   sync.Once
}

func newWeb(ctx context.Context, t Target, d *dispatcher) (*web, error) {
	u, err := url.Parse(t.URL)
	if err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("url %q: want http://host/path or https://host/path", u.Redacted())
	}
	w := &web{dispatcher: d, url: u, header: t.Header}
	over := newTransport(cmp.Or(t.Kept, new(Keeping)), w.event)
	w.client = &http.Client{Transport: t.Bearer.Over(over, d.rec.Hide, w.event), CheckRedirect: w.redirect}
	w.life, w.cut = context.WithCancel(context.WithoutCancel(ctx))
	return w, nil
}

// redirect follows a redirect only if it changes neither origin nor method: our
// headers may hold secrets, and a POST that became a GET asks something else.
func (w *web) redirect(r *http.Request, via []*http.Request) error {
	if len(via) > maxHops || !w.sameOrigin(r.URL) || r.Method != via[0].Method {
		w.event("redirect to %s://%s not followed", r.URL.Scheme, r.URL.Host)
		return http.ErrUseLastResponse
	}
	w.event("redirected to %s", r.URL.EscapedPath())
	return nil
}

func (w *web) sameOrigin(u *url.URL) bool {
	return strings.EqualFold(u.Scheme, w.url.Scheme) && strings.EqualFold(u.Host, w.url.Host)
}

// place is the URL without what may be secret in it.
func (w *web) place() string { return w.url.Scheme + "://" + w.url.Host + w.url.EscapedPath() }

// track runs f, which reads an event stream, and lets close wait for it.
func (w *web) track(f func()) {
	w.headers.Lock()
	defer w.headers.Unlock()
	if w.closed {
		go f() // its context is over, so it ends at once
		return
	}
	w.open.Go(f)
}

// send posts one frame and brings the answer to its call. It returns when the
// answer is there or its event stream has begun.
func (w *web) send(ctx context.Context, frame []byte, c *call) (Frame, *Reply) {
	sent := w.rec.Add(w.name, Sent, frame, "POST "+w.url.EscapedPath())
	if w.life.Err() != nil {
		return sent, &Reply{Class: Gone, Exit: "closed"}
	}
	// What follows an answer on its stream may outlast the caller's patience.
	own, cancel := context.WithCancel(w.life)
	stop := context.AfterFunc(ctx, cancel)
	resp, err := w.do(own, http.MethodPost, frame, "")
	if err != nil {
		stop()
		cancel()
		lost := w.failure(ctx, err)
		if lost.class == Gone && unreached(err) {
			return w.rec.Add(w.name, Event, frame, "not sent: nobody is there"), &Reply{Class: Gone, Exit: lost.exit}
		}
		w.conclude(c, lost)
		return sent, nil
	}
	if isEventStream(resp) {
		w.track(func() { w.followStream(own, cancel, stop, resp, c) })
		return sent, nil
	}
	defer cancel()
	defer stop()
	got := w.readBody(resp, c)
	if ctx.Err() != nil && got.class == Gone {
		got.class, got.exit = Silent, ""
	}
	w.conclude(c, got)
	return sent, nil
}

// do sends one HTTP request and notes whether anybody was there.
func (w *web) do(ctx context.Context, method string, body []byte, lastID string) (*http.Response, error) {
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, w.url.String(), reader)
	if err != nil {
		return nil, err
	}
	w.dress(req.Header, body)
	if lastID != "" {
		req.Header.Set(headerLastID, lastID)
	}
	resp, err := w.client.Do(req)
	if err == nil {
		w.down.Store(false)
		w.learn(resp.Header)
	}
	return resp, err
}

// failure is the end of an exchange that got no response.
func (w *web) failure(ctx context.Context, err error) delivery {
	if ctx.Err() != nil {
		return delivery{class: Silent}
	}
	reason := cause(err).Error()
	w.event("exchange failed: %s", reason)
	if !errors.Is(err, errHungUp) {
		w.down.Store(true)
	}
	return delivery{class: Gone, exit: reason}
}

// unreached reports whether an exchange failed before anything went out: who is
// not there has not left this request unanswered.
func unreached(err error) bool {
	var dial *net.OpError
	return errors.As(err, &dial) && dial.Op == "dial"
}

// cause strips the URL, which may hold secrets, from an error of net/http.
func cause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

func isEventStream(r *http.Response) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == eventStream && r.StatusCode >= http.StatusOK && r.StatusCode < 300
}

func responseNote(r *http.Response) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", r.StatusCode, r.Header.Get("Content-Type")))
}

func (w *web) stderr() string { return "" }

func (w *web) alive() bool { return !w.down.Load() && w.dispatcher.alive() }

// close ends the session with a DELETE and all exchanges with it.
func (w *web) close(grace time.Duration) {
	w.part(func() {
		if w.sessionID() != "" && !w.down.Load() {
			w.endSession(grace)
		}
	})
}

// abort ends all exchanges and tells the server nothing: it cannot know before it
// loses patience with the session.
func (w *web) abort(time.Duration) {
	w.part(func() { w.event("left without a DELETE") })
}

func (w *web) part(farewell func()) {
	w.once.Do(func() {
		w.headers.Lock()
		w.closed = true
		w.headers.Unlock()
		farewell()
		w.dispatcher.end("closed")
		w.cut()
		w.open.Wait()
		w.client.CloseIdleConnections()
	})
}

func (w *web) endSession(grace time.Duration) {
	ctx, cancel := context.WithTimeout(w.life, grace)
	defer cancel()
	w.rec.Add(w.name, Sent, nil, "DELETE "+w.url.EscapedPath())
	resp, err := w.do(ctx, http.MethodDelete, nil, "")
	if err != nil {
		w.event("ending the session: %v", cause(err))
		return
	}
	body, size, _ := readUpTo(maxFarewell, resp.Body)
	w.rec.add(w.name, Received, body, size, responseNote(resp))
	if resp.StatusCode >= 300 {
		w.kept = fmt.Errorf("the session was not ended: HTTP status %d", resp.StatusCode)
	}
}

// farewell says why the session goes on after close.
func (w *web) farewell() error { return w.kept }
