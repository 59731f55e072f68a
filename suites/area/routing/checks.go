// Package routing checks endpoints and the operations that belong to them (spec 6.2).
package routing

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// attribution.go
	semanticCategoryIsOneOfFive,        // AQL-6.1-01
	permissionFlagsFitCategory,         // AQL-6.1-02
	eachOperationHasExactlyOneCategory, // AQL-6.2-01

	// families.go
	eachOperationHasExactlyOneFamily,   // AQL-6.2-02
	endpointFamilyIsDocumented,         // AQL-10.1-05
	standardToolsHostOnlyTheirCategory, // AQL-3.3-04
	documentedToolExists,               // INT-3.3-32
	everyFamilyMapsToOneTool,           // INT-3.2-06
	standardEndpointValuesAreLowerCase, // INT-4.1-02
	endpointIsFamilyNotTool,            // INT-4.1-03

	// routing.go
	misroutedOperationIsRefused,        // AQL-6.2-03
	misroutingHasItsDefinedCode,        // OPS-6.3-03
	misroutingDetailsNameBothEndpoints, // OPS-6.3-04
	endpointIsCheckedBeforeParameters,  // AQL-3.2-02

	// documented_endpoint.go
	introspectStaysOnItsDocumentedFamily,  // OPS-6.3-05
	documentedEndpointAcceptsItsOperation, // AQL-6.2-05
	unifiedToolAcceptsEveryOperation,      // AQL-3.3-03
}
