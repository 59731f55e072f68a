package authorization_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/authorization"
)

// The verifier and challenge of RFC 7636, appendix B.
const (
	verifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	redirect  = "http://127.0.0.1:9/callback"
)

// A visit is a server with a client that is registered.
type visit struct {
	t              *testing.T
	server         http.Handler
	client, origin string
}

func visited(t *testing.T, s *authorization.Server) *visit {
	t.Helper()
	v := &visit{t: t, origin: "http://example.com", server: s.Over(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))}
	status, said := v.do(httptest.NewRequest("POST", "/register", strings.NewReader(`{"redirect_uris":["`+redirect+`"]}`)))
	if v.client, _ = said["client_id"].(string); status != http.StatusCreated || v.client == "" {
		t.Fatalf("HTTP %d %v", status, said)
	}
	return v
}

func (v *visit) do(r *http.Request) (int, map[string]any) {
	w := httptest.NewRecorder()
	v.server.ServeHTTP(w, r)
	said := map[string]any{"location": w.Header().Get("Location"), "challenge": w.Header().Get("WWW-Authenticate")}
	_ = json.Unmarshal(w.Body.Bytes(), &said)
	return w.Code, said
}

func (v *visit) post(path string, form url.Values) (int, map[string]any) {
	r := httptest.NewRequest("POST", path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return v.do(r)
}

func (v *visit) code() string {
	_, said := v.post("/authorize", url.Values{"client_id": {v.client}, "redirect_uri": {redirect}, "code_challenge": {challenge}, "resource": {v.origin + "/mcp"}, "state": {"s"}})
	u, err := url.Parse(said["location"].(string))
	if err != nil || u.Query().Get("state") != "s" || u.Query().Get("code") == "" {
		v.t.Fatalf("redirected to %v", said["location"])
	}
	return u.Query().Get("code")
}

func (v *visit) exchange(code, verifier string) (int, map[string]any) {
	return v.post("/token", url.Values{"grant_type": {"authorization_code"}, "client_id": {v.client}, "redirect_uri": {redirect}, "code": {code}, "code_verifier": {verifier}})
}

func (v *visit) ask(token string) (int, map[string]any) {
	r := httptest.NewRequest("POST", "/mcp", nil)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return v.do(r)
}

func TestEachSecretIsGoodOnce(t *testing.T) {
	v := visited(t, authorization.New())
	code := v.code()
	status, first := v.exchange(code, verifier)
	if again, _ := v.exchange(code, verifier); status != http.StatusOK || again != http.StatusBadRequest {
		t.Errorf("a code is exchanged with HTTP %d, then %d", status, again)
	}
	if other, _ := v.exchange(v.code(), verifier+"x"); other != http.StatusBadRequest {
		t.Errorf("another verifier is answered HTTP %d", other)
	}
	renew := func() int {
		status, _ := v.post("/token", url.Values{"grant_type": {"refresh_token"}, "client_id": {v.client}, "refresh_token": {first["refresh_token"].(string)}})
		return status
	}
	if one, two := renew(), renew(); one != http.StatusOK || two != http.StatusBadRequest {
		t.Errorf("a refresh token is answered HTTP %d, then %d", one, two)
	}
	if status, _ := v.ask(first["access_token"].(string)); status != http.StatusOK {
		t.Errorf("the token is answered HTTP %d", status)
	}
}

func TestGuardLooksAtEachToken(t *testing.T) {
	now := time.Now()
	s := authorization.New()
	s.Clock = func() time.Time { return now }
	v := visited(t, s)
	own, foreign := s.Grant(v.origin+"/mcp"), s.Grant("http://elsewhere.example/mcp")
	for token, want := range map[string]int{"": 401, "garbage": 401, foreign: 401, own: 200} {
		if got, said := v.ask(token); got != want || want == 401 && !strings.Contains(said["challenge"].(string), `resource_metadata="http://example.com/.well-known/oauth-protected-resource/mcp"`) {
			t.Errorf("%q is answered HTTP %d %v, want %d", token, got, said, want)
		}
	}
	now = now.Add(time.Hour)
	if got, _ := v.ask(own); got != 401 {
		t.Errorf("an expired token is answered HTTP %d", got)
	}
}

func TestForeignRedirects(t *testing.T) {
	v := visited(t, authorization.New())
	if status, _ := v.do(httptest.NewRequest("POST", "/register", strings.NewReader(`{"redirect_uris":["https://attacker.example/"]}`))); status != http.StatusBadRequest {
		t.Errorf("a foreign redirect is registered with HTTP %d", status)
	}
	q := url.Values{"client_id": {v.client}, "redirect_uri": {redirect + "/other"}, "response_type": {"code"}, "code_challenge": {challenge}, "code_challenge_method": {"S256"}}
	if status, said := v.do(httptest.NewRequest("GET", "/authorize?"+q.Encode(), nil)); status != http.StatusBadRequest || said["location"] != "" {
		t.Errorf("another redirect is answered HTTP %d to %v", status, said["location"])
	}
}
