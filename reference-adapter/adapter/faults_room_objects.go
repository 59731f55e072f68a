package adapter

import "slices"

// objectsAll lists the faults of this room.
func objectsAll() []Fault {
	return slices.Concat(
		updateFaults, inputFaults, mergeFaults, removalFaults, etagFaults, concurrencyFaults, aftermathFaults,
		lookupFaults, nestedFaults, readFaults, seeded("coverage", coverageFaults),
		seeded("negative", negativeFaults), seeded("stateful", statefulFaults), seeded("stateful", afterlifeFaults),
		seeded("random", randomFaults),
	)
}
