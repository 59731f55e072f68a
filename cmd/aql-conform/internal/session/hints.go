package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/export"
	"github.com/aql-conform/aql-conform/suites/model"
)

// told is the hints of a run and the file they come from, empty when there is
// none.
type told struct {
	fixtures.Hints
	file string
}

// told reads the file that --hints names, else the one in the working folder. What
// lies there is used unasked, because the author put it there for this; the report
// names it.
func (f *CheckFlags) told() (told, error) {
	t := told{file: f.Hints}
	switch {
	case f.NoHints && f.Hints != "":
		return t, console.Usage("--hints and --no-hints contradict each other; leave one out")
	case f.NoHints:
		return t, nil
	case f.Hints == "":
		if _, err := os.Lstat(fixtures.HintsFile); errors.Is(err, fs.ErrNotExist) {
			return t, nil
		}
		t.file = fixtures.HintsFile
	}
	file, err := os.Open(t.file)
	if err != nil {
		return t, console.Usage("hints: %w; aql-conform init -o FILE drafts one", err)
	}
	defer file.Close()
	t.Hints, err = fixtures.ReadHints(file, os.LookupEnv)
	if err != nil {
		return t, Malformed(t.file, err)
	}
	return t, nil
}

// Malformed says where a hints file has to be mended, in the form that editors
// jump to.
func Malformed(file string, err error) error {
	var wrong *fixtures.HintsError
	if !errors.As(err, &wrong) {
		return console.Usage("%s: %w", file, err)
	}
	place := file
	if wrong.Line > 0 {
		place += fmt.Sprintf(":%d", wrong.Line)
	}
	if wrong.Key != "" {
		place += ": " + wrong.Key
	}
	return console.Usage("%s: %s%s", place, wrong.Problem, console.Meant(wrong.Typed, wrong.Known))
}

// settled are the hints once the flags have had their say: who asks for a
// read-only run on the command line gets one, whatever the file allows.
func (t told) settled(f *CheckFlags) fixtures.Hints {
	h := t.Hints
	if f.ReadOnly {
		operations := map[string]string{}
		for name, word := range h.Permissions.Operations {
			if word == "deny" {
				operations[name] = word
			}
		}
		h.Permissions.Operations = operations
	}
	return h
}

// said names the file on a line about the run.
func (t told) said() string {
	if t.file == "" {
		return ""
	}
	return ", hints " + t.file
}

// mention names the hints in the report: whatever shapes a verdict stands beside
// it.
func (s *Session) mention() {
	if s.hints.file == "" {
		return
	}
	s.remark("hints: %s, sha256 %s", s.hints.file, s.hints.Digest())
	for _, skip := range s.hints.Skip {
		if skip.Requirement != "" {
			s.remark("skipped: requirement %s, because %s", skip.Requirement, skip.Reason)
		} else {
			s.remark("skipped: operation %s, because %s", skip.Operation, skip.Reason)
		}
	}
}

// compare tells what the hints say that does not fit the adapter.
func (s *Session) compare(main *model.Adapter, unmet []string) {
	for _, what := range append(main.HintMismatches(), unmet...) {
		s.remark("hints: %s", what)
	}
}

// setting is what is known before a face is looked at.
func (s *Session) setting() model.Options {
	return model.Options{
		Nonce: s.nonce, May: s.may, TargetLevel: s.run.Level, Hints: s.hints.settled(s.flags), Today: s.today, OnDiscovered: s.learn, Ledger: s.kept(),
	}
}

// learn hides what the hints give to parameters that the adapter calls sensitive. Until
// that is known, nothing is written down.
func (s *Session) learn(a *probes.Adapter) {
	for _, value := range export.SensitiveHints(a, s.hints.Hints) {
		s.secrets.add(value)
	}
	s.recorder.Hide(s.hidden()...)
	if s.written != nil {
		s.written.Release()
	}
}
