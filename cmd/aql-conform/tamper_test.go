package main

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// A sealedRun is a run with all that a stranger gets of it.
type sealedRun struct{ transcript, report, sealed string }

// sealedIn makes a run against a faulty adapter and seals it, in a folder.
func sealedIn(t *testing.T, folder string, flags ...string) sealedRun {
	t.Helper()
	a, err := stand.New(stand.Config{Mode: "all", Fault: "AQL-4.6-01.unknown-params-dropped"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(a.Handler())
	defer server.Close()
	at := func(name string) string { return filepath.Join(folder, name) }
	s := sealedRun{at("run.ndjson"), at("report.json"), at("sealed.json")}
	args := append([]string{"--url", server.URL + "/mcp", "--seed", "7", "--phases", "none", "--no-hints", "--transcript", s.transcript, "--report", "json=" + s.report}, flags...)
	if code, said := obeyed(args...); code != 1 {
		t.Fatalf("the run ended with %d: %s", code, said)
	}
	keys(t, at("key.pem"), at("key.pub"))
	keys(t, at("other.pem"), at("other.pub"))
	s.seal(t, at("key.pem"))
	return s
}

func (s sealedRun) seal(t *testing.T, key string) {
	t.Helper()
	if code, said := obeyed("seal", s.report, "--transcript", s.transcript, "--key", key, "-o", s.sealed); code != 0 {
		t.Fatalf("seal ended with %d: %s", code, said)
	}
}

// obeyed runs one command line in this process.
func obeyed(args ...string) (code int, said string) {
	var out bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(""), &out, &out)
	return code, out.String()
}

// keys writes an ed25519 key pair.
func keys(t *testing.T, private, public string) {
	t.Helper()
	key, pub, err := newPair()
	if err != nil {
		t.Fatal(err)
	}
	write(t, private, key)
	write(t, public, pub)
}

// newPair is a new ed25519 key and its public half, in PEM.
func newPair() (private, public []byte, err error) {
	pub, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	pubDER, err := x509.MarshalPKIXPublicKey(pub)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: pubDER}), nil
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// relinked gives every line of a transcript the link that its content deserves, as a
// forger would who knows the form.
func relinked(t *testing.T, text string) string {
	t.Helper()
	var out strings.Builder
	link := ""
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		var parts struct {
			Entry json.RawMessage `json:"entry"`
		}
		if err := json.Unmarshal([]byte(l), &parts); err != nil {
			t.Fatal(err)
		}
		link = fmt.Sprintf("%x", sha256.Sum256(append([]byte(link), parts.Entry...)))
		fmt.Fprintf(&out, `{"link":"%s","entry":%s}`+"\n", link, parts.Entry)
	}
	return out.String()
}

// swap returns an edit that replaces the first match; it must change something.
func swap(pattern, with string) func(string) string {
	p := regexp.MustCompile(pattern)
	return func(text string) string {
		at := p.FindStringSubmatchIndex(text)
		if at == nil {
			return text
		}
		return text[:at[0]] + string(p.ExpandString(nil, with, text, at)) + text[at[1]:]
	}
}

func lineEdit(edit func(lines []string) []string) func(string) string {
	return func(text string) string {
		return strings.Join(edit(strings.Split(strings.TrimSuffix(text, "\n"), "\n")), "\n") + "\n"
	}
}

