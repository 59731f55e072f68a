// Package introspection checks introspect: the listing, the details of operations and their stability (spec 7, introspection).
package introspection

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// introspect.go
	introspectIsImplemented,            // AQL-7.2-01
	introspectIsClassifiedAsRead,       // AQL-7.2-02
	introspectDemandsItsQueryParameter, // AQL-7.2-03
	bothQueryKindsAreAnswered,          // AQL-7.2-04
	unsupportedQueryKindIsRefused,      // AQL-7.2-05

	// introspect_record.go
	nameSelectsExactlyOneItem,           // AQL-7.2-06
	introspectSitsOnReadOrientedFamily,  // INT-2.1-03
	introspectDocumentsItsOwnParameters, // OPS-9.2-01
	introspectListsItself,               // INT-8.2-07

	// details.go
	everyListedOperationHasDetails,      // AQL-7.3-02
	parametersAreArrayOfNamedEntries,    // AQL-4.3-03
	detailsNameToolToCall,               // INT-3.3-04
	detailsCarryDescription,             // INT-3.3-05
	detailsCarryBothPermissionFlags,     // INT-3.3-06
	everyOperationDeclaresItsResultType, // INT-3.3-08
	parameterNamesAreUniquePerOperation, // INT-3.3-35

	// listing.go
	operationsListingIsArrayOfSummaries, // AQL-7.3-01
	everyListedOperationHasDescription,  // INT-3.2-04
	operationNamesAreUnique,             // INT-3.2-05

	// hidden_operations.go
	everyExecutableOperationIsListed,   // AQL-10.2-02
	everyOperationWithAnEffectIsListed, // AQL-10.2-02
	everyDetailedOperationIsListed,     // AQL-10.2-02
	refusalsNameNoHiddenOperation,      // AQL-10.2-02

	// introspection_constraints.go
	documentedBoundsAreOrdered,           // INT-3.4-15
	documentedDefaultIsLegalValue,        // INT-3.4-05
	constraintsFitParameterType,          // INT-3.4-17
	requiredParametersAdvertiseNoDefault, // INT-3.4-19

	// introspection_null_lookup.go
	unknownOperationLookupYieldsNull, // INT-4.3-01
	unknownTypeLookupYieldsNull,      // INT-8.1-09
	lookupNamesAreMatchedExactly,     // INT-4.3-02

	// introspection_parameters.go
	everyParameterStatesItsType,           // INT-3.4-02
	everyParameterStatesItsRequiredFlag,   // INT-3.4-03
	optionalParameterNotesHaveRightTypes,  // INT-3.4-04
	documentedEnumIsNonEmptyArray,         // INT-3.4-06
	documentedNumericBoundsAreNumbers,     // INT-3.4-07
	documentedLengthLimitsAreWholeNumbers, // INT-3.4-09
	documentedPatternIsRegularExpression,  // INT-3.4-11
	documentedItemsDescribeArrayElement,   // INT-3.4-13

	// introspection_stability.go
	repeatedIntrospectionGivesEqualAnswers, // AQL-7.3-06
	repeatedLookupsGiveEqualRecords,        // AQL-7.3-06
	twoSessionsSeeSameIntrospection,        // INT-7.3-05

	// introspection_writes.go
	ownWritesDoNotChangeIntrospection, // INT-7.3-04
}
