package probes

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// TranscriptVersion is the form of transcripts that this version writes and reads.
const TranscriptVersion = 1

// An Entry is one line of a transcript. Exactly one member beside Kind is set.
type Entry struct {
	Kind   string          `json:"kind"`             // head, hello, answer, rest or foot
	Head   json.RawMessage `json:"head,omitempty"`   // first line: what the run was told; the command's own form
	Hello  *HelloEntry     `json:"hello,omitempty"`  // a connection was opened
	Answer *AnswerEntry    `json:"answer,omitempty"` // what became of one probe
	Rest   *RestEntry      `json:"rest,omitempty"`   // what a connection said beside its answers
	Foot   json.RawMessage `json:"foot,omitempty"`   // last line: how the run ended; the command's own form
}

// A HelloEntry is the handshake of one connection.
type HelloEntry struct {
	Conn     string      `json:"conn"`
	Revision string      `json:"revision,omitempty"`
	Result   octets      `json:"result,omitempty"`
	Asked    *frameEntry `json:"asked,omitempty"`
	Answer   *frameEntry `json:"answer,omitempty"`
	Modern   bool        `json:"modern,omitempty"`
	SDKError string      `json:"sdkError,omitempty"`
	Session  string      `json:"session,omitempty"`
}

// An AnswerEntry is one probe and what became of it.
type AnswerEntry struct {
	Conn     string        `json:"conn"`
	Method   string        `json:"method,omitempty"` // empty: tools/call
	Content  octets        `json:"content,omitempty"`
	Form     string        `json:"form,omitempty"` // of the content: "" the params, "raw" params as given, "frame" a whole frame
	Call     octets        `json:"call,omitempty"` // with a form: tool and arguments that the content stands for
	Take     int           `json:"take,omitempty"`
	Class    wire.Class    `json:"class,omitempty"`
	Unasked  bool          `json:"unasked,omitempty"`
	Status   int           `json:"status,omitempty"`
	After    string        `json:"after,omitempty"`
	Exit     string        `json:"exit,omitempty"`
	Late     bool          `json:"late,omitempty"`
	Session  string        `json:"session,omitempty"`
	Elapsed  time.Duration `json:"elapsed,omitempty"` // nanoseconds
	Sent     *frameEntry   `json:"sent,omitempty"`
	Received *frameEntry   `json:"received,omitempty"`
}

// A RestEntry is a message of a connection that answered nothing; a reader takes several
// in one line as well.
type RestEntry struct {
	Conn   string        `json:"conn"`
	Strays []*frameEntry `json:"strays,omitempty"`
	News   []*frameEntry `json:"news,omitempty"`
}

type frameEntry struct {
	Seq  int            `json:"seq"`
	Conn string         `json:"conn"`
	At   time.Duration  `json:"at"` // nanoseconds since the run began
	Dir  wire.Direction `json:"dir"`
	Data octets         `json:"data,omitempty"`
	Note string         `json:"note,omitempty"`
	Size int            `json:"size"`
}

// octets are bytes from the wire: a JSON string where they are UTF-8, else an object
// with their base64 form.
type octets []byte

func (o octets) MarshalJSON() ([]byte, error) {
	if utf8.Valid(o) {
		return json.Marshal(string(o))
	}
	return json.Marshal(map[string][]byte{"base64": o})
}

func (o *octets) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		var text string
		err := json.Unmarshal(b, &text)
		*o = octets(text)
		return err
	}
	var coded struct {
		Base64 []byte `json:"base64"`
	}
	err := json.Unmarshal(b, &coded)
	*o = coded.Base64
	return err
}

func framed(f wire.Frame) *frameEntry {
	if f.Seq == 0 && f.Data == nil && f.Note == "" {
		return nil
	}
	return &frameEntry{f.Seq, f.Conn, f.At, f.Dir, f.Data, f.Note, f.Size}
}

func (f *frameEntry) frame() wire.Frame {
	if f == nil {
		return wire.Frame{}
	}
	return wire.Frame{Seq: f.Seq, Conn: f.Conn, At: f.At, Dir: f.Dir, Data: f.Data, Note: f.Note, Size: f.Size}
}

func framesOf(entries []*frameEntry) []wire.Frame {
	var all []wire.Frame
	for _, f := range entries {
		all = append(all, f.frame())
	}
	return all
}

