package main

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/rogpeppe/go-internal/testscript"
)

// A watchedAdapter says when it has got a number of requests.
type watchedAdapter struct {
	*adapter.Adapter
	mu      sync.Mutex
	left    int
	reached chan struct{}
}

func (w *watchedAdapter) handler() http.Handler {
	serve := w.Adapter.Handler()
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		if w.left--; w.left == 0 {
			close(w.reached)
		}
		w.mu.Unlock()
		serve.ServeHTTP(rw, r)
	})
}

// after returns a channel that is closed when n more requests have come.
func (w *watchedAdapter) after(n int) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left, w.reached = n, make(chan struct{})
	return w.reached
}

// cutsOff runs a program against the reference adapter over HTTP and presses
// Ctrl-C when that has got N requests. It wants exit code 130, a note made before
// that, and nothing of the run in the store afterwards:
// cutsoff N PROGRAM ARGUMENTS.
func cutsOff(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[0])
	if neg || len(args) < 2 || err != nil {
		ts.Fatalf("usage: cutsoff N PROGRAM ARGUMENTS")
	}
	watched := ts.Value("adapter").(*watchedAdapter)
	before, calls := watched.Objects(), len(watched.Calls())
	reached := watched.after(n)
	ctx, cancel := context.WithTimeout(context.Background(), tooLong)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[1], args[2:]...)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.Getenv("WORK"), &out, &out
	ts.Check(cmd.Start())
	select {
	case <-reached:
	case <-time.After(tooLong):
		ts.Fatalf("the adapter never got %d requests\n%s", n, out.String())
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	if got, err := codeOf(cmd.Wait()); err != nil || got != 130 {
		ts.Fatalf("exit code %d (%v), want 130\n%s", got, err, out.String())
	}
	made := slices.ContainsFunc(watched.Calls()[calls:], func(c adapter.ToolCall) bool { return c.Operation == "create_note" })
	if left := watched.Objects(); !slices.Equal(left, before) || !made {
		ts.Fatalf("the store holds %v (something was made: %v), want %v", left, made, before)
	}
}
