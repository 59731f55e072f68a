package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/hostile/corpus"
)

const (
	// hostileEnd bounds one run. The flags allow 2 s for a start and 1 s for a call; a
	// connection is given up after five silences and opened four times, and a whole
	// check asks over a few connections. Beyond this, something waits for ever.
	hostileEnd  = 20 * time.Second
	hostileJobs = 8           // runs at once: nearly all of them wait
	hostileRoom = 256 << 20   // bytes that a run may take at its peak
	hostileMark = "AQL_TEST_" // begins what marks a run in the environment of its processes
)

// TestHostileServers judges servers that misbehave with the real command. Each run
// has to end, in time and in little memory, with the verdict that is owed; leave no
// process behind; write nothing that a terminal, a browser or a runner of workflows
// would obey; and go nowhere but to the server.
func TestHostileServers(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the command against every server of the corpus, a minute in all")
	}
	program := serverProgram(t)
	canary := newCanary(t)
	slots := make(chan struct{}, hostileJobs)
	for _, s := range corpus.All() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			meet(t, s, program, canary)
		})
	}
}

// serverProgram compiles the program that is each server on stdio: a run starts it a
// dozen times, and this binary would take ten times as long.
func serverProgram(t *testing.T) string {
	program := filepath.Join(t.TempDir(), "hostile")
	if text, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../fixtures/hostile/corpus/server").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return program
}

// A canary is an address and a file that a server points at and nobody may follow.
type canary struct {
	url, file, word string
	calls           atomic.Int64
}

func newCanary(t *testing.T) *canary {
	c := &canary{word: "canary" + rand.Text()}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.calls.Add(1)
		t.Errorf("the canary was asked: %s %s", r.Method, r.URL)
	}))
	t.Cleanup(server.Close)
	c.url, c.file = server.URL, filepath.Join(t.TempDir(), "canary.json")
	if err := os.WriteFile(c.file, []byte(`{"const":"`+c.word+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// meet judges one server and looks at everything that comes of it.
func meet(t *testing.T, s corpus.Server, program string, c *canary) {
	folder, mark := t.TempDir(), hostileMark+rand.Text()+"=1"
	args := []string{"--no-hints", "--start-timeout", "2s", "--timeout", "1s", "--max-time", "2s", "--seed", "7"}
	formats := []string{"text", "html", "markdown", "junit", "json"}
	for _, format := range formats {
		args = append(args, "--report", format+"="+filepath.Join(folder, format))
	}
	if s.OverHTTP() {
		server := httptest.NewServer(s.Handler(c.url))
		defer server.Close()
		defer server.CloseClientConnections()
		args = append(args, "--url", server.URL+"/mcp")
	} else {
		args = append(args, "--cmd", program+" "+s.Name)
	}
	ctx, cancel := context.WithTimeout(t.Context(), hostileEnd)
	defer cancel()
	cmd := exec.CommandContext(ctx, "aql-conform", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=", "COLUMNS=200", mark, corpus.CanaryURL+"="+c.url, corpus.CanaryFile+"="+c.file)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	if ctx.Err() != nil {
		t.Errorf("not ended after %v", hostileEnd)
	}
	if left := remaining(mark); len(left) > 0 {
		t.Errorf("left behind: %s", strings.Join(left, "; "))
	}
	owed(t, s, err, stdout.String())
	if peak := peakMemory(cmd.ProcessState); peak > hostileRoom {
		t.Errorf("a peak of %d MiB, want at most %d", peak>>20, hostileRoom>>20)
	} else {
		t.Logf("%v, %d MiB, %v of processor", took.Round(time.Millisecond), peak>>20, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(time.Millisecond))
	}
	written := map[string]string{"stdout": stdout.String(), "stderr": stderr.String()}
	for _, format := range formats {
		text, err := os.ReadFile(filepath.Join(folder, format))
		if err != nil {
			t.Errorf("the %s report: %v", format, err)
		}
		written[format] = string(text)
	}
	for name, text := range written {
		if complaint := alive(name, text, c.word); complaint != "" {
			t.Errorf("%s: %s", name, complaint)
		}
	}
	if t.Failed() {
		t.Logf("%s\nstderr: %.2000s\nstdout: %.3000s", s.Story, stderr.String(), stdout.String())
	}
}

// conclusion is the one line that says how a run came out.
var conclusion = regexp.MustCompile(`(?m)^(NOT JUDGED|INTERRUPTED|CHECKER FAULT|(NOT )?CONFORMANT  to MCP-AQL|NOT PROVEN  to MCP-AQL)  ?.*$`)

// owed looks at the exit code and the conclusion.
func owed(t *testing.T, s corpus.Server, err error, stdout string) {
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Errorf("no exit: %v", err)
	}
	if code != s.Exit {
		t.Errorf("exit code %d, want %d", code, s.Exit)
	}
	lines := conclusion.FindAllString(stdout, -1)
	if len(lines) != 1 || !strings.Contains(lines[0], s.Says) {
		t.Errorf("conclusions %q, want one that holds %q", lines, s.Says)
	}
}

var (
	control  = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`)
	workflow = regexp.MustCompile(`(?m)^\s*(::|##\[)`)
)

// alive says what in a text would be obeyed by whoever shows it; empty: nothing.
func alive(name, text, word string) string {
	found := func(at []int, what string) string {
		return fmt.Sprintf("%s: %.120q", what, text[max(0, at[0]-40):min(len(text), at[1]+80)])
	}
	switch {
	case control.FindStringIndex(text) != nil:
		return found(control.FindStringIndex(text), "a control character")
	case strings.Contains(text, word):
		return "what stands in the canary's file"
	case name != "json" && workflow.FindStringIndex(text) != nil:
		return found(workflow.FindStringIndex(text), "a workflow command")
	case name == "html":
		for _, live := range []string{"<script>alert", "<img src=x"} {
			if i := strings.Index(strings.ToLower(text), live); i >= 0 {
				return found([]int{i, i}, "live markup")
			}
		}
	case name == "junit":
		return foreignElement(text)
	}
	return ""
}

// foreignElement says which element of a JUnit report is none of JUnit's, or where
// it is no XML.
func foreignElement(text string) string {
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		switch e, begins := token.(xml.StartElement); {
		case err == io.EOF:
			return ""
		case err != nil:
			return err.Error()
		case begins && !slices.Contains([]string{"testsuites", "testsuite", "testcase", "properties", "property", "failure", "error", "skipped", "system-out", "system-err"}, e.Name.Local):
			return "the element " + e.Name.Local
		}
	}
}
