// Package plan lists what is to be asked of an adapter, asks it, and has the answers judged.
package plan

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/aql-conform/aql-conform/fixtures"
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A Selection narrows a run to some requirements and subjects. Empty means all.
type Selection struct {
	Of      []*check.Check  `json:"-"`                // the checks to choose from
	Run     []string        `json:"run,omitzero"`     // ids, areas or globs of ids
	Skip    []string        `json:"skip,omitzero"`    // the same, left out
	Subject string          `json:"subject,omitzero"` // glob over subjects
	Leave   []fixtures.Skip `json:"leave,omitzero"`
	Shard   int             `json:"shard,omitzero"`  // the part of the plan that is judged, from 1; 0 for the whole
	Shards  int             `json:"shards,omitzero"` // how many parts there are
}

// elsewhere reports whether another shard has what goes by that name. The partition
// depends on nothing else, so that all shards agree.
func (s Selection) elsewhere(name string) bool {
	if s.Shard == 0 {
		return false
	}
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64()%uint64(s.Shards) != uint64(s.Shard-1)
}

// A Plan is every case of a run, in catalogue order.
type Plan struct {
	Faces   []*model.Adapter
	Cases   []*Case
	Skipped []Omission       // checked requirements the operator left out
	Left    []model.Leftover // what the run made and could not remove; known after Ask
	stop    string           // why nothing more was written
	Effort  generated.Effort // generated input; none unless set before Ask

	Generating func() // called when generated input begins; may be nil

	again     string
	selection Selection
	omitted   []reports.Finding // subjects the author left out
	Trials    []*generated.Staging
	lookout   *AmbientMonitor // nil: the ambient checks look when all is asked
	Reduced   []reduction

	enough        func(reports.Finding) bool // nil: nothing is
	stopped, held atomic.Bool                // a finding was enough; something was held back for it
	generating    bool                       // the checks have asked all they ask
}

// New lists the cases for the faces. again is the part of the command line
// that names the target, for the line that repeats a finding. An error names a
// pattern that matches nothing.
func New(faces []*model.Adapter, sel Selection, again string) (*Plan, error) {
	if err := cmp.Or(sel.Valid(), sel.validLeave(faces)); err != nil {
		return nil, err
	}
	p := &Plan{Faces: faces, again: again, selection: sel}
	for _, c := range ordered(sel.Of) {
		row := catalogue.MustLookup(c.Requirement)
		if reason, out := sel.omission(row); out {
			if !slices.ContainsFunc(p.Skipped, func(o Omission) bool { return o.ID == row.ID }) {
				p.Skipped = append(p.Skipped, Omission{row, reason})
			}
			continue
		}
		if c.Watch == nil && sel.elsewhere(row.ID) { // what every reply shows is judged by all
			p.omitted = append(p.omitted, reports.Finding{
				Requirement: row.ID, Verdict: reports.Skipped, Subject: "adapter", Note: "left to another shard", Elsewhere: true,
			})
			continue
		}
		for _, f := range faces {
			p.add(c, f, sel.Subject)
		}
	}
	if sel.Subject != "" && !p.met() {
		return nil, fmt.Errorf("--subject %q matches no subject of the selected requirements%s", sel.Subject,
			cmp.Or(model.DidYouMean(sel.Subject, operations(faces)), `; name an operation, a type, a tool or a glob such as "get_*"`))
	}
	return p, nil
}

// met reports whether --subject names anything: a subject that is asked about or left
// out, or at least something that the adapter has. What every reply shows is judged
// whatever it names, so that alone is no match; what another shard judges may be one.
func (p *Plan) met() bool {
	glob := p.selection.Subject
	named := func(name string) bool { ok, _ := path.Match(glob, name); return ok }
	for _, f := range p.Faces {
		if slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { return named(o.Name) }) ||
			slices.ContainsFunc(f.Tools, func(t probes.Tool) bool { return named(t.Name) }) {
			return true
		}
	}
	return slices.ContainsFunc(p.Cases, func(c *Case) bool { return c.Check.Watch == nil }) ||
		slices.ContainsFunc(p.omitted, func(f reports.Finding) bool { return f.Elsewhere || named(f.Subject) })
}

