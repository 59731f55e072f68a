// Package safety has the faults of long work, of the execution safety loop, and of confirmation and
// verification.
package safety

import (
	"slices"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// All lists the faults of this room.
func All() []seam.Fault {
	return slices.Concat(
		loopFaults, evaluationFaults, noticeFaults, tokenFaults, gatedBatchFaults, lifecycleFaults, challengeFaults,
		codeFaultsOfChallenges, blockFaults, pauseFaults, attemptFaults, nearTokenFaults, haltedFaults, twinFaults,
		endingFaults, keptTokenFaults,
	)
}
