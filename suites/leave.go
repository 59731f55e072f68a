package suites

import (
	"cmp"
	"context"
	"fmt"

	"github.com/aql-conform/aql-conform/probes"
)

// A leave asks only what the author gave leave to ask. It stands between every
// question of a run and the adapter, because a denied operation must not be
// called in passing either: neither to find a baseline, nor as a wrong request,
// nor to clean up.
type leave struct {
	probes.Asker
	face  *Face
	clean bool // our own objects are being removed: that is not counted
}

// Ask sends the probe, or says why not.
func (l leave) Ask(ctx context.Context, p probes.Probe) probes.Observation {
	name := cmp.Or(p.Operation(), operationIn(p))
	if l.face.denies(name) {
		return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: name + " is denied in the hints file"}
	}
	o, listed := l.face.Operation(name)
	if most := l.face.Hints.Permissions.MaxWrites; most > 0 && listed && o.Category != "READ" && !l.clean && l.face.spent.Add(1) > int64(most) {
		return probes.Observation{Probe: p, Outcome: probes.Unasked, Exit: fmt.Sprintf("the hints file allows %d writes", most)}
	}
	return l.Asker.Ask(ctx, p)
}

// operationIn is the operation of a request that was written by hand.
func operationIn(p probes.Probe) string {
	if v, err := probes.ParseValue(p.Raw); err == nil {
		return v.At("arguments", "operation").Text()
	}
	v, _ := probes.ParseValue(p.Frame)
	return v.At("params", "arguments", "operation").Text()
}

func (f *Face) denies(operation string) bool {
	return operation != "" && f.Hints.Permissions.Operations[operation] == "deny"
}

func (f *Face) allows(operation string) bool {
	return f.Hints.Permissions.Operations[operation] == "allow"
}
