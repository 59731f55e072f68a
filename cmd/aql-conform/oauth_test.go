package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/authorization"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
)

// allow is a browser whose user allows everything: it opens an address and presses the button.
func allow(address string) int {
	if err := pressed(address, nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

var hiddenField = regexp.MustCompile(`name="([^"]+)" value="([^"]*)"`)

func pressed(address string, typed url.Values) error {
	page, err := http.Get(address)
	if err != nil {
		return err
	}
	defer page.Body.Close()
	text, err := io.ReadAll(page.Body)
	if err != nil || page.StatusCode != http.StatusOK {
		return fmt.Errorf("HTTP %d: %s %w", page.StatusCode, text, err)
	}
	form := url.Values{}
	for _, field := range hiddenField.FindAllSubmatch(text, -1) {
		form.Set(string(field[1]), unescaped(string(field[2])))
	}
	for name, values := range typed {
		form[name] = values
	}
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	u.RawQuery = ""
	done, err := http.PostForm(u.String(), form) // follows the redirect to the checker
	if err != nil {
		return err
	}
	defer done.Body.Close()
	if done.StatusCode != http.StatusOK {
		return fmt.Errorf("HTTP %d after the button", done.StatusCode)
	}
	return nil
}

func unescaped(s string) string {
	return strings.NewReplacer("&#43;", "+", "&amp;", "&", "&#34;", `"`).Replace(s)
}

// A teller is the reference adapter behind authorization that repeats every secret of the sign-in in
// every answer.
type teller struct {
	mu      sync.Mutex
	secrets []string
	issued  int
}

func (l *teller) known() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.secrets)
}

func (l *teller) learn(values ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range values {
		if v != "" && !slices.Contains(l.secrets, v) {
			l.secrets = append(l.secrets, v)
		}
	}
}

func (l *teller) serve(t *testing.T, life time.Duration) string {
	t.Helper()
	a, err := stand.New(stand.Config{Mode: "all"})
	if err != nil {
		t.Fatal(err)
	}
	guard := authorization.New()
	var asked atomic.Int64 // each request takes a second of the life of a token, on any machine
	guard.Life, guard.Clock = life, func() time.Time { return time.Unix(asked.Load(), 0) }
	healthy := guard.Over(a.Handler())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			for _, name := range []string{"code", "code_verifier", "refresh_token", "device_code"} {
				l.learn(r.FormValue(name))
			}
		}
		if r.URL.Path == "/mcp" {
			asked.Add(1)
		}
		kept := httptest.NewRecorder()
		healthy.ServeHTTP(kept, r)
		var issued struct {
			Access  string `json:"access_token"`
			Refresh string `json:"refresh_token"`
			Device  string `json:"device_code"`
		}
		if r.URL.Path != "/mcp" && json.Unmarshal(kept.Body.Bytes(), &issued) == nil {
			l.learn(issued.Access, issued.Refresh, issued.Device)
			if issued.Access != "" {
				l.mu.Lock()
				l.issued++
				l.mu.Unlock()
			}
		}
		for name, values := range kept.Header() {
			if name != "Content-Length" {
				w.Header()[name] = values
			}
		}
		w.WriteHeader(kept.Code)
		body := kept.Body.Bytes()
		if r.URL.Path == "/mcp" {
			body = blurted(body, l.known())
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL + "/mcp"
}

// A user reads what is printed and enters the code of a device.
type user struct {
	bytes.Buffer
	t    *testing.T
	once sync.Once
}

var deviceCode = regexp.MustCompile(`open (\S+) and enter the code (\S+)`)

func (u *user) Write(b []byte) (int, error) {
	n, err := u.Buffer.Write(b)
	if asked := deviceCode.FindSubmatch(u.Bytes()); asked != nil {
		u.once.Do(func() {
			if err := pressed(string(asked[1]), url.Values{"user_code": {string(asked[2])}}); err != nil {
				u.t.Error(err)
			}
		})
	}
	return n, err
}

