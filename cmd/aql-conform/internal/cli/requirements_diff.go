package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// A requirementSet is the list that --format json writes, as it is in a file: another version has fields of its own.
type requirementSet []map[string]any

// The classes of differences, what changes verdicts first.
var differing = []string{"CHANGES VERDICTS: rows, severities, levels", "MAY CHANGE VERDICTS: how it is stated, asked, expected or read", "CHANGES NO VERDICT"}

// Where the fields of a row belong; all others change nothing about an adapter.
var (
	deciding = []string{"severity", "level", "core", "state", "proof", "authority", "feature", "when"}
	judging  = []string{"statement", "keyword", "basis", "probe", "expect", "false_positives", "hints", "needs", "excluded_reason", "reading", "faults"}
)

// A setDifference is what two requirement sets do not have in common.
type setDifference struct {
	Verdicts    []rowDifference `json:"verdicts"`
	Judging     []rowDifference `json:"judging"`
	Other       []rowDifference `json:"other"`
	NotCompared []string        `json:"not_compared"` // fields that a row of only one set has
}

// A rowDifference is one requirement that was added, removed or changed.
type rowDifference struct {
	ID     string            `json:"id"`
	Kind   string            `json:"kind"`
	Title  string            `json:"title"`
	Now    string            `json:"now,omitempty"` // the row that a removed one was merged into
	Fields []fieldDifference `json:"fields,omitempty"`

	severity, level any
}

// A fieldDifference is one field of a row in both sets.
type fieldDifference struct {
	Field string `json:"field"`
	Was   any    `json:"was"`
	Is    any    `json:"is"`
}

// diff writes what is otherwise in the requirements of this version than in those of a file.
func (f *requirementsFlags) diff(w io.Writer, here []listedRequirement) error {
	old, err := readRequirements(f.Diff)
	if err != nil {
		return err
	}
	written, err := json.Marshal(here)
	if err != nil {
		return err
	}
	var now requirementSet
	if err := json.Unmarshal(written, &now); err != nil {
		return err
	}
	d := compareSets(old, now)
	if f.Format == "json" {
		return writeListing(w, d)
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%d requirements in %s, %d in this version\n", len(old), f.Diff, len(now))
	for i, rows := range [][]rowDifference{d.Verdicts, d.Judging, d.Other} {
		if len(rows) > 0 {
			fmt.Fprintf(out, "\n%s (%d)\n", differing[i], len(rows))
		}
		for _, r := range rows {
			fmt.Fprintf(out, "  %-8s %-13s %s\n", r.Kind, r.ID, r.told())
		}
	}
	if len(d.Verdicts)+len(d.Judging)+len(d.Other) == 0 {
		fmt.Fprintln(out, "no difference in what both have")
	}
	if len(d.NotCompared) > 0 {
		fmt.Fprintf(out, "\nNot compared, because only one of both has it: %s\n", strings.Join(d.NotCompared, ", "))
	}
	fmt.Fprintln(out, "\nA check can change without its row: aql-conform diff OLD NEW compares two runs.")
	return out.Flush()
}

// readRequirements reads a list that another version wrote, or its catalogue.
func readRequirements(name string) (requirementSet, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, console.Usage("--diff: %w", err)
	}
	var file struct{ Requirements requirementSet }
	if json.Unmarshal(data, &file) != nil {
		err = json.Unmarshal(data, &file.Requirements)
	}
	if err != nil {
		return nil, console.Usage("--diff %s: %w; want what requirements --format json writes", name, err)
	}
	set, seen := file.Requirements, map[any]bool{}
	for _, row := range set {
		if id, ok := row["id"].(string); !ok || id == "" || seen[id] {
			return nil, console.Usage("--diff %s: a row without an id of its own; want what requirements --format json writes", name)
		}
		seen[row["id"]] = true
	}
	if len(set) == 0 {
		return nil, console.Usage("--diff %s: no requirements in it; want what requirements --format json writes", name)
	}
	return set, nil
}

// compareSets compares row by row, in the order of the newer set; what was removed comes last.
func compareSets(old, now requirementSet) setDifference {
	d := setDifference{Verdicts: []rowDifference{}, Judging: []rowDifference{}, Other: []rowDifference{}, NotCompared: []string{}}
	before, after := old.byID(), now.byID()
	for _, row := range now {
		was, there := before[row["id"]]
		if !there {
			d.add(named("added", row), weighty(row))
			continue
		}
		r := named("changed", row)
		for field := range row {
			if _, has := was[field]; !has {
				d.NotCompared = append(d.NotCompared, field)
			}
		}
		for field, value := range was {
			if is, has := row[field]; !has {
				d.NotCompared = append(d.NotCompared, field)
			} else if !reflect.DeepEqual(value, is) {
				r.Fields = append(r.Fields, fieldDifference{field, value, is})
			}
		}
		slices.SortFunc(r.Fields, func(a, b fieldDifference) int {
			return cmp.Or(rank(a.Field)-rank(b.Field), strings.Compare(a.Field, b.Field))
		})
		if len(r.Fields) > 0 {
			d.add(r, classOf(r.Fields[0].Field))
		}
	}
	for _, row := range old {
		if _, there := after[row["id"]]; !there {
			r := named("removed", row)
			if into, ok := catalogue.Lookup(r.ID); ok {
				r.Now = into.ID
			}
			d.add(r, weighty(row))
		}
	}
	slices.Sort(d.NotCompared)
	d.NotCompared = slices.Compact(d.NotCompared)
	return d
}

// add puts a row into its class.
func (d *setDifference) add(r rowDifference, class int) {
	into := []*[]rowDifference{&d.Verdicts, &d.Judging, &d.Other}[class]
	*into = append(*into, r)
}

// told says in one line what is otherwise. Values that are no single words are left to JSON.
func (r rowDifference) told() string {
	if r.Kind != "changed" {
		text := fmt.Sprintf("%v, %s: %s", r.severity, worded("level", r.level), r.Title)
		if r.Now != "" {
			text += "; now part of " + r.Now
		}
		return text
	}
	var fields []string
	for _, f := range r.Fields {
		text := f.Field
		if classOf(f.Field) == 0 && f.Field != "when" {
			text = fmt.Sprintf("%s (was %s)", worded(f.Field, f.Is), worded("", f.Was))
		}
		fields = append(fields, text)
	}
	return strings.Join(fields, ", ")
}

// worded returns a value behind its name.
func worded(name string, value any) string {
	if value == nil {
		value = "none"
	}
	return strings.TrimSpace(fmt.Sprint(name, " ", value))
}

// byID returns the rows by their ids.
func (s requirementSet) byID() map[any]map[string]any {
	rows := map[any]map[string]any{}
	for _, row := range s {
		rows[row["id"]] = row
	}
	return rows
}

// named returns the difference of a row without its fields.
func named(kind string, row map[string]any) rowDifference {
	title, _ := row["title"].(string)
	return rowDifference{ID: fmt.Sprint(row["id"]), Kind: kind, Title: title, severity: row["severity"], level: row["level"]}
}

// weighty returns the class of a row that only one set has: one that is checked and accuses adapters changes verdicts.
func weighty(row map[string]any) int {
	if row["proof"] != "excluded" && row["severity"] != "info" {
		return 0
	}
	return 2
}

// classOf returns the class of a changed field.
func classOf(field string) int {
	switch {
	case slices.Contains(deciding, field):
		return 0
	case slices.Contains(judging, field):
		return 1
	}
	return 2
}

// rank orders fields by their class, and within it by their place in the list.
func rank(field string) int {
	return classOf(field)*100 + max(slices.Index(deciding, field), slices.Index(judging, field))
}
