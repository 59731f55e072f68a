package adapter

import (
	"crypto/rand"
	"fmt"
	"maps"
	"time"
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

// limited answers a call beyond the rate that a session may ask at, nil for one
// within it (operations 8.3).
func (a *Adapter) limited(s *Session) Envelope {
	if a.rate == 0 {
		return nil
	}
	now := a.Clock()
	if now.Sub(s.minute) >= time.Minute {
		s.minute, s.asked = now, 0
	}
	s.asked++
	if s.asked <= a.rate {
		return nil
	}
	return Failure("RATE_LIMIT_EXCEEDED", fmt.Sprintf("More than %d calls in a minute; wait and try again", a.rate),
		map[string]any{"retry_after_seconds": 60})
}
