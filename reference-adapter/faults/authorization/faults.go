// Package authorization has the faults of how requests over HTTP are let in, and of the documents
// that say where tokens come from.
package authorization

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
	"github.com/aql-conform/aql-conform/reference-adapter/adapter/seam"
)

// All lists the faults of this room.
func All() []seam.Fault {
	all := []seam.Fault{
		{ID: "MCP-AUTH-01", Variant: "forbidden-instead", Defect: "a request without a token gets HTTP 403",
			Hooks: refusals(false, func(k *kept) { k.status = http.StatusForbidden })},
		{ID: "MCP-AUTH-01", Variant: "error-in-200", Defect: "a request without a token gets a JSON-RPC error in HTTP 200",
			Hooks: refusals(false, func(k *kept) {
				k.status = http.StatusOK
				k.header.Set("Content-Type", "application/json")
				k.is(`{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"unauthorized"}}`)
			})},
		{ID: "MCP-AUTH-01", Variant: "forbidden-later", Defect: "initialize needs no token, and any other request without one gets HTTP 403",
			Hooks: seam.Both(lending(opens), refusals(false, func(k *kept) { k.status = http.StatusForbidden }))},
		{ID: "MCP-AUTH-02", Variant: "no-challenge", Defect: "HTTP 401 has no WWW-Authenticate",
			Hooks: refusals(false, func(k *kept) { k.header.Del("WWW-Authenticate") })},
		{ID: "MCP-AUTH-03", Variant: "no-metadata", Defect: "there are no metadata of the resource",
			Hooks: seam.Both(missing(resource), refusals(false, named("")))},
		{ID: "MCP-AUTH-03", Variant: "dead-link", Defect: "resource_metadata leads nowhere",
			Hooks: refusals(false, named("/nowhere"))},
		{ID: "MCP-AUTH-03", Variant: "relative-link", Defect: "resource_metadata is a path without scheme and host",
			Hooks: refusals(false, pathOfLink)},
		{ID: "MCP-AUTH-04", Variant: "resource-elsewhere", Defect: "resource is another path of the same origin",
			Hooks: document(resource, func(m map[string]any) { m["resource"] = m["resource"].(string) + "/other" })},
		{ID: "MCP-AUTH-04", Variant: "no-resource", Defect: "the metadata have no resource",
			Hooks: document(resource, seam.Drop("resource"))},
		{ID: "MCP-AUTH-05", Variant: "no-authorization-servers", Defect: "the metadata name no authorization server",
			Hooks: document(resource, seam.Drop("authorization_servers"))},
		{ID: "MCP-AUTH-05", Variant: "empty-list", Defect: "authorization_servers is empty",
			Hooks: document(resource, seam.Set("authorization_servers", []string{}))},
		{ID: "MCP-AUTH-06", Variant: "no-server-metadata", Defect: "the authorization server has no metadata",
			Hooks: missing(server)},
		{ID: "MCP-AUTH-06", Variant: "issuer-differs", Defect: "the metadata name another issuer",
			Hooks: document(server, seam.Set("issuer", "https://issuer.example.com"))},
		{ID: "MCP-AUTH-07", Variant: "pkce-not-announced", Defect: "code_challenge_methods_supported is missing",
			Hooks: document(server, seam.Drop("code_challenge_methods_supported"))},
		{ID: "MCP-AUTH-07", Variant: "plain-alone", Defect: "the only method is plain",
			Hooks: document(server, seam.Set("code_challenge_methods_supported", []string{"plain"}))},
		{ID: "MCP-AUTH-08", Variant: "garbage-accepted", Defect: "any token is accepted once one was valid",
			Hooks: lending(func(r *http.Request) bool { return r.Header.Get("Authorization") != "" })},
		{ID: "MCP-AUTH-08", Variant: "validated-at-initialize-alone", Defect: "any token is accepted in a session that began with a valid one",
			Hooks: lending(tokenInSession)},
		{ID: "MCP-AUTH-08", Variant: "garbage-is-500", Defect: "a token that is not known ends in HTTP 500",
			Hooks: refusals(true, func(k *kept) { k.status = http.StatusInternalServerError })},
		{ID: "MCP-AUTH-09", Variant: "session-is-enough", Defect: "a session that began with a token needs none any more",
			Hooks: lending(func(r *http.Request) bool { return r.Header.Get("Mcp-Session-Id") != "" })},
		{ID: "MCP-AUTH-10", Variant: "token-in-query", Defect: "access_token in the query is taken for the header",
			Hooks: served(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if token := r.URL.Query().Get("access_token"); token != "" {
						r = with(r, "Bearer "+token)
					}
					next.ServeHTTP(w, r)
				})
			})},
	}
	all = append(all, tokens...)
	for i := range all {
		all[i].Transport, all[i].Authorization = "http", true
	}
	return all
}

