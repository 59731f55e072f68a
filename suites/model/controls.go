package model

import (
	"context"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// A tool that refuses whatever it is sent refuses the bad request, too, and has
// shown nothing by it.

// ToolControls are requests that the tool has to answer otherwise than the bad ones:
// one that was proven valid there, and introspect, which it takes or, being another
// family's, refuses for its endpoint. None of them has an effect that the run has not
// had already.
func ToolControls(s Subject) []probes.Probe {
	ps := []probes.Probe{s.Listing().To(s.Name)}
	for _, t := range EachUsable(s.Adapter) {
		if t.Settled == nil && t.ValidCall().Tool == s.Name {
			return append(ps, t.ValidCall())
		}
	}
	return ps
}

// Controlled rules on refusals: they stand only where one of the controls got
// another answer than each of them.
func Controlled(r ruling.Ruling, refusals, controls []probes.Observation) ruling.Ruling {
	told := func(o probes.Observation) bool {
		return slices.ContainsFunc(controls, func(c probes.Observation) bool {
			return c.Succeeded() || c.Refused() && !c.Deferred() && c.Code() != o.Code()
		})
	}
	for _, o := range refusals {
		if r.Verdict == ruling.Conforms().Verdict && !told(o) {
			return ruling.NotProven("a request that "+o.Probe.Tool+" answers otherwise", o).By(controls...)
		}
	}
	return r
}

// schemaBudget bounds the work on one adapter-supplied schema; a schema that
// needs more is hostile or broken.
const schemaBudget = 2 * time.Second

func Budget() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), schemaBudget)
}
