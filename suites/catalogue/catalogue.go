// Package catalogue holds the requirements: the rows of all areas, generated into one file.
package catalogue

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/reports"
)

//go:embed v1.0.0-draft.json
var catalogueJSON []byte

// CatalogueDigest is the sha256 of the requirements, in hexadecimal: verdicts of the
// same answers can be compared when it is equal.
func CatalogueDigest() string { return fmt.Sprintf("%x", sha256.Sum256(catalogueJSON)) }

// SpecVersion is the version of the specification the catalogue was made from.
const SpecVersion = "1.0.0-draft"

// A Requirement is one row of the catalogue: one rule of the specification or of
// its companions, with how it is proven and what accuses an adapter wrongly.
type Requirement struct {
	ID             string   `json:"id"`
	Title          string   `json:"title"`
	Sources        []Source `json:"sources"`
	Also           []string `json:"also"`
	Keyword        string   `json:"keyword"`
	Basis          string   `json:"basis"`
	Authority      string   `json:"authority"`
	Level          *int     `json:"level"`
	Feature        *string  `json:"feature"`
	When           *string  `json:"when"`
	Severity       string   `json:"severity"`
	Proof          string   `json:"proof"`
	Hints          []string `json:"hints"`
	ExcludedReason *string  `json:"excluded_reason"`
	Needs          []string `json:"needs"`
	Group          string   `json:"group"`
	Area           string   `json:"area"`
	Statement      string   `json:"statement"`
	Probe          *string  `json:"probe"`
	Expect         *string  `json:"expect"`
	FalsePositives *string  `json:"false_positives"`
	Faults         []Fault  `json:"faults"`
	Reading        *string  `json:"reading"`
	Core           bool     `json:"core"`
}

// A Source is one place that states the rule.
type Source struct {
	Doc     string `json:"doc"`
	Section string `json:"section"`
}

// A Fault is a minimal defect that must trip the row.
type Fault struct {
	Name   string `json:"name"`
	Defect string `json:"defect"`
}

// The states of a requirement in this version of the checker.
const (
	Checked  = "checked"
	Excluded = "excluded"
	Untested = "untested"
)

// All returns every requirement, in the order of the catalogue file. It must not be changed.
func All() []Requirement { return requirements() }

// requirements is read when it is first needed.
var requirements = sync.OnceValue(func() []Requirement {
	var file struct {
		Requirements []Requirement `json:"requirements"`
	}
	if err := json.Unmarshal(catalogueJSON, &file); err != nil {
		panic("suites: embedded catalogue: " + err.Error())
	}
	return file.Requirements
})

// positions are the indexes of the requirements by id.
var positions = sync.OnceValue(func() map[string]int {
	index := map[string]int{}
	for i, r := range requirements() {
		index[r.ID] = i
	}
	return index
})

// Lookup returns the requirement of that id. Ids that were merged into a row and
// lower-case spellings find it too.
func Lookup(id string) (Requirement, bool) {
	if i, ok := positions()[strings.ToUpper(id)]; ok {
		return requirements()[i], true
	}
	i := slices.IndexFunc(requirements(), func(r Requirement) bool {
		return slices.Contains(r.Also, strings.ToUpper(id))
	})
	if i < 0 {
		return Requirement{}, false
	}
	return requirements()[i], true
}

// State says whether the requirement is checked, or excluded for the reason of the row. A
// test of the suites shows that every other row has a check.
func (r Requirement) State() string {
	if r.Proof == "excluded" {
		return Excluded
	}
	return Checked
}

// LevelNumber returns 1 or 2, or 0 when no level depends on the row.
func (r Requirement) LevelNumber() int {
	if r.Level == nil {
		return 0
	}
	return *r.Level
}

// Section returns the first place that states the rule, as printed: "spec 4.6".
func (r Requirement) Section() string {
	if len(r.Sources) == 0 {
		return "none"
	}
	return r.Sources[0].Doc + " " + r.Sources[0].Section
}

// Row returns what a report needs of the requirement.
func (r Requirement) Row() reports.Requirement {
	return reports.Requirement{
		ID: r.ID, Title: strings.TrimSuffix(r.Title, " *"), Area: r.Area, Authority: r.Authority, Section: r.Section(),
		Keyword: r.Keyword, Severity: r.Severity, Level: r.LevelNumber(), Core: r.Core, State: r.State(), Statement: r.Statement,
	}
}

// Rows returns the whole catalogue as reports need it.
func Rows() []reports.Requirement {
	rows := make([]reports.Requirement, len(requirements()))
	for i, r := range requirements() {
		rows[i] = r.Row()
	}
	return rows
}

// Areas returns the areas of the catalogue, sorted.
func Areas() []string {
	var areas []string
	for _, r := range requirements() {
		areas = append(areas, r.Area)
	}
	slices.Sort(areas)
	return slices.Compact(areas)
}

// Position returns the index of a requirement in All.
func Position(id string) int { return positions()[id] }

// MustLookup is for ids written in checks.
func MustLookup(id string) Requirement {
	i, ok := positions()[id]
	if !ok {
		panic(fmt.Sprintf("suites: a check names the unknown requirement %q", id))
	}
	return requirements()[i]
}

// IDs returns the id of every requirement, and those that were merged into it.
func IDs() []string {
	var all []string
	for _, r := range requirements() {
		all = append(append(all, r.ID), r.Also...)
	}
	return all
}
