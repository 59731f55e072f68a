package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/fixtures/hostile/corpus"
	"github.com/aql-conform/aql-conform/fixtures/portion"
)

const (
	hostilePart = 18          // one server in eighteen is met
	hostileRoom = 160 << 20   // bytes that a run may take at its peak
	hostileMark = "AQL_TEST_" // begins what marks a run in the environment of its processes
)

// hostileJobs is how many runs there are at once, and hostileEnd bounds each. The flags allow 2 s for
// a start and 1 s for a call; a connection is given up after five silences and opened four times,
// and a whole check asks over a few connections: 10 s. Beyond them, something waits for ever. The
// whole corpus is met two at a time, and each run may last 2 s longer than that. A sample is met
// beside other tests, which may take the processors away.
var hostileJobs, hostileEnd = func() (int, time.Duration) {
	if portion.Whole() {
		return 2, 10*time.Second + 2*time.Second
	}
	return 6, 20 * time.Second
}()

// TestHostileServers judges servers that misbehave with the real command. Each run
// has to end, in time and in little memory, with the verdict that is owed; leave no
// process behind; write nothing that a terminal, a browser or a runner of workflows
// would obey; and go nowhere but to the server.
func TestHostileServers(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the command against the servers of the corpus, for most of a minute")
	}
	program, canary := built(t, hostileServers), newCanary(t)
	var wanted *regexp.Regexp // whoever names servers meets them alone
	if _, name, found := strings.Cut(flag.Lookup("test.run").Value.String(), "TestHostileServers/"); found {
		wanted = regexp.MustCompile(name)
	}
	var servers []corpus.Server
	for i, s := range corpus.All() {
		if wanted != nil && wanted.MatchString(s.Name) || wanted == nil && portion.OneOf(i, hostilePart) {
			servers = append(servers, s)
		}
	}
	if wanted == nil && len(servers) < 19 {
		t.Errorf("%d servers are met, want 19 at least", len(servers))
	}
	meetings := make([]chan *meeting, len(servers))
	slots, whole := make(chan struct{}, hostileJobs), sync.Mutex{}
	for i, s := range servers { // more at once than t.Parallel lets run: nearly all of them wait
		meetings[i] = make(chan *meeting, 1)
		folder := t.TempDir()
		go func() {
			taken := 1
			if s.Alone {
				taken = hostileJobs
				whole.Lock()
			}
			for range taken {
				slots <- struct{}{}
			}
			if s.Alone {
				whole.Unlock()
			}
			defer func() {
				for range taken {
					<-slots
				}
			}()
			m := &meeting{server: s, folder: folder}
			m.hold(t.Context(), program, canary)
			meetings[i] <- m
		}()
	}
	for i, s := range servers {
		t.Run(s.Name, func(t *testing.T) {
			m := <-meetings[i]
			for _, c := range m.complaints {
				t.Error(c)
			}
			if t.Log(m.cost); t.Failed() {
				t.Logf("%s\nstderr: %.2000s\nstdout: %.3000s", s.Story, m.stderr.String(), m.stdout.String())
			}
		})
	}
	if n := canary.calls.Load(); n > 0 {
		t.Errorf("the canary was asked %d times, first %s", n, canary.first.Load())
	}
}

// hostileServers is the folder of the program that is each server on stdio: a run starts it a
// dozen times, and this binary would take ten times as long.
const hostileServers = "../../fixtures/hostile/corpus/server"

// A canary is an address and a file that a server points at and nobody may follow.
type canary struct {
	url, file, word string
	calls           atomic.Int64
	first           atomic.Value
}

