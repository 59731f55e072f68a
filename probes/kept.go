package probes

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
	"weak"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// A Kept is an observation as the engine stores it. A packed one takes a third of the memory
// of an Observation and has few pointers, which makes garbage collection cheaper.
type Kept struct {
	whole *whole // nil when it is packed

	form                    *form   // nil when it is not packed
	step                    *string // of the probe; without a form, the name of what there was no time for
	at                      int64   // where the bytes are in the store of the form
	sentAt, receivedAt      time.Duration
	number                  int32 // of the probe
	payload, sent, received int32 // bytes, in this order
	sentSeq, receivedSeq    int32
}

// A whole is an observation as it came.
type whole struct {
	Observation
	key   string        // of the probe, as it was asked; empty where the probe has to say
	done  chan struct{} // closed when the observation is there
	plain bool          // question and answer were searched for secrets, in vain
}

// A form holds the parts that are equal in many observations.
type form struct {
	alike
	in *store
}

type alike struct {
	head                   string // of the key
	conn, tool, operation  string
	outcome                Outcome
	status                 int
	sentNote, receivedNote string
	sentMore, receivedMore int // bytes on the wire that are not kept, such as the end of a line
	readable, plain        bool
}

// forms holds each form once.
type forms struct {
	of    map[alike]*form
	steps map[string]*string
}

// Keep returns the observation in the form in which it is kept.
func Keep(o Observation) *Kept {
	if o.held != nil {
		return o.held
	}
	return &Kept{whole: &whole{Observation: o}}
}

// Observation returns the observation.
func (k *Kept) Observation() Observation {
	switch {
	case k.whole != nil:
		return k.whole.Observation
	case k.form == nil:
		o := overtime(*k.step, int(k.number))
		o.held = k
		return o
	}
	f := k.form
	return Observation{
		Probe:    Probe{Conn: f.conn, Tool: f.tool, Step: *k.step, Number: int(k.number), told: k},
		Outcome:  f.outcome,
		Sent:     Trace{int(k.sentSeq), k.sentAt, wire.Sent, f.sentNote, int(k.sent) + f.sentMore},
		Received: Trace{int(k.receivedSeq), k.receivedAt, wire.Received, f.receivedNote, int(k.received) + f.receivedMore},
		Status:   f.status,
		Elapsed:  k.receivedAt - k.sentAt,
		readable: f.readable,
		shelf:    k,
		held:     k,
	}
}

// Key is the key of the probe as it was asked. The probe of the observation need not have
// it any more: what a report may not show is masked in it.
func (k *Kept) Key() string {
	switch {
	case k.form != nil:
		return string(Probe{Conn: k.form.conn, Number: int(k.number)}.appendKey(nil, k.asked()))
	case k.whole == nil:
		return overtimeProbe(*k.step, int(k.number)).Key()
	case k.whole.key == "":
		return k.whole.Probe.Key()
	}
	return k.whole.key
}

// Plain reports whether the answer holds no word about confirmations, and no escape that could
// hide one, and neither it nor the question a credential. It was searched as it came, so that nobody
// has to read it again.
func (k *Kept) Plain() bool {
	if k.form != nil {
		return k.form.plain
	}
	return k.whole != nil && k.whole.plain
}

func mentionsSecrets(answer []byte) bool {
	return MayContain(answer, "confirm") || MayContain(answer, "CONFIRM") || len(wire.Credentials(answer)) > 0
}

// MayContain reports whether JSON may contain a word of ASCII, at any depth of texts that hold JSON: it
// stands there, or an escape may encode a part of it.
func MayContain(raw []byte, word string) bool { return bytes.Contains(raw, []byte(word)) || hides(raw) }

// hides reports whether an escape encodes a character that may stand in a word of ASCII or begin a further
// escape. Control characters, <, > and &, which many encoders escape, and characters beyond ASCII do neither.
func hides(raw []byte) bool {
	for {
		at := bytes.Index(raw, []byte(`\u`))
		if at < 0 {
			return false
		}
		raw = raw[at+2:]
		code, err := strconv.ParseUint(string(raw[:min(4, len(raw))]), 16, 16)
		if len(raw) < 4 || err != nil || code > ' ' && code < utf8.RuneSelf && !strings.ContainsRune("<>&", rune(code)) {
			return true
		}
	}
}

// Step is the name of the request, as it was first asked.
func (k *Kept) Step() string {
	if k.form == nil {
		return k.Observation().Probe.Step
	}
	return *k.step
}

// Seq is the position of the request in the record; 0 when none was sent.
func (k *Kept) Seq() int {
	if k.whole != nil {
		return k.whole.Sent.Seq
	}
	return int(k.sentSeq)
}

// keep takes the observation over as it is.
func (k *Kept) keep(o Observation) {
	k.whole.Observation = o
	k.whole.held = k
}

