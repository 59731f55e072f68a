package probes

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// late reports whether an exchange broke because an earlier one had ended the
// adapter: over HTTP all connections of a face lead to one process, which takes
// requests for a moment longer.
func (e *Engine) late(conn string, class wire.Class) bool {
	face, _, _ := strings.Cut(conn, "/")
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.targets[face].URL == "" {
		return false
	}
	was := e.down[face]
	switch class {
	case wire.Gone:
		e.down[face] = true
	case wire.Answered, wire.Rejected:
		e.down[face] = false
	}
	return was && class == wire.Gone
}

// taxonomy are the prefixes of codes that speak of the request, of the caller, or of a limit.
var taxonomy = []string{"VALIDATION_", "NOT_FOUND_", "CONFLICT_", "PERMISSION_", "RATE_LIMIT_", "CONFIRMATION_", "TOKEN_", "AUTH_", "TRANSPORT_"}

// unknownCode reports whether a code speaks of none of these.
func unknownCode(code string) bool {
	return code != "" && !slices.ContainsFunc(taxonomy, func(prefix string) bool { return strings.HasPrefix(code, prefix) })
}

// unknownInBatch is the first such code among the results of a batch.
func (o Observation) unknownInBatch() string {
	for _, item := range o.Envelope().At("results").Items() {
		if code := item.At("result", "error", "code").Text(); unknownCode(code) {
			return code
		}
	}
	return ""
}

// MayPass is the error that a second request may not meet: a transient one, one with a code that
// nobody can tell to be about the request, or no answer at all. It is empty for any other answer.
func (o Observation) MayPass() string {
	code := o.Code()
	switch rpc, _ := o.RPCError().At("code").Float(); {
	case o.Transient() != "":
		return o.Transient()
	case o.Refused() && unknownCode(code):
		return code
	case o.unknownInBatch() != "":
		return o.unknownInBatch() + " in a batch"
	case o.Outcome == RPCError && rpc <= -32000 && rpc >= -32099: // the range that JSON-RPC leaves to servers
		return "JSON-RPC error " + o.RPCError().At("code").String()
	case o.Outcome == HTTPReject && o.Status == 500:
		return "HTTP status 500"
	case o.Outcome == Silent:
		return "no answer"
	case o.HungUp():
		return o.Exit
	}
	return ""
}
