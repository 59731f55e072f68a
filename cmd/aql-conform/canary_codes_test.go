package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/aql-conform/aql-conform/reports"
)

// A vault is a reference adapter with a person beside it, and all that is secret between
// the two: the codes that the person was shown, those that the adapter blurted out
// before anybody was, its tokens.
type vault struct {
	url, hints, notes string

	mu      sync.Mutex
	heard   bytes.Buffer       // all that the adapter said
	attempt func(attempts int) // is told of each attempt with a code
	made    int
}

// guardedFeatures are those that have secrets of their own.
const guardedFeatures = "confirmation,execution-safety-loop,out-of-band-verification"

func newVault(t *testing.T, fault string) *vault {
	t.Helper()
	folder := t.TempDir()
	v := &vault{hints: filepath.Join(folder, "hints.yaml"), notes: filepath.Join(folder, "notes")}
	features := "usual," + guardedFeatures
	if fault != "" {
		features = "" // it brings its own
	}
	a, err := stand.New(stand.Config{Mode: "all", Features: features, Fault: fault, State: folder})
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	for name, word := range map[string]string{"code_cmd": "code", "approve_cmd": "approve", "admin_unblock_cmd": "unblock"} {
		fmt.Fprintf(&told, "  %s: operator %s %s %s\n", name, folder, word, v.notes)
	}
	write(t, v.hints, []byte(`version: 1
permissions: {allow: [execute]}
confirm: {operation: empty_folder, token_param: confirmation_token}
safety:
  agent: {names: ["planner-*"]}
  deny_hint: rm -rf build
  verify_hint: publish the release notes
  danger_hint: wipe the scratch disk
  step_limit: 10
`+told.String()))
	handler := a.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(&eavesdropper{w, v}, r)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	v.url = server.URL + "/mcp"
	return v
}

// An eavesdropper passes an answer on and keeps what it says.
type eavesdropper struct {
	http.ResponseWriter
	*vault
}

func (e *eavesdropper) Write(b []byte) (int, error) {
	e.mu.Lock()
	e.heard.Write(b)
	tell, attempts := e.attempt, 0
	if bytes.Contains(b, []byte("challenge_id")) || bytes.Contains(b, []byte("Wrong code")) {
		e.made++
		attempts = e.made
	}
	e.mu.Unlock()
	if tell != nil && attempts > 0 {
		tell(attempts)
	}
	return e.ResponseWriter.Write(b)
}

func (e *eavesdropper) Flush() { e.ResponseWriter.(http.Flusher).Flush() }

var blurtedSecret = regexp.MustCompile(`conf_[A-Za-z0-9]{8,}|\(([A-Z2-7]{32})\)`)

// secrets are all that must be nowhere.
func (v *vault) secrets(t *testing.T) (codes, others []string) {
	t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, found := range blurtedSecret.FindAllStringSubmatch(v.heard.String(), -1) {
		others = append(others, found[0], found[1])
	}
	others = append(others, "apv-55/0d+3f<9>")
	for _, line := range strings.Split(read(t, v.notes), "\n") {
		if !strings.Contains(line, " ") {
			codes = append(codes, line)
		}
	}
	distinct := func(all []string) []string {
		return reports.Distinct(nil, strings.Fields(strings.Join(all, " ")))
	}
	return distinct(codes), distinct(others)
}

// nowhere wants none of the secrets in the text. A short one that stands within another
// number is chance.
func (v *vault) nowhere(t *testing.T, where, text string) {
	t.Helper()
	codes, others := v.secrets(t)
	const inEveryForm = 60 // of hundreds of tokens that are alike
	for i, secret := range append(codes, others...) {
		if len(secret) < 8 {
			if at := regexp.MustCompile(`\b` + secret + `\b`).FindStringIndex(text); at != nil {
				t.Errorf("%s holds %s: …%.160q…", where, secret, text[max(0, at[0]-60):])
			}
			continue
		}
		forms := wire.Forms(secret)
		if i > inEveryForm {
			forms = forms[:1]
		}
		for _, form := range forms {
			if at := strings.Index(text, form); at >= 0 {
				t.Errorf("%s holds %s of %d: …%.200q…", where, form, len(codes)+len(others), text[max(0, at-60):])
				break
			}
		}
	}
}