// pack replaces the observation by its parts. It does nothing if the Kept has no room for a
// part, or if the bytes are not in the store. The key goes too: the bytes say it.
func (k *Kept) pack(in *forms) {
	o := k.whole
	s, shelved := o.shelf.(*shelf)
	if !shelved || s.held != nil || o.Probe.told != taker(s) || !packable(o.Observation) {
		return
	}
	k.form = in.find(alike{headOf(o.key), o.Probe.Conn, o.Probe.Tool, s.operation, o.Outcome, o.Status, o.Sent.Note, o.Received.Note,
		o.Sent.Size - int(s.sent), o.Received.Size - int(s.received), o.readable, o.plain}, s.in)
	k.step = in.step(o.Probe.Step)
	k.at, k.payload, k.sent, k.received = s.at, s.payload, s.sent, s.received
	k.number = int32(o.Probe.Number)
	k.sentSeq, k.receivedSeq = int32(o.Sent.Seq), int32(o.Received.Seq)
	k.sentAt, k.receivedAt = o.Sent.At, o.Received.At
	k.whole = nil
	if x := s.lent.Value(); x != nil {
		s.in.lent.lend(k, x)
	}
}

// packable reports whether a Kept has room for every part of the observation.
func packable(o Observation) bool {
	p := o.Probe
	plain := p.Method == "" && p.Frame == nil && p.args == nil && p.raw == nil && !p.given && p.Within == 0 && !p.AtOnce && !p.Stale
	usual := o.Sent.Dir == wire.Sent && o.Received.Dir == wire.Received && o.After == "" && o.Exit == "" && o.Session == "" && o.Cured == "" && o.Identity == "" && !o.Late
	fits := max(o.Sent.Seq, o.Received.Seq, o.Sent.Size, o.Received.Size, o.Probe.Number, -o.Probe.Number) <= math.MaxInt32
	return plain && usual && fits && o.Elapsed == o.Received.At-o.Sent.At
}

func (f *forms) find(a alike, in *store) *form {
	if f.of == nil {
		f.of = map[alike]*form{}
	}
	if f.of[a] == nil {
		a.head = strings.Clone(a.head) // without the rest of the key
		f.of[a] = &form{alike: a, in: in}
	}
	return f.of[a]
}

func (f *forms) step(name string) *string {
	if f.steps == nil {
		f.steps = map[string]*string{}
	}
	if f.steps[name] == nil {
		f.steps[name] = &name
	}
	return f.steps[name]
}

// take returns the exchange, made again if need be.
func (k *Kept) take() *exchange {
	in := k.form.in
	if x := in.lent.of(k); x != nil {
		return x
	}
	return in.lent.lend(k, newExchange(framesIn(in, k.at, k.payload, k.sent, k.received), true))
}

// asked returns the payload, which is in the store if nobody has the exchange.
func (k *Kept) asked() []byte {
	if x := k.form.in.lent.of(k); x != nil {
		return x.payload
	}
	return k.form.in.read(k.at, int(k.payload))
}

// called returns the arguments that were asked with. A large answer is not read for them.
func (k *Kept) called() map[string]any {
	if k.received > largeAnswer && k.form.in.lent.of(k) == nil {
		_, args := readCall(k.asked())
		return args
	}
	return k.take().args()
}

func (k *Kept) named() string { return k.form.operation }

// lent holds the exchanges that were made again for packed observations, as long as somebody has
// them. A weak pointer in each observation would take a fifth of its memory, for good.
type lent struct {
	mu      sync.Mutex
	to      map[*Kept]weak.Pointer[exchange]
	sweepAt int // length of to
}

// latest is the last large exchange that was made again: it is made once while one looks at it again
// and again. There is one, however many engines there are, because each takes several megabytes.
var latest atomic.Pointer[exchange]

// leastSwept is the length from which on it is worth looking for exchanges that are gone.
const leastSwept = 1 << 10

// of returns the exchange of the observation; nil if nobody has it.
func (l *lent) of(k *Kept) *exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to[k].Value()
}

// lend returns the exchange that those who ask later get as well: x, unless there is one already.
func (l *lent) lend(k *Kept, x *exchange) *exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	if other := l.to[k].Value(); other != nil {
		return other
	}
	if len(l.to) >= l.sweepAt {
		for k, p := range l.to {
			if p.Value() == nil {
				delete(l.to, k)
			}
		}
		l.sweepAt = max(leastSwept, 2*len(l.to))
	}
	if len(x.received) > largeAnswer {
		latest.Store(x)
	}
	if l.to == nil {
		l.to = map[*Kept]weak.Pointer[exchange]{}
	}
	l.to[k] = weak.Make(x)
	return x
}
