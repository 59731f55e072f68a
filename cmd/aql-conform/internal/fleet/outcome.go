package fleet

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/attest"
	"github.com/aql-conform/aql-conform/cmd/aql-conform/internal/console"
	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
)

// An outcome is what came of one entry, in a file of its own: no two processes write the
// same file, whatever the number of shards.
type outcome struct {
	Name     string    `json:"name"`
	Order    string    `json:"order"` // digest of what was asked for
	Judged   time.Time `json:"judged"`
	Place    string    `json:"place,omitempty"` // of the submission; empty where nothing was judged
	Problem  string    `json:"problem,omitempty"`
	ExitCode int       `json:"exitCode"`
	Level    int       `json:"conformanceLevel"`
	Digest   string    `json:"digest,omitempty"`
	Failing  []string  `json:"failing"`
	Told     []string  `json:"told"` // what failed when the outcome was written last; null before that
}

func (f *Flags) outcomeFile(e fixtures.FleetEntry) string {
	return filepath.Join(f.Out, attest.FleetFolder, e.Name+".json")
}

// outcome reads what came of an entry; what cannot be read is as if it had not been judged.
func (f *Flags) outcome(e fixtures.FleetEntry) outcome {
	var o outcome
	raw, err := os.ReadFile(f.outcomeFile(e))
	if err != nil || json.Unmarshal(raw, &o) != nil || o.Name != e.Name {
		return outcome{Name: e.Name, ExitCode: console.ExitFault, Problem: "no result", Failing: []string{}}
	}
	return o
}

// notJudged stands among the failures of an adapter that could not be judged.
const notJudged = "not judged"

// keep writes what came of an entry beside what was told of it before.
func (f *Flags) keep(e fixtures.FleetEntry, o outcome) error {
	before := f.outcome(e)
	o.Name, o.Order, o.Judged, o.Told = e.Name, f.order(e), time.Now().UTC().Truncate(time.Second), before.Told
	if o.Place == "" { // what failed before has not been mended by that
		o.Failing = append(slices.DeleteFunc(slices.Clone(before.Failing), func(s string) bool { return s == notJudged }), notJudged)
	}
	return f.write(o)
}

func (f *Flags) write(o outcome) error {
	return reports.WriteFile(f.outcomeFile(fixtures.FleetEntry{Name: o.Name}), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(o)
	})
}

// told notes that what fails now is known.
func (f *Flags) told(list fixtures.Fleet) error {
	for _, e := range list.Adapters {
		if o := f.outcome(e); o.Told == nil || !slices.Equal(o.Told, o.Failing) {
			o.Told = append([]string{}, o.Failing...)
			if err := f.write(o); err != nil {
				return err
			}
		}
	}
	return nil
}

// row is the outcome as the fleet shows it.
func (o outcome) row() reports.FleetAdapter {
	r := reports.FleetAdapter{
		Name: o.Name, Place: o.Place, Problem: o.Problem, ExitCode: o.ExitCode, Level: o.Level, Digest: o.Digest,
		Failing: o.Failing, New: []string{}, Gone: []string{},
	}
	if o.Told != nil {
		r.New, r.Gone = without(o.Failing, o.Told), without(o.Told, o.Failing)
	}
	return r
}

func without(all, some []string) []string {
	return slices.DeleteFunc(append([]string{}, all...), func(s string) bool { return slices.Contains(some, s) })
}

// order is the digest of what is asked for: the entry, its hints file, what starts it, and
// the version that judges.
func (f *Flags) order(e fixtures.FleetEntry) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s\n", e.Digest, f.Wrap, console.Version(), catalogue.CatalogueDigest())
	if e.Hints != "" {
		raw, _ := os.ReadFile(e.Hints) // the run of the entry says that it cannot be read
		h.Write(raw)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// fresh reports whether an entry has a sealed result of what is asked for now.
func (f *Flags) fresh(e fixtures.FleetEntry) bool {
	o := f.outcome(e)
	age := time.Since(o.Judged)
	return o.Place != "" && o.Order == f.order(e) && age >= 0 && age < f.Fresh && attest.IsSealed(f.Out, o.Place, f.Key)
}

// message is what a webhook is sent; chat programs show its text.
func message(fleet *reports.Fleet) ([]byte, error) {
	var text bytes.Buffer
	if err := fleet.WriteIssue(&text); err != nil {
		return nil, err
	}
	changed := slices.DeleteFunc(slices.Clone(fleet.Adapters), func(a reports.FleetAdapter) bool { return len(a.New) == 0 })
	return json.Marshal(struct {
		Text     string                 `json:"text"`
		Adapters []reports.FleetAdapter `json:"adapters"`
	}{cmp.Or(text.String(), "nothing new"), changed})
}
