package adapter

import "slices"

// safetyAll lists the faults of this room.
func safetyAll() []Fault {
	return slices.Concat(
		loopFaults, evaluationFaults, noticeFaults, tokenFaults, gatedBatchFaults, lifecycleFaults, challengeFaults,
		codeFaultsOfChallenges, blockFaults, pauseFaults, attemptFaults, nearTokenFaults, haltedFaults, twinFaults,
		endingFaults, keptTokenFaults,
	)
}
