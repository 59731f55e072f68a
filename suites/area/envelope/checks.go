// Package envelope checks the request and the envelope of the answer (spec 4 and 5).
package envelope

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// request.go
	requestWithoutOperationIsRefused,        // AQL-4.1-01
	operationMustBeString,                   // AQL-4.1-02
	paramsMustBeObject,                      // AQL-4.1-04
	emptyOperationNameIsRefused,             // OPS-2.2-05
	operationNamesAreMatchedCaseSensitively, // OPS-2.4-01
	unknownOperationIsRefused,               // AQL-3.2-01
	inheritedNamesAreUnknownOperations,      // MCP-SEC-04

	// params_left_out.go
	paramsMayBeLeftOut, // AQL-4.1-03

	// tool_schema.go
	toolSchemaAdmitsStandardRequest, // AQL-D-01

	// top_level.go
	paramsValueWinsOverTopLevel,   // AQL-4.2-02
	topLevelIsFallbackPlace,       // AQL-4.2-03
	bothParameterPlacesCanBeMixed, // AQL-4.2-04

	// top_level_reads.go
	topLevelIsFallbackPlaceOfAll, // AQL-4.2-03

	// contested_reads.go
	paramsValueWinsInEachRead, // AQL-4.2-02

	// array_params.go
	paramsOfOperationsMustBeObjects, // AQL-4.1-04

	// carrier.go
	domainFailuresArriveAsEnvelopes,     // AQL-5.1-10
	failuresOfEachReadArriveAsEnvelopes, // AQL-5.1-10
	structuredAndTextEnvelopesAgree,     // AQL-5.1-11
	envelopeIsWholeTextItem,             // MCP-RESULT-07
	successIsNotFlaggedAsError,          // MCP-RESULT-09

	// envelope.go
	everyAnswerIsDiscriminatedEnvelope,   // AQL-5.1-01
	successCarriesData,                   // AQL-5.1-02
	successCarriesNoError,                // AQL-5.1-03
	failureCarriesErrorObject,            // AQL-5.1-04
	failureCarriesNoData,                 // AQL-5.1-05
	errorCodeIsMachineReadable,           // AQL-5.1-06
	errorMessageIsReadableText,           // AQL-5.1-07
	errorDetailsAreObject,                // AQL-5.1-08
	envelopeMetadataStartsWithUnderscore, // AQL-5.1-09
	resultsSitUnderData,                  // OPS-3.2-02

	// aliases.go
	camelCaseAliasesAreTolerated,       // OPS-4.1-02
	acceptedAliasActsLikeCanonicalName, // OPS-4.1-03
}
