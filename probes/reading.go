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

// nothing is the reading of what was never answered.
var nothing = &reading{}

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

// frames are the bytes of an exchange.
type frames struct {
	payload, sent, received []byte // payload is nil where the probe has it
}

// An exchange is what was asked and what came back: the bytes, and once somebody has
// looked what they say.
type exchange struct {
	*frames
	answer func() *reading       // nil when it is no JSON object
	args   func() map[string]any // of the payload, where that is a call
}

func newExchange(f *frames, call bool) *exchange {
	return &exchange{
		frames: f,
		answer: sync.OnceValue(func() *reading { return readingOf(f.received, call) }),
		args:   sync.OnceValue(func() map[string]any { _, args := readCall(f.payload); return args }),
	}
}

// readCall reads the tool and the arguments of the params of a call.
func readCall(params []byte) (tool string, args map[string]any) {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	r.begin(params)
	defer r.begin(nil)
	said, _ := r.plain() // written by us, or empty
	call, _ := said.(map[string]any)
	tool, _ = call["name"].(string)
	args, _ = call["arguments"].(map[string]any)
	return tool, args
}

// A taker has the exchange of an observation.
type taker interface {
	take() *exchange
	asked() []byte          // the payload
	called() map[string]any // its arguments
	named() string          // the operation that the probe names; empty where the payload has to say
}

// A shelf holds one exchange. What it says is there for good, or until the memory is
// needed; its bytes are in memory or, in a long run, in the store.
type shelf struct {
	mu   sync.Mutex
	kept *exchange
	lent weak.Pointer[exchange]
	call bool // the method is tools/call

	operation string // that the probe names, which is asked for most often; empty where the payload has to say

	held                    *frames // nil when they are in the store
	in                      *store
	at                      int64
	payload, sent, received int32 // bytes, in this order
}

func (s *shelf) named() string { return s.operation }

// take returns the exchange, made again if need be.
func (s *shelf) take() *exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept != nil {
		return s.kept
	}
	x := s.lent.Value()
	if x == nil {
		x = newExchange(s.frames(), s.call)
		s.lent = weak.Make(x)
	}
	return x
}

func (s *shelf) asked() []byte { return s.take().payload }

func (s *shelf) called() map[string]any { return s.take().args() }

func (s *shelf) frames() *frames {
	if s.held != nil {
		return s.held
	}
	return framesIn(s.in, s.at, s.payload, s.sent, s.received)
}

// framesIn reads the bytes of an exchange from the store.
func framesIn(in *store, at int64, payload, sent, received int32) *frames {
	apart := in.read(at, int(payload)) // findings hold on to the frames
	if received > largeAnswer {        // who holds on to the request does not want the answer
		request := in.read(at+int64(payload), int(sent))
		return &frames{part(apart, payload), part(request, sent), part(in.read(at+int64(payload)+int64(sent), int(received)), received)}
	}
	b := in.read(at+int64(payload), int(sent)+int(received))
	return &frames{part(apart, payload), part(b, sent), part(b[sent:], received)}
}

// part returns the first n bytes of b; nil, as for what never came, when there are none.
func part(b []byte, n int32) []byte {
	if n == 0 {
		return nil
	}
	return b[:n:n]
}

// release lets the memory of the reading go when nobody looks at it.
func (s *shelf) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lent, s.kept = weak.Make(s.kept), nil
}

// put lays the bytes into the store; where that fails they stay in memory.
func (s *shelf) put(in *store) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.held
	if at, ok := in.write(f.payload, f.sent, f.received); ok {
		s.in, s.at, s.held = in, at, nil
		s.payload, s.sent, s.received = int32(len(f.payload)), int32(len(f.sent)), int32(len(f.received))
	}
}

// Pin returns what keeps the exchange of the observation in memory as long as it is
// held: for those who look at one observation again and again.
func (o Observation) Pin() any { return o.exchange() }

// unsent is the exchange of what was never sent.
var unsent = newExchange(&frames{}, false)

func (o Observation) exchange() *exchange {
	if o.shelf == nil {
		return unsent
	}
	return o.shelf.take()
}

func (o Observation) reading() *reading {
	if o.readable {
		if r := o.exchange().answer(); r != nil {
			return r
		}
	}
	return nothing
}

// SentData returns the bytes of the request frame; nil when none was sent.
func (o Observation) SentData() []byte { return o.exchange().sent }

// ReceivedData returns the bytes of the answer frame; nil when none came.
func (o Observation) ReceivedData() []byte { return o.exchange().received }
