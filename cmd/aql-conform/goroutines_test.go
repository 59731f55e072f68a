package main

import (
	"io"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/fixtures/hostile/corpus"
	"github.com/aql-conform/aql-conform/fixtures/portion"
	"go.uber.org/goleak"
)

// leakPart is the part of the corpus that is met here: its servers are met one by one,
// since nobody could say which of several runs a goroutine is from.
const leakPart = 4 * hostilePart

// leakKinds are servers of each kind, over both transports. Every other one is met.
var leakKinds = []string{"data-large", "data-large-sse", "data-of-numbers", "large-notes", "sse-large-notes", "lags-reads", "http-lags-reads", "ids-unlike",
	"sse-ids-unlike", "prompts-only-http", "daemon-at-each-call", "http-delete-hangs", "length-short", "chunk-huge", "sse-floods-after", "description-long"}

// Whatever a server does, a run that is over has ended all that it began inside of the
// checker as well.
func TestHostileServersLeaveNoGoroutine(t *testing.T) {
	if testing.Short() {
		t.Skip("judges servers of the corpus one by one, for most of a minute")
	}
	program, canary := built(t, hostileServers), newCanary(t)
	t.Setenv(corpus.CanaryURL, canary.url)
	t.Setenv(corpus.CanaryFile, canary.file)
	for _, name := range leakKinds {
		if _, found := corpus.Named(name); !found {
			t.Errorf("no server is named %s", name)
		}
	}
	for i, s := range corpus.All() {
		if !portion.OneOf(i, leakPart) && !(slices.Contains(leakKinds, s.Name) && portion.OneOf(i, 2)) {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			before := []goleak.Option{
				goleak.IgnoreCurrent(),
				goleak.IgnoreAnyFunction("github.com/dlclark/regexp2.runClock"),                                                                  // stops by itself
				goleak.IgnoreAnyFunction("github.com/onsi/ginkgo/v2/internal/interrupt_handler.(*InterruptHandler).registerForInterrupts.func2"), // one in a process
			}
			judgeHere(t, s, program, canary.url)
			if err := goleak.Find(before...); err != nil {
				t.Error(err)
			}
		})
	}
}

// judgeHere judges a server inside this process.
func judgeHere(t *testing.T, s corpus.Server, program, canary string) {
	args := []string{"--no-hints", "--start-timeout", "2s", "--timeout", "1s", "--max-time", "1s", "--seed", "7", "--transcript", filepath.Join(t.TempDir(), "run.ndjson")}
	if s.OverHTTP() {
		server := httptest.NewServer(s.Handler(canary))
		defer server.Close()
		defer server.CloseClientConnections()
		args = append(args, "--url", server.URL+"/mcp")
	} else {
		args = append(args, "--cmd", program+" "+s.Name)
	}
	defer endRemaining(program)
	run(t.Context(), args, strings.NewReader(""), io.Discard, io.Discard)
}
