// Package descriptions checks texts, examples, deprecation and warnings: what a model reads (introspection 8.2, AX).
package descriptions

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// deprecation.go
	inapplicableElementTypesAreNoted,         // INT-8.2.2-03
	deprecatedParametersStayListedAndMarked,  // INT-8.2.4-01
	deprecatedParametersNameTheirReplacement, // INT-8.2.4-02

	// documentation.go
	secretParametersAreMarkedSensitive, // INT-3.4.1-08
	featureParametersAreFullyDescribed, // INT-8.1.2-04
	protectedFieldsAreDocumented,       // INT-8.2.2-01
	requiredNestingIsDocumented,        // INT-8.2.2-02

	// ax_descriptions.go
	parametersHaveMeaningfulDescriptions, // INT-8.2-02
	summariesAreShort,                    // AX-R3-02
	detailsExplainMoreThanSummary,        // AX-R3-03
	descriptionsTellOperationsApart,      // AX-R3-04
	unitsAndFormatsAreStated,             // AX-R3-06

	// ax_economy.go
	listingsStayAtSummaryDepth,       // INT-1.2-03
	discoveryStaysCheap,              // INT-7.1-01
	repeatedStructuresAreDefinedOnce, // AX-R5-12

	// ax_prose.go
	proseClaimsAreBackedByMetadata,        // AX-R4-06
	compoundParametersDescribeTheirInside, // AX-R5-09

	// ax_self_sufficiency.go
	introspectionSufficesForValidRequests, // INT-1.2-01
	toolListTellsHowToIntrospect,          // AX-R1-01
	capabilityTagsAreOptionalLists,        // AX-R4-04

	// examples.go
	examplesAreArray,              // INT-3.3-09
	eachExampleHoldsRequestObject, // INT-3.3-17
	everyOperationHasExample,      // INT-8.2-01
	examplesFitTheirOwnOperation,  // INT-8.2-09

	// examples_sent.go
	examplesCanBeExecuted, // INT-8.2-10

	// warnings.go
	warningMemoryEndsWithSession, // AQL-2.3.3-05
	warningsAreWellFormedAndOn,   // INT-4.1.1-17
}
