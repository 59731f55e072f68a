// Package verification checks out-of-band verification: challenges, codes and blocks (spec 8.8).
package verification

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// triggers.go
	verifyPauseCarriesChallengeId,        // AQL-8.7.3-07
	verificationOrExpiryClearsPause,      // AQL-8.7.3-08
	onlyHumanVerificationLetsGoOn,        // AQL-8.8-01
	dangerTierStopsAgent,                 // AQL-8.8.1-01
	verifyTierPausesWithoutStop,          // AQL-8.8.1-02
	challengesAppearOnlyForTheirTriggers, // AQL-8.8.1-03

	// codes.go
	codesCarry128Bits,               // AQL-8.8.2-01
	challengeIdsAreUnique,           // AQL-8.8.2-03
	codesCannotBePredictedOrDerived, // AQL-8.8.2-04

	// leaks.go
	codeAppearsInNoResponse,    // AQL-8.8.2-06
	codeAppearsInNoMetadata,    // AQL-8.8.2-07
	codeAppearsInNoReadableLog, // AQL-8.8.2-08
	errorsAreFreeOfCode,        // AQL-8.8.4-03
	agentGetsOnlyIdAndPrompt,   // AQL-8.8.2-09

	// use.go
	codeIsShownOutOfBand,     // AQL-8.8.2-05
	rightCodeUnblocksAgent,   // AQL-8.8.2-11
	oneWrongAttemptKillsCode, // AQL-8.8.2-12
	usedCodesCannotBeReused,  // AQL-8.8.2-13

	// blocks.go
	blockedAgentGetsOperationsRefused, // AQL-8.8.3-01
	hardBlockSurvivesRestart,          // AQL-8.8.3-02
	onlyVerificationOrAdminLiftsBlock, // AQL-8.8.3-03
	newExecutionDoesNotEscapeBlock,    // AQL-8.8.3-04
	expiredChallengesCountAsFailed,    // AQL-8.8.2-15

	// pauses.go
	pendingChallengeKeepsAgentPaused, // AQL-8.8.3-05
	verifyPauseEndsWithRestart,       // AQL-8.8.3-06
	verifyPauseAllowsNewExecutions,   // AQL-8.8.3-07
	expiredPauseIsEvaluatedAfresh,    // AQL-8.8.3-08
	challengesExpireAfterTime,        // AQL-8.8.2-14

	// rate.go
	failedVerificationsAreRateLimited,  // AQL-8.8.5-01
	failureCounterResetsAfterItsWindow, // AQL-8.8.5-02
	rateLimitSurvivesRestart,           // AQL-8.8.5-04

	// audit.go
	failedVerificationsRaiseAuditEvents, // AQL-8.8.5-05
}
