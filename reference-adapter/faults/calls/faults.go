// Package calls has the faults of requests: how they are read, routed, validated and batched, and how
// lists are paged.
package calls

import (
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// All lists the faults of this room.
func All() []seam.Fault {
	return slices.Concat(
		codeFaults, messageFaults, unknownNameFaults, unknownReplyFaults, topLevelFaults, requestFaults, placeFaults,
		routingFaults, familyFaults, typeCheckFaults, documentationFaults, hiddenFaults, lateFaults,
		queryFeatureFaults, batchFaults, batchResultFaults, walkFaults, orderFaults,
	)
}
