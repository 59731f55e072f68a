package suites

import (
	"context"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// Bounds on the removal of our own objects, also after an interrupt.
const (
	cleanupTime = 10 * time.Second
	cleanupEach = 50 * time.Millisecond // more for each request of the run that may have made one
	sweepCalls  = 20                    // more objects' worth for looking whether something is left
)

// removeTake is the take of the questions that end what was executed. The run has none
// below zero, so no earlier answer is taken for the new one.
const removeTake = -1

// CleanUp ends what the run started and removes what it created. It works on after ctx
// is done, for a bounded time, because an interrupted run must leave nothing behind
// either.
func (p *Plan) CleanUp(ctx context.Context, e *probes.Engine) []Leftover {
	e.Bar(nil)
	var left []Leftover
	for _, f := range p.Faces {
		record := e.Record()
		made := 0
		for o := range record.All() {
			if f.asked(o) && f.category(o.Probe.Operation()) == "CREATE" && o.Succeeded() {
				made++
			}
		}
		time := cleanupTime + time.Duration(made+sweepCalls)*(cleanupEach+e.Interval())
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time)
		c := cleaner{Face: f, asker: e, ctx: ctx}
		c.endAgents(record)
		c.endExecutions(record)
		left = append(left, f.gate.CleanUp(ctx)...)
		if why := f.gate.Closed(); why != "" {
			p.stop = f.Label + why
		}
		cancel()
	}
	return left
}

// A cleaner ends what a run started on one face.
type cleaner struct {
	*Face
	asker probes.Asker
	ctx   context.Context // the time it has
}

// ask asks with little patience: an adapter that went mute must not hold up the
// end of the run.
func (c *cleaner) ask(p probes.Probe) probes.Observation {
	p.Within = 2 * time.Second
	return c.asker.Ask(c.ctx, p)
}

// identifierPath returns the way to the value that fits the parameter best.
func identifierPath(data probes.Value, made, d probes.Operation, p probes.Parameter) ([]string, bool) {
	var best []string
	score := 0
	var walk func(v probes.Value, path []string)
	walk = func(v probes.Value, path []string) {
		if v.Is(probes.String) || v.Is(probes.Number) {
			l := leaf{op: made.Name, noun: Noun(made.Name), key: path[len(path)-1], depth: len(path), value: v}
			if s := 10*affinity(d, p, l) - len(path); s > score && s > 0 {
				best, score = path, s
			}
		}
		for _, m := range v.Members() {
			if len(path) < 4 {
				walk(m.Value, append(slices.Clone(path), m.Name))
			}
		}
	}
	if data.Is(probes.Object) {
		walk(data, nil)
	}
	return best, score > 0
}

// makerOf returns the CREATE operation whose answer identifies what d changes or
// removes, and the way to each identifier below its data.
func (f *Face) makerOf(d probes.Operation) (maker Subject, paths map[string][]string, ok bool) {
	for _, s := range eachMarked(f) {
		if s.settled != nil || !f.plays(theMaker, s.Name, d.Name) {
			continue
		}
		paths = map[string][]string{}
		for _, p := range d.Parameters {
			if !p.Required || !f.refers(d, p) {
				continue
			}
			path, found := f.identifierPath(s.Baseline().Reply.Data(), s.Op, d, p)
			if !found {
				return s, nil, false
			}
			paths[p.Name] = path
		}
		return s, paths, len(paths) > 0
	}
	return Subject{}, nil, false
}

// CleanUp removes what another run has made, as its ledger says, from one face.
func CleanUp(ctx context.Context, e *probes.Engine, name string, set Setting, entries []LedgerEntry, suspects []string) (*probes.Adapter, []Leftover) {
	door := gate.New(e, name, set.Nonce, set.May, set.Hints, set.Ledger)
	e.Guard(name, door)
	a := probes.Discover(ctx, e, name)
	door.Learn(a)
	door.Resume(entries, suspects)
	return a, door.CleanUp(ctx)
}

// WritingStopped says why nothing more was written from some point on; "" where that is
// not so.
func (p *Plan) WritingStopped() string { return p.stop }
