package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/aql-conform/aql-conform/reports"
)

// outputFlags say what is written of a verdict.
type outputFlags struct {
	Report  []string `sep:"none" group:"Output" placeholder:"FORMAT=FILE" help:"also write it as text, json, junit, markdown,\nsarif, html, github, tap, badge, ndjson or\nevidence (repeatable)"`
	Color   string   `default:"auto" group:"Output" placeholder:"auto|always|never" help:"colour the terminal text (auto)"`
	Quiet   bool     `short:"q" group:"Output" help:"the verdict and the failures only"`
	Verbose bool     `short:"v" group:"Output" help:"every finding, evidence in full"`
}

// valid refuses values that no flag of that name knows.
func (f *outputFlags) valid() error {
	if f.Quiet && f.Verbose {
		return usage("--quiet and --verbose contradict each other; leave one out")
	}
	return oneOf("--color", f.Color, []string{"auto", "always", "never"})
}

// A reportFile is one --report.
type reportFile struct{ format, path string }

// reportFiles reads FORMAT=FILE. A folder that is not there is found now: a run
// whose report is lost would be a run for nothing.
func (f *outputFlags) reportFiles() ([]reportFile, error) {
	var files []reportFile
	taken := map[string]bool{}
	for _, given := range f.Report {
		format, path, ok := strings.Cut(given, "=")
		if !ok || path == "" {
			return nil, usage("--report %q: want FORMAT=FILE, for example json=report.json", given)
		}
		if err := oneOf("--report", format, reports.Formats()); err != nil {
			return nil, err
		}
		if taken[path] {
			return nil, usage("--report: two reports go to %s; one would overwrite the other; name another file", path)
		}
		taken[path] = true
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return nil, failure{exitFault, fmt.Errorf("--report %q: %w", given, err)}
		}
		files = append(files, reportFile{format, path})
	}
	return files, nil
}

// publish writes the report to every file asked for and to the terminal. A
// report that cannot be written must not look like a verdict.
func (f *outputFlags) publish(c console, files []reportFile, r *reports.Report) (int, error) {
	var failed error
	for _, file := range files {
		err := reports.WriteFile(file.path, func(w io.Writer) error { return reports.Write(file.format, w, r) })
		if err != nil && failed == nil {
			failed = failure{exitFault, fmt.Errorf("--report %s=%s: %w", file.format, file.path, err)}
		}
	}
	err := f.show(c.stdout, r)
	if err != nil && failed == nil {
		failed = failure{exitFault, fmt.Errorf("writing to standard output: %w", err)}
	}
	return r.ExitCode, failed
}

// show writes the report for who looks on, on GitHub Actions with its annotations.
func (f *outputFlags) show(w io.Writer, r *reports.Report) error {
	opt := reports.TextOptions{Color: f.colour(w), Width: columns(w), Quiet: f.Quiet, Verbose: f.Verbose}
	err := unheeded(w, func(w io.Writer) error { return r.WriteText(w, opt) })
	if err != nil || !onGitHub() {
		return err
	}
	return r.WriteGitHub(w)
}

func onGitHub() bool { return os.Getenv("GITHUB_ACTIONS") == "true" }

// unheeded writes a text in which an adapter may have a word. GitHub Actions looks on and
// obeys what it takes for commands: it is told to take none from the text.
func unheeded(w io.Writer, text func(io.Writer) error) error {
	if !onGitHub() {
		return text(w)
	}
	token := rand.Text() // that no adapter can guess
	if _, err := fmt.Fprintf(w, "::stop-commands::%s\n", token); err != nil {
		return err
	}
	if err := text(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "::%s::\n", token)
	return err
}

// tell writes lines that may hold an adapter's words, such that each stays one line and
// none plays on a terminal.
func tell(w io.Writer, lines ...string) error {
	return unheeded(w, func(w io.Writer) error {
		for _, l := range lines {
			if _, err := fmt.Fprintln(w, reports.Inert(l)); err != nil {
				return err
			}
		}
		return nil
	})
}

// colour says whether the text for w is coloured.
func (f *outputFlags) colour(w io.Writer) bool {
	switch f.Color {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && terminal(w)
}

// columns is how wide w is by the environment, or by the terminal itself, which shells
// tell nobody else; 0 leaves it to the report.
func columns(w any) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if file, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(file.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 0
}

// terminal reports whether somebody may be looking at w.
func terminal(w any) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
