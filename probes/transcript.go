package probes

import (
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// TranscriptVersion is the form of transcripts that this program writes. It reads the earlier ones
// too: version 1 has no names of steps, and StepNumber knows the numbers it had instead.
const TranscriptVersion = 2

// An Entry is one line of a transcript. Exactly one member beside Kind is set.
type Entry struct {
	Kind   string         `json:"kind"`            // the name of the member that is set
	Head   jsontext.Value `json:"head,omitzero"`   // first line: what the run was told; the command's own form
	Plan   jsontext.Value `json:"plan,omitzero"`   // what is going to be judged, for a reader; the command's own form
	Hello  *HelloEntry    `json:"hello,omitzero"`  // a connection was opened
	Answer *AnswerEntry   `json:"answer,omitzero"` // what became of one probe
	Rest   *RestEntry     `json:"rest,omitzero"`   // what a connection said beside its answers
	Event  *frameEntry    `json:"event,omitzero"`  // what happened to a connection or its process, for a reader
	Again  *AgainEntry    `json:"again,omitzero"`  // the same is judged once more: what follows is of the next run
	Foot   jsontext.Value `json:"foot,omitzero"`   // last line: how the run ended; the command's own form
}

// A HelloEntry is the handshake of one connection.
type HelloEntry struct {
	Conn     string      `json:"conn"`
	Revision string      `json:"revision,omitempty"`
	Asked    *frameEntry `json:"asked,omitzero"`
	Answer   *frameEntry `json:"answer,omitzero"`
	Modern   bool        `json:"modern,omitzero"`
	SDKError string      `json:"sdkError,omitempty"`
	Session  string      `json:"session,omitempty"`
}

// An AnswerEntry is one probe and what became of it.
type AnswerEntry struct {
	Conn     string      `json:"conn"`
	Method   string      `json:"method,omitempty"` // empty: tools/call
	Content  octets      `json:"content,omitempty"`
	Form     string      `json:"form,omitempty"` // of the content: "" the params, "raw" params as given, "frame" a whole frame
	Call     octets      `json:"call,omitempty"` // with a form: tool and arguments that the content stands for
	Take     int         `json:"take,omitzero"`  // number of the request
	Step     string      `json:"step,omitempty"` // name of the request in its script; from version 2
	Class    wire.Class  `json:"class,omitempty"`
	Unasked  bool        `json:"unasked,omitzero"`
	Status   int         `json:"status,omitzero"`
	After    string      `json:"after,omitempty"`
	Exit     string      `json:"exit,omitempty"`
	Late     bool        `json:"late,omitzero"`
	Cured    string      `json:"cured,omitempty"`
	Identity string      `json:"identity,omitempty"`
	Session  string      `json:"session,omitempty"`
	Elapsed  int64       `json:"elapsed,omitzero"` // nanoseconds
	Sent     *frameEntry `json:"sent,omitzero"`
	Received *frameEntry `json:"received,omitzero"`
}

// A RestEntry is a message of a connection that answered nothing; a reader takes several
// in one line as well.
type RestEntry struct {
	Conn   string        `json:"conn"`
	Strays []*frameEntry `json:"strays,omitzero"`
	News   []*frameEntry `json:"news,omitzero"`
}

// An AgainEntry begins the next of several runs of one transcript.
type AgainEntry struct {
	Run int `json:"run"` // from 2
}

type frameEntry struct {
	Seq  int            `json:"seq"`
	Conn string         `json:"conn"`
	At   int64          `json:"at"` // nanoseconds since the run began
	Dir  wire.Direction `json:"dir"`
	Data octets         `json:"data,omitempty"`
	Note string         `json:"note,omitempty"`
	Size int            `json:"size"`

	aside aside
}

// formed are the rules of the text of a transcript: what a page could take for markup is
// written as escapes, and text of other programs that is no UTF-8 with marks in its place.
var formed = json.JoinOptions(jsontext.EscapeForHTML(true), jsontext.EscapeForJS(true), jsontext.AllowInvalidUTF8(true))

// octets are bytes from the wire: a JSON string where they are UTF-8, else an object
// with their base64 form.
type octets []byte

// MarshalJSONTo writes the bytes in the form that can hold them.
func (o octets) MarshalJSONTo(e *jsontext.Encoder) error {
	if utf8.Valid(o) {
		return e.WriteToken(jsontext.String(shared(o)))
	}
	return json.MarshalEncode(e, map[string][]byte{"base64": o})
}

// UnmarshalJSONFrom reads either form.
func (o *octets) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() != '"' {
		var coded struct {
			Base64 []byte `json:"base64"`
		}
		err := json.UnmarshalDecode(d, &coded)
		*o = coded.Base64
		return err
	}
	quoted, err := d.ReadValue()
	if err == nil {
		*o, err = jsontext.AppendUnquote(nil, quoted)
	}
	return err
}

func framed(f wire.Frame) *frameEntry {
	if f.Seq == 0 && f.Data == nil && f.Note == "" {
		return nil
	}
	return &frameEntry{Seq: f.Seq, Conn: f.Conn, At: int64(f.At), Dir: f.Dir, Data: f.Data, Note: f.Note, Size: f.Size}
}

func (f *frameEntry) frame() wire.Frame {
	if f == nil {
		return wire.Frame{}
	}
	if f.aside.in != nil {
		return wire.Frame{Seq: f.Seq, Conn: f.Conn, At: time.Duration(f.At), Dir: f.Dir, Data: f.aside.in.read(f.aside.at, int(f.aside.n)), Note: f.Note, Size: f.Size}
	}
	return wire.Frame{Seq: f.Seq, Conn: f.Conn, At: time.Duration(f.At), Dir: f.Dir, Data: f.Data, Note: f.Note, Size: f.Size}
}

func framesOf(entries []*frameEntry) []wire.Frame {
	var all []wire.Frame
	for _, f := range entries {
		all = append(all, f.frame())
	}
	return all
}