// No code that a person was shown, no token and no word of an approval stands in anything
// that is written, and whoever judges the transcript comes to the verdict of the run.
func TestNoCodeIsWritten(t *testing.T) {
	portion.Long(t)
	for fault, c := range map[string]struct {
		code int
		run  []string
	}{
		"":                                    {5, []string{"AQL-8.8.2-0[1-9]", "AQL-8.6.2-*", "CMP-*"}},
		"AQL-8.8.2-01.six-digit-code":         {1, []string{"AQL-8.8.2-0[1-9]"}},
		"AQL-8.8.2-06.code-in-reason":         {1, []string{"AQL-8.8.2-0[69]"}},
		"AQL-8.8.2-08.code-logged":            {1, []string{"AQL-8.8.2-08"}},
		"AQL-8.8.4-03.expected-code-in-error": {1, []string{"AQL-8.8.4-03"}},
	} {
		t.Run(fault, func(t *testing.T) {
			if fault != "" && c.run[0] != "AQL-8.8.2-0[69]" && os.Getenv("AQL_CONFORM_WHOLE") == "" {
				t.Skip("one fault beside the healthy adapter; AQL_CONFORM_WHOLE=1 has them all")
			}
			v, folder := newVault(t, fault), t.TempDir()
			at := func(name string) string { return filepath.Join(folder, name) }
			to, through := at("run.ndjson.gz"), func() {}
			if fault == "AQL-8.8.2-06.code-in-reason" { // a pipe takes nothing back, and gets the same
				to, through = throughPipe(t, to)
			}
			args := []string{
				"--url", v.url, "--hints", v.hints, "--allow", "create,update,delete,execute", "--seed", "7", "-v", "--trace", "--phases", "none", "--transcript", to,
			}
			for _, format := range reports.Formats() {
				args = append(args, "--report", format+"="+at("report."+format))
			}
			for _, pattern := range c.run {
				args = append(args, "--run", pattern)
			}
			said := map[string]string{}
			code := 0
			if code, said["run"] = obeyed(args...); code != c.code {
				t.Fatalf("the run ended with %d, want %d: %s", code, c.code, said["run"])
			}
			through()
			_, said["judge"] = obeyed("judge", "-v", at("run.ndjson.gz"), "--report", "json="+at("judged.json"))
			_, said["seal"] = obeyed("seal", at("report.json"), "--transcript", at("run.ndjson.gz"), "-o", at("sealed.json"))
			_, said["verify"] = obeyed("verify", at("sealed.json"), "--transcript", at("run.ndjson.gz"))
			if strings.Contains(said["judge"], "the run itself came to") || !strings.Contains(said["verify"], "VERIFIED") || strings.Contains(said["verify"], "NOT VERIFIED") {
				t.Errorf("under a veil it is another verdict: %s%s", said["judge"], said["verify"])
			}
			if read(t, at("judged.json")) != read(t, at("report.json")) {
				t.Error("whoever judges the transcript gets another report")
			}
			if strings.Contains(said["run"], "stand in the transcript") {
				t.Errorf("no veil fits: %s", said["run"])
			}
			files, err := os.ReadDir(folder)
			if err != nil || len(files) != len(reports.Formats())+3 {
				t.Fatalf("%d files are written: %v", len(files), err)
			}
			for _, f := range files {
				said[f.Name()] = unpacked(t, at(f.Name()))
			}
			for where, text := range said {
				v.nowhere(t, where, text)
			}
			if codes, others := v.secrets(t); len(codes) == 0 || fault == "" && len(others) < 5 {
				t.Errorf("%d codes and %d other secrets were tried", len(codes), len(others))
			}
		})
	}
}

