package adapter

import "slices"

// callsAll lists the faults of this room.
func callsAll() []Fault {
	return slices.Concat(
		codeFaults, messageFaults, unknownNameFaults, unknownReplyFaults, topLevelFaults, requestFaults, placeFaults,
		routingFaults, familyFaults, typeCheckFaults, documentationFaults, hiddenFaults, lateFaults,
		queryFeatureFaults, batchFaults, batchResultFaults, walkFaults,
	)
}
