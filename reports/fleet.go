package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Fleet is what came of a list of adapters. Neither times nor the machine are in it, so
// that the same verdicts give the same bytes.
type Fleet struct {
	Tool     string         `json:"tool"`
	Adapters []FleetAdapter `json:"adapters"`
}

// A FleetAdapter is what came of one adapter, and what is otherwise than it was told last.
type FleetAdapter struct {
	Name     string   `json:"name"`
	Place    string   `json:"place,omitempty"`   // of its submission in the registry
	Problem  string   `json:"problem,omitempty"` // why it was not judged
	ExitCode int      `json:"exitCode"`
	Level    int      `json:"conformanceLevel"`
	Digest   string   `json:"digest,omitempty"` // of the verdicts
	Failing  []string `json:"failing"`
	New      []string `json:"new"`  // fails and did not fail before; empty for what is judged first
	Gone     []string `json:"gone"` // failed before
}

// fleetVersion is the version of the JSON form.
const fleetVersion = "1.0"

// WriteJSON writes the outcome for programs.
func (f *Fleet) WriteJSON(w io.Writer) error {
	return writeIndented(w, struct {
		Version string `json:"fleetVersion"`
		*Fleet
	}{fleetVersion, f})
}

// worstFirst are the exit codes by how much they hide.
var worstFirst = []int{6, 3, 4, 1, 5, 0}

// ExitCode is the worst exit code of an adapter.
func (f *Fleet) ExitCode() int {
	for _, code := range worstFirst {
		if slices.ContainsFunc(f.Adapters, func(a FleetAdapter) bool { return a.ExitCode == code }) {
			return code
		}
	}
	return worstFirst[0]
}

// Summary says in inert lines how many adapters stand how, and what is otherwise than
// before.
func (f *Fleet) Summary() []string {
	words := map[int]string{0: "conformant", 1: "failed", 5: "not proven"}
	count := map[string]int{}
	for _, a := range f.Adapters {
		word, judged := words[a.ExitCode]
		if !judged || a.Problem != "" {
			word = "not judged"
		}
		count[word]++
	}
	var parts, lines []string
	for _, word := range []string{"conformant", "failed", "not proven", "not judged"} {
		if count[word] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[word], word))
		}
	}
	lines = append(lines, plural(len(f.Adapters), "adapter")+": "+strings.Join(parts, ", "))
	for _, a := range f.Adapters {
		if a.Problem != "" {
			lines = append(lines, fmt.Sprintf("not judged  %s: %s", a.Name, clip(a.Problem, 300)))
		}
		for _, what := range a.New {
			lines = append(lines, fmt.Sprintf("new         %s: %s", a.Name, what))
		}
		for _, what := range a.Gone {
			lines = append(lines, fmt.Sprintf("gone        %s: %s", a.Name, what))
		}
	}
	return lines
}

// HasNew reports whether something fails that did not fail before.
func (f *Fleet) HasNew() bool {
	return slices.ContainsFunc(f.Adapters, func(a FleetAdapter) bool { return len(a.New) > 0 })
}

// maxNew is how many new failures of one adapter a message names.
const maxNew = 20

// WriteIssue writes the new failures as the body of an issue or a message; nothing where
// there are none.
func (f *Fleet) WriteIssue(w io.Writer) error {
	var b bytes.Buffer
	for _, a := range f.Adapters {
		if len(a.New) == 0 {
			continue
		}
		if b.Len() == 0 {
			fmt.Fprintf(&b, "New failures, by %s:\n", prose(f.Tool))
		}
		fmt.Fprintf(&b, "\n%s\n\n", code(a.Name))
		for _, what := range a.New[:min(len(a.New), maxNew)] {
			fmt.Fprintf(&b, "- %s\n", code(what))
		}
		if more := len(a.New) - maxNew; more > 0 {
			fmt.Fprintf(&b, "- and %d more\n", more)
		}
		if a.Place != "" {
			fmt.Fprintf(&b, "\nReport: %s\n", code(a.Place+"/README.md"))
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}
