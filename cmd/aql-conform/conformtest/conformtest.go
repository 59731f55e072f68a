// Package conformtest judges an adapter in the Go tests of that adapter. It runs what the command
// runs, with the same permissions, and each failed requirement is a subtest.
//
//	func TestConformance(t *testing.T) {
//		conformtest.Run(t, conformtest.Command("./my-adapter", "--stdio"))
//	}
//
// Use go test -count=1: Go caches the result of a test and does not see all changes of an adapter.
package conformtest

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/cli"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/reports"
)

// A Target is an adapter.
type Target struct {
	flags   []string
	program []string
}

// Command is an adapter that is started, once or several times, and speaks over stdio.
func Command(program string, arguments ...string) Target {
	return Target{program: append([]string{program}, arguments...)}
}

// URL is an adapter that runs already, at an HTTP address. It is only read.
func URL(address string) Target { return Target{flags: []string{"--url=" + address}} }

// cleaning is how long before the deadline of the tests a run ends, so that it can remove what it made.
const cleaning = 15 * time.Second

// one is held by the run that there is: what adapters leave running is ended for all of a process.
var one sync.Mutex

// Run judges the adapter. The test fails unless the command would exit with 0: each failed requirement is
// a failed subtest with its request, its reply and the fix. The flags are those of "aql-conform
// help check", for example "--level", "2". A hints file aql-conform.yaml beside the test is read.
func Run(t *testing.T, target Target, flags ...string) {
	t.Helper()
	one.Lock()
	defer one.Unlock()
	ctx := t.Context()
	if deadline, ok := t.Deadline(); ok {
		bounded, cancel := context.WithDeadline(ctx, deadline.Add(-cleaning))
		defer cancel()
		ctx = bounded
	}
	// The limit of memory counts what the test holds too, so there is none unless the flags set one.
	words := slices.Concat([]string{"check", "--max-memory=0"}, target.flags, flags)
	report, err := judge(ctx, words, target.program, console.Console{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: t.Output()})
	switch {
	case err != nil:
		t.Fatalf("aql-conform: %v", err)
	case report == nil:
		t.Fatal("aql-conform: these flags make no verdict")
	}
	tell(t, report)
}

// judge carries out a check and returns its report; nil if the flags want none.
func judge(ctx context.Context, words, program []string, c console.Console) (*reports.Report, error) {
	var commands cli.Commands
	command, err := commands.Parse(words, c)
	if err != nil || command == "" {
		return nil, err
	}
	order, err := commands.Check.Settle(program, c)
	if err != nil {
		return nil, err
	}
	_, err = order.Check(ctx, c)
	return order.Report(), err
}

// tell turns the report into the outcome of the test.
func tell(t *testing.T, r *reports.Report) {
	t.Helper()
	failures := r.Failures()
	failed := map[string]bool{}
	for _, f := range failures {
		if failed[f.Requirement] {
			continue
		}
		failed[f.Requirement] = true
		t.Run(f.Requirement, func(t *testing.T) {
			for _, other := range failures {
				if other.Requirement == f.Requirement {
					t.Error("\n" + r.Text(other))
				}
			}
		})
	}
	switch {
	case r.ExitCode == 0, len(failures) > 0 && r.Run.Conclusion == "" && !r.Run.Interrupted:
		t.Log(r.Headline())
	default:
		t.Errorf("exit code %d\n%s", r.ExitCode, r)
	}
}
