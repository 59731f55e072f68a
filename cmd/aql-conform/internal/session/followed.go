package session

import (
	"net/url"
	"path/filepath"

	"github.com/aql-conform/aql-conform/probes"
)

// Name is the adapter without what may be secret: the host of its address, or its program.
func (o *Order) Name() string {
	if u, err := url.Parse(o.Main.URL); o.Main.URL != "" && err == nil {
		return o.withoutSecrets(u.Scheme + "://" + u.Host)
	}
	if len(o.Main.Command) == 0 {
		return ""
	}
	return o.withoutSecrets(filepath.Base(o.Main.Command[0]))
}

// begin tells who follows the run that a phase begins.
func (o *Order) begin(phase string) {
	if o.OnPhase != nil {
		o.OnPhase(phase)
	}
}

// follow lets whoever wants to know see the answers. finish has to be called at the end.
func (s *Session) follow() (finish func()) {
	if s.trace == nil {
		s.engine.OnAnswered(s.OnAnswered)
		return func() {}
	}
	t := newTrace(s.trace, s.masks, s.open, s.lag())
	s.engine.OnAnswered(func(o probes.Observation) {
		t.show(o)
		if s.OnAnswered != nil {
			s.OnAnswered(o)
		}
	})
	return t.flush
}
