package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/statement"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
)

// repacked is an envelope whose payload is what edit makes of it. Nobody has signed it.
func repacked(t *testing.T, envelope string, edit func(string) string) string {
	t.Helper()
	var e statement.Envelope
	must(t, json.Unmarshal([]byte(envelope), &e))
	payload, err := base64.StdEncoding.DecodeString(e.Payload)
	must(t, err)
	changed := edit(string(payload))
	if changed == string(payload) {
		t.Fatal("the edit changes nothing")
	}
	e.Payload = base64.StdEncoding.EncodeToString([]byte(changed))
	return asJSON(t, e)
}

// A run that answers a challenge was not made before it, not for another adapter, and not with a
// seed of one's own choice. Whatever does not fit is named.
func TestChallengesAreAnswered(t *testing.T) {
	portion.Long(t)
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	a, err := stand.New(stand.Config{Mode: "all"})
	must(t, err)
	server := httptest.NewServer(a.Handler())
	defer server.Close()
	judged := func(t *testing.T, name string, flags ...string) sealedRun {
		t.Helper()
		s := sealedRun{at(name + ".ndjson"), at(name + ".json"), at(name + ".sealed.json")}
		args := append([]string{"--url", server.URL + "/mcp", "--phases", "none", "--no-hints", "--run", "AQL-4.6-01", "--transcript", s.transcript, "--report", "json=" + s.report}, flags...)
		if code, said := obeyed(args...); code != 5 {
			t.Fatalf("the run ended with %d: %s", code, said)
		}
		if code, said := obeyed("seal", s.report, "--transcript", s.transcript, "-o", s.sealed); code != 0 {
			t.Fatalf("seal ended with %d: %s", code, said)
		}
		return s
	}
	before := judged(t, "before")
	var report struct{ Digests struct{ Adapter string } }
	must(t, json.Unmarshal([]byte(read(t, before.report)), &report))
	for _, name := range []string{"challenge.json", "other.json"} {
		if code, said := obeyed("challenge", report.Digests.Adapter, "-o", at(name)); code != 0 {
			t.Fatalf("challenge ended with %d: %s", code, said)
		}
	}
	run := judged(t, "run", "--challenge", at("challenge.json"))
	fitting(t, transcriptSchema(t), linesOf(t, run.transcript)[0])
	code, said := obeyed("verify", run.sealed, "--transcript", run.transcript, "--challenge", at("challenge.json"))
	if code != 0 || !strings.Contains(said, "  challenge   ") || !strings.Contains(said, "  grade       self-declared") || !strings.Contains(said, "Taken on trust: ") {
		t.Errorf("exit %d\n%s", code, said)
	}
	for name, c := range map[string]struct {
		run       sealedRun
		challenge string
		want      string
	}{
		"of another challenge": {run, "other.json", "the run answers a different challenge"},
		"of no challenge":      {before, "challenge.json", "the run does not answer one"},
	} {
		code, said := obeyed("verify", c.run.sealed, "--transcript", c.run.transcript, "--challenge", at(c.challenge))
		if code != 1 || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d, want %q in\n%s", name, code, c.want, said)
		}
	}
	// A challenge that its author has written fits no run in one way or another.
	later := time.Now().Add(time.Hour).UTC().Format("2006-01-02T15:04:05Z")
	for name, c := range map[string]struct{ pattern, with, want string }{
		"of another adapter": {`"commitment":"[^"]*`, `"commitment":"` + strings.Repeat("0", 64), "it is for the adapter 000000"},
		"issued later":       {`"issued":"[^"]*"`, `"issued":"` + later + `"`, "began before it was issued"},
	} {
		write(t, at("forged.json"), []byte(repacked(t, read(t, at("challenge.json")), swap(c.pattern, c.with))))
		forged := judged(t, "forged", "--challenge", at("forged.json"))
		code, said := obeyed("verify", forged.sealed, "--transcript", forged.transcript)
		if code != 1 || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d, want %q in\n%s", name, code, c.want, said)
		}
	}
	// Some of them cannot even be answered.
	for name, c := range map[string]struct{ pattern, with, want string }{
		"with a seed of its own": {`"seed":\d+`, `"seed":7`, "no challenge that aql-conform has issued"},
		"expired":                {`"issued":"[^"]*","expires":"[^"]*"`, `"issued":"2026-01-01T00:00:00Z","expires":"2026-01-02T00:00:00Z"`, "it expired at 2026-01-02"},
		"with another nonce":     {`"nonce":"..`, `"nonce":"zz`, "no challenge that aql-conform has issued"},
		"with a member more":     {`^\{`, `{"note":1,`, "payload: no challenge"},
	} {
		write(t, at("forged.json"), []byte(repacked(t, read(t, at("challenge.json")), swap(c.pattern, c.with))))
		code, said := obeyed("--url", server.URL+"/mcp", "--no-hints", "--transcript", at("unused.ndjson"), "--challenge", at("forged.json"))
		if code != 3 || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d, want %q in\n%s", name, code, c.want, said)
		}
	}
	for _, flags := range [][]string{{"--seed", "7", "--transcript", at("unused.ndjson")}, {}} {
		if code, said := obeyed(append([]string{"--url", server.URL + "/mcp", "--challenge", at("challenge.json")}, flags...)...); code != 3 {
			t.Errorf("%q: exit %d\n%s", flags, code, said)
		}
	}
}

