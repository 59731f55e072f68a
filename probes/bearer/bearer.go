// Package bearer sends the token that a server behind authorization wants with each HTTP
// request. It gets the token from a command or a sign-in and keeps it in memory
// alone. It does not read the requests that carry it.
package bearer

import (
	"context"
	"regexp"
	"slices"
	"sync"
)

// A Source has the token of one server, and gets another one when the server refuses it.
type Source struct {
	get func(ctx context.Context) (token string, err error)
	own bool // its tokens are issued for this run

	turn    sync.Mutex // of who gets a token
	token   string
	untried bool // no request with the token has been accepted

	mu  sync.Mutex
	all []string // what no output may show
}

// New returns a source that calls get when a token is wanted, and again once the server has
// refused a token that it had accepted before.
func New(get func(ctx context.Context) (token string, err error)) *Source {
	return &Source{get: get}
}

// Issued returns the source of tokens that somebody in this process issues; nil for nobody.
func Issued(issue func() string) *Source {
	if issue == nil {
		return nil
	}
	s := New(func(context.Context) (string, error) { return issue(), nil })
	s.own = true
	return s
}

// Own reports whether the tokens are issued for this run, and end with it or soon after.
func (s *Source) Own() bool { return s != nil && s.own }

// form is what a header can carry as a token. RFC 6750, section 2.1, permits less; a server that
// wants more gets it.
var form = regexp.MustCompile(`^[\x21-\x7e]+$`)

// WellFormed reports whether a text can be sent as a token.
func WellFormed(token string) bool { return form.MatchString(token) }

// Token returns the token to send.
func (s *Source) Token(ctx context.Context) (string, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.token != "" {
		return s.token, nil
	}
	return s.renewed(ctx)
}

func (s *Source) renewed(ctx context.Context) (string, error) {
	token, err := s.get(ctx)
	if err != nil {
		return "", err
	}
	s.token, s.untried = token, true
	s.hide(token)
	return token, nil
}

// hide adds to what no output may show.
func (s *Source) hide(secrets ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range secrets {
		if secret != "" && !slices.Contains(s.all, secret) {
			s.all = append(s.all, secret)
		}
	}
}

// Tokens are all tokens so far, and what they were got with: what no output may show. A nil source
// has none.
func (s *Source) Tokens() []string {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

// accepted notes that the server took the token.
func (s *Source) accepted(token string) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.token == token {
		s.untried = false
	}
}

// instead returns the token to send in place of one that was refused, "" for none. A token that
// was never accepted has no successor: the next one would be refused too.
func (s *Source) instead(ctx context.Context, refused string) (string, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	switch {
	case s.token != refused:
		return s.token, nil // somebody else has got it already
	case s.untried:
		return "", nil
	}
	token, err := s.renewed(ctx)
	if token == refused {
		return "", err
	}
	return token, err
}
