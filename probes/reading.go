package probes

import (
	"sync"
	"weak"
)

// A reading is what an answer says, once it has been taken apart. That takes many
// times the memory of its bytes, so of a long run only some readings are kept, and
// the others made again from the bytes when they are asked for.
type reading struct {
	message  Value
	envelope Value
	carrier  Carrier
}

// readingOf takes the bytes of an answer apart; nil when they are no JSON object.
func readingOf(data []byte, call bool) *reading {
	message, _, err := parsePrefix(data)
	if err != nil || !message.Is(Object) {
		return nil
	}
	r := &reading{message: message}
	if result := message.At("result"); call && result.Is(Object) && !message.At("error").Is(Object) {
		r.envelope, r.carrier = findEnvelope(result)
	}
	return r
}

// A shelf holds the reading of one observation: for good, or until the memory is
// needed.
type shelf struct {
	mu   sync.Mutex
	kept *reading
	lent weak.Pointer[reading]
}

// Pin returns what keeps the reading of the observation in memory as long as it is
// held: for those who look at one observation again and again.
func (o Observation) Pin() any { return o.reading() }

// nothing is the reading of what was never answered.
var nothing = &reading{}

func (o Observation) reading() *reading {
	if o.shelf == nil {
		return nothing
	}
	s := o.shelf
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil {
		return s.kept
	}
	r := s.lent.Value()
	if r == nil {
		r = readingOf(o.Received.Data, o.Probe.method() == "tools/call")
		s.lent = weak.Make(r)
	}
	return r
}

// release lets the memory of the reading go when nobody looks at it.
func (o Observation) release() {
	if o.shelf != nil {
		o.shelf.mu.Lock()
		o.shelf.lent, o.shelf.kept = weak.Make(o.shelf.kept), nil
		o.shelf.mu.Unlock()
	}
}
