package main

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

	"github.com/aql-conform/aql-conform/reports"
)

// glance is how often the files are looked at. A change counts once two looks in a row
// see the same, so that an editor or a build that writes in steps starts one run.
const glance = 300 * time.Millisecond

// watchFlags are those of check, and what is watched.
type watchFlags struct {
	Path []string `group:"Watched" placeholder:"PATH" help:"files and folders whose change starts a run (.)"`
	checkFlags
}

// A stamp tells two states of a file apart.
type stamp struct {
	size    int64
	changed time.Time
}

// A watcher waits until files have changed and come to rest.
type watcher struct {
	ticks <-chan time.Time
	look  func() map[string]stamp
	seen  map[string]stamp
}

// await returns when there is a change, with false when ctx ends before.
func (w *watcher) await(ctx context.Context) bool {
	last := w.seen
	for {
		select {
		case <-ctx.Done():
			return false
		case <-w.ticks:
		}
		now := w.look()
		if rested := maps.Equal(now, last); rested && !maps.Equal(now, w.seen) {
			w.seen = now
			return true
		}
		last = now
	}
}

// watch judges, and judges again whenever a file changes: first what failed, then all.
// It ends with Ctrl-C and never by itself, unless the first run cannot begin.
func (f *watchFlags) watch(ctx context.Context, program []string, c console) (int, error) {
	switch {
	case f.MCPConfig == "-":
		return 0, usage("watch reads the configuration before each run, and standard input only once; name a file with --mcp-config")
	case f.Certify != "", f.DryRun:
		return 0, usage("watch judges again and again; --certify and --dry-run are of one run; leave them out")
	}
	paths := f.Path
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, p := range paths {
		if _, err := os.Stat(p); err != nil {
			return 0, usage("--path: %w", err)
		}
	}
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	own := f.written()
	w := &watcher{ticks: ticker.C, look: func() map[string]stamp { return stamps(paths, own) }}
	w.seen = w.look() // before the run: what changes meanwhile starts the next one
	failed, err := f.round(ctx, program, c, nil)
	if err != nil {
		return 0, err
	}
	for {
		fmt.Fprintf(c.stderr, "aql-conform: watching %s; Ctrl-C ends it\n", strings.Join(paths, ", "))
		if !w.await(ctx) {
			return 0, failure{exitInterrupted, errors.New("interrupted")}
		}
		if failed, err = f.round(ctx, program, c, failed); err != nil {
			if ctx.Err() != nil {
				return 0, failure{exitInterrupted, errors.New("interrupted")}
			}
			if err := tell(c.stderr, strings.Split(fmt.Sprint("aql-conform: ", err), "\n")...); err != nil { // a file in the middle of an edit
				return 0, err
			}
		}
	}
}

// round judges what failed in the round before, where something did, and then all. It
// returns what fails now.
func (f *watchFlags) round(ctx context.Context, program []string, c console, failed []string) ([]string, error) {
	if len(failed) > 0 && len(f.Run) == 0 && f.LastFailed == "" {
		again := f.checkFlags
		again.Run, again.Quiet, again.Verbose, again.Report, again.Transcript, again.baselineFlags = failed, true, false, nil, "", baselineFlags{}
		if _, err := judged(ctx, &again, program, c); err != nil {
			return failed, err
		}
	}
	whole := f.checkFlags
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
func judged(ctx context.Context, f *checkFlags, program []string, c console) (*reports.Report, error) {
	o, err := f.settle(program, c.stdin)
	if err != nil {
		return nil, err
	}
	if _, err := o.check(ctx, c); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, failure{exitInterrupted, errors.New("interrupted")}
	}
	return o.report, nil
}

// written are the files that a run writes; they start none.
func (f *watchFlags) written() []string {
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

// stamps looks at all files under the paths but hidden ones, installed modules and our own.
func stamps(paths, own []string) map[string]stamp {
	all := map[string]stamp{}
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
				all[name] = stamp{info.Size(), info.ModTime()}
			}
			return nil
		})
	}
	return all
}
