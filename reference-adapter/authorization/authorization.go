// Package authorization puts an MCP server behind OAuth 2.1 as MCP 2025-11-25 has it: it guards the
// server, says where tokens come from, and is the small authorization server that issues them. It
// keeps all in memory and has one user, who allows everything. It refuses to know what it guards.
package authorization

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Scope is what a token has to permit.
const Scope = "notes"

const (
	endpoint    = "/mcp" // of the guarded server
	defaultLife = 10 * time.Minute
	codeLife    = time.Minute
)

// Server guards one MCP server and issues tokens for it.
type Server struct {
	Clock func() time.Time // nil for the real one
	Life  time.Duration    // of an access token; 0 for ten minutes

	mu      sync.Mutex
	clients map[string][]string // redirect URIs by client
	codes   map[string]*grant   // authorization codes and device codes
	tokens  map[string]*grant   // access tokens
	refresh map[string]*grant   // refresh tokens
	users   map[string]*grant   // user codes of devices

	granting string // the address of the last token that was granted
}

// A grant is what the user allowed a client, or is asked to allow.
type grant struct {
	client, resource, scope string
	redirect, challenge     string // of a code
	expires                 time.Time
	device, allowed         bool
}

// New returns a server that knows nobody yet.
func New() *Server {
	return &Server{clients: map[string][]string{}, codes: map[string]*grant{}, tokens: map[string]*grant{}, refresh: map[string]*grant{}, users: map[string]*grant{}}
}

// Over returns the guarded server with what belongs to its authorization.
func (s *Server) Over(guarded http.Handler) http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /.well-known/oauth-protected-resource"+endpoint, s.resourceMetadata)
	routes.HandleFunc("GET /.well-known/oauth-authorization-server", s.serverMetadata)
	routes.HandleFunc("POST /register", s.register)
	routes.HandleFunc("GET /authorize", s.askUser)
	routes.HandleFunc("POST /authorize", s.allow)
	routes.HandleFunc("POST /token", s.issue)
	routes.HandleFunc("POST /device_authorization", s.beginDevice)
	routes.HandleFunc("GET /device", s.askUserCode)
	routes.HandleFunc("POST /device", s.allowDevice)
	routes.Handle(endpoint, s.guard(guarded))
	return routes
}

// Grant returns a token for the server at an address, for whoever has no browser.
func (s *Server) Grant(address string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.granting = address
	return s.granted(&grant{resource: address, scope: Scope})
}

// Lend returns a token that is valid and has to be refused: "narrow" lacks the scope, "foreign" is for
// another server. Any other kind is none.
func (s *Server) Lend(kind string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch kind {
	case "narrow":
		return s.granted(&grant{resource: s.granting, scope: "none"})
	case "foreign":
		return s.granted(&grant{resource: "https://elsewhere.example/mcp", scope: Scope})
	}
	return ""
}

// granted keeps a new access token. The caller holds the lock.
func (s *Server) granted(g *grant) string {
	token := "at-" + rand.Text()
	kept := *g
	kept.expires = s.now().Add(s.life())
	s.tokens[token] = &kept
	return token
}

// guard lets requests pass that carry a token for this server in their header. Each request is
// looked at: a session is no proof of who asks.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		challenge := `Bearer resource_metadata="` + base(r) + "/.well-known/oauth-protected-resource" + endpoint + `", scope="` + Scope + `"`
		token, given := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		s.mu.Lock()
		g := s.tokens[token]
		s.mu.Unlock()
		switch {
		case !given:
			refuse(w, http.StatusUnauthorized, challenge)
		case g == nil || g.resource != base(r)+endpoint || s.now().After(g.expires):
			refuse(w, http.StatusUnauthorized, challenge+`, error="invalid_token"`)
		case g.scope != Scope:
			refuse(w, http.StatusForbidden, challenge+`, error="insufficient_scope"`)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func refuse(w http.ResponseWriter, status int, challenge string) {
	w.Header().Set("WWW-Authenticate", challenge)
	http.Error(w, http.StatusText(status), status)
}

// resourceMetadata is the document of RFC 9728.
func (s *Server) resourceMetadata(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusOK, map[string]any{
		"resource": base(r) + endpoint, "authorization_servers": []string{base(r)},
		"scopes_supported": []string{Scope}, "bearer_methods_supported": []string{"header"},
	})
}

// serverMetadata is the document of RFC 8414.
func (s *Server) serverMetadata(w http.ResponseWriter, r *http.Request) {
	answer(w, http.StatusOK, map[string]any{
		"issuer": base(r), "authorization_endpoint": base(r) + "/authorize", "token_endpoint": base(r) + "/token",
		"registration_endpoint": base(r) + "/register", "device_authorization_endpoint": base(r) + "/device_authorization",
		"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
		"grant_types_supported":                 []string{"authorization_code", "refresh_token", deviceGrant},
		"token_endpoint_auth_methods_supported": []string{"none"}, "scopes_supported": []string{Scope},
		"authorization_response_iss_parameter_supported": true,
	})
}

// base is the origin at which the client has found us.
func base(r *http.Request) string { return "http://" + r.Host }

func answer(w http.ResponseWriter, status int, document map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(document) // a client that left is no concern of ours
}

func (s *Server) now() time.Time {
	if s.Clock != nil {
		return s.Clock()
	}
	return time.Now()
}

func (s *Server) life() time.Duration {
	if s.Life > 0 {
		return s.Life
	}
	return defaultLife
}
