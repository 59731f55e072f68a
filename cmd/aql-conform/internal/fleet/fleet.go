// Package fleet judges a list of adapters, each in a process of its own, and keeps what came
// of each in a registry. It has no scheduler and judges nothing itself.
package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/attest"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/seal"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/reports"
)

// Flags name a list of adapters and where the results are kept.
type Flags struct {
	File  string        `arg:"" help:"list of adapters (YAML)"`
	Out   string        `default:"fleet-results" placeholder:"FOLDER" help:"registry folder of the results (fleet-results)"`
	Jobs  int           `default:"2" placeholder:"N" help:"adapters at the same time (2)"`
	Fresh time.Duration `default:"24h" placeholder:"TIME" help:"keep sealed results that are younger (24h)"`
	Shard string        `placeholder:"I/N" help:"judge part I of N only; a run without --shard over\nthe results of all parts writes the outcome"`
	Wrap  string        `placeholder:"COMMAND" help:"put this before the cmd of each adapter, for example\n'docker run --rm -i --network none'"`
	Key   string        `placeholder:"FILE" help:"ed25519 private key (PEM) that signs the results"`
	Issue string        `placeholder:"FILE" help:"write new failures as the body of an issue; empty\nif there are none"`
	Entry string        `hidden:"" help:"judge this adapter alone, until standard input ends"`
}

// Fleet judges what has no fresh result and writes the outcome of all. It returns the worst
// exit code of an adapter.
func (f *Flags) Fleet(ctx context.Context, c console.Console) (int, error) {
	list, err := f.read()
	if err != nil {
		return 0, err
	}
	if f.Entry != "" {
		return f.entry(ctx, c, list)
	}
	index, of, err := session.ShardOf(f.Shard)
	switch {
	case err != nil:
		return 0, err
	case f.Jobs < 1:
		return 0, console.Usage("--jobs %d: want 1 or more", f.Jobs)
	case f.Shard != "" && f.Issue != "":
		return 0, console.Usage("--issue tells of all parts, and --shard judges one; leave one out")
	}
	if f.Wrap != "" {
		if _, err := console.Split("--wrap", f.Wrap); err != nil {
			return 0, err
		}
	}
	if f.Key != "" {
		if _, err := seal.PrivateKey(f.Key); err != nil {
			return 0, console.Usage("--key %s: %w", f.Key, err)
		}
	}
	if err := os.MkdirAll(filepath.Join(f.Out, attest.FleetFolder), 0o777); err != nil {
		return 0, console.Failure{Code: console.ExitFault, Err: fmt.Errorf("--out: %w", err)}
	}
	mine := list
	if of > 0 {
		mine.Adapters = nil
		for i, e := range list.Adapters {
			if i%of == index-1 {
				mine.Adapters = append(mine.Adapters, e)
			}
		}
	}
	r := &runner{Flags: f, console: c, env: environment(list), all: len(mine.Adapters)}
	r.run(ctx, mine.Adapters)
	if ctx.Err() != nil {
		return 0, console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted; run it again to go on")}
	}
	return f.conclude(ctx, c, mine)
}

// read reads the list. A mistake in it has its line.
func (f *Flags) read() (fixtures.Fleet, error) {
	file, err := os.Open(f.File)
	if err != nil {
		return fixtures.Fleet{}, console.Usage("fleet: %w", err)
	}
	defer file.Close()
	list, err := fixtures.ReadFleet(file)
	if err != nil {
		return list, session.Malformed(f.File, err)
	}
	return list, nil
}

// A runner starts a process of this program for each adapter, a few at a time.
type runner struct {
	*Flags
	console console.Console
	env     func(fixtures.FleetEntry) []string

	mu        sync.Mutex
	done, all int
}

// run judges the entries that have no fresh result.
func (r *runner) run(ctx context.Context, entries []fixtures.FleetEntry) {
	turns := make(chan struct{}, r.Jobs)
	var group sync.WaitGroup
	for _, e := range entries {
		if ctx.Err() != nil {
			break
		}
		turns <- struct{}{}
		group.Go(func() {
			defer func() { <-turns }()
			if ctx.Err() != nil {
				return
			}
			if r.fresh(e) {
				r.tell(ctx, e, "fresh")
				return
			}
			began := time.Now()
			r.judge(ctx, e)
			r.tell(ctx, e, fmt.Sprintf("exit code %d after %.0f s", r.outcome(e).ExitCode, time.Since(began).Seconds()))
		})
	}
	group.Wait()
}

// tell says how far the fleet is.
func (r *runner) tell(ctx context.Context, e fixtures.FleetEntry, how string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	if ctx.Err() == nil {
		fmt.Fprintf(r.console.Stderr, "aql-conform: %d of %d, %s: %s\n", r.done, r.all, e.Name, how)
	}
}

// judge runs one entry to its end. The process ends in order when its standard input does:
// that also happens when this process is killed, and a signal that a terminal sends to both
// is not counted twice.
func (r *runner) judge(ctx context.Context, e fixtures.FleetEntry) {
	began := time.Now().Truncate(time.Second)
	cmd, said, err := r.command(e)
	if err == nil {
		var input io.Closer
		if input, err = cmd.StdinPipe(); err == nil {
			err = cmd.Start()
		}
		if err == nil {
			stop := context.AfterFunc(ctx, func() { input.Close() })
			err = cmd.Wait()
			stop()
		}
	}
	if ctx.Err() != nil || !r.outcome(e).Judged.Before(began) {
		return
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n") // the first names the ledger
	problem := fmt.Sprintf("its process ended without a result (%v): %s ... %s", err, lines[0], lines[len(lines)-1])
	if err := r.keep(e, outcome{ExitCode: console.ExitFault, Problem: reports.Inert(problem)}); err != nil {
		_ = console.Tell(r.console.Stderr, fmt.Sprintf("aql-conform: %s: %v", e.Name, err)) // and it has no result
	}
}

// conclude writes what came of all entries, tells what is new, and returns the exit code.
func (f *Flags) conclude(ctx context.Context, c console.Console, list fixtures.Fleet) (int, error) {
	fleet := &reports.Fleet{Tool: "aql-conform " + console.Version()}
	for _, e := range list.Adapters {
		fleet.Adapters = append(fleet.Adapters, f.outcome(e).row())
	}
	failed := func(err error) (int, error) { return 0, console.Failure{Code: console.ExitFault, Err: err} }
	if f.Shard == "" {
		if err := reports.WriteFile(filepath.Join(f.Out, attest.FleetName), fleet.WriteJSON); err != nil {
			return failed(err)
		}
		if f.Issue != "" {
			if err := reports.WriteFile(f.Issue, fleet.WriteIssue); err != nil {
				return failed(fmt.Errorf("--issue: %w", err))
			}
		}
		if list.Webhook != "" && fleet.HasNew() {
			if err := post(ctx, list.Webhook, fleet); err != nil {
				return failed(fmt.Errorf("webhook: %w; the next run tells it again", err))
			}
		}
	}
	if err := console.Tell(c.Stdout, fleet.Summary()...); err != nil {
		return failed(fmt.Errorf("writing to standard output: %w", err))
	}
	if f.Shard == "" {
		if err := f.told(list); err != nil {
			return failed(err)
		}
	}
	return fleet.ExitCode(), nil
}
