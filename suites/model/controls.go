package model

import (
	"context"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// ToolControls are requests whose answer must differ from the rejection of a bad request: a
// known-good call of the tool, and introspect, which the tool answers or rejects as misrouted. A
// tool that rejects everything would otherwise pass. The controls have no new effects.
func ToolControls(s Subject) []probes.Probe {
	ps := []probes.Probe{s.Listing().To(s.Name)}
	for _, t := range EachUsable(s.Adapter) {
		if t.Ruling == nil && t.ValidCall().Tool == s.Name {
			return append(ps, t.ValidCall())
		}
	}
	return ps
}

// WithControls keeps a conforming ruling on rejections only if some control got an answer different
// from each rejection.
func WithControls(r ruling.Ruling, refusals, controls []probes.Observation) ruling.Ruling {
	distinct := func(o probes.Observation) bool {
		return slices.ContainsFunc(controls, func(c probes.Observation) bool {
			return c.Succeeded() || c.Refused() && !c.Deferred() && c.Code() != o.Code()
		})
	}
	for _, o := range refusals {
		if r.Verdict == ruling.Conforms().Verdict && !distinct(o) {
			return ruling.NotProven("a request that "+o.Probe.Tool+" answers otherwise", o).By(controls...)
		}
	}
	return r
}

// schemaTimeout bounds the work on one schema of the adapter. A schema that needs more time is
// hostile or broken.
const schemaTimeout = 10 * time.Second

// SchemaContext returns a context with the time limit for one schema.
func SchemaContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), schemaTimeout)
}