// calls reports whether a request calls a tool. Its body is read and put back.
func calls(r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return err == nil && bytes.Contains(body, []byte(`"tools/call"`))
}

func tokenInSession(r *http.Request) bool {
	return r.Header.Get("Mcp-Session-Id") != "" && r.Header.Get("Authorization") != ""
}

var narrowToken = map[string]string{"narrow_token_cmd": "reference-adapter operator narrow-token"}

// tokens are faults about tokens that are valid and have to be refused.
var tokens = []seam.Fault{
	{ID: "MCP-AUTH-09", Variant: "session-is-enough-for-calls", Defect: "a call in a session that began with a token needs none any more",
		Hooks: lending(func(r *http.Request) bool {
			return r.Header.Get("Mcp-Session-Id") != "" && r.Header.Get("Authorization") == "" && calls(r)
		})},
	{ID: "MCP-AUTH-08", Variant: "not-validated-for-calls", Defect: "any token is accepted for a call in a session that began with a valid one",
		Hooks: lending(func(r *http.Request) bool { return tokenInSession(r) && calls(r) })},
	{ID: "MCP-AUTH-11", Variant: "unauthorized-instead", Defect: "a token that lacks scopes gets HTTP 401", Hints: narrowToken,
		Hooks: narrowRefusals(func(k *kept) { k.status = http.StatusUnauthorized })},
	{ID: "MCP-AUTH-11", Variant: "no-error", Defect: "the challenge beside HTTP 403 has no error", Hints: narrowToken,
		Hooks: narrowRefusals(without(errorParameter))},
	{ID: "MCP-AUTH-11", Variant: "no-scope", Defect: "the challenge beside HTTP 403 names no scope", Hints: narrowToken,
		Hooks: narrowRefusals(without(scopeParameter))},
	{ID: "MCP-AUTH-12", Variant: "audience-ignored", Defect: "a token that was issued for another server is accepted",
		Hints: map[string]string{"foreign_token_cmd": "reference-adapter operator foreign-token"},
		Hooks: lending(func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Authorization"), "Bearer at-") })},
	{ID: "MCP-AUTH-12", Variant: "audience-ignored-in-session", Defect: "a token that was issued for another server is accepted in a session",
		Hints: map[string]string{"foreign_token_cmd": "reference-adapter operator foreign-token"},
		Hooks: lending(func(r *http.Request) bool {
			return r.Header.Get("Mcp-Session-Id") != "" && strings.HasPrefix(r.Header.Get("Authorization"), "Bearer at-")
		})},
	{ID: "MCP-AUTH-13", Variant: "no-scope-without-token", Defect: "the challenge beside HTTP 401 names no scope", Hints: narrowToken,
		Hooks: refusals(false, without(scopeParameter))},
}

// The documents.
const (
	resource = "oauth-protected-resource"
	server   = "oauth-authorization-server"
)

func served(around func(http.Handler) http.Handler) adapter.Hooks {
	return adapter.Hooks{Served: around}
}

// with returns the request with another credential.
func with(r *http.Request, authorization string) *http.Request {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", authorization)
	return r
}

// opens reports whether a request belongs to the handshake.
func opens(r *http.Request) bool {
	raw, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(raw))
	return err == nil && (bytes.Contains(raw, []byte(`"initialize"`)) || bytes.Contains(raw, []byte(`"notifications/initialized"`)))
}

// lending sends requests that it picks, and that would be refused, with the last credential that was
// accepted.
func lending(pick func(r *http.Request) bool) adapter.Hooks {
	return served(func(next http.Handler) http.Handler {
		var mu sync.Mutex
		good := ""
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			given := r.Header.Get("Authorization")
			mu.Lock()
			lent := good
			mu.Unlock()
			if given != lent && lent != "" && pick(r) {
				r = with(r, lent)
			}
			k := answered(next, r)
			if k.status < 300 && given != "" && strings.HasSuffix(r.URL.Path, "/mcp") {
				mu.Lock()
				good = r.Header.Get("Authorization")
				mu.Unlock()
			}
			k.send(w)
		})
	})
}
