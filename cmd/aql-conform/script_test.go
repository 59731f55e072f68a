package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/reference-adapter/authorization"
	"github.com/aql-conform/aql-conform/reference-adapter/stand"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this binary the programs of the scripts. The adapter that most of them
// judge is built as a program of its own.
func TestMain(m *testing.M) {
	testscript.Main(builtFirst{m}, map[string]func(){
		"aql-conform": main,
		"heldadapter": func() { os.Exit(serveHeld(os.Args[1], os.Args[2])) },
		"operator":    func() { os.Exit(operate(os.Args[1:])) },
		"allower":     func() { os.Exit(allow(os.Args[1])) },
		"clicker":     func() { os.Exit(click(os.Args[1])) },
		"rogue":       func() { os.Exit(misbehave(os.Args[1])) },
		"perfect":     func() { os.Exit(printPerfect()) },
		"counted":     counted,
	})
}

// builtFirst builds the adapter of the scripts, puts it on the PATH, and runs the tests.
type builtFirst struct{ *testing.M }

// programs is the folder of what built has built.
var programs string

func (m builtFirst) Run() int {
	debug.SetGCPercent(400) // spares a sixth of the runs inside of this process; the programs keep the default
	folder, err := os.MkdirTemp("", "aql-conform-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(folder)
	if said, err := exec.Command("go", "build", "-o", filepath.Join(folder, "refadapter"), "./testdata/refadapter").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, said)
		return 2
	}
	os.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	programs = filepath.Join(folder, "programs")
	return m.M.Run()
}

var building sync.Mutex

// built returns the program of a folder. All tests share it, since linking takes a second.
func built(t testing.TB, folder string) string {
	t.Helper()
	building.Lock()
	defer building.Unlock()
	program := filepath.Join(programs, filepath.Base(folder))
	if _, err := os.Stat(program); err == nil {
		return program
	}
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return program
}

// TestScripts shows what a user sees; each script is one behaviour.
func TestScripts(t *testing.T) {
	var files []string
	for _, name := range scripts() {
		if sample()[name] || named("TestScripts/") {
			files = append(files, filepath.Join("testdata", name+".txtar"))
		}
	}
	if len(files) == 0 {
		t.Fatal("no scripts")
	}
	testscript.Run(t, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"agree":      agree,
			"exits":      exits,
			"interrupts": interrupts,
			"cutsoff":    cutsOff,
			"narrow":     narrow,
			"screen":     screen,
			"replayed":   replayed,
			"documented": documented,
			"keypair":    keypair,
			"rewatches":  rewatches,
		},
	})
}

// replayed puts the replay of a requirement's finding in a JSON report into the
// variable REPLAY.
func replayed(ts *testscript.TestScript, neg bool, args []string) {
	var report struct {
		Findings []struct{ Requirement, Replay string }
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &report))
	for _, f := range report.Findings {
		if found := regexp.MustCompile(`v1:[\w-]+`).FindString(f.Replay); f.Requirement == args[1] && found != "" {
			ts.Setenv("REPLAY", found)
			return
		}
	}
	ts.Fatalf("no finding of %s has a replay", args[1])
}

// setup gives each script an adapter over HTTP, a server over HTTP that blurts
// out what it was sent, and a number that a rogue calls when it is about to hang.
func setup(env *testscript.Env) error {
	healthy, err := stand.New(stand.Config{Mode: "all"})
	if err != nil {
		return err
	}
	watched := &watchedAdapter{Adapter: healthy}
	reference := httptest.NewServer(watched.handler())
	leaky := httptest.NewServer(http.HandlerFunc(blurt))
	authorized := httptest.NewServer(authorization.New().Over(healthy.Handler()))
	guarded := httptest.NewServer(guard(watched.handler()))
	calls, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	env.Values["calls"], env.Values["adapter"] = calls, watched
	env.Defer(func() {
		calls.Close()
		reference.CloseClientConnections()
		reference.Close()
		leaky.Close()
		guarded.CloseClientConnections()
		guarded.Close()
		authorized.CloseClientConnections()
		authorized.Close()
	})
	hints, err := filepath.Abs("../../reference-adapter/adapter/aql-conform.yaml")
	if err != nil {
		return err
	}
	env.Setenv("REFERENCE_HINTS", hints)
	env.Setenv("REFERENCE_URL", reference.URL+"/mcp")
	if err := serveModes(env); err != nil {
		return err
	}
	env.Setenv("LEAKY_URL", leaky.URL+"/mcp")
	env.Setenv("AUTHORIZED_URL", authorized.URL+"/mcp")
	env.Setenv("GUARDED_URL", guarded.URL+"/mcp")
	env.Setenv("ROGUE_CALLS", calls.Addr().String())
	return nil
}

