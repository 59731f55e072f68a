// Package authorization checks how a server over HTTP asks for tokens and looks at them (MCP
// 2025-11-25, authorization). No level of MCP-AQL depends on it.
package authorization

import "github.com/aql-conform/aql-conform/suites/check"

// Checks are the checks of this area, by file.
var Checks = []check.Check{
	// refusals.go
	requestWithoutTokenGets401, // MCP-AUTH-01
	refusalCarriesChallenge,    // MCP-AUTH-02
	invalidTokenGets401,        // MCP-AUTH-08
	sessionIsNoAuthorization,   // MCP-AUTH-09
	tokenInQueryIsNotAccepted,  // MCP-AUTH-10

	// tokens.go
	narrowTokenGets403,    // MCP-AUTH-11
	foreignTokenIsRefused, // MCP-AUTH-12
	challengeNamesScopes,  // MCP-AUTH-13

	// discovery.go
	metadataOfResourceIsFound,       // MCP-AUTH-03
	metadataIsOfThisResource,        // MCP-AUTH-04
	authorizationServersAreNamed,    // MCP-AUTH-05
	authorizationServerIsDescribed,  // MCP-AUTH-06
	authorizationServerSupportsPKCE, // MCP-AUTH-07
}
