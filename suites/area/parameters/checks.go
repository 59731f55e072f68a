// Package parameters checks parameters: types, constraints, defaults, and those that nobody documents (spec 4.4 to 4.6, introspection 5.4).
package parameters

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// absent_references.go
	changeWithAbsentReferenceHasNoEffect, // OPS-5.1-02

	// constraint_truth.go
	documentedEnumValuesAreAccepted,     // INT-3.4.1-01
	documentedNumericBoundsAreInclusive, // INT-3.4.1-02
	documentedLengthLimitsAreInclusive,  // INT-3.4.1-03
	stringsMatchingPatternAreAccepted,   // INT-3.4.1-04
	valuesOfDocumentedFormatAreAccepted, // INT-3.4.1-05

	// cross_cutting.go
	sharedParametersKeepOneType,       // OPS-4.4.4-02
	sharedParametersKeepOneMeaning,    // OPS-4.4.4-03
	sharedParametersKeepOneDefault,    // OPS-4.4.4-04
	sharedParametersAreExpandedInline, // OPS-4.4.5-01

	// inert_creations.go
	refusedCreationsLeaveNoEffect, // OPS-5.1-02

	// dry_run.go
	dryRunIsBooleanOnMutations, // OPS-4.4.1-09
	dryRunLeavesStateUnchanged, // OPS-4.4.1-10

	// unnamed_rehearsals.go
	dryRunOfAnotherNameLeavesStateUnchanged, // OPS-4.4.1-10

	// shared_names.go
	sharedParametersKeepOneName, // OPS-4.4.4-01

	// documented_effects.go
	documentedParametersTakeEffect, // INT-8.1.2-07
	inclusiveBoundsKeepTheirValue,  // INT-8.1.2-07

	// fields.go
	unknownFieldOfObjectIsRefused, // AQL-4.6-01
	mistypedFieldIsRefused,        // AQL-3.2-04
	fieldOutsideEnumIsRefused,     // OPS-5.4-04
	fieldOutsideBoundsIsRefused,   // OPS-5.4-05
	missingRequiredFieldIsRefused, // OPS-5.4-01

	// hidden_parameters.go
	undocumentedPopularParametersAreRefused, // AQL-4.6-09

	// hidden_in_creations.go
	undocumentedPopularParametersOfCreationsAreRefused, // AQL-4.6-09

	// scope.go
	unknownTopLevelFieldIsRefused,               // AQL-4.6.1-01
	unknownTopLevelFieldIsRefusedByReads,        // AQL-4.6.1-01
	unknownTopLevelFieldIsRefusedByCreations,    // AQL-4.6.1-01
	misplacedTopLevelFieldsAreNot,               // AQL-4.6.1-02
	protocolFieldsAreNeverUnknown,               // AQL-4.6.1-03
	underscoreMetadataFieldsAreTolerated,        // AQL-4.6.1-04
	underscoreMetadataFieldsAreToleratedByReads, // AQL-4.6.1-04
	strictnessCannotBeSwitchedByRequests,        // AQL-4.6.2-04

	// unknown_parameters.go
	unknownParameterIsRefused,           // AQL-4.6-01
	refusalNamesUnknownParameterCode,    // AQL-4.6-02
	refusalDetailsNameOperation,         // AQL-4.6-03
	refusalDetailsListEveryUnknownName,  // AQL-4.6-04
	refusalDetailsOfferValidNames,       // AQL-4.6-05
	nearMissAndInheritedNamesAre,        // AQL-4.6-06
	nearMissAndInheritedNamesAreUnknown, // AQL-4.6-06

	// unknown_introspect.go
	introspectRefusesUnknownParameters, // OPS-9.2-06

	// other_case.go
	nameInAnotherCaseIsUnknownToReads,     // AQL-4.6-06
	nameInAnotherCaseIsUnknownToCreations, // AQL-4.6-06

	// constraints.go
	valueOutsideEnumIsRefused,              // OPS-5.4-04
	numberOutsideDocumentedBoundsIsRefused, // OPS-5.4-05
	stringViolatingPatternIsRefused,        // OPS-5.4-07

	// defaults.go
	documentedDefaultsTakeEffect,   // OPS-5.4-09
	dependentDefaultsTakeEffect,    // OPS-5.4-09
	effectiveDefaultsAreDocumented, // INT-8.2-03

	// elements.go
	arraysOfDocumentedItemsAreAccepted, // INT-3.4.1-06
	arrayElementsAreValidated,          // CMP-ARRAY-01

	// lengths.go
	stringOutsideDocumentedLengthIsRefused, // OPS-5.4-08

	// parameters.go
	documentedParameterNamesAreAccepted,     // AQL-4.3-02
	documentedOptionalParametersAreAccepted, // INT-8.1.2-07
	optionalParametersMayBeLeftOut,          // INT-8.1.1-04
	valueOfWrongTypeIsRefused,               // AQL-3.2-04
	wrongTypeHasItsDefinedCode,              // OPS-8.1-02
	documentedParameterTypesAreAccepted,     // INT-8.1.1-02

	// inert.go
	refusedUnknownParameterHasNoEffect, // AQL-4.6-07
	misroutedOperationHasNoEffect,      // AQL-6.2-04

	// inert_changes.go
	updateWithUnknownParameterHasNoEffect, // AQL-4.6-07
	mistypedUpdateHasNoEffect,             // OPS-5.1-02
	misroutedUpdateHasNoEffect,            // AQL-6.2-04
	mistypedRemovalHasNoEffect,            // OPS-5.1-02

	// own_objects.go
	unknownParameterOfAWriteIsRefused,      // AQL-4.6-01
	removalWithUnknownParameterHasNoEffect, // AQL-4.6-07
	misroutedRemovalHasNoEffect,            // AQL-6.2-04
	missingRequiredParameterIsRefused,      // OPS-5.4-01
}
