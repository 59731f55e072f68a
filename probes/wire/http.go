package wire

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The headers of MCP over HTTP.
const (
	headerSession  = "Mcp-Session-Id"
	headerRevision = "Mcp-Protocol-Version"
	headerMethod   = "Mcp-Method" // since 2026-07-28
	headerName     = "Mcp-Name"   // since 2026-07-28
	headerLastID   = "Last-Event-ID"
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
	w.client = &http.Client{Transport: newTransport(), CheckRedirect: stayHome}
	w.life, w.cut = context.WithCancel(context.WithoutCancel(ctx))
	return w, nil
}

// newTransport is a transport whose bodies are what the server sent, with room
// for many exchanges at once.
func newTransport() *http.Transport {
	return &http.Transport{Proxy: http.ProxyFromEnvironment, DisableCompression: true, ForceAttemptHTTP2: true,
		MaxIdleConns: 512, MaxIdleConnsPerHost: 256, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 10 * time.Second}
}

// stayHome follows a redirect only if it changes neither host nor method: our
// headers may hold secrets, and a POST that became a GET asks something else.
func stayHome(r *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > maxHops || r.URL.Host != first.URL.Host || r.URL.Scheme != first.URL.Scheme || r.Method != first.Method {
		return http.ErrUseLastResponse
	}
	return nil
}

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

// agree makes later requests name the negotiated revision.
func (w *web) agree(revision string) {
	w.headers.Lock()
	defer w.headers.Unlock()
	w.revision = revision
}

// learn keeps the session id that the server gave us.
func (w *web) learn(h http.Header) {
	w.headers.Lock()
	defer w.headers.Unlock()
	if id := h.Get(headerSession); id != "" && w.session == "" {
		w.session = id
	}
}

// dress sets the headers that a request with this body owes.
func (w *web) dress(h http.Header, body []byte) {
	h.Set("Accept", "application/json, "+eventStream)
	w.headers.Lock()
	session, revision := w.session, w.revision
	w.headers.Unlock()
	if session != "" {
		h.Set(headerSession, session)
	}
	if body != nil {
		h.Set("Content-Type", "application/json")
		params := member(body, "params")
		if named := textMember(member(params, "_meta"), "io.modelcontextprotocol/protocolVersion"); named != "" {
			revision = named
		}
		if revision >= firstModern {
			setHeader(h, headerMethod, textMember(body, "method"))
			setHeader(h, headerName, subject(textMember(body, "method"), params))
		}
	}
	setHeader(h, headerRevision, revision)
	for key, values := range w.header {
		h[http.CanonicalHeaderKey(key)] = values
	}
}

// subject is what the request is about, where the modern revision wants it
// repeated in a header.
func subject(method string, params []byte) string {
	switch method {
	case "tools/call", "prompts/get":
		return textMember(params, "name")
	case "resources/read":
		return textMember(params, "uri")
	}
	return ""
}

// textMember returns a member that is a string, else "".
func textMember(object []byte, key string) string {
	var s string
	if json.Unmarshal(member(object, key), &s) != nil {
		return ""
	}
	return s
}

// setHeader sets a header unless the value is empty, wrapped in Base64 as MCP
// 2026-07-28 has it where a header cannot carry the value as it is.
func setHeader(h http.Header, key, value string) {
	if value == "" {
		return
	}
	plain := strings.TrimSpace(value) == value && !(strings.HasPrefix(value, "=?base64?") && strings.HasSuffix(value, "?="))
	for _, c := range []byte(value) {
		plain = plain && c >= 0x20 && c <= 0x7e
	}
	if !plain {
		value = "=?base64?" + base64.StdEncoding.EncodeToString([]byte(value)) + "?="
	}
	h.Set(key, value)
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
		w.conclude(c, w.failure(ctx, err))
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
		got = delivery{class: Silent}
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
	w.down.Store(true)
	return delivery{class: Gone, exit: reason}
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
	return err == nil && kind == eventStream && r.StatusCode < 300
}

func responseNote(r *http.Response) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", r.StatusCode, r.Header.Get("Content-Type")))
}

func (w *web) stderr() string { return "" }

func (w *web) alive() bool { return !w.down.Load() && w.dispatcher.alive() }

// close ends the session with a DELETE and all exchanges with it.
func (w *web) close(grace time.Duration) {
	w.once.Do(func() {
		w.headers.Lock()
		session := w.session
		w.closed = true
		w.headers.Unlock()
		if session != "" && !w.down.Load() {
			w.endSession(grace)
		}
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
	body, size, _ := readCapped(resp.Body)
	w.rec.add(w.name, Received, body, size, responseNote(resp))
}
