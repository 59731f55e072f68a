package plan

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A parent may have few places for its children, as a bed has slots and a folder room for forty notes. Where
// the place of a creation is taken, or there is none left, the new object gets a parent of its own.

// ownParent sends a creation once more below a new parent, if the gate blocked it for its key or its parent is
// full. It returns the first answer if there is no such parent.
func ownParent(f *model.Adapter, blocked probes.Observation, ask model.AskFunc) probes.Observation {
	if blocked.Outcome == probes.Unasked && gate.KeyTaken(blocked.Exit) {
		return belowOwnParent(f, blocked, ask)
	}
	return f.Elsewhere(blocked, ask)
}

// belowOwnParent sends a creation once more below a new parent. One that names another parent than the known good request does so
// on purpose: it may be the value that a case is about.
func belowOwnParent(f *model.Adapter, blocked probes.Observation, ask model.AskFunc) probes.Observation {
	maker, paths := f.PlaceOf(blocked.Probe.Operation())
	for name := range paths {
		if !model.ValueIn(blocked.Probe, name).Equal(model.ValueIn(f.KnownGood[blocked.Probe.Operation()].Probe, name)) {
			return blocked
		}
	}
	return model.Below(maker, paths, blocked, ask)
}