// A witness is who vouches for a sealed report at the end of the run. Its token is believed if its
// issuer has signed it, for this report, at that time.
func TestWitnessesAreHeldAgainstTheirIssuer(t *testing.T) {
	portion.Long(t)
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	_, foreign, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	const issuer = "https://issuer.example"
	token := func(alg jose.SignatureAlgorithm, key any, claims jwt.Claims) string {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: jose.JSONWebKey{Key: key, KeyID: "1"}}, nil)
		must(t, err)
		text, err := jwt.Signed(signer).Claims(claims).Serialize()
		must(t, err)
		return text
	}
	claims := func(audience string) jwt.Claims {
		return jwt.Claims{Issuer: issuer, Subject: "repo:widgets/adapter:ref:refs/heads/main", Audience: jwt.Audience{audience}, IssuedAt: jwt.NewNumericDate(time.Now())}
	}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer request-secret" || r.URL.Query().Get("job") != "1" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		_, _ = w.Write([]byte(asJSON(t, map[string]string{"value": token(jose.EdDSA, private, claims(r.URL.Query().Get("audience")))})))
	}))
	defer service.Close()
	write(t, at("keys.json"), []byte(asJSON(t, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: "1", Algorithm: "EdDSA", Use: "sig"}}})))
	t.Setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "request-secret")
	code, said := obeyed("--cmd", "./none", "--no-hints", "--certify", at("made"), "--witness", service.URL+"/token?job=1")
	if code != 4 || strings.Contains(said, "request-secret") || strings.Contains(said, "job=1") {
		t.Fatalf("exit %d\n%s", code, said)
	}
	sealed, transcript, witness := at("made/sealed.json"), at("made/transcript.ndjson.gz"), at("made/witness.json")
	verify := func(witness string, flags ...string) (int, string) {
		return obeyed(append([]string{"verify", sealed, "--transcript", transcript, "--witness", witness}, flags...)...)
	}
	known := []string{"--issuer", issuer, "--issuer-keys", at("keys.json")}
	if code, said := verify(witness, known...); code != 0 || !strings.Contains(said, "  witness     repo:widgets/adapter:ref:refs/heads/main, by "+issuer) || !strings.Contains(said, "  grade       witnessed") {
		t.Errorf("exit %d\n%s", code, said)
	}
	if code, said := verify(witness); code != 3 {
		t.Errorf("without an issuer: exit %d\n%s", code, said)
	}
	var w seal.Witness
	must(t, json.Unmarshal([]byte(read(t, witness)), &w))
	statement, err := base64.StdEncoding.DecodeString(w.Statement)
	must(t, err)
	good := claims(seal.Audience(statement))
	with := func(change func(*jwt.Claims)) jwt.Claims { c := good; change(&c); return c }
	for name, c := range map[string]struct {
		token, statement, want string
	}{
		"foreign key":        {token(jose.EdDSA, foreign, good), w.Statement, "no key of the issuer has signed it"},
		"public key as HMAC": {token(jose.HS256, []byte(public), good), w.Statement, "only its issuer can make"},
		"no signature":       {"eyJhbGciOiJub25lIn0." + strings.Split(w.Token, ".")[1] + ".", w.Statement, "only its issuer can make"},
		"edited claims":      {swap(`\.(..)`, `.eyJ$1`)(w.Token), w.Statement, "token: no "},
		"another issuer":     {token(jose.EdDSA, private, with(func(c *jwt.Claims) { c.Issuer = "https://other.example" })), w.Statement, "its issuer is"},
		"another audience":   {token(jose.EdDSA, private, with(func(c *jwt.Claims) { c.Audience = jwt.Audience{"sts.example"} })), w.Statement, "it is not for this statement"},
		"two audiences":      {token(jose.EdDSA, private, with(func(c *jwt.Claims) { c.Audience = append(c.Audience, "sts.example") })), w.Statement, "it is not for this statement"},
		"long before":        {token(jose.EdDSA, private, with(func(c *jwt.Claims) { c.IssuedAt = jwt.NewNumericDate(time.Now().Add(-time.Hour)) })), w.Statement, "of the hour after the run"},
		"long after":         {token(jose.EdDSA, private, with(func(c *jwt.Claims) { c.IssuedAt = jwt.NewNumericDate(time.Now().Add(2 * time.Hour)) })), w.Statement, "of the hour after the run"},
		"no time":            {token(jose.EdDSA, private, with(func(c *jwt.Claims) { c.IssuedAt = nil })), w.Statement, "of the hour after the run"},
		"no subject":         {token(jose.EdDSA, private, with(func(c *jwt.Claims) { c.Subject = "" })), w.Statement, "it names no subject"},
		"another report":     {w.Token, base64.StdEncoding.EncodeToString([]byte(swap(`"sha256":"[0-9a-f]{8}`, `"sha256":"00000000`)(string(statement)))), "about a different sealed report"},
		"edited statement":   {w.Token, base64.StdEncoding.EncodeToString([]byte(swap(`"externalParameters":\{`, `"externalParameters":{"note":"certified"`)(string(statement)))), "it is not for this statement"},
	} {
		write(t, at("forged.json"), []byte(asJSON(t, seal.Witness{Statement: c.statement, Token: c.token})))
		code, said := verify(at("forged.json"), known...)
		if code != 1 || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d, want %q in\n%s", name, code, c.want, said)
		}
	}
	t.Setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "another-secret")
	code, said = obeyed("--cmd", "./none", "--no-hints", "--certify", at("refused"), "--witness", service.URL+"/token?job=1")
	if code != 6 || !strings.Contains(said, "answers with status 403") || strings.Contains(said, "another-secret") || strings.Contains(said, "job=1") {
		t.Errorf("refused: exit %d\n%s", code, said)
	}
}
