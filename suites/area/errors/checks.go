// Package errors checks error codes, what provokes them, and messages that help (spec 5.3, operations 8.1).
package errors

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = append(conditionChecks, []check.Check{
	// errors.go
	missingRequiredParameterIsRefused,   // OPS-5.4-01
	missingParameterHasItsDefinedCode,   // AQL-5.3-01
	introspectionFailuresUseSharedCodes, // INT-3.1-04
	unknownOperationHasItsDefinedCode,   // OPS-8.1-04
	missingResourceHasItsDefinedCode,    // OPS-8.1-03
	errorCodesBelongToTaxonomy,          // OPS-8.3-01
	errorsSayWhatWentWrong,              // INT-8.2.3-01

	// removed.go
	removedResourceHasTheDefinedCode, // OPS-8.1-03

	// rate_limit.go
	rateLimitHasItsDefinedCode, // OPS-8.1-06

	// helpful_errors.go
	errorsSayWhatToDo,             // INT-8.2.3-02
	errorsPointToFittingOperation, // INT-8.2.3-03
	errorsNameItemsConcerned,      // OPS-8.4-02
	errorsCarrySessionIdentifier,  // AQL-2.3.5-04
}...)
