// Package limits checks oversized requests, deep nesting and metadata (spec 4.7.5).
package limits

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// limits.go
	oversizedRequestIsRefused,     // AQL-4.7.5-01
	oversizedStringIsRefused,      // AQL-4.7.5-03
	oversizedArrayIsRefused,       // AQL-4.7.5-04
	tooDeepNestingIsRefused,       // AQL-4.7.5-05
	sessionSurvivesOversizedInput, // AQL-4.7.5-13

	// nested.go
	oversizedNestedArrayIsRefused,  // AQL-4.7.5-04
	oversizedNestedStringIsRefused, // AQL-4.7.5-03
	tooDeepNestedObjectIsRefused,   // AQL-4.7.5-05

	// changed.go
	oversizedStringOfChangeIsRefused, // AQL-4.7.5-03

	// metadata.go
	limitsAppearInProtocolMetadata, // AQL-4.7.5-08
	advertisedLimitsAreInRange,     // AQL-4.7.5-09
	payloadLimitsAreDocumented,     // AQL-4.7.5-07
	limitErrorsSayWhichLimit,       // AQL-4.7.5-06

	// documented.go
	smallRequestsAreNeverTooLarge,      // AQL-4.7.5-11
	advertisedLimitsAreEnforcedOnes,    // AQL-4.7.5-12
	nestingDepthCountsObjectsAndArrays, // AQL-4.7.5-10
	oversizedResponseIsRefused,         // AQL-4.7.5-02

	// listings.go
	oversizedListingIsRefused, // AQL-4.7.5-02
}
