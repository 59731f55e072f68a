// Package monitor judges an endpoint again and again, reading only, and says what changed. It tells
// OpenTelemetry the same where the environment names a collector.
package monitor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/session"
	"github.com/aql-conform/aql-conform/reports"
)

// Flags are those of check that only read, and when to judge.
type Flags struct {
	Endpoint string        `arg:"" optional:"" help:"address of the adapter, as --url has it"`
	Every    time.Duration `default:"15m" group:"Schedule" placeholder:"TIME" help:"time from one run to the next (15m)"`
	Times    int           `group:"Schedule" placeholder:"N" help:"end after N runs (0: with Ctrl-C)"`
	session.CheckFlags
}

// A watch is what a monitor knows between runs.
type watch struct {
	flags   *Flags
	program []string
	console console.Console
	signals *signals
	last    *reports.Report // nil before the first run
}

// Monitor judges on schedule. It returns the exit code of the last run.
func (f *Flags) Monitor(ctx context.Context, program []string, c console.Console) (int, error) {
	if err := f.settle(); err != nil {
		return 0, err
	}
	s, err := newSignals(ctx, func(err error) { _ = console.Tell(c.Stderr, "aql-conform: OpenTelemetry: "+err.Error()) })
	if err != nil {
		return 0, err
	}
	defer s.close()
	w := &watch{flags: f, program: program, console: c, signals: s}
	ticker := time.NewTicker(f.Every)
	defer ticker.Stop()
	for n := 1; ; n++ {
		code, err := w.run(ctx)
		switch {
		case ctx.Err() != nil:
			return 0, console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted")}
		case err != nil:
			return 0, err
		case n == f.Times:
			return code, nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return 0, console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted")}
		}
	}
}

// settle refuses what writes or what only a single run can have.
func (f *Flags) settle() error {
	switch {
	case f.Endpoint != "" && f.URL != "":
		return console.Usage("monitor: the address and --url both name an adapter; leave one out")
	case len(f.Allow) > 0:
		return console.Usage("monitor only reads; leave --allow out")
	case f.Every <= 0:
		return console.Usage("--every %s: want a time above zero, for example 15m", f.Every)
	case f.Times < 0:
		return console.Usage("--times %d: want 1 or more, or 0 for no end", f.Times)
	case f.MCPConfig == "-":
		return console.Usage("monitor reads the configuration before each run, but standard input can be read only once; name a file with --mcp-config")
	case f.Certify != "", f.DryRun, f.Soak > 0, f.Repeat != nil:
		return console.Usage("monitor runs more than once; --certify, --dry-run, --soak and --repeat are for a single run; leave them out")
	}
	if f.Endpoint != "" {
		f.URL = f.Endpoint
	}
	if f.Seed == nil {
		seed := rand.Uint64N(1_000_000_000)
		f.Seed = &seed // each run asks the same
	}
	f.ReadOnly = true
	return nil
}

// run judges once and tells what came of it.
func (w *watch) run(ctx context.Context) (int, error) {
	flags := w.flags.CheckFlags
	var problems bytes.Buffer
	quiet := console.Console{Stdin: w.console.Stdin, Stdout: io.Discard, Stderr: &problems}
	order, err := flags.Settle(w.program, quiet)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	run := w.signals.begin(ctx, order)
	code, err := order.Check(ctx, quiet)
	if err != nil || ctx.Err() != nil {
		run.abandon()
		return 0, err
	}
	report := order.Report()
	lines := append([]string{fmt.Sprintf("%s  exit code %d, %s", began.UTC().Format(time.RFC3339), code, summary(report))}, w.changes(report)...)
	run.end(report)
	w.last = report
	return code, console.Tell(w.console.Stdout, lines...)
}

// summary says in one line what came of a run.
func summary(r *reports.Report) string {
	if r.Run.Conclusion != "" {
		return r.Run.Conclusion
	}
	return fmt.Sprintf("level reached %d; %d pass, %d fail, %d warn; %d requests in %s",
		r.ConformanceLevel, r.Summary.Pass, r.Summary.Fail, r.Summary.Warn, r.Run.Asked, r.Run.Elapsed.Round(100*time.Millisecond))
}

// changes are the lines of what is otherwise than in the run before.
func (w *watch) changes(now *reports.Report) []string {
	before := w.last
	if before == nil {
		return nil
	}
	if (before.Run.Conclusion == "") != (now.Run.Conclusion == "") {
		if now.Run.Conclusion != "" {
			return []string{"  changed: it could be judged before"}
		}
		return []string{"  changed: it could not be judged before"}
	}
	d, err := reports.Compare(before, now)
	if err != nil { // neither could be judged
		return nil
	}
	var lines []string
	for _, what := range d.Before {
		lines = append(lines, "  changed: "+reports.Inert(what))
	}
	if d.OldLevel != d.NewLevel {
		lines = append(lines, fmt.Sprintf("  changed: level reached %d, then %d", d.OldLevel, d.NewLevel))
	}
	for _, t := range d.Turns {
		if t.Kind != reports.Regression && t.Kind != reports.Fixed {
			continue
		}
		lines = append(lines, fmt.Sprintf("  %s: %s %s, %s then %s", t.Kind, t.Requirement, reports.Inert(t.Subject), t.Old, t.New))
	}
	return lines
}
