package suites

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// longest is the limit of a quotation, in characters: what a reading is about fits into one or two sentences.
const longest = 400

// Each reading is filed with the passages that it is about. That they are word by word in the documents cannot be tested
// here, because the documents are not part of this repository.
func TestReadingsHaveTheirTexts(t *testing.T) {
	rows, err := filepath.Glob("area/*/rows.json")
	if err != nil || len(rows) == 0 {
		t.Fatalf("no rows: %v", err)
	}
	quoted := map[string]bool{}
	for _, name := range rows {
		var read []struct{ ID, Reading string }
		decoded(t, name, &read)
		var errata []Erratum
		if beside := filepath.Join(filepath.Dir(name), "texts.json"); exists(beside) {
			decoded(t, beside, &errata)
		}
		for _, row := range read {
			has := func(e Erratum) bool { return e.ID == row.ID }
			if there := slices.ContainsFunc(errata, has); there != (row.Reading != "") {
				t.Errorf("%s: %s has texts: %v, has a reading: %v", name, row.ID, there, row.Reading != "")
			}
			errata = slices.DeleteFunc(errata, has)
		}
		for _, e := range errata {
			t.Errorf("%s has no row of %s", name, e.ID)
		}
	}
	for _, e := range Errata() {
		faulted(t, e)
		for _, p := range e.Texts {
			quoted[p.Doc] = true
		}
	}
	for name := range Documents {
		if !quoted[name] {
			t.Errorf("no passage is of %s", name)
		}
	}
}

// faulted says what is wrong with one erratum.
func faulted(t *testing.T, e Erratum) {
	least := map[string]int{Contradiction: 2, Ambiguity: 1, Silence: 0}
	if n, ok := least[e.Kind]; !ok || len(e.Texts) < n {
		t.Errorf("%s: %d texts for the kind %q", e.ID, len(e.Texts), e.Kind)
	}
	for i, p := range e.Texts {
		switch {
		case Documents[p.Doc] == "":
			t.Errorf("%s: the document %q has no title", e.ID, p.Doc)
		case p.Section == "":
			t.Errorf("%s: a passage of %s without its section", e.ID, p.Doc)
		case p.Quote == "" || p.Quote != strings.Join(strings.Fields(p.Quote), " "):
			t.Errorf("%s: the white space of %q is not folded", e.ID, p.Quote)
		case utf8.RuneCountInString(p.Quote) > longest:
			t.Errorf("%s: the quotation of %s %s is longer than %d characters", e.ID, p.Doc, p.Section, longest)
		case slices.Contains(e.Texts[:i], p):
			t.Errorf("%s quotes %s %s twice", e.ID, p.Doc, p.Section)
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func decoded(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
