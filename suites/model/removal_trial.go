package model

import (
	"context"
	"slices"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
)

// tryRemovals makes one object of each kind and removes it at once. Where that is a conflict, the gate finds out what has to
// be done before, or makes few objects of the kind.
func (f *Adapter) tryRemovals(ctx context.Context, ask probes.Asker) {
	makers := f.Makers()
	for i, s := range EachListed(f) {
		if s.Op.Category != "DELETE" || slices.Contains(Reserved, s.Name) {
			continue
		}
		obj, why := FindTestObject(s, makers)
		if why != nil {
			continue
		}
		var parents OwnParents
		creation, _ := obj.Create(probes.Nth("object for the trial of a removal", i), nil)
		made := parents.Ask(f, creation, func(p probes.Probe) probes.Observation { return ask.Ask(ctx, p) })
		if removal, ok := obj.Apply(gate.RemovalTrial).Resolve(probes.Answers{made}); ok && made.Succeeded() {
			ask.Ask(ctx, f.WithVersion(removal, func(p probes.Probe) probes.Observation { return ask.Ask(ctx, p) }))
		}
	}
}
