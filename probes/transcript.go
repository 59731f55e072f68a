package probes

import (
	"encoding/json"
	"time"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// TranscriptVersion is the form of transcripts that this version writes and reads.
const TranscriptVersion = 1

// An Entry is one line of a transcript. Exactly one member beside Kind is set.
type Entry struct {
	Kind   string          `json:"kind"`             // the name of the member that is set
	Head   json.RawMessage `json:"head,omitempty"`   // first line: what the run was told; the command's own form
	Plan   json.RawMessage `json:"plan,omitempty"`   // what is going to be judged, for a reader; the command's own form
	Hello  *HelloEntry     `json:"hello,omitempty"`  // a connection was opened
	Answer *AnswerEntry    `json:"answer,omitempty"` // what became of one probe
	Rest   *RestEntry      `json:"rest,omitempty"`   // what a connection said beside its answers
	Event  *frameEntry     `json:"event,omitempty"`  // what happened to a connection or its process, for a reader
	Again  *AgainEntry     `json:"again,omitempty"`  // the same is judged once more: what follows is of the next run
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

// An AgainEntry begins the next of several runs of one transcript.
type AgainEntry struct {
	Run int `json:"run"` // from 2
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
