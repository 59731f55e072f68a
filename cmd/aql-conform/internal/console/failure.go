package console

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
	"syscall"
)

// The exit codes that are settled here; the others are the report's.
const (
	ExitUsage       = 3
	ExitTarget      = 4
	ExitFault       = 6
	ExitInterrupted = 130
)

// A Failure is an error with the exit code it deserves.
type Failure struct {
	Code int
	Err  error
}

func (f Failure) Error() string { return f.Err.Error() }

func (f Failure) Unwrap() error { return f.Err }

// Usage returns a failure that the operator can mend on the command line.
func Usage(format string, args ...any) error {
	return Failure{ExitUsage, fmt.Errorf(format, args...)}
}

// A Console is what a command reads from and writes to.
type Console struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	Agent    bool                            // a program that mends the adapter reads standard output
	Progress func(requests int, line string) // told now and then how far a run is; it must not wait; nil where nobody asks
}

// Unread reports whether whoever reads standard output has left, as head does when it
// has seen enough. Nobody needs to be told.
func Unread(err error) bool {
	var writing *fs.PathError
	return errors.Is(err, syscall.EPIPE) && errors.As(err, &writing) && writing.Path == os.Stdout.Name()
}

// Origin names the function and line of our own that panicked. A whole stack
// would help nobody who did not write it.
func Origin() string {
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
