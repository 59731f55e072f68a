//go:build !js

package bearer

import (
	"fmt"
	"net/http"
	"sync"
)

// Over returns a RoundTripper that sends each request with the token. hide is told of a token
// before it is sent, event of what becomes of it. A nil source sends requests as they are.
func (s *Source) Over(under http.RoundTripper, hide func(...string), event func(format string, args ...any)) http.RoundTripper {
	if s == nil {
		return under
	}
	return &transport{source: s, under: under, hide: hide, event: event}
}

type transport struct {
	source *Source
	under  http.RoundTripper
	hide   func(...string)
	event  func(format string, args ...any)

	mu     sync.Mutex
	hidden string // the last token that hide was told
}

// RoundTrip sends a request, and once more with another token where the server refuses the first:
// a request that was refused has done nothing.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	token, err := t.source.Token(r.Context())
	if err != nil {
		return nil, fmt.Errorf("no token: %w", err)
	}
	resp, err := t.under.RoundTrip(t.bearing(r, token))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusUnauthorized {
		t.source.accepted(token)
		return resp, nil
	}
	next, err := t.source.instead(r.Context(), token)
	switch {
	case err != nil:
		t.event("no other token: %v", err)
		return resp, nil
	case next == "" || r.Body != nil && r.GetBody == nil:
		return resp, nil
	}
	again := t.bearing(r, next)
	if r.Body != nil {
		if again.Body, err = r.GetBody(); err != nil {
			return resp, nil
		}
	}
	_ = resp.Body.Close()
	t.event("sent again with another token: HTTP 401")
	return t.under.RoundTrip(again)
}

func (t *transport) bearing(r *http.Request, token string) *http.Request {
	t.mu.Lock()
	if t.hidden != token {
		t.hide(t.source.Tokens()...)
		t.hidden = token
	}
	t.mu.Unlock()
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

// CloseIdleConnections closes what the RoundTripper below keeps.
func (t *transport) CloseIdleConnections() {
	if c, can := t.under.(interface{ CloseIdleConnections() }); can {
		c.CloseIdleConnections()
	}
}