// Signed in by a browser or by a device, the run goes on over many short-lived tokens, and no secret
// of the sign-in stands in anything that is written.
func TestSignIn(t *testing.T) {
	portion.Long(t)
	t.Setenv("BROWSER", "allower")
	for _, way := range []string{"browser", "device"} {
		t.Run(way, func(t *testing.T) {
			l := &teller{}
			address := l.serve(t, 100*time.Second)
			folder := t.TempDir()
			at := func(name string) string { return filepath.Join(folder, name) }
			args := []string{"--url", address, "--oauth", way, "--no-hints", "--run", "AQL-4.*", "--trace", "-v", "--transcript", at("run.ndjson")}
			for _, format := range reports.Formats() {
				args = append(args, "--report", format+"="+at("report."+format))
			}
			u := &user{t: t}
			code := obeyedIn(t.Context(), u, args...)
			said := map[string]string{"output": u.String()}
			if code != 5 || !strings.Contains(said["output"], "NOT PROVEN") {
				t.Fatalf("exit code %d: %.3000s", code, said["output"])
			}
			if l.issued < 3 {
				t.Errorf("%d tokens were issued, want some by the refresh token", l.issued)
			}
			withFiles(t, said, folder, len(reports.Formats())+1)
			if !strings.Contains(said["run.ndjson"], "[masked]") {
				t.Error("the adapter told nothing that had to be masked")
			}
			secrets, found := l.known(), 0
			for where, text := range said {
				for _, secret := range secrets {
					for _, form := range wire.Forms(secret) {
						if i := strings.Index(text, form); i >= 0 {
							found++
							t.Errorf("%s holds %q: …%.160q…", where, form, text[max(0, i-60):min(len(text), i+100)])
							break
						}
					}
				}
			}
			t.Logf("%d tokens issued; %d of %d secrets in %d outputs", l.issued, found, len(secrets), len(said))
		})
	}
}

// Whoever is not allowed says why, and shows nothing that the server told.
func TestSignInFails(t *testing.T) {
	a, err := stand.New(stand.Config{Mode: "all"})
	must(t, err)
	open := httptest.NewServer(a.Handler())
	defer open.Close()
	guard := authorization.New()
	healthy := guard.Over(a.Handler())
	broken := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == broken {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"not `+r.FormValue("code")+`"}`)
			return
		}
		healthy.ServeHTTP(w, r)
	}))
	defer server.Close()
	t.Setenv("BROWSER", "allower")
	for _, c := range []struct{ address, broken, way, want string }{
		{open.URL + "/mcp", "", "browser", "does not ask for a token"},
		{server.URL + "/mcp", "/token", "browser", "the token endpoint answers HTTP 400 invalid_grant"},
		{server.URL + "/mcp", "/register", "device", "register"},
	} {
		broken = c.broken
		code, said := obeyed("--url", c.address, "--oauth", c.way)
		if flat := strings.Join(strings.Fields(said), " "); code != 4 || !strings.Contains(flat, c.want) || strings.Contains(flat, "not code-") {
			t.Errorf("exit code %d, want %q: %s", code, c.want, said)
		}
	}
}

// A token that the author lends is sent to the server alone, whatever the server answers.
func TestLentTokensAreHidden(t *testing.T) {
	a, err := stand.New(stand.Config{Mode: "all"})
	must(t, err)
	healthy := a.Handler()
	lent := map[string]string{"narrow": "lent-5f2a9c77d1e3", "foreign": "lent-8b11e0d4a6c2"}
	var mu sync.Mutex
	met := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		mu.Lock()
		met[token] = true
		mu.Unlock()
		if token == "canary-own" {
			healthy.ServeHTTP(w, r)
			return
		}
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="notes", error_description="not `+token+`"`)
		status := http.StatusForbidden
		if token == "" {
			status = http.StatusUnauthorized
		}
		http.Error(w, "not with "+token, status)
	}))
	defer server.Close()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	write(t, at("hints.yaml"), []byte("version: 1\ntokens: {narrow: echo "+lent["narrow"]+", foreign: echo "+lent["foreign"]+"}\n"))
	code, said := obeyed("--url", server.URL+"/mcp", "--token-cmd", "echo canary-own", "--hints", at("hints.yaml"), "--run", "authorization",
		"-v", "--trace", "--transcript", at("run.ndjson"), "--report", "json="+at("report.json"))
	for _, name := range []string{"run.ndjson", "report.json"} {
		raw, err := os.ReadFile(at(name))
		must(t, err)
		said += string(raw)
	}
	for kind, token := range lent {
		if !met[token] || strings.Contains(said, token) {
			at := max(strings.Index(said, token), 300)
			t.Errorf("exit code %d: the %s token was sent: %t; shown: %.600s", code, kind, met[token], said[at-300:])
		}
	}
	if !strings.Contains(said, "MCP-AUTH-11") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
