// Package console has what every command needs: where it writes, errors with an exit code,
// words and files.
package console

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/aql-conform/aql-conform/reports"
	"golang.org/x/term"
)

// OutputFlags say what is written of a verdict.
type OutputFlags struct {
	Report  []string `sep:"none" group:"Output" placeholder:"FORMAT=FILE" help:"write the report in a format (repeatable):\ntext, json, junit, markdown, sarif, html, github,\ntap, badge, ndjson, evidence, agent or trust"`
	Source  string   `default:"." group:"Output" placeholder:"PATH" help:"source file or folder that SARIF results name (.)"`
	Color   string   `default:"auto" group:"Output" placeholder:"auto|always|never" help:"coloured output (auto)"`
	Quiet   bool     `short:"q" group:"Output" help:"print the verdict and the failures only"`
	Verbose bool     `short:"v" group:"Output" help:"print all findings with all evidence"`
}

// Valid refuses values that no flag of that name knows.
func (f *OutputFlags) Valid() error {
	if f.Quiet && f.Verbose {
		return Usage("--quiet and --verbose contradict each other; leave one out")
	}
	if _, err := os.Stat(cmp.Or(f.Source, ".")); err != nil {
		return Usage("--source: %w", err)
	}
	return OneOf("--color", f.Color, []string{"auto", "always", "never"})
}

// A ReportFile is one --report.
type ReportFile struct{ Format, path string }

// ReportFiles reads FORMAT=FILE. A folder that is not there is found now: a run
// whose report is lost would be a run for nothing.
func (f *OutputFlags) ReportFiles() ([]ReportFile, error) {
	var files []ReportFile
	taken := map[string]bool{}
	for _, given := range f.Report {
		format, path, ok := strings.Cut(given, "=")
		if !ok || path == "" {
			return nil, Usage("--report %q: want FORMAT=FILE, for example json=report.json", given)
		}
		if err := OneOf("--report", format, reports.Formats()); err != nil {
			return nil, err
		}
		if taken[path] {
			return nil, Usage("--report: two reports have the same file %s; name another file", path)
		}
		taken[path] = true
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return nil, Failure{ExitFault, fmt.Errorf("--report %q: %w", given, err)}
		}
		files = append(files, ReportFile{format, path})
	}
	return files, nil
}

// Publish writes the report to every file asked for and to the terminal. A
// report that cannot be written must not look like a verdict.
func (f *OutputFlags) Publish(c Console, files []ReportFile, r *reports.Report) (int, error) {
	r.Run.Source = sourceFile(cmp.Or(f.Source, "."))
	var failed error
	for _, file := range files {
		err := reports.WriteFile(file.path, func(w io.Writer) error { return reports.Write(file.Format, w, r) })
		if err != nil && failed == nil {
			failed = Failure{ExitFault, fmt.Errorf("--report %s=%s: %w", file.Format, file.path, err)}
		}
	}
	err := f.show(c, r)
	if err != nil && failed == nil {
		failed = Failure{ExitFault, fmt.Errorf("writing to standard output: %w", err)}
	}
	return r.ExitCode, failed
}

// show writes the report for the reader of standard output: a person, or a program that says so by
// AI_AGENT. On GitHub Actions the annotations follow.
func (f *OutputFlags) show(c Console, r *reports.Report) error {
	w := c.Stdout
	if c.Agent {
		return r.WriteAgent(w)
	}
	text := func(w io.Writer) error {
		return r.WriteText(w, reports.TextOptions{Color: f.colour(w), Width: Columns(w), Quiet: f.Quiet, Verbose: f.Verbose})
	}
	if os.Getenv("AI_AGENT") != "" && !Terminal(w) && !f.Quiet && !f.Verbose {
		text = r.WriteAgent
	}
	err := Unheeded(w, text)
	if err != nil || !onGitHub() {
		return err
	}
	return r.WriteGitHub(w)
}

func onGitHub() bool { return os.Getenv("GITHUB_ACTIONS") == "true" }

// Unheeded writes a text in which an adapter may have a word. GitHub Actions looks on and
// obeys what it takes for commands: it is told to take none from the text.
func Unheeded(w io.Writer, text func(io.Writer) error) error {
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

// Tell writes lines that may hold an adapter's words, such that each stays one line and
// none plays on a terminal.
func Tell(w io.Writer, lines ...string) error {
	return Unheeded(w, func(w io.Writer) error {
		for _, l := range lines {
			if _, err := fmt.Fprintln(w, reports.Inert(l)); err != nil {
				return err
			}
		}
		return nil
	})
}

// colour says whether the text for w is coloured.
func (f *OutputFlags) colour(w io.Writer) bool {
	switch f.Color {
	case "always":
		return true
	case "never":
		return false
	}
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && Terminal(w)
}

// Columns is how wide w is by the environment, or by the terminal itself, which shells
// tell nobody else; 0 leaves it to the report.
func Columns(w any) int {
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

// Terminal reports whether somebody may be looking at w.
func Terminal(w any) bool {
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
