package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/reports"
)

// glance is how often the files are looked at. A change counts once two looks in a row
// see the same, so that an editor or a build that writes in steps starts one run.
const glance = 300 * time.Millisecond

// WatchFlags are those of check, and what is watched.
type WatchFlags struct {
	Path []string `group:"Watched" placeholder:"PATH" help:"files and folders to watch (.)"`
	CheckFlags
}

// A Stamp tells two states of a file apart.
type Stamp struct {
	Size    int64
	changed time.Time
}

// A Watcher waits until files have changed and come to rest.
type Watcher struct {
	Ticks <-chan time.Time
	Look  func() map[string]Stamp
	Seen  map[string]Stamp
}

// Await returns when there is a change, with false when ctx ends before.
func (w *Watcher) Await(ctx context.Context) bool {
	last := w.Seen
	for {
		select {
		case <-ctx.Done():
			return false
		case <-w.Ticks:
		}
		now := w.Look()
		if rested := maps.Equal(now, last); rested && !maps.Equal(now, w.Seen) {
			w.Seen = now
			return true
		}
		last = now
	}
}

// Watch judges, and judges again whenever a file changes: first what failed, then all.
// It ends with Ctrl-C and never by itself, unless the first run cannot begin.
func (f *WatchFlags) Watch(ctx context.Context, program []string, c console.Console) (int, error) {
	switch {
	case f.MCPConfig == "-":
		return 0, console.Usage("watch reads the configuration before each run, but standard input can be read only once; name a file with --mcp-config")
	case f.Certify != "", f.DryRun:
		return 0, console.Usage("watch runs more than once; --certify and --dry-run are for a single run; leave them out")
	}
	paths := f.Path
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, p := range paths {
		if _, err := os.Stat(p); err != nil {
			return 0, console.Usage("--path: %w", err)
		}
	}
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	own := f.written()
	w := &Watcher{Ticks: ticker.C, Look: func() map[string]Stamp { return Stamps(paths, own) }}
	w.Seen = w.Look() // before the run: what changes meanwhile starts the next one
	failed, err := f.Round(ctx, program, c, nil)
	if err != nil {
		return 0, err
	}
	for {
		fmt.Fprintf(c.Stderr, "aql-conform: watching %s; press Ctrl-C to stop\n", strings.Join(paths, ", "))
		if !w.Await(ctx) {
			return 0, console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted")}
		}
		if failed, err = f.Round(ctx, program, c, failed); err != nil {
			if ctx.Err() != nil {
				return 0, console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted")}
			}
			if err := console.Tell(c.Stderr, strings.Split(fmt.Sprint("aql-conform: ", err), "\n")...); err != nil { // a file in the middle of an edit
				return 0, err
			}
		}
	}
}

// Round judges what failed in the round before, where something did, and then all. It
// returns what fails now.
func (f *WatchFlags) Round(ctx context.Context, program []string, c console.Console, failed []string) ([]string, error) {
	if len(failed) > 0 && len(f.Run) == 0 && f.LastFailed == "" {
		again := f.CheckFlags
		again.Run, again.rechecked, again.Quiet, again.Verbose, again.Report, again.Transcript, again.BaselineFlags = failed, failed, true, false, nil, "", BaselineFlags{}
		if _, err := judged(ctx, &again, program, c); err != nil {
			return failed, err
		}
	}
	whole := f.CheckFlags
	report, err := judged(ctx, &whole, program, c)
	if err != nil {
		return failed, err
	}
	var now []string
	for _, found := range report.Findings {
		if found.Verdict == reports.Fail && !slices.Contains(now, found.Requirement) {
			now = append(now, found.Requirement)
		}
	}
	return now, nil
}

// judged carries out one check. That it was interrupted is an error.
func judged(ctx context.Context, f *CheckFlags, program []string, c console.Console) (*reports.Report, error) {
	o, err := f.Settle(program, c)
	if err != nil {
		return nil, err
	}
	if _, err := o.Check(ctx, c); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, console.Failure{Code: console.ExitInterrupted, Err: errors.New("interrupted")}
	}
	return o.report, nil
}

// written are the files that a run writes; they start none.
func (f *WatchFlags) written() []string {
	own := []string{f.Transcript, f.Baseline}
	for _, given := range f.Report {
		_, file, _ := strings.Cut(given, "=")
		own = append(own, file)
	}
	for i, name := range own {
		own[i], _ = filepath.Abs(name)
	}
	return own
}

// Stamps looks at all files under the paths but hidden ones, installed modules and our own.
func Stamps(paths, own []string) map[string]Stamp {
	all := map[string]Stamp{}
	for _, root := range paths {
		_ = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error { // what goes away meanwhile is a change as well
			if err != nil {
				return nil
			}
			base := entry.Name()
			hidden := name != root && (strings.HasPrefix(base, ".") || base == "node_modules")
			switch {
			case hidden && entry.IsDir():
				return filepath.SkipDir
			case hidden, entry.IsDir():
				return nil
			}
			if whole, _ := filepath.Abs(name); slices.Contains(own, whole) {
				return nil
			}
			if info, err := entry.Info(); err == nil {
				all[name] = Stamp{info.Size(), info.ModTime()}
			}
			return nil
		})
	}
	return all
}
