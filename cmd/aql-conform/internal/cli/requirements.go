package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// A listedRequirement is one requirement as others read it from our JSON: the row of the catalogue, and whether
// it is checked.
type listedRequirement struct {
	catalogue.Requirement
	State string `json:"state"` // checked, excluded or untested
}

// list prints the requirements the flags choose.
func (f *requirementsFlags) list(w io.Writer) error {
	if err := console.OneOf("--format", f.Format, []string{"text", "json"}); err != nil {
		return err
	}
	if f.Area != "" && !slices.Contains(catalogue.Areas(), f.Area) {
		return console.OneOf("--area", f.Area, catalogue.Areas())
	}
	chosen := []listedRequirement{}
	for _, r := range catalogue.All() {
		state := r.State()
		if f.Area != "" && r.Area != f.Area || f.Untested && state != catalogue.Untested {
			continue
		}
		r.Title = r.Row().Title
		chosen = append(chosen, listedRequirement{r, state})
	}
	switch {
	case f.Errata:
		return writeErrata(w, f.Area)
	case f.Diff != "":
		return f.diff(w, chosen)
	case f.Format == "json":
		return writeListing(w, chosen)
	}
	return printRequirements(w, chosen)
}

// writeListing writes JSON for others.
func writeListing(w io.Writer, listing any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(listing)
}

// fixedColumns is what stands before a title.
const fixedColumns = 39

// printRequirements writes one line each, as wide as the terminal is.
func printRequirements(w io.Writer, list []listedRequirement) error {
	out := bufio.NewWriter(w)
	area, room := "", max(60, cmp.Or(console.Columns(w), 80))-fixedColumns
	for _, r := range list {
		if r.Area != area {
			if area != "" {
				fmt.Fprintln(out)
			}
			area = r.Area
			fmt.Fprintln(out, area)
		}
		level := "-"
		if r.Level != nil {
			level = fmt.Sprint(*r.Level)
		}
		fmt.Fprintf(out, "  %-13s %s %-10s %-8s  %s\n", r.ID, level, r.Keyword, r.State, cut(r.Title, room))
	}
	return out.Flush()
}

// cut shortens a text to n columns.
func cut(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return string(runes[:n-1]) + "…"
}