// A Transcript is written line by line while a run goes on. Each line holds an entry
// and a link: the sha256 of the link before and the entry, so that no line can be
// changed, dropped, added or moved without breaking every link behind it.
type Transcript struct {
	mask func([]byte) []byte

	mu   sync.Mutex
	w    *bufio.Writer
	link string
	err  error
}

// line is one line of the file.
type line struct {
	Link  string          `json:"link"`
	Entry json.RawMessage `json:"entry"`
}

// NewTranscript writes to w. mask takes the secrets out of an entry before it is
// written; nil leaves all in.
func NewTranscript(w io.Writer, mask func([]byte) []byte) *Transcript {
	if mask == nil {
		mask = func(b []byte) []byte { return b }
	}
	return &Transcript{mask: mask, w: bufio.NewWriter(w)}
}

// Add appends one entry. What goes wrong is kept for Close.
func (t *Transcript) Add(e Entry) {
	raw, err := json.Marshal(e)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil && err != nil {
		t.err = err
	}
	if t.err != nil {
		return
	}
	raw = t.mask(raw)
	t.link = linked(t.link, raw)
	text, err := json.Marshal(line{t.link, raw})
	if err == nil {
		_, err = t.w.Write(append(text, '\n'))
	}
	if err == nil {
		err = t.w.Flush() // a run that crashes leaves all that it has seen
	}
	t.err = err
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
// whole, or the first thing that went wrong.
func (t *Transcript) Close() (digest string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.link, errors.Join(t.err, t.w.Flush())
}

// linked is the link of an entry that follows another.
func linked(before string, entry []byte) string {
	h := sha256.New()
	io.WriteString(h, before)
	h.Write(entry)
	return hex.EncodeToString(h.Sum(nil))
}

// maxLine bounds one line of a transcript that is read, in bytes: two frames of the
// greatest kept size in their longest form.
const maxLine = 64 << 20

// A TranscriptError says where a transcript cannot be believed.
type TranscriptError struct {
	Line    int // from 1
	Problem string
}

func (e *TranscriptError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// ReadTranscript reads and verifies a transcript and returns its entries and its
// digest. It fails with a *TranscriptError that names the first line that is not as
// it was written.
func ReadTranscript(r io.Reader) (entries []Entry, digest string, err error) {
	lines := bufio.NewReaderSize(r, 1<<20)
	for n := 1; ; n++ {
		text, err := readLong(lines)
		if errors.Is(err, io.EOF) && len(text) == 0 {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, "", &TranscriptError{n, err.Error()}
		}
		if errors.Is(err, io.EOF) {
			return nil, "", &TranscriptError{n, "the line is cut off"}
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, "", &TranscriptError{n, "no line of a transcript: " + err.Error()}
		}
		if digest = linked(digest, l.Entry); l.Link != digest {
			return nil, "", &TranscriptError{n, "the link does not fit: this line was changed, or one before it is missing or moved"}
		}
		e, err := entryOf(l.Entry)
		if err == nil {
			err = inPlace(n, e, entries)
		}
		if err != nil {
			return nil, "", &TranscriptError{n, err.Error()}
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		return nil, "", &TranscriptError{1, "the transcript is empty"}
	}
	if entries[len(entries)-1].Kind != "foot" {
		return nil, "", &TranscriptError{len(entries) + 1, "the end is missing: the run did not finish, or the file is cut off"}
	}
	return entries, digest, nil
}

func entryOf(raw []byte) (Entry, error) {
	var e Entry
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return e, fmt.Errorf("an entry that this version does not know: %w", err)
	}
	set := map[string]bool{"head": e.Head != nil, "hello": e.Hello != nil, "answer": e.Answer != nil, "rest": e.Rest != nil, "foot": e.Foot != nil}
	if !set[e.Kind] {
		return e, fmt.Errorf("an entry of kind %q without its content", e.Kind)
	}
	return e, nil
}

// inPlace holds the entries to their order: one head first, one foot last.
func inPlace(n int, e Entry, before []Entry) error {
	switch {
	case (n == 1) != (e.Kind == "head"):
		return errors.New("the head of a transcript is its first line, and no other")
	case n > 1 && before[len(before)-1].Kind == "foot":
		return errors.New("something stands behind the end")
	}
	return nil
}

func readLong(r *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(text)+len(part) > maxLine {
			return nil, fmt.Errorf("longer than %d bytes", maxLine)
		}
		text = append(text, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}
