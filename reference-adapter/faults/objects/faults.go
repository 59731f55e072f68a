// Package objects has the faults of what is stored: updates, lookups, concurrency, and what shows only
// at a second look. Among them are the seeded defects, which generated input is to find.
package objects

import (
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// All lists the faults of this room.
func All() []seam.Fault {
	return slices.Concat(
		updateFaults, inputFaults, uncheckedFaults, mergeFaults, memberFaults, removalFaults, etagFaults, concurrencyFaults, aftermathFaults,
		lookupFaults, nestedFaults, readFaults, seeded("coverage", coverageFaults),
		seeded("negative", negativeFaults), seeded("stateful", statefulFaults), seeded("stateful", afterlifeFaults),
		seeded("random", randomFaults), seeded("load", loadFaults),
	)
}
