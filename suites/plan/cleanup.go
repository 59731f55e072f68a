package plan

import (
	"context"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// Time limits of the cleanup, also after an interrupt.
const (
	cleanupTime  = 10 * time.Second
	cleanupEach  = 50 * time.Millisecond // extra time per created object, in addition to the request interval
	mostForSlow  = 3 * time.Minute       // extra time for an adapter that answers slowly, or wants few requests
	callsEach    = 4                     // that remove a created object and show that it is gone
	listingCalls = 20                    // extra time for the final listings, in objects
)

// CleanUp ends what the run started and removes what it created. It continues for a limited time
// after ctx is done.
func (p *Plan) CleanUp(ctx context.Context, e *probes.Engine) []model.Leftover {
	e.Bar(nil)
	e.AtMost(0)
	var left []model.Leftover
	for _, f := range p.Adapters {
		record := e.Record()
		slow := pace(record)
		made := 0
		for o := range record.All() {
			if f.IsAQLCall(o) && check.Category(f, o.Probe.Operation()) == "CREATE" && o.Succeeded() {
				made++
			}
		}
		n := time.Duration(made + listingCalls)
		time := cleanupTime + n*(cleanupEach+callsEach*e.Interval()) + min(n*callsEach*max(slow, e.Learned()), mostForSlow)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time)
		c := cleaner{Adapter: f, asker: e, ctx: ctx}
		c.endAgents(record)
		c.endExecutions(record)
		left = append(left, f.Gate.CleanUp(ctx)...)
		if why := f.Gate.Closed(); why != "" {
			p.stopReason = f.Label + why
		}
		cancel()
	}
	return left
}

// A cleaner ends what a run started in one endpoint mode.
type cleaner struct {
	*model.Adapter
	asker probes.Asker
	ctx   context.Context // with the time limit
}

// ask uses a short timeout, so that a hanging adapter does not delay the end of the run.
func (c *cleaner) ask(p probes.Probe) probes.Observation {
	p.Within = 2 * time.Second
	return c.asker.Ask(c.ctx, p)
}

// CleanUp removes the objects in the ledger of another run, in one endpoint mode.
func CleanUp(ctx context.Context, e *probes.Engine, name string, opts model.Options, entries []model.LedgerEntry, suspects []string) (*probes.Adapter, []model.Leftover) {
	g := gate.New(e, name, opts.Nonce, opts.May, opts.Hints, opts.Ledger)
	e.Guard(name, g)
	a := probes.Discover(ctx, e, name)
	g.Learn(a)
	g.Resume(entries, suspects)
	return a, g.CleanUp(ctx)
}

// WritingStopped returns why the run stopped writing; "" if it did not.
func (p *Plan) WritingStopped() string { return p.stopReason }
