// Package encoding checks text, dates, numbers, binary data and null in answers (spec 4.7).
package encoding

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// encoding.go
	overlongUtf8FormsAreRefused,      // AQL-4.7.1-02
	badContinuationBytesAreRefused,   // AQL-4.7.1-03
	truncatedUtf8SequencesAreRefused, // AQL-4.7.1-04
	encodedSurrogatesAreRefused,      // AQL-4.7.1-05
	impossibleBytesAndCodePointsAre,  // AQL-4.7.1-06
	badEncodingHasItsDefinedCode,     // AQL-4.7.1-07

	// encoding_session.go
	encodingCheckCoversWholeRequest,  // AQL-4.7.1-08
	sessionSurvivesBadlyEncodedInput, // AQL-4.7.1-12

	// text_kept.go
	unusualTextIsKept, // AQL-4.7.1-09

	// text.go
	everythingSentIsValidUtf8,      // AQL-4.7.1-01
	validUnusualTextIsAccepted,     // AQL-4.7.1-09
	nullCharactersAreRefused,       // AQL-4.7.1-10
	loneSurrogateEscapesAreRefused, // AQL-4.7.1-11

	// date_parameters.go
	dateParametersAcceptIsoForms,      // AQL-4.7.2-04
	otherDateFormsAreRefused,          // AQL-4.7.2-05
	otherDateFormsAreRefusedInObjects, // AQL-4.7.2-05

	// dates.go
	responseDatesAreIso8601,      // AQL-4.7.2-01
	responseTimestampsUseUtc,     // AQL-4.7.2-02
	dateOnlyTimeZoneIsDocumented, // AQL-4.7.2-03

	// numbers.go
	responseNumbersFollowJsonSyntax,     // AQL-4.7.3-01
	largeNumbersTravelAsStrings,         // AQL-4.7.3-02
	stringCodedNumbersAreMarked,         // AQL-4.7.3-04
	numbersNeededAsStringsAreDocumented, // AQL-4.7.3-05

	// binary.go
	binaryContentIsPaddedStandardBase64, // AQL-4.7.4-01
	binaryContentNamesEncodingAndMedia,  // AQL-4.7.4-02
	otherBinaryHandlingIsDescribed,      // AQL-4.7.4-04
	binaryParametersAcceptPaddedBase64,  // AQL-4.7.4-05

	// days_kept.go
	daysAreKept, // AQL-4.7.2-04

	// moments_filtered.go
	filtersTakeMomentsWithOffsets, // AQL-4.7.2-04

	// moments_kept.go
	momentsWithOffsetsAreKept, // AQL-4.7.2-04

	// null.go
	nullOnOptionalParametersStaysOpen, // AQL-4.7.6-01
	nullSemanticsAreDocumented,        // AQL-4.7.6-03
}
