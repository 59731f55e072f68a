package plan

import (
	"context"
	"encoding/json"
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

// Generate sends the generated input and shrinks the scripts that break a requirement.
func (p *Plan) Generate(ctx context.Context, e *probes.Engine) {
	deadline := time.Now().Add(p.Effort.Time)
	nextNumber := generated.FirstNumber
	next := func(steps int) int { nextNumber += steps; return nextNumber - steps }
	if ctx.Err() != nil || len(p.Effort.Phases) == 0 && p.Effort.Script == nil {
		return
	}
	if p.skipRequest() {
		p.Effort.Phases = nil
		return
	}
	p.generating = true
	if p.OnGenerate != nil {
		p.OnGenerate()
	}
	adapters := p.Adapters[:min(1, len(p.Adapters))] // the other endpoint mode is the same adapter
	if p.Effort.Script != nil {
		adapters = p.Adapters
	}
	for _, f := range adapters {
		f.Explore(ctx, e, p.Effort.Seed, next)
	}
	if p.Effort.Script != nil {
		p.replayScript(ctx, e, next)
		return
	}
	for _, f := range adapters {
		for _, ph := range generated.PhaseTable {
			if slices.Contains(p.Effort.Phases, ph.Name) {
				p.runPhase(ctx, e, f, ph, deadline, next)
			}
		}
	}
	p.shrinkBreaches(ctx, e, next)
}

// runPhase sends the scripts of a phase operator by operator, because all of them together take much memory.
func (p *Plan) runPhase(ctx context.Context, e *probes.Engine, f *model.Adapter, ph generated.Phase, deadline time.Time, next func(steps int) int) {
	for i := range ph.Operators {
		var tasks []probes.Task
		var runs []*generated.ScriptRun
		for _, sc := range p.scripts(ctx, f, ph, i) {
			if p.repeats(f, sc) {
				continue
			}
			t := &generated.ScriptRun{Adapter: f, Script: sc, Number: next(len(sc.Steps))}
			runs = append(runs, t)
			tasks = append(tasks, probes.Task{Lane: generated.LaneOf(f, sc), Do: func(ctx context.Context) {
				if !e.Overtime(deadline, "generated", t.Number) && ctx.Err() == nil {
					t.Sent = true
					t.Got = f.Run(ctx, e, t.Script, t.Number)
					t.Breaches = generated.Breaches(f, t.Script, t.Got)
					p.answered()
				}
				if t.Breaches == nil {
					t.Script, t.Got = model.Script{}, nil // frees memory
				}
			}})
		}
		e.Run(ctx, tasks)
		p.keepBroken(runs)
		p.pollMonitor()
	}
}

// repeats reports whether a script is one read that an earlier script sends as well. Its answer is judged
// by itself, so a second one shows nothing.
func (p *Plan) repeats(f *model.Adapter, sc model.Script) bool {
	if len(sc.Steps) != 1 || generated.LaneOf(f, sc) != probes.Parallel {
		return false
	}
	step := sc.Steps[0]
	step.Description = ""
	text, err := json.Marshal(step)
	key := digestOf(sc.Conn + " " + string(text))
	if err != nil || p.generatedReads[key] {
		return err == nil
	}
	if p.generatedReads == nil {
		p.generatedReads = map[digest]bool{}
	}
	p.generatedReads[key] = true
	return false
}

// keepBroken counts the scripts and keeps those that broke a requirement.
func (p *Plan) keepBroken(runs []*generated.ScriptRun) {
	for _, t := range runs {
		if p.Scripts++; !t.Sent {
			p.unsent++
		}
		if t.Breaches != nil {
			p.ScriptRuns = append(p.ScriptRuns, t)
		}
	}
}

// scripts generates the scripts of one operator of a phase. Each operator has its own random stream, so
// that a new operator does not change the scripts of the others.
func (p *Plan) scripts(ctx context.Context, f *model.Adapter, ph generated.Phase, operator int) []model.Script {
	if ctx.Err() != nil {
		return nil // the scripts would not be sent
	}
	var all []model.Script
	op := ph.Operators[operator]
	h := fnv.New64a()
	fmt.Fprint(h, ph.Name, op.Name, f.Conn)
	r := rand.New(rand.NewPCG(p.Effort.Seed, h.Sum64()))
	for n, sc := range op.Make(f, r, p.Effort.Examples) {
		sc.Conn, sc.Operator = f.Conn, ph.Name+"/"+op.Name
		if sc.Description == "" {
			sc.Description = op.Description
		}
		if p.selected(f, sc) && !p.selection.inOtherShard(fmt.Sprint(sc.Operator, n)) {
			all = append(all, sc)
		}
	}
	return all
}

// selected reports whether --subject and the hints include the script.
func (p *Plan) selected(f *model.Adapter, sc model.Script) bool {
	if slices.ContainsFunc(sc.Steps, func(step model.Step) bool { _, out := p.selection.skipsOperation(step.Operation); return out }) {
		return false
	}
	return p.selection.Subject == "" || slices.ContainsFunc(sc.Steps, func(step model.Step) bool {
		ok, _ := path.Match(p.selection.Subject, step.Operation)
		whole, _, _ := strings.Cut(p.selection.Subject, ".")
		return ok || whole == step.Operation
	})
}

// Unsent returns a note on the scripts that were not sent in time; "" if all were.
func (p *Plan) Unsent() string {
	if p.unsent == 0 {
		return ""
	}
	return fmt.Sprintf("generated input: %d of %d scripts were not sent within %s; --max-time gives it more", p.unsent, p.Scripts, p.Effort.Time)
}
