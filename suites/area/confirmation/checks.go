// Package confirmation checks operations that wait for a confirmation, alone and in a batch (operations 7.5 and 8).
package confirmation

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// impostors.go
	clientMetadataInfluencesNoDecision, // AQL-2.3.5-02
	clientValuesAreNoSessionIdentity,   // AQL-2.3.5-03

	// token_sessions.go
	tokenDiesWithItsClosedSession, // AQL-2.3.3-01
	tokenDiesWithAbortedSession,   // AQL-2.3.3-02

	// gated_batch_rules.go
	gatedBatchHaltsOrSkips,              // OPS-7.5.2-01
	entriesBeforeGateAreExecuted,        // OPS-7.5.2-02
	gatedEntryReportsItsToken,           // OPS-7.5.2-03
	entriesAfterGateDoNotRun,            // OPS-7.5.2-04
	haltedAnswerAllowsContinuation,      // OPS-7.5.2-05
	continuationWithTokenCompletesBatch, // OPS-7.5.3-01
	haltingModeIsNotSwitchable,          // OPS-7.5.4-02
	skippedEntriesAreMarkedPending,      // OPS-7.5.4-03
	skipSummaryCountsPendingEntries,     // OPS-7.5.4-05
	needingConfirmationIsNotFailure,     // OPS-7.5.5-01
	gatedBatchIsSuccessfulOverall,       // OPS-7.5.5-02
	haltSummaryCountsHaltedAndPending,   // OPS-7.5.5-03

	// gated_batch_entries.go
	haltedResultsNameTheirOperation, // OPS-7.2-03
	tokenInBatchRedeemsOnlyItsEntry, // CMP-TOKEN-02

	// cmp_gate.go
	operationsSaidToNeedConfirmationAre, // CMP-TOKEN-05

	// cmp_tokens.go
	tokenRedeemsOnlyItsOperation,  // CMP-TOKEN-01
	tokenRedeemsOnlyItsParameters, // CMP-TOKEN-02
	inventedTokenIsRefused,        // CMP-TOKEN-03
	tokenWorksOnce,                // CMP-TOKEN-04

	// introspection_confirmation.go
	announcedConfirmationFlowWorks, // INT-4.1.1-18
}
