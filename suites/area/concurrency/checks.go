// Package concurrency checks requests in flight at once, versions and preconditions (spec 9.3).
package concurrency

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// categories.go
	concurrencyBehaviourIsDocumented,     // AQL-9.3.1-01
	declaredConcurrencyIsDefinedCategory, // AQL-9.3.1-02
	serializedAdaptersKeepArrivalOrder,   // AQL-9.3.1-03

	// etag.go
	concurrentChangesHaveVersionControl, // AQL-9.3.2-01
	mutableResourcesCarryVersionTag,     // AQL-9.3.2-02

	// pipelining.go
	pipelinedRequestsAreAnsweredCorrectly, // AQL-9.3-01
	answerOrderIsFreeBetweenRequests,      // AQL-9.3-02

	// preconditions.go
	updatesAcceptVersionPrecondition,       // AQL-9.3.2-03
	stalePreconditionHasItsDefinedCode,     // AQL-9.3.2-04
	refusedConditionalUpdateChangesNothing, // AQL-9.3.2-05
	advertisedVersionControlIsReal,         // AQL-9.3.3-02
	oneOfTwoRacingUpdatesWins,              // AQL-9.3.2-06

	// racing_creations.go
	racingCreationsMakeAnObjectEach, // AQL-9.3-01

	// updates.go
	declaredSerializationLosesNoUpdate, // AQL-9.3.1-04
}
