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
)

// An Effort bounds the generated input of a run. The zero Effort generates none.
type Effort struct {
	Seed     uint64        `json:"seed"`              // equal seeds make equal scripts
	Phases   []string      `json:"phases,omitzero"`   // names of phases, in any order; none means no generated input
	Examples int           `json:"examples,omitzero"` // random scripts for each operation
	Time     time.Duration `json:"time,omitzero"`     // after which no further script is sent
	Script   *Script       `json:"script,omitzero"`   // play this one alone, as it stands
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
	sent   bool
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
					if !e.Overtime(deadline, "generated", t.take) && ctx.Err() == nil {
						t.sent = true
						t.got = f.play(ctx, e, t.script, t.take)
						if t.found = f.breaches(t.script, t.got); t.found == nil {
							t.script, t.got = Script{}, nil // nobody will look at it again
						}
					}
				}})
			}
		}
		e.Run(ctx, tasks)
		p.trials = append(p.trials, trials...)
		p.glance(e)
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
		for n, sc := range op.make(f, r, p.Effort.Examples) {
			sc.Conn, sc.Operator = f.Conn, ph.name+"/"+op.name
			if sc.Sentence == "" {
				sc.Sentence = op.sentence
			}
			if p.chosen(f, sc) && !p.selection.elsewhere(fmt.Sprint(sc.Operator, n)) {
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

// Unsent says how much generated input the time left no room for; "" when all of it
// was sent.
func (p *Plan) Unsent() string {
	left := 0
	for _, t := range p.trials {
		if !t.sent {
			left++
		}
	}
	if left == 0 {
		return ""
	}
	return fmt.Sprintf("generated input: %d of %d scripts were not sent within %s; --max-time gives it more", left, len(p.trials), p.Effort.Time)
}