// What an interrupt leaves, and what a crash would have left at the same time, holds no
// code either.
func TestNoCodeIsLeftBehind(t *testing.T) {
	v, folder := newVault(t, "AQL-8.8.2-06.code-in-reason"), t.TempDir()
	path, crashed := filepath.Join(folder, "run.ndjson"), filepath.Join(folder, "crashed.ndjson")
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	v.attempt = func(attempts int) {
		if attempts == 12 {
			write(t, crashed, []byte(read(t, path)))
			interrupt()
		}
	}
	var out bytes.Buffer
	code := obeyedIn(ctx, &out, "--url", v.url, "--hints", v.hints, "--allow", "create,update,delete,execute", "--seed", "7",
		"--run", "AQL-8.8.2-0[69]", "--phases", "none", "--transcript", path, "--report", "json="+filepath.Join(folder, "report.json"))
	if code != console.ExitInterrupted {
		t.Fatalf("the run ended with %d: %s", code, out.String())
	}
	if codes, _ := v.secrets(t); len(codes) < 3 {
		t.Fatalf("%d codes were shown before the interrupt", len(codes))
	}
	_, judged := obeyed("judge", path)
	code, partial := obeyed("judge", "--partial", crashed)
	if strings.Contains(judged, "came to digest") || code != console.ExitInterrupted {
		t.Errorf("judged: %s, partly with %d: %s", judged, code, partial)
	}
	for where, text := range map[string]string{
		"run": out.String(), "transcript": read(t, path), "crashed": read(t, crashed), "report": read(t, filepath.Join(folder, "report.json")), "judge": judged, "partial": partial,
	} {
		v.nowhere(t, where, text)
	}
}

// throughPipe returns a pipe of which all that is written comes to stand in a file; wait
// returns when that is done.
func throughPipe(t *testing.T, file string) (pipe string, wait func()) {
	t.Helper()
	pipe = filepath.Join(t.TempDir(), filepath.Base(file))
	if out, err := exec.CommandContext(t.Context(), "mkfifo", pipe).CombinedOutput(); err != nil {
		t.Skipf("no pipes here: %s", out)
	}
	done := make(chan error, 1)
	go func() {
		data, err := os.ReadFile(pipe)
		done <- errors.Join(err, os.WriteFile(file, data, 0o600))
	}()
	return pipe, func() {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
}

// A certificate, which anybody is to read, holds no token of any of its runs.
func TestNoTokenIsCertified(t *testing.T) {
	if os.Getenv("AQL_CONFORM_WHOLE") == "" {
		t.Skip("three runs under a veil take a minute: AQL_CONFORM_WHOLE=1")
	}
	v, folder := newVault(t, ""), filepath.Join(t.TempDir(), "out")
	write(t, v.notes, nil) // nobody is asked for a code
	_, said := obeyed("--url", v.url, "--no-hints", "--allow", "create,update,delete,execute", "--seed", "7", "--max-time", "1s", "--max-examples", "1", "--certify", folder)
	if !strings.Contains(said, "3 runs with the same seed") {
		t.Fatal(said)
	}
	_, verified := obeyed("verify", filepath.Join(folder, session.CertifiedSeal), "--transcript", filepath.Join(folder, session.CertifiedTranscript))
	if !strings.HasPrefix(verified, "VERIFIED") {
		t.Error(verified)
	}
	v.nowhere(t, "what is said", said+verified)
	for _, name := range []string{session.CertifiedReport, session.CertifiedTranscript, session.CertifiedSeal} {
		v.nowhere(t, name, unpacked(t, filepath.Join(folder, name)))
	}
	if _, tokens := v.secrets(t); len(tokens) < 10 {
		t.Errorf("%d tokens were tried", len(tokens))
	}
}
