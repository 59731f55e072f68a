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

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/cli"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run obeys one command line and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			_ = console.Tell(stderr, fmt.Sprintf("aql-conform: %s panicked: %v%s; please report this line at %s", console.Version(), r, console.Origin(), console.Home))
			code = console.ExitFault
		}
	}()
	ctx, stop := interruptible(ctx)
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

// interruptible returns a context that ends when somebody wants the run to end.
// The handlers stay until stop, so that a second Ctrl-C cannot kill the checker
// before it has ended the adapter. A closed terminal and a closed pipe become
// write errors for the same reason. WebAssembly has no signals to ask for.
func interruptible(ctx context.Context) (context.Context, func()) {
	if runtime.GOARCH == "wasm" {
		return ctx, func() {}
	}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(ctx, signals...)
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	return ctx, func() {
		signal.Stop(pipes)
		stop()
	}
}
