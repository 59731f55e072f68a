package suites

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aql-conform/aql-conform/suites/catalogue"
)

//go:generate go test -run TestCatalogueIsGenerated -update .

var updating = flag.Bool("update", false, "write the catalogue that the rows and the checks make")

const cataloguePath = "catalogue/v1.0.0-draft.json"

// The embedded catalogue is made of the rows of the areas (rows.json, one row a line) and of
// the rules that the checks quote. A row that is new in its area comes after the row before it.
func TestCatalogueIsGenerated(t *testing.T) {
	rules := map[string]string{}
	for _, c := range All() {
		if c.Rule == "" {
			continue
		}
		if rules[c.Requirement] != "" {
			t.Errorf("two checks state the rule of %s", c.Requirement)
		}
		rules[c.Requirement] = c.Rule
	}
	was, err := os.ReadFile(cataloguePath)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(was), "\"requirements\": [\n")
	var order []string
	for line := range strings.SplitSeq(strings.TrimSuffix(rest, "\n]}\n"), "\n") {
		order = append(order, identified(t, line))
	}
	rows := map[string]string{}
	files, err := filepath.Glob("area/*/rows.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no rows: %v", err)
	}
	for _, name := range files {
		place := len(order)
		for line := range strings.SplitSeq(lines(t, name), "\n") {
			id := identified(t, line)
			if rows[id] != "" {
				t.Errorf("%s: a second row of %s", name, id)
			}
			rows[id] = stating(t, strings.TrimSuffix(line, ","), rules[id])
			if at := slices.Index(order, id); at >= 0 {
				place = at + 1
			} else {
				order = slices.Insert(order, place, id)
				place++
			}
		}
	}
	order = slices.DeleteFunc(order, func(id string) bool { return rows[id] == "" })
	var all []string
	for _, id := range order {
		all = append(all, rows[id])
	}
	want := head + "\"requirements\": [\n" + strings.Join(all, ",\n") + "\n]}\n"
	if *updating {
		if err := os.WriteFile(cataloguePath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(was) {
		t.Errorf("%s is not what rows and checks make: go generate ./suites", cataloguePath)
	}
	for _, row := range catalogue.All() {
		if row.State() == catalogue.Checked && (rules[row.ID] == "" || Why(row.ID) == "") {
			t.Errorf("no check of %s quotes the rule and says why there is one", row.ID)
		}
	}
}

// lines returns the rows of a file without the brackets around them.
func lines(t *testing.T, name string) string {
	t.Helper()
	all, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(all), "[\n"), "\n]\n")
}

// identified returns the id of a row.
func identified(t *testing.T, line string) string {
	t.Helper()
	var row struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal([]byte(strings.TrimSuffix(line, ",")), &row); err != nil || row.ID == "" {
		t.Fatalf("%v in the row %.80s", err, line)
	}
	return row.ID
}

// stating returns the row with the rule in the place where the catalogue has it. A row
// without a check has its own.
func stating(t *testing.T, line, rule string) string {
	t.Helper()
	if rule == "" {
		return line
	}
	var quoted bytes.Buffer
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	if err := e.Encode(rule); err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(line, `"probe": `)
	if !ok {
		t.Fatalf("no probe in the row %.80s", line)
	}
	return before + `"statement": ` + strings.TrimSpace(quoted.String()) + `, "probe": ` + after
}
