// Package plan lists the cases of a run, sends their requests and judges the answers.
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
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// A Selection limits a run to some requirements and subjects. Empty means all.
type Selection struct {
	Checks    []*check.Check  `json:"-"`                // checks to select from
	Run       []string        `json:"run,omitzero"`     // ids, areas or globs of ids
	Skip      []string        `json:"skip,omitzero"`    // excluded ids, areas or globs of ids
	Subject   string          `json:"subject,omitzero"` // glob of subjects
	HintSkips []fixtures.Skip `json:"leave,omitzero"`
	Shard     int             `json:"shard,omitzero"`  // part of the plan to judge, from 1; 0 for all
	Shards    int             `json:"shards,omitzero"` // number of parts
}

// inOtherShard reports whether the name belongs to another shard. It depends on the name only, so
// that all shards agree.
func (s Selection) inOtherShard(name string) bool {
	if s.Shard == 0 {
		return false
	}
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64()%uint64(s.Shards) != uint64(s.Shard-1)
}

// A Plan has every case of a run, in catalogue order.
type Plan struct {
	Adapters   []*model.Adapter
	Cases      []*Case
	skipped    []skippedRequirement // excluded by the operator or the hints
	Leftovers  []model.Leftover     // objects that could not be removed; set by Ask
	stopReason string               // why the run stopped writing
	spent      string               // why requests were kept back; "" if none was
	flaky      func() bool          // whether errors passed in this run, known when all is asked; set by Judge and RunSpecs
	Effort     generated.Effort     // generated input; none unless set before Ask

	OnGenerate func() // called when generated input starts; may be nil
	OnSoak     func() // called when the load starts; may be nil

	targetArgs      string
	selection       Selection
	skippedFindings []reports.Finding      // of excluded subjects
	ScriptRuns      []*generated.ScriptRun // those that broke a requirement
	Scripts, unsent int                    // of generated input
	generatedReads  map[digest]bool        // single reads of generated input
	monitor         *AmbientMonitor        // nil if the ambient checks only run at the end
	Reductions      []reduction
	soaked          *soak         // nil if there was no load
	figures         *reports.Load // of it; nil if it was not sent in this run

	shownAs                       exchanges                  // evidence of findings
	stopWhen                      func(reports.Finding) bool // nil means never
	stopRequested, requestSkipped atomic.Bool                // a finding met stopWhen; a request was skipped for it
	tasksDone                     atomic.Int64               // cases and scripts whose requests are answered
	generating                    bool                       // the requests of the checks are sent
}

// New lists the cases for the endpoint modes. targetArgs is the part of the command line that names
// the target, for commands in findings. An error names a pattern that matches nothing.
func New(adapters []*model.Adapter, sel Selection, targetArgs string) (*Plan, error) {
	if err := cmp.Or(sel.Validate(), sel.validateSkips(adapters)); err != nil {
		return nil, err
	}
	p := &Plan{Adapters: adapters, targetArgs: targetArgs, selection: sel}
	known := shared{}
	for _, c := range inCatalogueOrder(sel.Checks) {
		row := catalogue.MustLookup(c.Requirement)
		if reason, out := sel.skipReason(row); out {
			if !slices.ContainsFunc(p.skipped, func(o skippedRequirement) bool { return o.ID == row.ID }) {
				p.skipped = append(p.skipped, skippedRequirement{row, reason})
			}
			continue
		}
		if !c.Watches() && sel.inOtherShard(row.ID) { // ambient checks run in every shard
			p.skippedFindings = append(p.skippedFindings, reports.Finding{
				Requirement: row.ID, Verdict: reports.Skipped, Subject: "adapter", Note: "left to another shard", Elsewhere: true,
			})
			continue
		}
		for _, f := range adapters {
			p.add(c, f, sel.Subject, known)
		}
	}
	if sel.Subject != "" && !p.subjectMatches() {
		return nil, fmt.Errorf("--subject %q matches no subject of the selected requirements%s", sel.Subject,
			cmp.Or(vocab.DidYouMean(sel.Subject, operationNames(adapters)), `; name an operation, a type, a tool or a glob such as "get_*"`))
	}
	return p, nil
}

// subjectMatches reports whether --subject matches a subject, an operation or a tool. Ambient
// checks do not count, because they run in any case. A requirement of another shard may match.
func (p *Plan) subjectMatches() bool {
	glob := p.selection.Subject
	named := func(name string) bool { ok, _ := path.Match(glob, name); return ok }
	for _, f := range p.Adapters {
		if slices.ContainsFunc(f.Operations, func(o probes.Operation) bool { return named(o.Name) }) ||
			slices.ContainsFunc(f.Tools, func(t probes.Tool) bool { return named(t.Name) }) {
			return true
		}
	}
	return slices.ContainsFunc(p.Cases, func(c *Case) bool { return !c.Check.Watches() }) ||
		slices.ContainsFunc(p.skippedFindings, func(f reports.Finding) bool { return f.Elsewhere || named(f.Subject) })
}

