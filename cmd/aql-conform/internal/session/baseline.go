package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// BaselineFlags name the failures that are known.
type BaselineFlags struct {
	Baseline       string `group:"Verdict" placeholder:"FILE" help:"known failures; exit 1 on any change from them"`
	UpdateBaseline bool   `group:"Verdict" help:"write this run's failures to the baseline file"`
}

// An acceptedFailures is the baseline of a run and the file it comes from; nil is none.
type acceptedFailures struct {
	fixtures.Baseline
	file   string
	update bool
	fresh  bool // there is no such file yet
}

// Read reads the file that --baseline names. What is wrong with it is found before
// anything is started.
func (f BaselineFlags) Read() (*acceptedFailures, error) {
	switch {
	case f.Baseline == "" && f.UpdateBaseline:
		return nil, console.Usage("--update-baseline needs --baseline FILE")
	case f.Baseline == "":
		return nil, nil
	}
	l := &acceptedFailures{file: f.Baseline, update: f.UpdateBaseline}
	raw, err := os.ReadFile(l.file)
	if errors.Is(err, fs.ErrNotExist) {
		if !l.update {
			return nil, console.Usage("--baseline %s: no such file; --update-baseline creates it", l.file)
		}
		if _, err := os.Stat(filepath.Dir(l.file)); err != nil {
			return nil, console.Usage("--baseline %s: %w", l.file, err)
		}
		raw, err, l.fresh = []byte(fixtures.EmptyBaseline), nil, true
	}
	if err != nil {
		return nil, console.Usage("--baseline: %w", err)
	}
	return l, l.take(raw)
}

// take reads the entries and refuses one that names no requirement.
func (l *acceptedFailures) take(raw []byte) (err error) {
	if l.Baseline, err = fixtures.ReadBaseline(bytes.NewReader(raw)); err != nil {
		return Malformed(l.file, err)
	}
	for i, k := range l.Known {
		r, ok := catalogue.Lookup(k.Requirement)
		if !ok {
			return Malformed(l.file, &fixtures.HintsError{
				Line: k.Line, Key: fmt.Sprintf("known[%d].requirement", i), Problem: fmt.Sprintf("no requirement %q", k.Requirement),
				Typed: k.Requirement, Known: catalogue.IDs(),
			})
		}
		l.Known[i].Requirement = r.ID
	}
	return nil
}

// Hold holds a report against the baseline, which --update-baseline rewrites first.
func (l *acceptedFailures) Hold(c console.Console, r *reports.Report) error {
	if l == nil {
		return nil
	}
	l.accept(r)
	if l.update {
		if err := l.rewrite(c, r); err != nil {
			return console.Failure{Code: console.ExitFault, Err: fmt.Errorf("--update-baseline %s: %w", l.file, err)}
		}
		l.accept(r)
	}
	r.Run.Digests.Baseline = l.Digest()
	return nil
}

func (l *acceptedFailures) accept(r *reports.Report) {
	b := l.baseline()
	b.Narrowed = slices.ContainsFunc(r.Run.Narrowed, func(by string) bool { return strings.HasPrefix(by, bySubject) })
	r.Accept(b)
}

// baseline is the file as reports read it; that of no file accepts nothing.
func (l *acceptedFailures) baseline() reports.Baseline {
	if l == nil {
		return reports.Baseline{}
	}
	b := reports.Baseline{File: l.file}
	for _, k := range l.Known {
		b.Entries = append(b.Entries, reports.Known{
			Line: k.Line, Requirement: k.Requirement, Operation: k.Operation, Reason: k.Reason, Owner: k.Owner, Note: k.Note, Expires: k.Expires,
		})
	}
	return b
}

// rewrite brings the file to what the run found: what failed is in it, what holds is
// not. An entry that has expired stays: only its owner can give it another day. A run
// without a verdict rewrites nothing.
func (l *acceptedFailures) rewrite(c console.Console, r *reports.Report) error {
	switch r.ExitCode {
	case console.ExitTarget, console.ExitFault, console.ExitInterrupted:
		became := "is unchanged"
		if l.fresh {
			became = "is not created"
		}
		return console.Tell(c.Stderr, "aql-conform: "+l.file+" "+became+", because the run has no verdict")
	}
	gone, changed := r.Baseline.Stale()
	var more []fixtures.Accepted
	for _, k := range r.Unlisted() {
		more = append(more, fixtures.Accepted{Requirement: k.Requirement, Operation: k.Operation, Reason: k.Reason})
	}
	if len(gone)+len(changed)+len(more) == 0 && !l.fresh {
		return console.Tell(c.Stderr, "aql-conform: "+l.file+" is up to date")
	}
	raw, err := l.Rewritten(gone, changed, more)
	if err != nil {
		return err
	}
	if err := reports.WriteFile(l.file, func(w io.Writer) error { _, err := w.Write(raw); return err }); err != nil {
		return err
	}
	if err := l.take(raw); err != nil {
		return err
	}
	return console.Tell(c.Stderr, fmt.Sprintf("aql-conform: %s: %d added, %d changed, %d removed", l.file, len(more), len(changed), len(gone)))
}