// Whatever is changed in a report, an envelope or a transcript is found and named.
func TestTamperingIsFound(t *testing.T) {
	portion.Long(t)
	folder := t.TempDir()
	whole := sealedIn(t, folder, "--run", "AQL-4.6-*", "--run", "response", "--run", "request") // a part of a run has all that can be changed in one
	at := func(name string) string { return filepath.Join(folder, name) }
	if code, said := obeyed("verify", whole.sealed, "--transcript", whole.transcript, "--key", at("key.pub")); code != 0 || !strings.Contains(said, "VERIFIED") {
		t.Fatalf("untouched: %d %s", code, said)
	}
	// A report that is edited and sealed anew, by its own key, is refuted by the transcript.
	reports := map[string]struct{ pattern, with, want string }{
		"verdict":          {`"verdict": "FAIL"`, `"verdict": "PASS"`, ".verdict: sealed"},
		"level":            {`"conformanceLevel": 0`, `"conformanceLevel": 2`, "report.conformanceLevel: sealed 2"},
		"exit code":        {`"exitCode": 1`, `"exitCode": 0`, "report.exitCode: sealed 0"},
		"standing":         {`"verdict": "nonconformant"`, `"verdict": "conformant"`, "report.levels"},
		"subject":          {`"subject": "adapter"`, `"subject": "all"`, ".subject: sealed"},
		"want":             {`"want": "error VALIDATION_UNKNOWN_PARAM"`, `"want": "success"`, ".want: sealed"},
		"got":              {`"got": "success"`, `"got": "an error"`, ".got: sealed"},
		"evidence":         {`"reply": "\{`, `"reply": " {`, ".evidence[0].reply: sealed"},
		"adapter":          {`"adapter": "http[^"]*"`, `"adapter": "http://example.com/mcp"`, "report.adapter: sealed"},
		"implementation":   {`"implementation": "[^"]*"`, `"implementation": "better"`, "report.implementation"},
		"version":          {`"version": "1.0.0"`, `"version": "1.0.1"`, "report.version"},
		"seed":             {`"seed": 7`, `"seed": 8`, "report.seed: sealed 8"},
		"requests":         {`"asked": \d+`, `"asked": 9`, "report.asked: sealed 9"},
		"started":          {`"startedAt": "20`, `"startedAt": "19`, "report.startedAt"},
		"digest":           {`"digest": "..`, `"digest": "zz`, "report.digest"},
		"counts":           {`"fail": 1`, `"fail": 0`, "report.summary"},
		"adapter digest":   {`("digests": \{\s*"adapter": ")..`, `${1}zz`, "report.digests.adapter"},
		"catalogue digest": {`("catalogue": "0*)[^0]`, `${1}0`, "catalogue: the report used"},
		"other transcript": {`("transcript": ")..`, `${1}zz`, "different runs"},
		"dropped failure":  {`(?s)    \{\n      "requirement": "AQL-4\.6-01".*?\n    \},\n`, ``, "they differ in AQL-4.6-01"},
		"reach":            {`"reached": \d+,\s*"of": \d+`, `"reached": 99, "of": 99`, "report.reach"},
		"added remark":     {`"remarks": \[`, `"remarks": ["certified by us",`, "report.remarks"},
	}
	for name, edit := range reports {
		t.Run("report "+name, func(t *testing.T) {
			changed := sealedRun{whole.transcript, filepath.Join(t.TempDir(), "report.json"), filepath.Join(t.TempDir(), "sealed.json")}
			text := swap(edit.pattern, edit.with)(read(t, whole.report))
			if text == read(t, whole.report) {
				t.Fatal("the edit changes nothing")
			}
			write(t, changed.report, []byte(text))
			code, said := obeyed("seal", changed.report, "--transcript", changed.transcript, "--key", at("key.pem"), "-o", changed.sealed)
			if code == 0 {
				code, said = obeyed("verify", changed.sealed, "--transcript", changed.transcript, "--key", at("key.pub"))
			}
			if code == 0 || !strings.Contains(said, edit.want) {
				t.Errorf("exit %d, want %q in\n%.1500s", code, edit.want, said)
			}
		})
	}
	// A transcript that is edited no longer holds together; with its links mended it is
	// another one than the report belongs to.
	first := func(lines []string) []string { return lines[1:] }
	transcripts := map[string]func(string) string{
		"request":       swap(`unknown_`, `known_`),
		"answer":        swap(`success\\\\\\":true`, `success\\\":false`),
		"any byte":      swap(`"kind":"answer"`, `"kind": "answer"`),
		"head":          swap(`"level":1`, `"level":2`),
		"hints":         swap(`"hints":\{\}`, `"hints":{"version":1}`),
		"permissions":   swap(`"may":\{\}`, `"may":{"create":true}`),
		"foot":          swap(`"exitCode":1`, `"exitCode":0`),
		"link":          swap(`"link":"(0*)[^0]`, `"link":"${1}0`),
		"first line":    lineEdit(first),
		"last line":     lineEdit(func(l []string) []string { return l[:len(l)-1] }),
		"middle line":   lineEdit(func(l []string) []string { return append(l[:9:9], l[10:]...) }),
		"two lines":     lineEdit(func(l []string) []string { l[8], l[9] = l[9], l[8]; return l }),
		"line twice":    lineEdit(func(l []string) []string { return append(l[:9:9], l[8:]...) }),
		"line behind":   lineEdit(func(l []string) []string { return append(l, l[3]) }),
		"cut off":       func(text string) string { return text[:len(text)/2] },
		"other version": swap(`"transcriptVersion":2`, `"transcriptVersion":3`),
	}
	for name, edit := range transcripts {
		for _, forged := range []bool{false, true} {
			if forged && name == "cut off" {
				continue // not even lines
			}
			t.Run(fmt.Sprintf("transcript %s, links mended: %t", name, forged), func(t *testing.T) {
				text := edit(read(t, whole.transcript))
				if text == read(t, whole.transcript) {
					t.Fatal("the edit changes nothing")
				}
				if forged {
					text = relinked(t, text)
				}
				path := filepath.Join(t.TempDir(), "run.ndjson")
				write(t, path, []byte(text))
				code, said := obeyed("verify", whole.sealed, "--transcript", path, "--key", at("key.pub"))
				named := strings.Contains(said, "line ") || strings.Contains(said, "transcript: the report belongs to") || forged && name == "link"
				if intact := forged && name == "link"; intact != (code == 0) || !named {
					t.Errorf("exit %d\n%.600s", code, said)
				}
				if !forged {
					if code, said := obeyed("judge", path); code != console.ExitUsage || !strings.Contains(said, "line ") || strings.Contains(said, "CONFORMANT") {
						t.Errorf("judge: exit %d\n%.600s", code, said)
					}
				}
			})
		}
	}
	envelopes := map[string]struct{ pattern, with, key, want string }{
		"payload":         {`"payload": "ey`, `"payload": "eX`, "key.pub", "signature:"},
		"payload type":    {`in-toto\+json`, `other+json`, "key.pub", "payloadType"},
		"signature":       {`"sig": "(A*)[^A]`, `"sig": "${1}A`, "key.pub", "signature:"},
		"no signature":    {`(?s)"signatures": \[.*\]`, `"signatures": []`, "key.pub", "signature: none"},
		"key id":          {`"keyid": "..`, `"keyid": "zz`, "key.pub", "names key zz"},
		"another key":     {`\n`, "\n", "other.pub", "signature:"},
		"foreign members": {`\{`, `{"note": 1,`, "key.pub", "unknown field"},
	}
	for name, edit := range envelopes {
		t.Run("envelope "+name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sealed.json")
			write(t, path, []byte(swap(edit.pattern, edit.with)(read(t, whole.sealed))))
			code, said := obeyed("verify", path, "--transcript", whole.transcript, "--key", at(edit.key))
			if code == 0 || !strings.Contains(said, edit.want) {
				t.Errorf("exit %d, want %q in\n%.600s", code, edit.want, said)
			}
		})
	}
}

