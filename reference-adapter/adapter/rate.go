package adapter

import (
	"fmt"
	"time"
)

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
