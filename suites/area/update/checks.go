// Package update checks updates: input objects, merging and removal of members (operations 4.5).
package update

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// followers.go
	whatFollowsFromAFieldFollowsAnUpdate, // AQL-4.5.1-01

	// input_fields.go
	fieldTypesInsideInputAreChecked,        // AQL-4.5.3-04
	fieldConstraintsInsideInputAreEnforced, // AQL-4.5.3-05

	// input_identifiers.go
	identifierInsideInputIsRefused, // AQL-4.5.3-08
	refusedUpdateChangesNothing,    // AQL-4.5.3-09

	// input_validation.go
	updateWithoutInputIsRefused,      // AQL-4.5.3-01
	missingInputHasItsDefinedCode,    // AQL-4.5.3-02
	inputMustBeObject,                // AQL-4.5.3-03
	unknownFieldInsideInputIsRefused, // AQL-4.5.3-06
	unknownFieldHasItsOwnCode,        // AQL-4.5.3-07

	// merge.go
	scalarInInputReplacesValue,   // AQL-4.5.1-01
	nestedKeyInInputIsUpdated,    // AQL-4.5.1-02
	absentNestedKeyKeepsItsValue, // AQL-4.5.1-03
	absentTopLevelFieldKeepsIts,  // AQL-4.5.1-04
	mergeRecursesToEveryDepth,    // AQL-4.5.1-05
	arrayInInputReplacesArray,    // AQL-4.5.1-06
	arrayElementsAreNotMerged,    // AQL-4.5.1-07

	// refused_values.go
	whatACreationRefusesIsRefusedByAnUpdate,       // AQL-4.5.3-10
	pairsThatACreationRefusesAreRefusedByAnUpdate, // AQL-4.5.3-10

	// refused_inside.go
	whatACreationRefusesInsideIsRefusedByAnUpdate, // AQL-4.5.3-10

	// refused_states.go
	whatACreationRefusesInAStateIsRefusedByAnUpdate, // AQL-4.5.3-10

	// removal.go
	nullRemovesTopLevelField,      // AQL-4.5.1-08
	nullRemovesJustNestedKey,      // AQL-4.5.2-02
	removingAbsentFieldIsHarmless, // AQL-4.5.2-03
	edgeMergesBehaveSensibly,      // AQL-4.5.1-10

	// stored_alike.go
	updateStoresAsACreationDoes, // AQL-4.5.1-01

	// typed_list.go
	arrayInDocumentedObjectReplacesArray, // AQL-4.5.1-06

	// typed_merge.go
	documentedMemberInInputIsAdded,            // AQL-4.5.1-02
	documentedMemberInInputIsUpdated,          // AQL-4.5.1-02
	documentedMemberOutsideInputKeepsItsValue, // AQL-4.5.1-03
	nullRemovesDocumentedMember,               // AQL-4.5.2-02
	nullRemovesDocumentedMemberBesideAnother,  // AQL-4.5.2-02

	// typed_removal.go
	nullRemovesEachDocumentedMember, // AQL-4.5.2-02

	// update.go
	updateOperationsTakeInputObject,        // AQL-4.5-01
	updateableFieldsAreRefusedOutsideInput, // AQL-4.5-02
	identifiersStayBesideInput,             // AQL-4.5-03

	// unknown_members.go
	unknownMemberInsideInputIsRefused, // AQL-4.5.3-06

	// worked_example.go
	workedUpdateExampleYieldsItsResult, // AQL-4.5.1-09

	// round_trip.go
	integersSurviveRoundTrip,       // AQL-4.7.3-03
	resultsMatchDeclaredObjectType, // INT-5.2.2-01
}
