// Package lifecycle checks executions: states, transitions and reports (spec 8.4).
package lifecycle

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// agents.go
	agentsAreNotDrivenAcross,        // AQL-2.3.3-04
	completedAgentsNeverChangeState, // AQL-8.4.2-01
	cancelledAgentsNeverChangeState, // AQL-8.4.2-02
	agentExecutionIdsAreUnique,      // AQL-8.4.3-02
	agentsEndOnce,                   // AQL-8.4.3-04

	// executions.go
	pendingExecutionsAreNotDrivenAcross, // AQL-2.3.3-04
	sessionEndSettlesRunningExecutions,  // AQL-2.3.3-06

	// metadata.go
	lifecycleMetadataIsExposed,    // AQL-8.4.5-01
	lifecycleMetadataIsWellFormed, // AQL-8.4.5-02
	lifecycleFlagsTellTruth,       // AQL-8.4.5-03

	// states.go
	longRunningOperationsReportExecutionState, // AQL-8.4-01
	coreStatesAreSpelledAsDefined,             // AQL-8.4.1-01
	stateAnswersCarryIdAndStatus,              // AQL-8.4.3-01
	executionIdsAreUnique,                     // AQL-8.4.3-02
	statusValuesAreKnown,                      // AQL-8.4.3-03
	customStatesAreDocumented,                 // AQL-8.4.4-02
	optionalStateFieldsHaveTheirMeaning,       // AQL-8.4.3-04
	progressObjectsCarryUsableInformation,     // AQL-8.4.3-05

	// transitions.go
	completedExecutionsNeverChangeState, // AQL-8.4.2-01
	cancelledExecutionsNeverChangeState, // AQL-8.4.2-02
	failedExecutionsOnlyRetry,           // AQL-8.4.2-03
	unsupportedRetryIsRefused,           // AQL-8.4.2-04
	unfinishedExecutionsMoveOnlyForward, // AQL-8.4.2-05
	pendingExecutionsCanBeCancelled,     // AQL-8.4.2-06
	runningExecutionsCanBeCancelled,     // AQL-8.4.2-07
	customStatesCanBeCancelled,          // AQL-8.4.4-04
}
