package plan

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/catalogue"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// shrinkBreaches shrinks the first script of each breach, within the time for generated input.
// After that, scripts are only repeated.
func (p *Plan) shrinkBreaches(ctx context.Context, e *probes.Engine, next func(int) int) {
	deadline, cut := time.Now().Add(p.Effort.Time), 0
	over := func() bool { cut++; return e.Overtime(deadline, "reduced", cut) }
	seen := map[string]bool{}
	for _, t := range p.ScriptRuns {
		for _, b := range t.Breaches {
			key := t.Adapter.Label + b.Reason()
			row, known := catalogue.Lookup(b.Requirement)
			if seen[key] || len(seen) == generated.MaxBreaches || !known || !p.selection.selects(row) {
				continue
			}
			if !persists(ctx, t.Adapter, e, t, b, next) {
				continue
			}
			seen[key] = true
			small, ok := generated.Shrink(ctx, t.Adapter, e, t.Script, b.Reason(), over, next)
			if !ok {
				small = generated.Shrunk{Script: t.Script, Got: t.Got, Breach: b}
			}
			p.Reductions = append(p.Reductions, reduction{t.Adapter, t.Script, small})
		}
	}
}

// persists reports whether a read still shows the breach after a slow store had time to settle.
// After one timeout it does not wait again.
func persists(ctx context.Context, f *model.Adapter, ask probes.Asker, t *generated.ScriptRun, b generated.Breach, next func(int) int) bool {
	o, _ := f.Operation(t.Script.Steps[b.Step].Operation)
	if o.Category != "READ" || t.Script.Steps[b.Step].MadeBy == model.NoObject || f.TestObjects.TimedOut {
		return true
	}
	upTo := t.Script
	upTo.Steps = upTo.Steps[:b.Step+1]
	pause := model.SettleTime / 50
	for waited := time.Duration(0); waited < model.SettleTime && ctx.Err() == nil; waited += pause {
		pause = min(2*pause, model.SettleTime-waited)
		f.Sleep(pause)
		again := append(slices.Clone(t.Got[:b.Step]), ask.Ask(ctx, t.Got[b.Step].Probe.Numbered(next(1))))
		if !slices.ContainsFunc(generated.Breaches(f, upTo, again), func(x generated.Breach) bool { return x.Reason() == b.Reason() }) {
			return false
		}
	}
	f.TestObjects.TimedOut = model.SettleTime > 0
	return true
}

// replayScript runs the script of a finding several times.
func (p *Plan) replayScript(ctx context.Context, e *probes.Engine, next func(int) int) {
	sc := *p.Effort.Script
	for _, f := range p.Adapters {
		if f.Conn != sc.Conn && len(p.Adapters) > 1 {
			continue
		}
		again := map[string]*generated.Shrunk{}
		var order []string
		var last probes.Answers
		kept := 0
		for range generated.Repeats {
			got := f.Run(ctx, e, sc, next(len(sc.Steps)))
			if last = got; generated.Kept(f, sc, got) {
				kept++
			}
			for _, b := range generated.Breaches(f, sc, got) {
				if again[b.Reason()] == nil {
					again[b.Reason()] = &generated.Shrunk{Script: sc, Got: got, Breach: b}
					order = append(order, b.Reason())
				}
				again[b.Reason()].Repeated++
			}
		}
		for _, reason := range order {
			p.Reductions = append(p.Reductions, reduction{f, sc, *again[reason]})
		}
		if id, subject, ok := strings.Cut(p.Effort.Broke, " "); ok && len(order) == 0 && len(last) > 0 {
			of := generated.Breach{Requirement: id, Subject: subject, Ruling: ruling.Conforms()}
			if kept < generated.Repeats {
				of.Ruling = ruling.NotProven("valid requests that succeed, and others that are refused for what is wrong with them", last[len(last)-1])
			}
			slices.Reverse(last)
			of.Ruling.Evidence = last
			p.Reductions = append(p.Reductions, reduction{f, sc, generated.Shrunk{Script: sc, Got: last, Breach: of, Repeated: generated.Repeats}})
		}
	}
}

// A reduction is a breach with its smallest script.
type reduction struct {
	adapter *model.Adapter
	From    model.Script
	generated.Shrunk
}

