package probes

import (
	"bytes"
	"encoding/json"
	"iter"
	"runtime"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// Transcribe writes down in t what is asked from now on: every handshake, every answer,
// what happens to the connections, and when the engine closes what each said beside.
func (e *Engine) Transcribe(t *Transcript) {
	e.transcript = t
	e.rec.OnFrame(t.event)
}

// written is an observation as it stands in a transcript, without the secrets that
// the request may hold; its frames have lost theirs already.
func written(o Observation, mask func([]byte) []byte) *AnswerEntry {
	p := o.Probe
	a := &AnswerEntry{
		Conn: p.Conn, Method: p.Method, Content: octets(p.params()), Take: p.Number, Step: p.Step,
		Status: o.Status, After: o.After, Exit: o.Exit, Late: o.Late, Cured: o.Cured, Identity: o.Identity, Session: o.Session, Elapsed: int64(o.Elapsed),
		Sent: framed(o.Sent.frame(p.Conn, o.SentData())), Received: framed(o.Received.frame(p.Conn, o.ReceivedData())),
	}
	switch {
	case p.Frame != nil:
		a.Content, a.Form = octets(p.Frame), "frame"
	case p.Method == "" && p.Raw() != nil:
		a.Form = "raw"
	}
	if a.Form != "" && p.Args() != nil { // the content need not be such a call
		a.Call = octets(mask(ValueOf(map[string]any{"name": p.Tool, "arguments": p.Args()}).Raw()))
	} else if a.Form != "" {
		a.Call = octets(ValueOf(map[string]any{"name": p.Tool}).Raw())
	}
	a.Content = mask(a.Content)
	a.Class = classes[o.Outcome]
	if o.readable { // a message with our id, whatever else is wrong with it
		a.Class = wire.Answered
	}
	a.Unasked = o.Outcome == Unasked
	return a
}

// Shown returns the observation as the transcript gives it back: a judge must not see
// what a report may not show, and sees the same in a live run and a recorded one. The
// question in it is for reading; what is asked again is asked with the original.
func (e *Engine) Shown(o Observation) Observation {
	if !e.rec.Masks() {
		return o
	}
	if asked := o.Probe.Payload(); bytes.Equal(e.rec.Mask(asked), asked) {
		return o
	}
	return written(o, e.rec.Mask).observation()
}

// classes are how the exchanges of an outcome ended. What was answered is read again.
var classes = map[Outcome]wire.Class{
	Success: wire.Answered, Failure: wire.Answered, Result: wire.Answered, ToolText: wire.Answered, RPCError: wire.Answered,
	HTTPReject: wire.Rejected, Silent: wire.Silent, Gone: wire.Gone, Garbled: wire.Garbled,
}

// observation reads an entry back.
func (a *AnswerEntry) observation() Observation {
	p := a.probe()
	if a.Unasked {
		return Observation{Probe: p, Outcome: Unasked, Exit: a.Exit}
	}
	o := Classify(p, wire.Reply{
		Class: a.Class, Status: a.Status, After: a.After, Sent: a.Sent.frame(), Received: a.Received.frame(), Exit: a.Exit, Elapsed: time.Duration(a.Elapsed),
	})
	o.Late, o.Cured, o.Identity, o.Session = a.Late, a.Cured, a.Identity, a.Session
	return o
}

func (a *AnswerEntry) probe() Probe {
	p := Probe{Conn: a.Conn, Method: a.Method, Number: a.Take, Step: a.Step}
	call := a.Call
	switch {
	case a.Form == "frame":
		p.Frame = a.Content
	case a.Form == "raw" || a.Method != "":
		if a.Content != nil {
			p.raw = json.RawMessage(a.Content)
		}
	default:
		call = a.Content
	}
	p.Tool, p.args = readCall(call)
	return p
}

// key is the key of the probe that was asked: its bytes as they were, which parsing
// and printing them once more need not give.
func (a *AnswerEntry) key() string {
	p := Probe{Conn: a.Conn, Method: a.Method, Number: a.Take, Step: a.Step}
	if a.Form == "frame" {
		p.Frame = a.Content
		return p.Key()
	}
	return string(p.appendKey(nil, a.Content))
}

// Recall fills a new engine with what a transcript holds. It asks nobody: a probe
// that is not in the transcript is Unasked. It returns the names of the faces that
// were connected to.
func (e *Engine) Recall(entries []Entry) (faces []string) {
	e.recalled = &recalled{hellos: map[string]wire.Hello{}, strays: map[string][]Frame{}, news: map[string][]Frame{}}
	for some := range chunks(entries) {
		cells := make([]*Kept, len(some))
		keys := make([]digest, len(some))
		SideBySide(len(some), runtime.GOMAXPROCS(0), func(i int) {
			if a := some[i].Answer; a != nil {
				key := a.key()
				keys[i], cells[i] = digestOf([]byte(key)), &Kept{whole: &whole{key: key, done: settled}}
				cells[i].keep(a.observation())
			}
		})
		for i, entry := range some {
			switch {
			case entry.Hello != nil:
				h := entry.Hello
				if _, again := e.recalled.hellos[h.Conn]; !again {
					faces = append(faces, h.Conn)
				}
				e.recalled.hellos[h.Conn] = h.Greeting()
			case entry.Answer != nil:
				c := e.room.cell(keys[i])
				c.whole = cells[i].whole
				c.whole.held = c
				if e.shelve(c, entry.Answer.Content) {
					c.pack(&e.forms)
				}
				e.arrived = append(e.arrived, c)
				if !entry.Answer.Unasked {
					e.asked++
				}
			case entry.Rest != nil:
				r := entry.Rest
				e.recalled.strays[r.Conn] = append(e.recalled.strays[r.Conn], framesOf(r.Strays)...)
				e.recalled.news[r.Conn] = append(e.recalled.news[r.Conn], framesOf(r.News)...)
			}
		}
	}
	return faces
}

// How many entries are read before what they say is shelved, and how many bytes of answers.
const (
	recalledAtOnce = 64
	recalledBytes  = 1 << 20
)

// chunks divides entries into those that are read at once.
func chunks(entries []Entry) iter.Seq[[]Entry] {
	return func(yield func([]Entry) bool) {
		for len(entries) > 0 {
			n := 0
			for size := 0; n < min(len(entries), recalledAtOnce) && size <= recalledBytes; n++ {
				size += entries[n].size()
			}
			if !yield(entries[:n]) {
				return
			}
			entries = entries[n:]
		}
	}
}

func (e Entry) size() int {
	if e.Answer == nil || e.Answer.Received == nil {
		return 0
	}
	return max(len(e.Answer.Received.Data), int(e.Answer.Received.aside.n))
}

// An Attic is where large answers of a transcript lie until they are judged.
type Attic struct{ store store }

// Take puts the answer of an entry away where it is large.
func (a *Attic) Take(e Entry) {
	if e.Answer == nil || e.Answer.Received == nil || len(e.Answer.Received.Data) <= largeAnswer {
		return
	}
	f := e.Answer.Received
	if at, ok := a.store.write(f.Data); ok {
		f.aside, f.Data = aside{&a.store, at, int32(len(f.Data))}, nil
	}
}

// aside is where the data of a frame lies; in is nil when the frame has them.
type aside struct {
	in *store
	at int64
	n  int32
}

// Recalled reports whether the engine only remembers.
func (e *Engine) Recalled() bool { return e.recalled != nil }

// recallSpent notes that the run itself kept a request back.
func (e *Engine) recallSpent(o Observation) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if o.Beyond() {
		e.budget.spent = o.Exit
	}
}

// recalled is what a transcript holds beside answers.
type recalled struct {
	hellos       map[string]wire.Hello
	strays, news map[string][]Frame
}

// Greeting is the handshake as the connection told of it.
func (h *HelloEntry) Greeting() wire.Hello {
	return wire.Hello{
		Revision: h.Revision, Asked: h.Asked.frame(), Answer: h.Answer.frame(),
		Modern: h.Modern, SDKError: h.SDKError, Session: h.Session,
	}
}

func helloEntry(name string, h wire.Hello) *HelloEntry {
	return &HelloEntry{
		Conn: name, Revision: h.Revision, Asked: framed(h.Asked), Answer: framed(h.Answer),
		Modern: h.Modern, SDKError: h.SDKError, Session: h.Session,
	}
}
