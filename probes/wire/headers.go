//go:build !js

package wire

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// The headers of MCP over HTTP.
const (
	headerSession  = "Mcp-Session-Id"
	headerRevision = "Mcp-Protocol-Version"
	headerMethod   = "Mcp-Method" // since 2026-07-28
	headerName     = "Mcp-Name"   // since 2026-07-28
	headerLastID   = "Last-Event-ID"
	headerAfter    = "Retry-After"
)

// agree makes later requests name the negotiated revision.
func (w *web) agree(revision string) {
	w.headers.Lock()
	defer w.headers.Unlock()
	w.revision = revision
}

// learn keeps the session id that the server gave us.
func (w *web) learn(h http.Header) {
	w.headers.Lock()
	defer w.headers.Unlock()
	if id := h.Get(headerSession); id != "" && w.session == "" {
		w.session = id
	}
}

// sessionID returns the session id that the server gave us, or "".
func (w *web) sessionID() string {
	w.headers.Lock()
	defer w.headers.Unlock()
	return w.session
}

// recorded is a session id as it is recorded. It stands in each handshake, which is asked for again
// and again: what is behind the first bytes is told apart by a digest alone.
func recorded(id string) string {
	if len(id) <= MostOfSession {
		return id
	}
	whole := []byte(id)
	return fmt.Sprintf("%s, sha256 %x", prefix(whole, MostOfSession), sha256.Sum256(whole))
}

// dress sets the headers that a request with this body owes.
func (w *web) dress(h http.Header, body []byte) {
	h.Set("Accept", "application/json, "+eventStream)
	w.headers.Lock()
	session, revision := w.session, w.revision
	w.headers.Unlock()
	if session != "" {
		h.Set(headerSession, session)
	}
	if body != nil {
		h.Set("Content-Type", "application/json")
		params := member(body, "params")
		if named := textMember(member(params, "_meta"), "io.modelcontextprotocol/protocolVersion"); named != "" {
			revision = named
		}
		if revision >= firstModern {
			setHeader(h, headerMethod, textMember(body, "method"))
			setHeader(h, headerName, subject(textMember(body, "method"), params))
		}
	}
	setHeader(h, headerRevision, revision)
	for key, values := range w.header {
		h[http.CanonicalHeaderKey(key)] = values
	}
}

// subject is what the request is about, where the modern revision wants it
// repeated in a header.
func subject(method string, params []byte) string {
	switch method {
	case "tools/call", "prompts/get":
		return textMember(params, "name")
	case "resources/read":
		return textMember(params, "uri")
	}
	return ""
}

// textMember returns a member that is a string, else "".
func textMember(object []byte, key string) string {
	var s string
	if json.Unmarshal(member(object, key), &s) != nil {
		return ""
	}
	return s
}

// setHeader sets a header unless the value is empty, wrapped in Base64 as MCP
// 2026-07-28 has it where a header cannot carry the value as it is.
func setHeader(h http.Header, key, value string) {
	if value == "" {
		return
	}
	plain := strings.TrimSpace(value) == value && !(strings.HasPrefix(value, "=?base64?") && strings.HasSuffix(value, "?="))
	for _, c := range []byte(value) {
		plain = plain && c >= 0x20 && c <= 0x7e
	}
	if !plain {
		value = "=?base64?" + base64.StdEncoding.EncodeToString([]byte(value)) + "?="
	}
	h.Set(key, value)
}
