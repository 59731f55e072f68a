package plan

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/gate"
	"github.com/aql-conform/aql-conform/suites/model"
)

// A parent may have few places for its children, as a bed has slots and a folder room for forty notes. Where
// the place of a creation is taken, or there is none left, the new object gets a parent of its own.

// full reports whether a creation was refused because its parent holds no more.
func full(o probes.Observation) bool {
	code := o.Code()
	return strings.HasPrefix(code, "CONFLICT_") && slices.ContainsFunc([]string{"LIMIT", "QUOTA", "FULL"}, func(word string) bool {
		return slices.Contains(strings.Split(code, "_"), word)
	})
}

// ownParent sends a creation once more below a new parent, if the gate blocked it for its key or its parent is
// full. It returns the first answer if there is no such parent.
func ownParent(f *model.Adapter, blocked probes.Observation, ask model.AskFunc) probes.Observation {
	switch {
	case blocked.Outcome == probes.Unasked && gate.KeyTaken(blocked.Exit):
		return belowOwnParent(f, blocked, ask)
	case check.Category(f, blocked.Probe.Operation()) == "CREATE" && full(blocked):
		if maker, name, path, ok := f.ParentOf(blocked.Probe.Operation(), true); ok {
			return model.Below(maker, map[string][]string{name: path}, blocked, ask)
		}
	}
	return blocked
}

// belowOwnParent sends a creation once more below a new parent.
func belowOwnParent(f *model.Adapter, blocked probes.Observation, ask model.AskFunc) probes.Observation {
	maker, paths := f.PlaceOf(blocked.Probe.Operation())
	return model.Below(maker, paths, blocked, ask)
}
