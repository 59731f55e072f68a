// Command aql-conform judges a running MCP-AQL adapter against the
// specification. The package reads flags, joins the stages of a run and sets the
// exit code. It refuses to judge: what is right stands in suites, what a verdict
// is worth stands in reports.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path"
	"runtime"
	"strings"
	"syscall"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// The exit codes that are settled here; the others are the report's.
const (
	exitUsage       = 3
	exitTarget      = 4
	exitFault       = 6
	exitInterrupted = 130
)

// A failure is an error with the exit code it deserves.
type failure struct {
	code int
	error
}

func (f failure) Unwrap() error { return f.error }

// usage returns a failure that the operator can mend on the command line.
func usage(format string, args ...any) error {
	return failure{exitUsage, fmt.Errorf(format, args...)}
}

// A console is what a command reads from and writes to.
type console struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// run obeys one command line and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			_ = tell(stderr, fmt.Sprintf("aql-conform: %s panicked: %v%s; please report this line at %s", version(), r, origin(), home))
			code = exitFault
		}
	}()
	ctx, stop := interruptible(ctx)
	defer stop()
	defer boundMemory()()
	code, err := obey(ctx, args, console{stdin, stdout, stderr})
	if err == nil {
		return code
	}
	if unread(err) {
		return exitFault
	}
	_ = tell(stderr, strings.Split(fmt.Sprint("aql-conform: ", err), "\n")...) // the exit code says it too
	var f failure
	if !errors.As(err, &f) {
		return exitFault
	}
	if f.code == exitUsage {
		fmt.Fprintf(stderr, "see %q\n", guide(args))
	}
	return f.code
}

// unread reports whether whoever reads standard output has left, as head does when it
// has seen enough. Nobody needs to be told.
func unread(err error) bool {
	var writing *fs.PathError
	return errors.Is(err, syscall.EPIPE) && errors.As(err, &writing) && writing.Path == os.Stdout.Name()
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

// origin names the function and line of our own that panicked. A whole stack
// would help nobody who did not write it.
func origin() string {
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if strings.Contains(f.Function, "aql-conform") || strings.HasPrefix(f.Function, "main.") {
			return fmt.Sprintf(" in %s, %s:%d", path.Base(f.Function), path.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}
