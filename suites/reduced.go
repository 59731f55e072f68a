package suites

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// reduce cuts down the first script of each reason, for as long as the input itself
// may take. What is not cut down any more is still sent again.
func (p *Plan) reduce(ctx context.Context, e *probes.Engine, next func(int) int) {
	deadline, cut := time.Now().Add(p.Effort.Time), 0
	over := func() bool { cut++; return e.Overtime(deadline, "reduced", cut) }
	seen := map[string]bool{}
	for _, t := range p.trials {
		for _, b := range t.found {
			key := t.face.Label + b.reason()
			row, known := Lookup(b.requirement)
			if seen[key] || len(seen) == maxReasons || !known || !p.selection.chooses(row) {
				continue
			}
			if !t.face.lasting(ctx, e, t, b, next) {
				continue
			}
			seen[key] = true
			small, ok := t.face.shrink(ctx, e, t.script, b.reason(), over, next)
			if !ok {
				small = shrunk{script: t.script, got: t.got, breach: b}
			}
			p.reduced = append(p.reduced, reduction{t.face, t.script, small})
		}
	}
}

// lasting reports whether a look still shows the breach after a store has had time
// to show what it was told; after one wait in vain nobody waits again.
func (f *Face) lasting(ctx context.Context, ask probes.Asker, t *staging, b breach, next func(int) int) bool {
	o, _ := f.Operation(t.script.Steps[b.step].Operation)
	if o.Category != "READ" || t.script.Steps[b.step].Of == onNothing || f.specimens.vain {
		return true
	}
	upTo := t.script
	upTo.Steps = upTo.Steps[:b.step+1]
	pause := settling / 50
	for waited := time.Duration(0); waited < settling && ctx.Err() == nil; waited += pause {
		pause = min(2*pause, settling-waited)
		f.rest(pause)
		again := append(slices.Clone(t.got[:b.step]), ask.Ask(ctx, t.got[b.step].Probe.Anew(next(1))))
		if !slices.ContainsFunc(f.breaches(upTo, again), func(x breach) bool { return x.reason() == b.reason() }) {
			return false
		}
	}
	f.specimens.vain = settling > 0
	return true
}

// playAgain plays the script of a finding, as often as a finding is repeated.
func (p *Plan) playAgain(ctx context.Context, e *probes.Engine, next func(int) int) {
	sc := *p.Effort.Script
	for _, f := range p.Faces {
		if f.Conn != sc.Conn && len(p.Faces) > 1 {
			continue
		}
		again := map[string]*shrunk{}
		var order []string
		for range repeats {
			got := f.play(ctx, e, sc, next(len(sc.Steps)))
			for _, b := range f.breaches(sc, got) {
				if again[b.reason()] == nil {
					again[b.reason()] = &shrunk{script: sc, got: got, breach: b}
					order = append(order, b.reason())
				}
				again[b.reason()].again++
			}
		}
		for _, reason := range order {
			p.reduced = append(p.reduced, reduction{f, sc, *again[reason]})
		}
	}
}

// A reduction is a breach with the smallest script that shows it.
type reduction struct {
	face *Face
	from Script
	shrunk
}

// fromGenerated returns the findings of generated input. What a kind of object
// shows of which a check has failed already stays open and names that failure: it
// would be a second headline for the same defect, or rest on a control that is not
// sound. What was not seen again accuses nobody and explains nothing.
func (p *Plan) fromGenerated(found []reports.Finding) []reports.Finding {
	var all []reports.Finding
	first := map[string]string{}
	for _, r := range p.reduced {
		row := mustLookup(r.breach.requirement)
		ruling := r.breach.ruling
		root, tainted := p.tainted(r, found)
		owner, known := first[r.defect()]
		switch {
		case r.again == 0:
			ruling = NotProven(ruling.want, "another answer when it was asked again").By(r.got...)
		case tainted:
			ruling = NotProven(ruling.want, ruling.got).By(ruling.evidence...).Because(root)
		case known && owner != row.ID:
			ruling = NotProven(ruling.want, ruling.got).By(ruling.evidence...).Because(owner)
		case !known:
			first[r.defect()] = row.ID
		}
		f := p.finding(&Check{Requirement: row.ID, Fix: fixOf(row.ID)}, Subject{Face: r.face, Name: r.breach.subject}, ruling)
		if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
			script := r.script
			script.Conn = r.face.Conn
			f.Replay = p.replay(Replay{row.ID, r.breach.subject, p.Effort.Seed, &script})
			f.Again = f.Replay // the checks by themselves would not show it
		}
		f.Note = fmt.Sprintf("generated (%s): %s; seen again %d/%d", r.script.Operator, r.script.why(r.breach.step), r.again, repeats)
		all = append(all, f)
	}
	return all
}

// defect is what breaches share that one mistake in an adapter explains: those of
// one area of the catalogue on one subject.
func (r reduction) defect() string {
	return strings.Join([]string{r.face.Label, mustLookup(r.breach.requirement).Area, r.breach.subject}, " ")
}

// tainted returns the requirement that a check has failed on the kind of object the
// script plays with. Only a failure that weighs as much counts: a warning, or a
// failure that denies no level, must not hide one that does.
func (p *Plan) tainted(r reduction, found []reports.Finding) (root string, yes bool) {
	nouns := map[string]bool{}
	for _, st := range r.script.Steps {
		nouns[Noun(st.Operation)] = true
	}
	level := mustLookup(r.breach.requirement).LevelNumber()
	i := slices.IndexFunc(found, func(f reports.Finding) bool {
		operation, _, _ := strings.Cut(strings.TrimPrefix(f.Subject, r.face.Label), ".")
		_, listed := r.face.Operation(operation)
		own := mustLookup(f.Requirement).LevelNumber()
		return f.Verdict == reports.Fail && (level == 0 || own > 0 && own <= level) && listed && nouns[Noun(operation)]
	})
	if i < 0 {
		return "", false
	}
	return found[i].Requirement, true
}

// fixOf returns the advice of the requirement's own check.
func fixOf(requirement string) string {
	for _, c := range checks {
		if c.Requirement == requirement && c.Fix != "" {
			return c.Fix
		}
	}
	return ""
}
