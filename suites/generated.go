package suites

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
)

// An Effort bounds the generated input of a run. The zero Effort generates none.
type Effort struct {
	Seed     uint64        // equal seeds make equal scripts
	Phases   []string      // names of phases, in any order; none means no generated input
	Examples int           // random scripts for each operation
	Time     time.Duration // after which no further script is sent
	Script   *Script       // play this one alone, as it stands
}

// maxReasons bounds how many breaches are cut down: an adapter that breaks more
// rules than that has enough to mend.
const maxReasons = 25

// firstTake is the take of the first generated call. All takes have seven digits,
// so that no mark is the beginning of another.
const firstTake = 1_000_000

// A staging is one script that was sent, with what it showed.
type staging struct {
	face   *Face
	script Script
	take   int
	got    []probes.Observation
	found  []breach
}

// generate sends the generated input and cuts down what breaks a requirement.
func (p *Plan) generate(ctx context.Context, e *probes.Engine) {
	deadline := time.Now().Add(p.Effort.Time)
	takes := firstTake
	next := func(steps int) int { takes += steps; return takes - steps }
	if len(p.Effort.Phases) == 0 && p.Effort.Script == nil {
		return
	}
	faces := p.Faces[:min(1, len(p.Faces))] // the other mode is the same adapter by another door
	if p.Effort.Script != nil {
		faces = p.Faces
	}
	for _, f := range faces {
		f.explore(ctx, e, p.Effort.Seed, next)
	}
	if p.Effort.Script != nil {
		p.playAgain(ctx, e, next)
		return
	}
	for _, ph := range phases {
		if !slices.Contains(p.Effort.Phases, ph.name) {
			continue
		}
		var tasks []probes.Task
		var trials []*staging
		for _, f := range faces {
			for _, sc := range p.scripts(f, ph) {
				t := &staging{face: f, script: sc, take: next(len(sc.Steps))}
				trials = append(trials, t)
				tasks = append(tasks, probes.Task{Lane: f.laneOf(sc), Do: func(ctx context.Context) {
					if time.Now().Before(deadline) && ctx.Err() == nil {
						t.got = f.play(ctx, e, t.script, t.take)
						t.found = f.breaches(t.script, t.got)
					}
				}})
			}
		}
		e.Run(ctx, tasks)
		p.trials = append(p.trials, trials...)
	}
	p.reduce(ctx, e, next)
}

// laneOf is parallel for scripts that only read.
func (f *Face) laneOf(sc Script) probes.Lane {
	for _, st := range sc.Steps {
		if o, _ := f.Operation(st.Operation); o.Category != "READ" {
			return probes.Serial
		}
	}
	return probes.Parallel
}

// scripts makes the scripts of one phase, each operator from a stream of its own,
// so that a new operator does not reshuffle the others.
func (p *Plan) scripts(f *Face, ph phase) []Script {
	var all []Script
	for _, op := range ph.operators {
		h := fnv.New64a()
		fmt.Fprint(h, ph.name, op.name, f.Conn)
		r := rand.New(rand.NewPCG(p.Effort.Seed, h.Sum64()))
		for _, sc := range op.make(f, r, p.Effort.Examples) {
			sc.Conn, sc.Operator = f.Conn, ph.name+"/"+op.name
			if sc.Sentence == "" {
				sc.Sentence = op.sentence
			}
			if p.chosen(f, sc) {
				all = append(all, sc)
			}
		}
	}
	return all
}

// chosen reports whether --subject and the hints leave the script in.
func (p *Plan) chosen(f *Face, sc Script) bool {
	if slices.ContainsFunc(sc.Steps, func(st Step) bool { _, out := p.selection.leaves(st.Operation); return out }) {
		return false
	}
	return p.selection.Subject == "" || slices.ContainsFunc(sc.Steps, func(st Step) bool {
		ok, _ := path.Match(p.selection.Subject, st.Operation)
		whole, _, _ := strings.Cut(p.selection.Subject, ".")
		return ok || whole == st.Operation
	})
}

// reduce cuts down the first script of each reason.
func (p *Plan) reduce(ctx context.Context, e *probes.Engine, next func(int) int) {
	seen := map[string]bool{}
	for _, t := range p.trials {
		for _, b := range t.found {
			key := t.face.Label + b.reason()
			row, known := Lookup(b.requirement)
			if seen[key] || len(seen) == maxReasons || !known || !p.selection.chooses(row) {
				continue
			}
			seen[key] = true
			small, ok := t.face.shrink(ctx, e, t.script, b.reason(), next)
			if !ok {
				small = shrunk{script: t.script, got: t.got, breach: b}
			}
			p.reduced = append(p.reduced, reduction{t.face, t.script, small})
		}
	}
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

// fromGenerated returns the findings of generated input. What an operation that a
// check has failed already shows besides is not told: it would be a second
// headline for the same defect, or rest on a control that is not sound.
func (p *Plan) fromGenerated(found []reports.Finding) []reports.Finding {
	var all []reports.Finding
	first := map[string]string{}
	for _, r := range p.reduced {
		if p.tainted(r, found) {
			continue
		}
		ruling := r.breach.ruling
		switch owner, known := first[r.defect()]; {
		case known && owner != r.breach.requirement:
			ruling = NotProven(ruling.want, ruling.got).By(ruling.evidence...).Because(owner)
		case !known:
			first[r.defect()] = r.breach.requirement
		}
		if r.again == 0 {
			ruling = NotProven(ruling.want, "another answer when it was asked again").By(r.got...)
		}
		row := mustLookup(r.breach.requirement)
		f := p.finding(&Check{Requirement: row.ID, Fix: fixOf(row.ID)}, Subject{Face: r.face, Name: r.breach.subject}, ruling)
		if f.Verdict == reports.Fail || f.Verdict == reports.Warn {
			script := r.script
			script.Conn = r.face.Conn
			f.Replay = p.replay(Replay{row.ID, r.breach.subject, p.Effort.Seed, &script})
			f.Again = f.Replay // the checks by themselves would not show it
		}
		f.Note = fmt.Sprintf("generated (%s): %s; seen again %d/%d", r.script.Operator, r.script.Sentence, r.again, repeats)
		all = append(all, f)
	}
	return all
}

// defect is what breaches share that one mistake in an adapter explains: those of
// one area of the catalogue on one subject.
func (r reduction) defect() string {
	return strings.Join([]string{r.face.Label, mustLookup(r.breach.requirement).Area, r.breach.subject}, " ")
}

// tainted reports whether a check has failed on the kind of object the script
// plays with.
func (p *Plan) tainted(r reduction, found []reports.Finding) bool {
	nouns := map[string]bool{}
	for _, st := range r.script.Steps {
		nouns[Noun(st.Operation)] = true
	}
	return slices.ContainsFunc(found, func(f reports.Finding) bool {
		operation, _, _ := strings.Cut(strings.TrimPrefix(f.Subject, r.face.Label), ".")
		_, listed := r.face.Operation(operation)
		return (f.Verdict == reports.Fail || f.Verdict == reports.Warn) && listed && nouns[Noun(operation)]
	})
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
