package plan

import (
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

// reduce cuts down the first script of each reason, for as long as the input itself
// may take. What is not cut down any more is still sent again.
func (p *Plan) reduce(ctx context.Context, e *probes.Engine, next func(int) int) {
	deadline, cut := time.Now().Add(p.Effort.Time), 0
	over := func() bool { cut++; return e.Overtime(deadline, "reduced", cut) }
	seen := map[string]bool{}
	for _, t := range p.Trials {
		for _, b := range t.Found {
			key := t.Face.Label + b.Reason()
			row, known := catalogue.Lookup(b.Requirement)
			if seen[key] || len(seen) == generated.MaxReasons || !known || !p.selection.chooses(row) {
				continue
			}
			if !lasting(ctx, t.Face, e, t, b, next) {
				continue
			}
			seen[key] = true
			small, ok := generated.Shrink(ctx, t.Face, e, t.Script, b.Reason(), over, next)
			if !ok {
				small = generated.Shrunk{Script: t.Script, Got: t.Got, Breach: b}
			}
			p.Reduced = append(p.Reduced, reduction{t.Face, t.Script, small})
		}
	}
}

// lasting reports whether a look still shows the breach after a store has had time
// to show what it was told; after one wait in vain nobody waits again.
func lasting(ctx context.Context, f *model.Adapter, ask probes.Asker, t *generated.Staging, b generated.Breach, next func(int) int) bool {
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
		again := append(slices.Clone(t.Got[:b.Step]), ask.Ask(ctx, t.Got[b.Step].Probe.Anew(next(1))))
		if !slices.ContainsFunc(generated.Breaches(f, upTo, again), func(x generated.Breach) bool { return x.Reason() == b.Reason() }) {
			return false
		}
	}
	f.TestObjects.TimedOut = model.SettleTime > 0
	return true
}

// playAgain plays the script of a finding, as often as a finding is repeated.
func (p *Plan) playAgain(ctx context.Context, e *probes.Engine, next func(int) int) {
	sc := *p.Effort.Script
	for _, f := range p.Faces {
		if f.Conn != sc.Conn && len(p.Faces) > 1 {
			continue
		}
		again := map[string]*generated.Shrunk{}
		var order []string
		for range generated.Repeats {
			got := f.Run(ctx, e, sc, next(len(sc.Steps)))
			for _, b := range generated.Breaches(f, sc, got) {
				if again[b.Reason()] == nil {
					again[b.Reason()] = &generated.Shrunk{Script: sc, Got: got, Breach: b}
					order = append(order, b.Reason())
				}
				again[b.Reason()].Again++
			}
		}
		for _, reason := range order {
			p.Reduced = append(p.Reduced, reduction{f, sc, *again[reason]})
		}
	}
}

// A reduction is a breach with the smallest script that shows it.
type reduction struct {
	face *model.Adapter
	From model.Script
	generated.Shrunk
}

// FromGenerated returns the findings of generated input. What a kind of object
// shows of which a check has failed already stays open and names that failure: it
// would be a second headline for the same defect, or rest on a control that is not
// sound. What was not seen again accuses nobody and explains nothing.
func (p *Plan) FromGenerated(found []reports.Finding) []reports.Finding {
	var all []reports.Finding
	first := map[string]string{}
	for _, r := range p.Reduced {
		row := catalogue.MustLookup(r.Breach.Requirement)
		ruled := r.Breach.Ruling
		root, tainted := p.tainted(r, found)
		owner, known := first[r.defect()]
		switch {
		case r.Again == 0:
			ruled = ruling.NotProven(ruled.Want, "another answer when it was asked again").By(r.Got...)
		case tainted:
			ruled = ruling.NotProven(ruled.Want, ruled.Got).By(ruled.Evidence...).Because(root)
		case known && owner != row.ID:
			ruled = ruling.NotProven(ruled.Want, ruled.Got).By(ruled.Evidence...).Because(owner)
		case !known:
			first[r.defect()] = row.ID
		}
		f := p.Finding(&check.Check{Requirement: row.ID, Fix: p.fixOf(row.ID)}, model.Subject{Adapter: r.face, Name: r.Breach.Subject}, ruled)
		if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
			script := r.Script
			script.Conn = r.face.Conn
			f.Replay = p.replay(generated.Replay{Requirement: row.ID, Subject: r.Breach.Subject, Seed: p.Effort.Seed, Script: &script})
			f.Again = f.Replay // the checks by themselves would not show it
		}
		f.Note = fmt.Sprintf("generated (%s): %s; seen again %d/%d", r.Script.Operator, r.Script.DescriptionAt(r.Breach.Step), r.Again, generated.Repeats)
		all = append(all, f)
	}
	return all
}

// defect is what breaches share that one mistake in an adapter explains: those of
// one area of the catalogue on one subject.
func (r reduction) defect() string {
	return strings.Join([]string{r.face.Label, catalogue.MustLookup(r.Breach.Requirement).Area, r.Breach.Subject}, " ")
}

// tainted returns the requirement that a check has failed on the kind of object the
// script plays with. Only a failure that weighs as much counts: a warning, or a
// failure that denies no level, must not hide one that does.
func (p *Plan) tainted(r reduction, found []reports.Finding) (root string, yes bool) {
	nouns := map[string]bool{}
	for _, step := range r.Script.Steps {
		nouns[model.Noun(step.Operation)] = true
	}
	level := catalogue.MustLookup(r.Breach.Requirement).LevelNumber()
	i := slices.IndexFunc(found, func(f reports.Finding) bool {
		operation, _, _ := strings.Cut(strings.TrimPrefix(f.Subject, r.face.Label), ".")
		_, listed := r.face.Operation(operation)
		own := catalogue.MustLookup(f.Requirement).LevelNumber()
		return f.Verdict == reports.Fail && (level == 0 || own > 0 && own <= level) && listed && nouns[model.Noun(operation)]
	})
	if i < 0 {
		return "", false
	}
	return found[i].Requirement, true
}

// fixOf returns the advice of the requirement's own check.
func (p *Plan) fixOf(requirement string) string {
	for _, c := range p.selection.Of {
		if c.Requirement == requirement && c.Fix != "" {
			return c.Fix
		}
	}
	return ""
}
