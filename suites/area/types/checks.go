// Package types checks types: records, references between them, and values (introspection 5).
package types

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// protocol_types.go
	semanticCategoryTypeHasFiveValues, // AQL-9.1-01
	operationResultTypeIsDefinedUnion, // AQL-9.1-02
	protocolTypesAreRegistered,        // INT-5.3-01
	operationInputTypeMatchesRequest,  // INT-5.3-09
	permissionTypeHasTwoBooleanFlags,  // INT-5.3-10

	// type_bodies.go
	enumTypesListTheirValues,     // INT-3.6-01
	objectTypesListTheirFields,   // INT-3.6-02
	unionTypesListTheirMembers,   // INT-3.6-03
	typeRecordsCarryOnlyTheirOwn, // INT-3.6-05
	typeBodiesAgreeInListAnd,     // OPS-9.6-02

	// type_references.go
	referencedTypesCanBeLookedUp,     // AQL-9.2-01
	typeNamesAreUsedConsistently,     // INT-8.1-08
	returnsKindFitsTheRegisteredType, // INT-8.1-08
	parameterTypesUseKnownVocabulary, // OPS-5.2-02

	// type_values.go
	enumTypeValuesAreAcceptedValues, // INT-5.2.1-01

	// types.go
	typesListingIsArrayOfSummaries, // AQL-7.3-03
	everyListedTypeHasDetails,      // AQL-7.3-04
	everyTypeStatesItsKind,         // INT-3.5-02
	typeDescriptionsAreStrings,     // INT-3.5-03
	typeNamesAreUnique,             // INT-3.5-04
	typeKindAgreesInListAnd,        // INT-3.5-05
}