func newCanary(t *testing.T) *canary {
	c := &canary{word: "canary" + rand.Text()}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.calls.Add(1)
		c.first.CompareAndSwap(nil, r.Method+" "+r.URL.String())
	}))
	t.Cleanup(server.Close)
	c.url, c.file = server.URL, filepath.Join(t.TempDir(), "canary.json")
	if err := os.WriteFile(c.file, []byte(`{"const":"`+c.word+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// A meeting is one run of the command against one server, and what was wrong with it.
type meeting struct {
	server         corpus.Server
	folder         string
	env            []string
	stdout, stderr bytes.Buffer
	complaints     []string
	cost           string
}

func (m *meeting) complain(format string, args ...any) {
	m.complaints = append(m.complaints, fmt.Sprintf(format, args...))
}

// patience is the timeout of a start and that of a call. A server that is met alone, that spoils no answer or that conforms answers
// every call, and on a busy machine one answer may take more than a second. The others do not answer some calls, and a run waits for
// these; one that leaves processes behind leaves more of them the longer its run takes.
func (m *meeting) patience() (start, call string) {
	if s := m.server; s.Alone || !s.Leaves && (s.Exit == 0 || s.Start == nil && s.Speak == nil && s.Serve == nil) {
		return "10s", "10s"
	}
	return "2s", "1s"
}

var hostileFormats = []string{"text", "html", "markdown", "junit", "json", "evidence", "agent"}

// hold judges the server and looks at everything that comes of it.
func (m *meeting) hold(ctx context.Context, program string, c *canary) {
	mark := hostileMark + rand.Text() + "=1"
	start, call := m.patience()
	args := []string{"--no-hints", "--start-timeout", start, "--timeout", call, "--max-time", "2s", "--seed", "7", "--transcript", "run.ndjson"}
	for _, format := range hostileFormats {
		args = append(args, "--report", format+"="+filepath.Join(m.folder, format))
	}
	if m.server.OverHTTP() {
		server := httptest.NewServer(m.server.Handler(c.url))
		defer server.Close()
		defer server.CloseClientConnections()
		args = append(args, "--url", server.URL+"/mcp")
	} else {
		args = append(args, "--cmd", program+" "+m.server.Name)
	}
	end, cancel := context.WithTimeout(ctx, hostileEnd)
	defer cancel()
	own := ""
	if !m.server.OverHTTP() {
		own = filepath.Join(m.folder, "server")
		if err := os.Link(program, own); err != nil {
			m.complain("%v", err)
		}
		args[len(args)-1] = own + " " + m.server.Name
	}
	cmd := exec.CommandContext(end, "aql-conform", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = m.folder, &m.stdout, &m.stderr
	m.settle()
	cmd.Env = append(m.env, mark, corpus.CanaryURL+"="+c.url, corpus.CanaryFile+"="+c.file)
	began := time.Now()
	err := cmd.Start()
	peak := func() int64 { return 0 }
	if err == nil {
		peak = peakMemory(cmd.Process.Pid)
		err = cmd.Wait()
	}
	took, most := time.Since(began), peak()
	if end.Err() != nil {
		m.complain("not ended after %v", hostileEnd)
	}
	if left := remaining(mark, own); len(left) > 0 {
		m.complain("left behind: %s", strings.Join(left, "; "))
	}
	m.owed(err)
	m.recomputed(ctx)
	if runtime.GOOS == "linux" && m.server.Leaves != endedServers.MatchString(m.stdout.String()) {
		m.complain("the report names ended processes: %v, want %v", !m.server.Leaves, m.server.Leaves)
	}
	if most > hostileRoom {
		m.complain("a peak of %d MiB, want at most %d", most>>20, hostileRoom>>20)
	}
	m.cost = fmt.Sprintf("%v, %d MiB, %v of processor", took.Round(time.Millisecond), most>>20,
		(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(time.Millisecond))
	m.read(c.word)
	m.laidDown()
}

// read looks for what would be obeyed by whoever shows what the run wrote.
func (m *meeting) read(word string) {
	written := map[string]string{"stdout": m.stdout.String(), "stderr": m.stderr.String()}
	for _, format := range hostileFormats {
		text, err := os.ReadFile(filepath.Join(m.folder, format))
		if err != nil {
			m.complain("the %s report: %v", format, err)
		}
		written[format] = string(text)
	}
	for name, text := range written {
		if complaint := alive(name, text, word); complaint != "" {
			m.complain("%s: %s", name, complaint)
		}
	}
}

// conclusion is the one line that says how a run came out.
var conclusion = regexp.MustCompile(`(?m)^(NOT JUDGED|INTERRUPTED|CHECKER FAULT|(NOT )?CONFORMANT  to MCP-AQL|BROKEN FEATURE|PASSED|NOT PROVEN  to MCP-AQL)  ?.*$`)

// endedServers is the line of a report that names the processes that the run ended. Each runs
// the program of the server, unless it gave itself another name.
var endedServers = regexp.MustCompile(`(?m)^remark +the adapter left processes running; the checker ended \d+: (server|\S*orphan)`)

// owed looks at the exit code and the conclusion.
func (m *meeting) owed(err error) {
	code, err := codeOf(err)
	if err != nil {
		m.complain("no exit: %v", err)
	}
	if code != m.server.Exit {
		m.complain("exit code %d, want %d", code, m.server.Exit)
	}
	lines := slices.DeleteFunc(conclusion.FindAllString(m.stdout.String(), -1), func(line string) bool {
		return strings.HasSuffix(line, fmt.Sprintf("  exit code %d", m.server.Exit)) // the last line repeats it
	})
	if len(lines) != 1 || !strings.Contains(lines[0], m.server.Says) {
		m.complain("conclusions %q, want one that holds %q", lines, m.server.Says)
	}
}

// recomputed wants the same verdict of the transcript alone, inside the deadline of a run.
func (m *meeting) recomputed(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, hostileEnd)
	defer cancel()
	cmd := exec.CommandContext(ctx, "aql-conform", "judge", "run.ndjson")
	cmd.Dir, cmd.Env = m.folder, m.env
	out, err := cmd.CombinedOutput()
	live, again := verdictDigest.FindString(m.stdout.String()), verdictDigest.FindString(string(out))
	if live == "" || live != again {
		m.complain("judged %q, and its transcript %q (%v): %.500s", live, again, err, out)
	}
}

// verdictDigest is the line of the terminal report that is the same for the same verdict.
var verdictDigest = regexp.MustCompile(`(?m)^digest +[0-9a-f]{64}$`)

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
	case name != "json" && name != "evidence" && workflow.FindStringIndex(text) != nil:
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
