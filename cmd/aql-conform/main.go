// Command aql-conform judges a running MCP-AQL adapter against the specification. The package
// runs one command line and sets the exit code.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/cli"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/probes/wire"
)

func main() {
	wire.AdoptOrphans()
	code := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	wire.EndLeftovers() // also after a panic
	os.Exit(code)
}

// run obeys one command line and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			_ = console.Tell(stderr, fmt.Sprintf("aql-conform: %s panicked: %v%s; please report this line at %s", console.Version(), r, console.Origin(), console.Home))
			code = console.ExitFault
		}
	}()
	ctx, stop := interruptible(ctx, stderr)
	defer stop()
	defer console.BoundMemory()()
	code, err := cli.Obey(ctx, args, console.Console{Stdin: stdin, Stdout: stdout, Stderr: stderr})
	if err == nil {
		return code
	}
	if console.Unread(err) {
		return console.ExitFault
	}
	_ = console.Tell(stderr, strings.Split(fmt.Sprint("aql-conform: ", err), "\n")...) // the exit code says it too
	var f console.Failure
	if !errors.As(err, &f) {
		return console.ExitFault
	}
	if f.Code == console.ExitUsage {
		fmt.Fprintf(stderr, "see %q\n", cli.Guide(args))
	}
	return f.Code
}

// lastResort is how long after an interrupt the run may take to remove what it made and to write
// its report. The removal alone may take minutes if the adapter is slow or limits the rate.
const lastResort = 10 * time.Minute

// interruptible returns a context that ends when somebody wants the run to end. At the second
// signal, or after lastResort, the checker kills the adapters and exits without a report: the
// ledger names what is left. A closed terminal and a closed pipe become write errors.
// WebAssembly has no signals to ask for.
func interruptible(ctx context.Context, stderr io.Writer) (context.Context, func()) {
	if runtime.GOARCH == "wasm" {
		return ctx, func() {}
	}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signals = append(signals, syscall.SIGHUP)
	}
	wanted, pipes, over := make(chan os.Signal, 2), make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(wanted, signals...)
	signal.Notify(pipes, syscall.SIGPIPE)
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-wanted:
			cancel()
		case <-over:
			return
		}
		why := "interrupted again"
		select {
		case <-wanted:
		case <-time.After(lastResort):
			why = fmt.Sprintf("interrupted, and no end after %v", lastResort)
		case <-over:
			return
		}
		wire.EndAll()
		_ = console.Tell(stderr, "aql-conform: "+why+"; no report was written, and no more objects are removed: use aql-conform cleanup")
		os.Exit(console.ExitInterrupted)
	}()
	return ctx, func() {
		signal.Stop(pipes)
		signal.Stop(wanted)
		close(over)
		cancel()
	}
}
