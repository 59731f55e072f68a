// Package loop checks the execution safety loop of agents and its gatekeeper (spec 8.6 and 8.7).
package loop

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// activation.go
	introspectionTellsLoopSupport,         // AQL-8.6.1-04
	loopSupportUsesDefinedKey,             // AQL-8.6.1-05
	loopCapabilityHasDefinedValue,         // AQL-8.6.1-06
	unusedSafetyLoopLeavesOperationsAlone, // AQL-8.6.1-02
	monitoringStartsOnlyExplicitly,        // AQL-8.6.1-03

	// mode_stated.go
	introspectionTellsWhetherEnforcementIsActive, // AQL-8.6.7-04

	// boundary.go
	startingAgentNeedsApproval,    // AQL-8.6.2-03
	completingOrAbortingEndsLoop,  // AQL-8.6.2-07
	foreignActionsAreEvaluatedToo, // AQL-8.6.6-01

	// reports.go
	stepReportsDemandAgentName,       // AQL-8.6.3-02
	stepReportsDemandNextAction,      // AQL-8.6.3-03
	stepReportsAcceptStepDescription, // AQL-8.6.3-04
	stepReportsAcceptLimitedOutcome,  // AQL-8.6.3-05
	stepReportsAcceptFindings,        // AQL-8.6.3-06

	// enforcement.go
	stoppedAgentsGetNoFurther, // AQL-8.6.4-04
	pausesLastUntilHumanActs,  // AQL-8.6.4-05

	// modes.go
	monitoringModeAlwaysContinues, // AQL-8.6.4-06
	monitoringModeNeverStops,      // AQL-8.6.4-07
	loggingModeNeverBlocks,        // AQL-8.6.4-08
	disabledLoopEnforcesNothing,   // AQL-8.6.7-02
	disabledLoopEvaluatesNothing,  // AQL-8.6.7-03

	// directives.go
	everyStepReportIsEvaluated,           // AQL-8.6.2-01
	directivesCarryBooleanContinue,       // AQL-8.7.1-01
	directivesCarryDecisionFactors,       // AQL-8.7.1-02
	optionalDirectiveMembersAreWellTyped, // AQL-8.7.1-03
	stoppedNeverComesWithContinue,        // AQL-8.7.1-04
	notificationsAreWellFormed,           // AQL-8.7.3-01

	// limit.go
	loopPausesAtStepLimit,             // AQL-8.7.5-01
	exceededStepLimitPausesWithReason, // AQL-8.7.2-02
	stepLimitCanBeConfigured,          // AQL-8.7.2-04

	// limit_documented.go
	defaultStepLimitIsDocumented, // AQL-8.7.2-03

	// patterns.go
	denyPatternStopsAgent,             // AQL-8.7.2-08
	approvalPatternPausesWithoutStop,  // AQL-8.7.2-09
	autoApprovePatternLetsActionsPass, // AQL-8.7.2-10
	patternStageIsImplemented,         // AQL-8.7.5-04
	stricterPatternWins,               // AQL-8.7.2-11

	// stages.go
	reportedFailurePausesAgent, // AQL-8.7.2-05
	missingOutcomeIsNotFailure, // AQL-8.7.2-07
	evaluationStagesRunInOrder, // AQL-8.7.2-01

	// tiers.go
	riskScoreAndTierFitTogether,             // AQL-8.7.2-13
	toleranceSettingsPauseAtTheirThresholds, // AQL-8.7.2-15

	// approval.go
	blockedOperationRaisesPendingPermissionNotice, // AQL-8.7.3-02
	validConfirmationClearsPendingNotice,          // AQL-8.7.3-03
	failedConfirmationClearsNothing,               // AQL-8.7.3-04
	agentsCannotApproveThemselves,                 // AQL-8.7.3-13
	posingAsAnotherEntityDoesNot,                  // AQL-8.7.3-14
	notificationsWaitForNextReport,                // AQL-8.7.3-12
	confirmedActionMayGoOn,                        // AQL-8.7.3-06

	// notifications.go
	pausesRaisePauseNotification,      // AQL-8.7.3-05
	hardBlockIsBroadcastToAll,         // AQL-8.7.3-09
	hardBlockNoticeCarriesChallengeId, // AQL-8.7.3-10
	hardBlockNoticeEndsWithBlock,      // AQL-8.7.3-11

	// settings.go
	evaluatorSettingsAreConfigurable, // AQL-8.7.4-01
	evaluatorDefaultsAreDocumented,   // AQL-8.7.4-02
	stepLimitOnlyLoopIsEnough,        // AQL-8.7.5-03

	// unmatched.go
	unmatchedActionsReachTierEvaluation, // AQL-8.7.2-12
}