// FromGenerated returns the findings of generated input. A breach that was not repeated is none. One is not
// proven if a check or another breach already shows the defect, which is then the root cause.
func (p *Plan) FromGenerated(found []reports.Finding) []reports.Finding {
	var all []reports.Finding
	first := map[string]string{}
	// A failure is told before a warning of the same cause, so that the warning does not hide it.
	for _, r := range slices.SortedStableFunc(slices.Values(p.Reductions), func(a, b reduction) int { return a.lesser() - b.lesser() }) {
		row := catalogue.MustLookup(r.Breach.Requirement)
		ruled := r.Breach.Ruling
		root, explained := p.explainedBy(r, found)
		owner, known := first[r.defect()]
		switch {
		case r.Repeated == 0 && p.spent != "":
			ruled = ruling.NotProven(ruled.Want, p.spent).By(r.Got...).Mend(moreRequests)
		case r.Repeated == 0:
			continue // Unrepeated tells it
		case explained:
			ruled = ruling.NotProven(ruled.Want, ruled.Got).By(ruled.Evidence...).Because(root)
		case known && owner != row.ID:
			ruled = ruling.NotProven(ruled.Want, ruled.Got).By(ruled.Evidence...).Because(owner)
		case !known:
			first[r.defect()] = row.ID
		}
		f := p.Finding(&check.Check{Requirement: row.ID, Fix: p.fixOf(row.ID)}, model.Subject{Adapter: r.adapter, Name: r.Breach.Subject}, ruled)
		if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
			script := r.Script
			script.Conn = r.adapter.Conn
			f.Replay = p.replayCommand(generated.Replay{Requirement: row.ID, Subject: r.Breach.Subject, Seed: p.Effort.Seed, Script: &script})
			f.Again = f.Replay // the checks alone would not reproduce it
		}
		if accuses(r.Breach.Ruling) {
			f.Note = fmt.Sprintf("generated (%s): %s; seen again %d/%d", r.Script.Operator, r.Script.DescriptionAt(r.Breach.Step), r.Repeated, generated.Repeats)
		}
		all = append(all, f)
	}
	return append(all, p.fromLoad(slices.Concat(found, all))...)
}

// Unrepeated returns a note on what generated input showed once and not when it was sent again, as errors that
// pass and changes by others do; "" if there is none. It proves nothing, and another run meets others.
func (p *Plan) Unrepeated() string {
	n, first := 0, ""
	for _, r := range p.Reductions {
		if r.Repeated == 0 && p.spent == "" {
			if n++; n == 1 {
				first = fmt.Sprintf("%s of %s%s: %s, by %s", r.Breach.Requirement, r.adapter.Label, r.Breach.Subject, r.Breach.Ruling.Got, r.Script.Operator)
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("flaky: generated input broke a rule %d times in a way that did not show again, for example %s", n, first)
}

// defect identifies breaches with the same likely cause: same area of the catalogue and same
// subject.
func (r reduction) defect() string {
	return strings.Join([]string{r.adapter.Label, catalogue.MustLookup(r.Breach.Requirement).Area, r.Breach.Subject}, " ")
}

// lesser is 1 for a breach that does not lead to a failure.
func (r reduction) lesser() int {
	if limitSeverity(catalogue.MustLookup(r.Breach.Requirement), r.Breach.Ruling.Verdict) == reports.Fail {
		return 0
	}
	return 1
}

// unknownNames begins the requirements on undocumented names.
const unknownNames = "AQL-4.6"

// explainedBy returns the requirement that a check has failed for the kind of object in the script.
// The failure must affect the same level, so that a lesser failure does not hide the breach.
// What becomes of undocumented names explains no breach without one, and what an adapter says explains
// nothing that it does: neither the words of an error nor a record of introspection changes a value.
func (p *Plan) explainedBy(r reduction, found []reports.Finding) (root string, yes bool) {
	nouns := map[string]bool{}
	for _, step := range r.Script.Steps {
		nouns[r.adapter.Noun(step.Operation)] = true
	}
	misnamed := slices.ContainsFunc(r.Got, func(o probes.Observation) bool {
		why, _ := r.adapter.Flaws(o.Probe)
		return slices.ContainsFunc(why, func(x model.Flaw) bool { return strings.HasPrefix(x.Requirement, unknownNames) })
	})
	level := catalogue.MustLookup(r.Breach.Requirement).LevelNumber()
	i := slices.IndexFunc(found, func(f reports.Finding) bool {
		operation, _, _ := strings.Cut(strings.TrimPrefix(f.Subject, r.adapter.Label), ".")
		_, listed := r.adapter.Operation(operation)
		own := catalogue.MustLookup(f.Requirement).LevelNumber()
		related := (misnamed || !strings.HasPrefix(f.Requirement, unknownNames)) && !onlySaid(f)
		return f.Verdict == reports.Fail && related && (level == 0 || own > 0 && own <= level) && listed && nouns[r.adapter.Noun(operation)]
	})
	if i < 0 {
		return "", false
	}
	return found[i].Requirement, true
}

// onlySaid reports whether a failure is one of the words of an answer, or of what introspection documents.
func onlySaid(f reports.Finding) bool {
	if catalogue.MustLookup(f.Requirement).Area == "leaks" {
		return true
	}
	n := len(f.Evidence)
	return n > 0 && bytes.Contains(f.Evidence[n-1].Asked, []byte(`"operation":"introspect"`))
}

// fixOf returns the advice of the requirement's own check.
func (p *Plan) fixOf(requirement string) string {
	for _, c := range p.selection.Checks {
		if c.Requirement == requirement && c.Fix != "" {
			return c.Fix
		}
	}
	return ""
}
