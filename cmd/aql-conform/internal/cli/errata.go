package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/suites"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// chapters are the parts of the book of readings. What cannot both be obeyed comes first.
var chapters = []struct{ kind, title string }{
	{suites.Contradiction, "Contradictions: the passages do not fit together"},
	{suites.Ambiguity, "Ambiguities: a passage can be read in more than one way, or leaves something open"},
	{suites.Silence, "Silences: no passage says it; what comes nearest is quoted"},
}

// writeErrata writes, in Markdown, each requirement with a reading: the passages, the rule that is checked, how they are
// read, and what depends on that.
func writeErrata(w io.Writer, area string) error {
	out := bufio.NewWriter(w)
	errata, read := suites.Errata(), map[string][]catalogue.Requirement{}
	quoted, n := map[string]bool{}, 0
	for _, r := range catalogue.All() {
		if r.Reading == nil || area != "" && r.Area != area {
			continue
		}
		e := errata[r.ID]
		read[e.Kind] = append(read[e.Kind], r)
		n++
		for _, p := range e.Texts {
			quoted[p.Doc] = true
		}
	}
	fmt.Fprintf(out, "# Readings of MCP-AQL %s\n\n%d of %d requirements have a reading. Each entry can be filed alone. Quotations are word by word,\n", catalogue.SpecVersion, n, len(catalogue.All()))
	fmt.Fprintf(out, "without the layout of tables and examples. They are from:\n\n")
	for _, name := range slices.Sorted(maps.Keys(quoted)) {
		fmt.Fprintf(out, "- %s: %s\n", name, suites.Documents[name])
	}
	for _, c := range chapters {
		if len(read[c.kind]) > 0 {
			fmt.Fprintf(out, "\n## %s (%d)\n", c.title, len(read[c.kind]))
		}
		for _, r := range read[c.kind] {
			writeErratum(out, r, errata[r.ID])
		}
	}
	return out.Flush()
}

// writeErratum writes one entry. A < would begin a tag where Markdown is shown.
func writeErratum(out io.Writer, r catalogue.Requirement, e suites.Erratum) {
	var places []string
	for _, s := range r.Sources {
		places = append(places, s.Doc+" "+s.Section)
	}
	fmt.Fprintf(out, "\n### %s: %s\n\n", r.ID, r.Title)
	for _, p := range e.Texts {
		fmt.Fprintf(out, "%s %s:\n\n> %s\n\n", p.Doc, p.Section, strings.ReplaceAll(p.Quote, "<", `\<`))
	}
	fmt.Fprintf(out, "- Stands in: %s (%s, %s)\n", cmp.Or(strings.Join(places, "; "), "no text"), r.Authority, r.Basis)
	fmt.Fprintf(out, "- Rule: %s\n", r.Statement)
	if len(r.Also) > 0 {
		fmt.Fprintf(out, "- Also known as: %s\n", strings.Join(r.Also, ", "))
	}
	fmt.Fprintf(out, "- Reading: %s\n", *r.Reading)
	fmt.Fprintf(out, "- Depends on it: %s\n", dependsOn(r))
}

// dependsOn says what becomes of an adapter that breaks a requirement.
func dependsOn(r catalogue.Requirement) string {
	switch {
	case r.State() != catalogue.Checked:
		return "nothing; it is not checked"
	case r.Severity != "fail":
		return "a finding (" + r.Severity + "), and no level"
	case r.Level != nil:
		return fmt.Sprintf("level %d: a violation is a FAIL", *r.Level)
	}
	return "exit code 1 where the feature is offered, and no level"
}
