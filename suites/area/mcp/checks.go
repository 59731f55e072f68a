// Package mcp checks tools, connection, JSON-RPC messages and sessions (MCP).
package mcp

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// tools.go
	serverOffersToolsThatTakeOperations, // AQL-2.1-01

	// listing_cache.go
	introspectionCacheEndsWithSession, // AQL-2.3.3-03

	// audit.go
	auditEntriesCarrySessionIdentifier, // AQL-2.3.5-05

	// mcp_ages.go
	answersDoNotDependOnRevision, // MCP-LIFE-04

	// mcp_annotations.go
	toolAnnotationsHaveRightTypes,       // MCP-ANNOT-01
	mutatingToolsAreNotMarkedRead,       // MCP-ANNOT-02
	readOnlyToolsSaySo,                  // MCP-ANNOT-03
	destructiveHintFitsRiskiestCategory, // MCP-ANNOT-04
	toolHintsDoNotContradictEach,        // MCP-ANNOT-05
	executeToolsDoNotClaimIdempotency,   // MCP-ANNOT-06

	// mcp_connection.go
	handshakeCompletesInAnnouncedRevision, // MCP-LIFE-01
	unknownRevisionsAreNotMerelyEchoed,    // MCP-LIFE-02
	statelessEraResultsAreMarkedComplete,  // MCP-LIFE-03

	// mcp_errors.go
	unknownToolEndsInProtocolError,      // MCP-ERROR-01
	failedResultsAreFlaggedConsistently, // MCP-ERROR-03
	badArgumentsGetCorrectableAnswer,    // MCP-ERROR-04
	errorResultsCarryReadableText,       // MCP-ERROR-05
	missingArgumentsAreHandled,          // MCP-ERROR-06
	accessRulesHoldOnServer,             // MCP-SEC-01
	toolCallsAreRateLimited,             // MCP-SEC-02

	// mcp_frames.go
	brokenJsonDoesNotBreakServer,    // MCP-RPC-05
	invalidRequestObjectsAreRefused, // MCP-RPC-06

	// mcp_unanswered.go
	notificationsReceiveNoReply, // MCP-RPC-08

	// mcp_lists.go
	toolsCapabilityIsDeclared,      // MCP-LIST-01
	toolListIsArrayOfObjects,       // MCP-LIST-02
	toolListCursorsLeadToAll,       // MCP-LIST-03
	foreignToolListCursorIsRefused, // MCP-LIST-04
	repeatedToolListsAreEqual,      // MCP-LIST-05

	// mcp_liveness.go
	everyRequestGetsExactlyOneAnswer, // AQL-3.2-03
	faultyRequestsAreAnswered,        // AQL-3.2-03
	serverKeepsServingAfterRefusals,  // MCP-RPC-09

	// mcp_notifications.go
	listChangeFlagIsBoolean,            // MCP-NOTIFY-01
	announcedListChangesAreNotified,    // MCP-NOTIFY-02
	listChangeMessagesAreNotifications, // MCP-NOTIFY-03

	// mcp_results.go
	toolResultsCarryContentArray,   // MCP-RESULT-01
	contentItemsAreWellFormed,      // MCP-RESULT-02
	errorFlagIsBoolean,             // MCP-RESULT-03
	structuredContentFitsRevision,  // MCP-RESULT-04
	structuredContentFitsItsSchema, // MCP-RESULT-05
	structuredContentHasTextTwin,   // MCP-RESULT-06
	newerMcpRevisionsMayAnswerIn,   // ODD-12

	// mcp_ids.go
	everyLegalIDIsAnswered, // MCP-RPC-01

	// mcp_rpc.go
	repliesRepeatRequestId,             // MCP-RPC-01
	protocolErrorsHaveCodeAndMessage,   // MCP-RPC-02
	unknownMethodHasItsDefinedCode,     // MCP-RPC-03
	wrongMethodParametersHaveTheirCode, // MCP-RPC-04
	serverErrorCodesStayInTheir,        // MCP-RPC-07
	stdoutCarriesMessagesAlone,         // MCP-RPC-10

	// mcp_schemas.go
	everyToolHasInputSchema,            // MCP-SCHEMA-01
	inputSchemaRootIsObjectType,        // MCP-SCHEMA-02
	outputSchemaRootIsObjectType,       // MCP-SCHEMA-03
	publishedSchemasAreValid,           // MCP-SCHEMA-04
	schemaReferencesResolveLocally,     // MCP-SCHEMA-05
	schemaPropertiesAndRequiredAreWell, // MCP-SCHEMA-06

	// mcp_sessions.go
	eachConnectionOpensFreshSession, // AQL-2.3.1-01

	// mcp_tools.go
	everyToolHasName,                  // MCP-TOOL-01
	toolNamesAreUnique,                // MCP-TOOL-02
	toolNamesUsePortableCharacters,    // MCP-NAME-01
	toolNamesAreSnakeCase,             // MCP-NAME-02
	toolTitleAndDescriptionAreStrings, // MCP-TOOL-03
	toolDescriptionsSayWhatTheyDo,     // MCP-TOOL-04
	toolMetadataIsWellFormedObject,    // MCP-TOOL-05
}
