// Package web sends single HTTP requests to a server, beside its MCP sessions: without its token,
// with a wrong one, and for the documents that say where tokens come from. It refuses to know what
// an answer should be.
package web

// The credentials of a request.
const (
	Own     = "own"     // what the operator gave: a token, or a header Authorization
	None    = "none"    // nothing
	Invalid = "invalid" // a token that nobody has issued
	Forged  = "forged"  // the own token with another signature; InvalidToken where it is no JSON Web Token
	Query   = "query"   // the own token, in the query instead of the header
	Narrow  = "narrow"  // a token of the author that lacks scopes
	Foreign = "foreign" // a token of the author that was issued for another resource
)

// TokenCommands are the commands of the author that print tokens, by the credential.
var TokenCommands = map[string]string{Narrow: "narrow_token_cmd", Foreign: "foreign_token_cmd"}

// InvalidToken is the token that nobody has issued.
const InvalidToken = "aqlc-nobody-has-issued-this-token"

// A Request is one HTTP request.
type Request struct {
	URL        string `json:"url,omitempty"`  // of a document, fetched without a credential; empty for the MCP endpoint
	Body       string `json:"body,omitempty"` // of a POST to the MCP endpoint
	Credential string `json:"credential"`
	Session    bool   `json:"session,omitempty"` // whether it is of the session of the connection
	Begin      string `json:"begin,omitempty"`   // body of the request that begins a session of its own before it, with the same credential
}

// An Answer is what came back. Over stdio there is none, and Transport says so.
type Answer struct {
	Transport  string              `json:"transport"`
	Endpoint   string              `json:"endpoint,omitempty"` // where the MCP server was reached, without what may be secret
	Credential bool                `json:"credential"`         // whether the operator gave one
	Status     int                 `json:"status,omitempty"`
	Header     map[string][]string `json:"header,omitempty"`
	Body       string              `json:"body,omitempty"`
}
