package probes

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// A Transcript is written line by line while a run goes on. Each line holds an entry
// and a link: the sha256 of the link before and the entry, so that no line can be
// changed, dropped, added or moved without breaking every link behind it.
type Transcript struct {
	mask func([]byte) []byte

	mu      sync.Mutex
	w       io.Writer
	link    string
	err     error
	holds   bool
	held    [][]byte
	closed  bool
	events  atomic.Int64
	veiling Veiling
	written int             // lines so far
	bare    map[int]span    // the entries of lines that a veil lies over, as they were
	kept    store           // of those
	own     map[string]bool // what looks like a credential and was first said by us
	told    map[string]bool // what looks like one and was first said by the adapter; so many of them
	named   bool            // some are exchanged only behind their names: numbers, and those beyond the bound
}

// maxEvents bounds the events of a transcript: a flood of them shows nothing that the
// first do not.
const maxEvents = 1 << 14

// line is one line of the file.
type line struct {
	Link  string         `json:"link"`
	Entry jsontext.Value `json:"entry"`
}

// NewTranscript writes to w, each line in one piece: a run that crashes leaves all that
// it has seen. mask takes the secrets out of an entry before it is written; nil leaves
// all in.
func NewTranscript(w io.Writer, mask func([]byte) []byte) *Transcript {
	if mask == nil {
		mask = func(b []byte) []byte { return b }
	}
	return &Transcript{mask: mask, w: w}
}

// Add appends one entry. What goes wrong is kept for Close.
func (t *Transcript) Add(e Entry) {
	raw, err := json.Marshal(e, formed)
	t.learn(e)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed: // what a dying process still says
	case err != nil:
		t.err = errors.Join(t.err, err)
	default:
		t.held = append(t.held, raw)
		t.release(t.veiling.Lag)
	}
}

// Copy appends an entry as it was written before.
func (t *Transcript) Copy(raw []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.append(raw)
}

// Hold keeps what is added until Release: what is secret may not be known yet.
func (t *Transcript) Hold() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.holds = true
}

// Release writes what was held.
func (t *Transcript) Release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.holds = false
	t.release(t.veiling.Lag)
}

// Flush writes all that was added and returns the first thing that went wrong.
func (t *Transcript) Flush() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.holds = false
	t.release(0)
	return t.err
}

// release writes what is held, but for so many of the last entries.
func (t *Transcript) release(lag int) {
	for !t.holds && len(t.held) > lag {
		t.append(t.held[0])
		t.held[0], t.held = nil, t.held[1:]
	}
}

func (t *Transcript) append(raw []byte) {
	if t.err != nil {
		return
	}
	raw = t.veiled(t.mask(raw))
	t.written++
	t.link = linked(t.link, raw)
	if !jsontext.Value(raw).IsValid() {
		t.err = errors.New("an entry is no JSON once its secrets are masked")
		return
	}
	// As it is, to the byte: the link is of these.
	parts := [][]byte{[]byte(`{"link":"` + t.link + `","entry":`), raw, []byte("}\n")}
	if len(raw) < longEntry {
		parts = [][]byte{slices.Concat(parts...)}
	}
	for _, part := range parts {
		if t.err == nil {
			_, t.err = t.w.Write(part)
		}
	}
}

// longEntry is the size in bytes from which on an entry is not copied to be written in one piece.
const longEntry = 1 << 20

// event appends what happened to a connection.
func (t *Transcript) event(f Frame) {
	if f.Dir == wire.Event && t.events.Add(1) <= maxEvents {
		t.Add(Entry{Kind: "event", Event: framed(f)})
	}
}

// rest appends what a connection said beside its answers, a line for each message: all
// together they may be longer than any line that is read.
func (t *Transcript) rest(conn string, strays, news []Frame) {
	for _, f := range strays {
		t.Add(Entry{Kind: "rest", Rest: &RestEntry{Conn: conn, Strays: []*frameEntry{framed(f)}}})
	}
	for _, f := range news {
		t.Add(Entry{Kind: "rest", Rest: &RestEntry{Conn: conn, News: []*frameEntry{framed(f)}}})
	}
}

// Close writes what is left and returns the link of the last line, the digest of the
// whole, or the first thing that went wrong. What is added later is lost.
func (t *Transcript) Close() (digest string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.holds = false
	t.release(0)
	t.closed = true
	return t.link, t.err
}

// linked is the link of an entry that follows another.
func linked(before string, entry []byte) string {
	h := sha256.New()
	io.WriteString(h, before)
	h.Write(entry)
	return hex.EncodeToString(h.Sum(nil))
}