func (p *Plan) add(c *check.Check, f *model.Adapter, subject string, known shared) {
	subjects := []model.Subject{{Adapter: f, Name: "adapter"}}
	switch {
	case c.Watches():
	case f.Cut != "": // nothing is known to be missing
		subjects[0] = subjects[0].WithRuling(ruling.NotProven("an adapter that is known", f.Cut).Mend(moreRequests))
	default:
		subjects = c.On(f)
	}
	if len(subjects) == 0 {
		subjects = []model.Subject{withoutSubject(c, f)}
	}
	made := make([]Case, 0, len(subjects))
	for _, s := range subjects {
		if ok, _ := path.Match(subject, s.Name); !(subject == "" || ok || c.Watches()) {
			continue
		}
		if reason, out := p.selection.skipsOperation(s.Op.Name); out {
			p.skippedFindings = append(p.skippedFindings, skippedFinding(c, s, reason))
		} else {
			made = append(made, Case{Check: c, Subject: known.subject(s)})
			made[len(made)-1].pending.Add(1)
			p.Cases = append(p.Cases, &made[len(made)-1])
		}
	}
}

// withoutSubject returns the subject of a check that found none. The adapter is excused only if
// introspection was understood and the requirement has a condition, or is about operations that do
// not exist.
func withoutSubject(c *check.Check, f *model.Adapter) model.Subject {
	s := model.Subject{Adapter: f, Name: "adapter"}
	row := catalogue.MustLookup(c.Requirement)
	switch {
	case f.Introspect == "":
		return s.WithRuling(ruling.NotProven("a tool that answers introspect", "none").Because("AQL-7.2-01"))
	case len(f.Operations) == 0: // an empty listing excuses nothing
		return s.WithRuling(ruling.NotProven("a listing of operations", "none that could be read").Because("AQL-7.3-01"))
	case f.Unsearched != "" && !row.Core: // the core is about what is listed, others about what a trial showed
		return s.WithRuling(ruling.NotProven("a subject of this rule", f.Unsearched).Mend(moreRequests))
	case row.When != nil:
		return s.WithRuling(ruling.NotApplicable("does not hold: " + *row.When))
	}
	return s.WithRuling(ruling.NotApplicable(offersNothing))
}

// inCatalogueOrder sorts the checks.
func inCatalogueOrder(checks []*check.Check) []*check.Check {
	list := slices.Clone(checks)
	slices.SortStableFunc(list, func(x, y *check.Check) int {
		return cmp.Compare(catalogue.Position(x.Requirement), catalogue.Position(y.Requirement))
	})
	return list
}

func (s Selection) selects(r catalogue.Requirement) bool {
	_, left := s.skipsRequirement(r)
	return !left && (len(s.Run) == 0 || MatchesAny(s.Run, r)) && !MatchesAny(s.Skip, r)
}

// MatchesAny reports whether a pattern matches the requirement by area, id or alias.
func MatchesAny(patterns []string, r catalogue.Requirement) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if p == r.Area {
			return true
		}
		ok, _ := path.Match(strings.ToUpper(p), r.ID)
		return ok || slices.Contains(r.Also, strings.ToUpper(p))
	})
}

// Validate rejects patterns that match nothing, because an empty run must not pass.
func (s Selection) Validate() error {
	for flag, patterns := range map[string][]string{"--run": s.Run, "--skip": s.Skip} {
		for _, p := range patterns {
			if _, err := path.Match(p, ""); err != nil {
				return fmt.Errorf("%s %q: %w", flag, p, err)
			}
			if !slices.ContainsFunc(catalogue.All(), func(r catalogue.Requirement) bool { return MatchesAny([]string{p}, r) }) {
				return fmt.Errorf("%s %q matches no requirement%s", flag, p,
					cmp.Or(vocab.DidYouMean(p, idsAndAreas()), "; aql-conform requirements lists all ids and areas"))
			}
		}
	}
	if !slices.ContainsFunc(s.Checks, func(c *check.Check) bool { return s.selects(catalogue.MustLookup(c.Requirement)) }) {
		return fmt.Errorf("the selection contains no checked requirement")
	}
	return nil
}

func idsAndAreas() []string {
	all := catalogue.Areas()
	for _, r := range catalogue.All() {
		all = append(all, r.ID)
	}
	return all
}
