// Package leaks checks implementation details and secrets that show in answers (introspection 8.1.3).
package leaks

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// leaks.go
	errorsCarryNoLanguageMessages,     // INT-8.1.3-01
	errorsCarryNoStackTraces,          // INT-8.1.3-02
	errorsNameNoInternalClasses,       // INT-8.1.3-03
	errorsExposeNoImplementationPaths, // INT-8.1.3-04
	errorsRevealNoOtherInternals,      // INT-8.1.3-05

	// secrets.go
	secretsAreNotEchoed, // OPS-8.4-03
}
