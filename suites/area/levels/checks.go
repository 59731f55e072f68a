// Package levels checks conformance levels, claims, endpoint modes and protocol metadata (spec 10, introspection 4.1).
package levels

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = append(variationChecks, []check.Check{
	// levels.go
	level2SupportsBothEndpointModes, // AQL-10.1-08
	level2OffersBatchOperations,     // AQL-10.1-11
	level2OffersFieldSelection,      // AQL-10.1-10

	// claims.go
	conformanceClaimStatesItsLevel, // AQL-10.2-01
	extensionsAreDocumented,        // AQL-10.2-03
	statedLevelIsNotAboveResult,    // INT-4.1.1-10

	// extensions.go
	extensionsDoNotDisableCoreRules, // AQL-10.3-03
	rehearsalsDoNotDisableCoreRules, // AQL-10.3-03

	// permitted_variations.go
	topLevelParametersAreOptionalTo, // AQL-4.2-01
	longListingsMayBePaged,          // INT-8.3-04
	storedDataMayOutliveSession,     // AQL-2.3.4-01
	bothEndpointModesAreOffered,     // AQL-3.3-02

	// profile_freedom.go
	nothingBeyondIntrospectIsPresumed,    // AQL-1.3-01
	extensionsAsSuchAreNoFinding,         // AQL-10.3-01
	alternateEndpointFamiliesAreAccepted, // AQL-0-01
	unknownToolMembersAreTolerated,       // MCP-TOOL-06
	underscoreNamesInsideParamsStayOpen,  // AQL-4.6.1-05
	declaredLenientLaunchGetsNoLevel,     // AQL-4.6.2-02
	openWorldHintFitsBackend,             // MCP-ANNOT-07

	// protocol_metadata.go
	listingCarriesProtocolMetadataWithVersion,  // INT-4.1.1-01
	protocolVersionIsSemanticVersion,           // INT-4.1.1-02
	statedLevelUsesDefinedWord,                 // INT-4.1.1-04
	statedModeUsesDefinedWord,                  // INT-4.1.1-06
	protocolMetadataStatesMode,                 // INT-4.1.1-05
	capabilityFlagsAreBooleans,                 // INT-4.1.1-08
	concurrencyMetadataIsWellTyped,             // AQL-9.3.3-01
	ownSessionIdentifierAppearsInIntrospection, // AQL-2.3.5-07

	// protocol_mode.go
	statedModeMatchesTools,       // INT-4.1.1-09
	observedFeaturesAreAnnounced, // AX-R4-05
}...)
