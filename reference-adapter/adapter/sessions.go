package adapter

import (
	"crypto/rand"
	"maps"
)

// remembers reports whether the adapter ties anything to the session that a client
// may have to refer to (spec 2.3.3).
func (a *Adapter) remembers() bool { return a.Has(SafetyLoop) || a.Has(Confirming) }

// Identity is what the session is told apart by (spec 2.3.5).
func (s *Session) Identity() string {
	if s.id == "" {
		s.id = "session-" + rand.Text()
	}
	return s.id
}

// signed puts the identifier of the session into a failure, so that whoever reads
// its report knows which state it was about (spec 2.3.5).
func (c Call) signed(e Envelope) Envelope {
	reason, failed := e["error"].(map[string]any)
	if !failed || !c.remembers() {
		return e
	}
	details, _ := reason["details"].(map[string]any)
	details = maps.Clone(details)
	if details == nil {
		details = map[string]any{}
	}
	details["session_id"] = c.Session.Identity()
	reason["details"] = details
	return e
}
