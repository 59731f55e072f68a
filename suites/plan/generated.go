package plan

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
	"github.com/aql-conform/aql-conform/suites/generated"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Generate sends the generated input and cuts down what breaks a requirement.
func (p *Plan) Generate(ctx context.Context, e *probes.Engine) {
	deadline := time.Now().Add(p.Effort.Time)
	takes := generated.FirstTake
	next := func(steps int) int { takes += steps; return takes - steps }
	if len(p.Effort.Phases) == 0 && p.Effort.Script == nil {
		return
	}
	if p.halted() {
		p.Effort.Phases = nil
		return
	}
	p.generating = true
	if p.Generating != nil {
		p.Generating()
	}
	faces := p.Faces[:min(1, len(p.Faces))] // the other mode is the same adapter by another door
	if p.Effort.Script != nil {
		faces = p.Faces
	}
	for _, f := range faces {
		f.Explore(ctx, e, p.Effort.Seed, next)
	}
	if p.Effort.Script != nil {
		p.playAgain(ctx, e, next)
		return
	}
	for _, ph := range generated.PhaseTable {
		if !slices.Contains(p.Effort.Phases, ph.Name) {
			continue
		}
		var tasks []probes.Task
		var trials []*generated.Staging
		for _, f := range faces {
			for _, sc := range p.scripts(f, ph) {
				t := &generated.Staging{Face: f, Script: sc, Take: next(len(sc.Steps))}
				trials = append(trials, t)
				tasks = append(tasks, probes.Task{Lane: generated.LaneOf(f, sc), Do: func(ctx context.Context) {
					if !e.Overtime(deadline, "generated", t.Take) && ctx.Err() == nil {
						t.Sent = true
						t.Got = f.Run(ctx, e, t.Script, t.Take)
						if t.Found = generated.Breaches(f, t.Script, t.Got); t.Found == nil {
							t.Script, t.Got = model.Script{}, nil // nobody will look at it again
						}
					}
				}})
			}
		}
		e.Run(ctx, tasks)
		p.Trials = append(p.Trials, trials...)
		p.poll(e)
	}
	p.reduce(ctx, e, next)
}

// scripts makes the scripts of one phase, each operator from a stream of its own,
// so that a new operator does not reshuffle the others.
func (p *Plan) scripts(f *model.Adapter, ph generated.Phase) []model.Script {
	var all []model.Script
	for _, op := range ph.Operators {
		h := fnv.New64a()
		fmt.Fprint(h, ph.Name, op.Name, f.Conn)
		r := rand.New(rand.NewPCG(p.Effort.Seed, h.Sum64()))
		for n, sc := range op.Make(f, r, p.Effort.Examples) {
			sc.Conn, sc.Operator = f.Conn, ph.Name+"/"+op.Name
			if sc.Description == "" {
				sc.Description = op.Sentence
			}
			if p.chosen(f, sc) && !p.selection.elsewhere(fmt.Sprint(sc.Operator, n)) {
				all = append(all, sc)
			}
		}
	}
	return all
}

// chosen reports whether --subject and the hints leave the script in.
func (p *Plan) chosen(f *model.Adapter, sc model.Script) bool {
	if slices.ContainsFunc(sc.Steps, func(step model.Step) bool { _, out := p.selection.leaves(step.Operation); return out }) {
		return false
	}
	return p.selection.Subject == "" || slices.ContainsFunc(sc.Steps, func(step model.Step) bool {
		ok, _ := path.Match(p.selection.Subject, step.Operation)
		whole, _, _ := strings.Cut(p.selection.Subject, ".")
		return ok || whole == step.Operation
	})
}

// Unsent says how much generated input the time left no room for; "" when all of it
// was sent.
func (p *Plan) Unsent() string {
	left := 0
	for _, t := range p.Trials {
		if !t.Sent {
			left++
		}
	}
	if left == 0 {
		return ""
	}
	return fmt.Sprintf("generated input: %d of %d scripts were not sent within %s; --max-time gives it more", left, len(p.Trials), p.Effort.Time)
}
