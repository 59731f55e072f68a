package plan

import (
	"context"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
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
func (p *Plan) CleanUp(ctx context.Context, e *probes.Engine) []model.Leftover {
	e.Bar(nil)
	var left []model.Leftover
	for _, f := range p.Faces {
		record := e.Record()
		made := 0
		for o := range record.All() {
			if f.IsAQLCall(o) && check.Category(f, o.Probe.Operation()) == "CREATE" && o.Succeeded() {
				made++
			}
		}
		time := cleanupTime + time.Duration(made+sweepCalls)*(cleanupEach+e.Interval())
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time)
		c := cleaner{Adapter: f, asker: e, ctx: ctx}
		c.endAgents(record)
		c.endExecutions(record)
		left = append(left, f.Gate.CleanUp(ctx)...)
		if why := f.Gate.Closed(); why != "" {
			p.stop = f.Label + why
		}
		cancel()
	}
	return left
}

// A cleaner ends what a run started on one face.
type cleaner struct {
	*model.Adapter
	asker probes.Asker
	ctx   context.Context // the time it has
}

// ask asks with little patience: an adapter that went mute must not hold up the
// end of the run.
func (c *cleaner) ask(p probes.Probe) probes.Observation {
	p.Within = 2 * time.Second
	return c.asker.Ask(c.ctx, p)
}

// CleanUp removes what another run has made, as its ledger says, from one face.
func CleanUp(ctx context.Context, e *probes.Engine, name string, set model.Options, entries []model.LedgerEntry, suspects []string) (*probes.Adapter, []model.Leftover) {
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