// blurt answers everything with an HTTP error that repeats the credentials.
func blurt(w http.ResponseWriter, r *http.Request) {
	http.Error(w, "you sent "+r.Header.Get("Authorization"), http.StatusForbidden)
}

// guard lets a request pass with a token that begins with canary, so often, and repeats it.
func guard(adapter http.Handler) http.Handler {
	const often = 300
	var mu sync.Mutex
	used := map[string]int{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		mu.Lock()
		used[token]++
		passes := strings.HasPrefix(token, "canary") && used[token] <= often
		mu.Unlock()
		w.Header().Set("X-Echo", token)
		if !passes {
			http.Error(w, "not with "+token, http.StatusUnauthorized)
			return
		}
		adapter.ServeHTTP(w, r)
	})
}

// exits runs a program that has to end with exactly this exit code:
// exits CODE PROGRAM ARGUMENTS.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGUMENTS")
	}
	if got, err := codeOf(ts.Exec(args[1], args[2:]...)); err != nil || strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d (%v), want %s", got, err, args[0])
	}
}

func codeOf(err error) (int, error) {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &exit):
		return exit.ExitCode(), nil
	}
	return -1, err
}

// tooLong bounds what a script waits for; it is reached only when a test fails.
const tooLong = 30 * time.Second

// interrupts runs a program, presses Ctrl-C when a rogue calls, and wants exit
// code 130 and the rogue dead; its output goes to the file: interrupts FILE
// PROGRAM ARGUMENTS.
func interrupts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupts FILE PROGRAM ARGUMENTS")
	}
	ctx, cancel := context.WithTimeout(context.Background(), tooLong)
	defer cancel()
	r := besideRogues(ts, ctx, ts.Getenv("WORK"), args[1:])
	rogue := r.called()
	r.interrupt(args[0])
	// The call ends with the process that made it.
	ts.Check(rogue.SetReadDeadline(time.Now().Add(tooLong)))
	if _, err := io.Copy(io.Discard, rogue); errors.Is(err, os.ErrDeadlineExceeded) {
		ts.Fatalf("the adapter outlived the run")
	}
}

// agree wants two JSON reports to give the same verdicts: agree FILE FILE.
func agree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: agree FILE FILE")
	}
	var one, other struct{ Digest string }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &one))
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &other))
	if one != other || one.Digest == "" {
		ts.Fatalf("%s has digest %q, %s has %q", args[0], one.Digest, args[1], other.Digest)
	}
}

// screen wants the file to fit a screen of 50 lines: screen FILE.
func screen(ts *testscript.TestScript, neg bool, args []string) {
	most := 50
	if len(args) == 2 { // a report may be longer than help
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		most = n
	}
	if n := strings.Count(ts.ReadFile(args[0]), "\n"); neg || n > most {
		ts.Fatalf("%s has %d lines, want at most %d", args[0], n, most)
	}
}

// narrow wants no line of the file to be wider than 80 columns: narrow FILE.
func narrow(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: narrow FILE")
	}
	text := ts.ReadFile(args[0])
	if text == "" {
		ts.Fatalf("%s is empty", args[0])
	}
	for i, line := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(line); n > 80 {
			ts.Fatalf("%s:%d: %d columns: %s", args[0], i+1, n, line)
		}
	}
}
