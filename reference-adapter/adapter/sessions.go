package adapter

import (
	"crypto/rand"
	"maps"
)

// remembers reports whether the adapter ties anything to the session that a client
// may have to refer to (spec 2.3.3).
func (a *Adapter) remembers() bool { return a.has(safetyLoop) || a.has(confirming) }

// identity is what the session is told apart by (spec 2.3.5).
func (s *session) identity() string {
	if s.id == "" {
		s.id = "session-" + rand.Text()
	}
	return s.id
}

// signed puts the identifier of the session into a failure, so that whoever reads
// its report knows which state it was about (spec 2.3.5).
func (c call) signed(e envelope) envelope {
	reason, failed := e["error"].(map[string]any)
	if !failed || !c.remembers() {
		return e
	}
	details, _ := reason["details"].(map[string]any)
	details = maps.Clone(details)
	if details == nil {
		details = map[string]any{}
	}
	details["session_id"] = c.session.identity()
	reason["details"] = details
	return e
}