// The names in a stranger's file cannot play on the terminal of who verifies it.
func TestVerifyIsInert(t *testing.T) {
	folder := t.TempDir()
	s := sealedIn(t, folder, "--run", "AQL-4.6-01")
	text := swap(`"digest": "`, `"\n::error::x\u001b[2J": 1, "digest": "\u001b]0;`)(read(t, s.report))
	write(t, s.report, []byte(text))
	s.seal(t, filepath.Join(folder, "key.pem"))
	sealed := swap(`"keyid": "..`, `"keyid": "\u001b[2`)(read(t, s.sealed))
	write(t, s.sealed, []byte(sealed))
	for _, args := range [][]string{{}, {"--key", filepath.Join(folder, "key.pub")}} {
		code, said := obeyed(append([]string{"verify", s.sealed, "--transcript", s.transcript}, args...)...)
		if code != 1 || strings.ContainsAny(said, "\x1b") || strings.Contains(said, "\n::") || !strings.Contains(said, `\u001b`) {
			t.Errorf("exit %d, %q", code, said)
		}
	}
}

// An independent reader of DSSE takes our envelopes.
func TestEnvelopesAreDSSE(t *testing.T) {
	folder := t.TempDir()
	s := sealedIn(t, folder, "--run", "AQL-4.6-01")
	public, err := seal.PublicKey(filepath.Join(folder, "key.pub"))
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := dsse.NewEnvelopeVerifier(witness{public})
	if err != nil {
		t.Fatal(err)
	}
	var e dsse.Envelope
	if err := json.Unmarshal([]byte(read(t, s.sealed)), &e); err != nil {
		t.Fatal(err)
	}
	if accepted, err := verifier.Verify(context.Background(), &e); err != nil || len(accepted) != 1 {
		t.Errorf("accepted %d, %v", len(accepted), err)
	}
	e.Payload = base64.StdEncoding.EncodeToString([]byte("{}"))
	if _, err := verifier.Verify(context.Background(), &e); err == nil {
		t.Error("another payload is accepted")
	}
}

// A witness checks signatures by one key.
type witness struct{ key ed25519.PublicKey }

func (w witness) Verify(_ context.Context, data, sig []byte) error {
	if !ed25519.Verify(w.key, data, sig) {
		return fmt.Errorf("not its signature")
	}
	return nil
}

func (w witness) KeyID() (string, error) { return seal.KeyID(w.key) }

func (w witness) Public() crypto.PublicKey { return w.key }
