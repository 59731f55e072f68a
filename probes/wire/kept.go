//go:build !js

package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

var errHungUp = errors.New(HungUp)

// maxIdle is how long a connection is kept: many servers hang up after 5 s, and a request may cross
// that.
const maxIdle = 2 * time.Second

// MaxHeader is how many bytes the headers of an answer may have. Servers send a few hundred. The
// standard library reads 10 MiB, which a slow machine does not reach before the deadline of the start.
const MaxHeader = 1 << 20

// A transport exchanges requests over connections that are kept while the server keeps them.
type transport struct {
	*http.Transport
	keeping *Keeping
	event   func(format string, args ...any)
}

// newTransport is one whose bodies are what the server sent, with room for many exchanges at once.
func newTransport(k *Keeping, event func(format string, args ...any)) *transport {
	return &transport{keeping: k, event: event, Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: k.dial, DisableCompression: true, ForceAttemptHTTP2: true,
		MaxIdleConns: 512, MaxIdleConnsPerHost: 256, IdleConnTimeout: maxIdle, TLSHandshakeTimeout: 10 * time.Second,
		MaxResponseHeaderBytes: MaxHeader}}
}

// RoundTrip performs one exchange. A request that met a closed connection is sent once more, but not
// a tool call or a broken frame: the server may have acted on it.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	var u use
	resp, err := t.Transport.RoundTrip(t.prepared(&u, r))
	if err == nil || !u.hungUp() || r.Context().Err() != nil {
		return resp, err
	}
	t.keeping.hangsUp.Store(true)
	t.CloseIdleConnections()
	again := t.prepared(new(use), r)
	if r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		frame, err := io.ReadAll(body)
		if m := peek(frame).method; err != nil || m == "" || m == "tools/call" {
			return nil, errHungUp
		}
		again.Body, _ = r.GetBody()
	}
	t.event("sent again: %s", HungUp)
	return t.Transport.RoundTrip(again)
}

func (t *transport) prepared(u *use, r *http.Request) *http.Request {
	r = r.Clone(u.watched(r.Context()))
	r.Close = t.keeping.hangsUp.Load()
	return r
}

// A socket notices that the server closes it while no request is on it.
type socket struct {
	net.Conn
	idle, closed atomic.Bool
	keeping      *Keeping
}

func (k *Keeping) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &socket{Conn: c, keeping: k}, nil
}

func (s *socket) Read(b []byte) (int, error) {
	n, err := s.Conn.Read(b)
	if err != nil && s.idle.Load() && !s.closed.Load() {
		s.keeping.hangsUp.Store(true)
	}
	return n, err
}

func (s *socket) Close() error {
	s.closed.Store(true)
	return s.Conn.Close()
}

// A use is what one request makes of a connection.
type use struct {
	on               atomic.Pointer[socket]
	reused, answered atomic.Bool
}

// watched lets u see what a request does with its connection.
func (u *use) watched(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(g httptrace.GotConnInfo) {
			c := g.Conn
			if secured, is := c.(*tls.Conn); is {
				c = secured.NetConn()
			}
			s, _ := c.(*socket)
			if u.on.Store(s); s != nil {
				s.idle.Store(false)
			}
			u.reused.Store(g.Reused)
		},
		GotFirstResponseByte: func() { u.answered.Store(true) },
		PutIdleConn: func(err error) {
			if s := u.on.Load(); s != nil && err == nil {
				s.idle.Store(true)
			}
		},
	})
}

// hungUp reports whether the request failed as one does that met a closed connection.
func (u *use) hungUp() bool { return u.reused.Load() && !u.answered.Load() }