func (p *Plan) add(c *check.Check, f *model.Adapter, subject string) {
	subjects := []model.Subject{{Adapter: f, Name: "adapter"}}
	if c.Watch == nil {
		subjects = c.On(f)
	}
	if len(subjects) == 0 {
		subjects = []model.Subject{nothing(c, f)}
	}
	for _, s := range subjects {
		if ok, _ := path.Match(subject, s.Name); !(subject == "" || ok || c.Watch != nil) {
			continue
		}
		if reason, out := p.selection.leaves(s.Op.Name); out {
			p.omitted = append(p.omitted, omitted(c, s, reason))
		} else {
			p.Cases = append(p.Cases, newCase(c, s))
		}
	}
}

// nothing settles a check that found no subject: the specification excuses the
// adapter only when introspection was understood and the row names its condition
// or is about operations of which there are none.
func nothing(c *check.Check, f *model.Adapter) model.Subject {
	s := model.Subject{Adapter: f, Name: "adapter"}
	row := catalogue.MustLookup(c.Requirement)
	switch {
	case f.Introspect == "":
		return s.WithRuling(ruling.NotProven("a tool that answers introspect", "none").Because("AQL-7.2-01"))
	case len(f.Operations) == 0: // what lists nothing is excused from nothing
		return s.WithRuling(ruling.NotProven("a listing of operations", "none that could be read").Because("AQL-7.3-01"))
	case row.When != nil:
		return s.WithRuling(ruling.NotApplicable("does not hold: " + *row.When))
	}
	return s.WithRuling(ruling.NotApplicable("the adapter offers nothing this row is about"))
}

// ordered returns the checks in catalogue order.
func ordered(checks []*check.Check) []*check.Check {
	list := slices.Clone(checks)
	slices.SortStableFunc(list, func(x, y *check.Check) int {
		return cmp.Compare(catalogue.CatalogueIndex[x.Requirement], catalogue.CatalogueIndex[y.Requirement])
	})
	return list
}

func (s Selection) chooses(r catalogue.Requirement) bool {
	_, left := s.left(r)
	return !left && (len(s.Run) == 0 || MatchesAny(s.Run, r)) && !MatchesAny(s.Skip, r)
}

func MatchesAny(patterns []string, r catalogue.Requirement) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if p == r.Area {
			return true
		}
		ok, _ := path.Match(strings.ToUpper(p), r.ID)
		return ok || slices.Contains(r.Also, strings.ToUpper(p))
	})
}

// Valid refuses patterns that select nothing: a run that matched nothing must
// not pass.
func (s Selection) Valid() error {
	for flag, patterns := range map[string][]string{"--run": s.Run, "--skip": s.Skip} {
		for _, p := range patterns {
			if _, err := path.Match(p, ""); err != nil {
				return fmt.Errorf("%s %q: %w", flag, p, err)
			}
			if !slices.ContainsFunc(catalogue.Catalogue, func(r catalogue.Requirement) bool { return MatchesAny([]string{p}, r) }) {
				return fmt.Errorf("%s %q matches no requirement%s", flag, p,
					cmp.Or(model.DidYouMean(p, names()), "; aql-conform requirements lists all ids and areas"))
			}
		}
	}
	if !slices.ContainsFunc(s.Of, func(c *check.Check) bool { return s.chooses(catalogue.MustLookup(c.Requirement)) }) {
		return fmt.Errorf("the selection leaves no checked requirement")
	}
	return nil
}

func names() []string {
	all := catalogue.Areas()
	for _, r := range catalogue.Catalogue {
		all = append(all, r.ID)
	}
	return all
}
