package authorization

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"
)

const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

// register takes a client that nobody has met before. RFC 7591.
func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	var client struct {
		RedirectURIs []string `json:"redirect_uris"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&client); err != nil || slices.ContainsFunc(client.RedirectURIs, foreign) {
		fail(w, "invalid_redirect_uri")
		return
	}
	id := "client-" + rand.Text()
	s.mu.Lock()
	s.clients[id] = client.RedirectURIs
	s.mu.Unlock()
	answer(w, http.StatusCreated, map[string]any{"client_id": id, "redirect_uris": client.RedirectURIs, "token_endpoint_auth_method": "none"})
}

// foreign reports whether a redirect would leave the user's machine.
func foreign(redirect string) bool {
	u, err := url.Parse(redirect)
	return err != nil || u.Scheme != "http" || u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback()
}

// consent is the page on which the user allows a client.
var consent = template.Must(template.New("").Parse(`<!DOCTYPE html><title>Allow</title><form method="post">
{{range $name, $value := .}}<input type="hidden" name="{{$name}}" value="{{$value}}">{{end}}
<p>A program wants to use the notes.</p><button id="allow">Allow</button></form>`))

// asked reads an authorization request; nil where it must not be redirected anywhere.
func (s *Server) asked(r *http.Request) *grant {
	g := &grant{client: r.FormValue("client_id"), resource: r.FormValue("resource"), scope: Scope,
		redirect: r.FormValue("redirect_uri"), challenge: r.FormValue("code_challenge"), expires: s.now().Add(codeLife)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.clients[g.client], g.redirect) {
		return nil
	}
	return g
}

func (s *Server) askUser(w http.ResponseWriter, r *http.Request) {
	switch g := s.asked(r); {
	case g == nil:
		fail(w, "invalid_request")
	case r.FormValue("response_type") != "code", g.challenge == "", r.FormValue("code_challenge_method") != "S256":
		s.redirect(w, r, g, url.Values{"error": {"invalid_request"}})
	case g.resource != base(r)+endpoint:
		s.redirect(w, r, g, url.Values{"error": {"invalid_target"}}) // RFC 8707
	default:
		fields := map[string]string{}
		for name := range r.URL.Query() {
			fields[name] = r.FormValue(name)
		}
		_ = consent.Execute(w, fields)
	}
}

// allow is what happens when the user presses the button.
func (s *Server) allow(w http.ResponseWriter, r *http.Request) {
	g := s.asked(r)
	if g == nil || g.challenge == "" {
		fail(w, "invalid_request")
		return
	}
	code := "code-" + rand.Text()
	s.mu.Lock()
	s.codes[code] = g
	s.mu.Unlock()
	s.redirect(w, r, g, url.Values{"code": {code}})
}

func (s *Server) redirect(w http.ResponseWriter, r *http.Request, g *grant, values url.Values) {
	values.Set("state", r.FormValue("state"))
	values.Set("iss", base(r)) // RFC 9207
	http.Redirect(w, r, g.redirect+"?"+values.Encode(), http.StatusFound)
}

// issue exchanges a code, a device code or a refresh token, each for once.
func (s *Server) issue(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, key := s.codes, r.FormValue("code")
	switch r.FormValue("grant_type") {
	case "authorization_code":
	case deviceGrant:
		key = r.FormValue("device_code")
	case "refresh_token":
		kept, key = s.refresh, r.FormValue("refresh_token")
	default:
		fail(w, "unsupported_grant_type")
		return
	}
	g := kept[key]
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	switch {
	case g == nil, g.client != r.FormValue("client_id"), s.now().After(g.expires):
		fail(w, "invalid_grant")
	case g.device && !g.allowed:
		fail(w, "authorization_pending") // RFC 8628
	case g.challenge != "" && (g.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) || g.redirect != r.FormValue("redirect_uri")):
		delete(kept, key)
		fail(w, "invalid_grant")
	case r.FormValue("resource") != "" && r.FormValue("resource") != g.resource:
		fail(w, "invalid_target")
	default:
		delete(kept, key)
		again := "rt-" + rand.Text()
		s.refresh[again] = &grant{client: g.client, resource: g.resource, scope: g.scope, expires: s.now().Add(24 * time.Hour)}
		answer(w, http.StatusOK, map[string]any{
			"access_token": s.granted(g), "token_type": "Bearer", "expires_in": int(s.life().Seconds()), "refresh_token": again, "scope": g.scope,
		})
	}
}

// beginDevice gives a device the code that its user has to enter. RFC 8628.
func (s *Server) beginDevice(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.clients[r.FormValue("client_id")]; !known || r.FormValue("resource") != base(r)+endpoint {
		fail(w, "invalid_client")
		return
	}
	g := &grant{client: r.FormValue("client_id"), resource: r.FormValue("resource"), scope: Scope, device: true, expires: s.now().Add(10 * codeLife)}
	device, user := "dc-"+rand.Text(), rand.Text()[:8]
	s.codes[device], s.users[user] = g, g
	answer(w, http.StatusOK, map[string]any{
		"device_code": device, "user_code": user, "verification_uri": base(r) + "/device", "expires_in": 600, "interval": 1,
		"verification_uri_complete": base(r) + "/device?user_code=" + user,
	})
}

func (s *Server) askUserCode(w http.ResponseWriter, r *http.Request) {
	_ = consent.Execute(w, map[string]string{"user_code": r.FormValue("user_code")})
}

func (s *Server) allowDevice(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.users[r.FormValue("user_code")]
	if g == nil {
		fail(w, "invalid_request")
		return
	}
	g.allowed = true
	delete(s.users, r.FormValue("user_code"))
	_, _ = w.Write([]byte("Allowed. You can close this page."))
}

func fail(w http.ResponseWriter, code string) {
	answer(w, http.StatusBadRequest, map[string]any{"error": code})
}
