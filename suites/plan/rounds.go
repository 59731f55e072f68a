package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/reports"
	"github.com/aql-conform/aql-conform/suites/check"
)

// maxRounds is how often the requests of a case are sent again at most. A case of ten requests meets an error
// that strikes one in forty, or a change by others, in every fourth round.
const maxRounds = 8

// askAgain sends the requests of a case again as long as its answers prove nothing because an error passed
// or others changed something meanwhile: which cases meet that depends on the order in which requests reach
// the adapter, and verdicts must not. An error at the same request as before does not pass. A round that
// could not be sent, or that a transcript does not have, does not count.
func (c *Case) askAgain(ctx context.Context, asker probes.Asker) {
	last := ""
	for c.round = 1; c.round <= maxRounds && ctx.Err() == nil; c.round++ {
		why := c.unsettled(asker)
		if why == "" || why == last && why != passing {
			return
		}
		last = why
		before, steps := c.observations, c.steps
		if c.askRound(ctx, asker); slices.ContainsFunc(c.observations, missing) && !slices.ContainsFunc(before, missing) {
			c.observations, c.steps = before, steps
			return
		}
	}
}

// askNumbered sends a request of the case as one of its round. The answer has it as the check put it.
func (c *Case) askNumbered(ctx context.Context, asker probes.Asker, p probes.Probe) probes.Observation {
	o := asker.Ask(ctx, p.Numbered(probes.InRound(p.Number, c.round)))
	o.Probe.Number = p.Number
	return o
}

func missing(k *probes.Kept) bool { return k.Observation().Outcome == probes.Unasked }

// met reports whether a request, or an entry of a batch, met an error that passed or may pass.
func met(o probes.Observation) bool {
	limited := func(entry probes.Value) bool {
		return strings.HasPrefix(entry.At("result", "error", "code").Text(), "RATE_LIMIT_")
	}
	return o.Cured != "" || !o.Unanswered() && o.MayPass() != "" || slices.ContainsFunc(o.Envelope().At("results").Items(), limited)
}

// passing is why a case is asked again where an error passed, or others changed something: the next round may
// meet none, however often that was so before.
const passing = "passing"

// unsettled returns why the case has to be asked again: passing, or the request that met an error; "" if it
// need not be. What writes is asked once: if an error replaces the answer to a creation, nobody knows the new object
// well enough to remove it. What confuses an adapter or may end it, and what a command of the author takes part in,
// is asked once as well.
func (c *Case) unsettled(asker probes.Asker) string {
	e, live := asker.(*probes.Engine)
	moves := c.Check.Handles&check.Movement != 0
	switch {
	case c.Subject.Ruling != nil, c.unasked, c.Check.Watches(), c.Check.Lane == probes.Disposable:
		return ""
	case live && !e.ErrorsMayPass() && !moves:
		return ""
	}
	got, f := c.Got(), c.Subject.Adapter
	once := func(o probes.Observation) bool {
		op, _ := f.Operation(o.Probe.Operation())
		return o.Probe.CommandName() != "" || op.Category != "" && op.Category != "READ" || c.Check.Lane == probes.Exclusive && (o.Probe.Frame != nil || o.Probe.Conn != f.Conn)
	}
	if slices.ContainsFunc(got, once) {
		return ""
	}
	struck := ""
	if i := slices.IndexFunc(got, met); i >= 0 {
		struck = fmt.Sprintf("%d %s", i, got[i].Brief())
		if slices.ContainsFunc(got, func(o probes.Observation) bool { return o.Cured != "" }) {
			struck = passing
		}
	}
	if c.Check.JudgesRun() { // at its end
		return struck
	}
	switch r := c.Judge(probes.Record{}); {
	case r.Moved:
		return passing
	case r.Verdict == reports.NotProven, accuses(r) && spared(f, r, got).Verdict != r.Verdict:
		return struck
	}
	return ""
}
