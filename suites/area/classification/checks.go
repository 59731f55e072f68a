// Package classification checks semantic categories, what an operation of each may change, and names (spec 6 and 8.1).
package classification

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// behaviour.go
	createAddsAndNeverOverwrites, // AQL-8.1-01
	updateNeedsExistingResource,  // AQL-8.1-04
	deleteRemovesResource,        // AQL-8.1-06

	// in_place.go
	updateChangesResourceInPlace, // AQL-8.1-05

	// neighbours.go
	updateSparesNeighbours,  // AQL-8.1-05
	removalSparesNeighbours, // AQL-8.1-06
	removalLeavesListings,   // AQL-8.1-06

	// inside_removed.go
	removalLeavesNothingInside, // AQL-8.1-06

	// successions.go
	creationAfterRemovalSparesOthers, // AQL-8.1-01

	// taken_keys.go
	creationIsListed,                   // AQL-8.1-01
	creationSparesTakenIdentifier,      // AQL-8.1-01
	creationSparesObjectOfEqualOptions, // AQL-8.1-01

	// kept_options.go
	creationKeepsItsOptions, // INT-8.1.2-07

	// lookups.go
	partOfIdentifierNamesNothing, // OPS-8.1-03

	// lookups_writes.go
	updateSparesWhatIsAbsent,  // AQL-8.1-04
	removalSparesWhatIsAbsent, // AQL-8.1-06

	// others.go
	creationChangesNoOtherObject, // AQL-8.1-01
	updateChangesNoOtherObject,   // AQL-8.1-05
	removalChangesNoOtherObject,  // AQL-8.1-06

	// filters_after_removal.go
	filtersLeaveOutWhatIsRemoved,      // AQL-8.1-06
	rarerFiltersLeaveOutWhatIsRemoved, // AQL-8.1-06

	// searches_after_removal.go
	searchesLeaveOutWhatIsRemoved, // AQL-8.1-06

	// reads.go
	readLeavesStoredStateUntouched, // AQL-8.1-02

	// reads_listed.go
	readLeavesListedObjectsUntouched, // AQL-8.1-02

	// reads_marks.go
	readSetsNoMarkOfChange, // AQL-8.1-02

	// reads_own.go
	readLeavesOwnObjectUntouched, // AQL-8.1-02

	// repeats.go
	readCanBeRepeatedSafely, // AQL-8.1-03

	// classification.go
	verbsAndCategoriesGoTogether,         // AQL-8.2-01
	dangerLevelsUseDefinedWords,          // AQL-D-04
	announcedDangerClassificationIsShown, // INT-4.1.1-19
	dangerMarkIsBoolean,                  // OPS-5.1-08
	seriousOperationsAreMarkedDangerous,  // OPS-6.4-01

	// naming.go
	parameterNamesAreSnakeCase,             // AQL-4.3-01
	inputFieldNamesAreSnakeCase,            // AQL-4.3-01
	operationNamesAreSnakeCase,             // AQL-8.5.2-01
	reservedLoopNamesAreExecuteOperations,  // AQL-8.5.4-02
	stepReportsAreCreateOperation,          // AQL-8.5.4-03
	challengeVerificationIsCreateOperation, // AQL-8.5.4-07

	// naming_verbs.go
	standardOperationsUseCanonicalVerbs, // AQL-8.5.1-01
	unusualVerbsAreExplained,            // AQL-8.5.3-03
	operationNamesFollowVerbAndResource, // AQL-8.5.2-02
	oneVerbPerKindOfAction,              // AX-R2-04
}
