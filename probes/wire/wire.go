// Package wire owns the bytes between the checker and an adapter: it starts or
// reaches the adapter, completes the MCP handshake through the go-sdk session
// when that session survives, and carries raw JSON-RPC frames beside it. Every
// frame is recorded byte for byte. The package refuses to know what a frame
// means beyond its JSON-RPC id.
package wire

import (
	"context"
	"encoding/json"
	"io"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/aql-conform/aql-conform/probes/bearer"
)

// A Target says how an adapter is started or reached. Exactly one of Command,
// URL and Pipe is set.
type Target struct {
	Command []string // program and arguments, run directly, never by a shell
	Dir     string   // working directory of Command; empty means the checker's own
	Env     []string // KEY=VALUE pairs added to the checker's environment
	URL     string   // MCP endpoint: streamable HTTP, else the older HTTP+SSE
	Header  Header   // sent with every HTTP request

	// Bearer has the token that is sent with every HTTP request; nil for none.
	Bearer *bearer.Source

	// Pipe serves an adapter inside this process, framed as on stdio. It returns
	// what the adapter reads and writes; closing in ends the adapter.
	Pipe func(ctx context.Context) (in io.WriteCloser, out io.Reader, err error)

	// Kept is what all connections to URL know of kept ones; nil for no shared knowledge.
	Kept *Keeping

	// Spares are processes of Command that were started ahead; nil for none.
	Spares *Spares

	Revision     string        // MCP revision to ask for; empty means DefaultRevision
	Handshake    bool          // known to offer no revision without a handshake
	Patient      bool          // waits for server/discover as long as for the start, else a third of it
	Client       string        // name to give in clientInfo; empty means that of the checker
	StartTimeout time.Duration // for the start and the handshake; 0 means 15 s
	Grace        time.Duration // between closed stdin, SIGTERM and SIGKILL; 0 means 1 s
}

// Defaults of a Target, and the wait of an exchange whose caller names none.
const (
	defaultStart = 15 * time.Second
	defaultGrace = time.Second
	defaultWait  = 60 * time.Second
)

// patience is how long server/discover is waited for, which old servers may ignore.
func (t Target) patience() time.Duration {
	if t.Patient {
		return t.StartTimeout
	}
	return t.StartTimeout / 3
}

// A Keeping is what all connections to one server know of those that are kept between requests.
type Keeping struct {
	// hangsUp is set once the server has closed one without an announcement. From then on each
	// request has a connection of its own, so that a missing answer is the server's fault.
	hangsUp atomic.Bool
}

// DefaultRevision is the last MCP revision that begins with initialize: every server since
// 2024-11-05, dual-era servers included, answers it.
const DefaultRevision = "2025-11-25"

// Revisions are the MCP revisions the checker speaks, oldest first.
var Revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// A Direction says which way a frame went.
type Direction string

// The directions of a frame. An Event is no frame on the wire but something
// that happened to it: a signal sent, a process gone, a line nobody could read.
const (
	Sent     Direction = "sent"
	Received Direction = "received"
	Event    Direction = "event"
)

// A Frame is one entry of the record.
type Frame struct {
	Seq  int           `json:"seq"`            // position in the record, from 1
	Conn string        `json:"conn"`           // name of the connection
	At   time.Duration `json:"at"`             // since the recorder was made
	Dir  Direction     `json:"dir"`            //
	Data []byte        `json:"data,omitempty"` // the exact bytes, line end excluded
	Note string        `json:"note,omitempty"` // HTTP method or status, or what the event was
	Size int           `json:"size"`           // bytes on the wire; larger than len(Data) when cut
}

// A Class says how an exchange ended, before anybody looks into the answer.
type Class string

// The ways an exchange ends.
const (
	Answered Class = "answered" // a JSON-RPC response with our id (or, in an exclusive exchange, the unattributable one)
	Rejected Class = "rejected" // an HTTP status without a JSON-RPC body
	Silent   Class = "silent"   // no answer before the deadline, peer alive
	Gone     Class = "gone"     // peer exited or closed the connection
	Garbled  Class = "garbled"  // an answer came that is no JSON-RPC message
)

// HungUp is how the exchange of a request ends that went out on a kept connection and got not one
// byte. A server may close a kept connection at any time (RFC 9112, section 9.5), so nobody knows
// whether the request was read.
const HungUp = "the kept connection was closed"

// A Reply is what became of one request.
type Reply struct {
	Class    Class
	Status   int           // HTTP status; 0 on stdio
	After    string        // the HTTP header Retry-After as it came; empty without one
	Sent     Frame         // the request as it went out
	Received Frame         // the answer as it came in; zero unless Answered, Garbled or Rejected
	Exit     string        // for Gone: how the peer ended, for example "exit status 3"
	Elapsed  time.Duration // from the first byte sent to the whole answer read
}

// RetryAfter reads the HTTP header Retry-After, seconds or a date, as a time to
// wait from now on; ok is false when there is nothing to read. RFC 9110, section
// 10.2.3.
func RetryAfter(value string, now time.Time) (wait time.Duration, ok bool) {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	for _, form := range []string{"Mon, 02 Jan 2006 15:04:05 GMT", time.RFC850, time.ANSIC} {
		if at, err := time.Parse(form, value); err == nil {
			return max(at.Sub(now), 0), true
		}
	}
	return 0, false
}

// A Hello is the outcome of the handshake.
type Hello struct {
	Revision string // negotiated MCP revision; empty if the answer named none
	Asked    Frame  // the request frame
	Answer   Frame  // the answer frame
	Modern   bool   // no handshake era (2026-07-28 and later): requests carry _meta
	Unheard  bool   // server/discover was not answered before initialize was
	Late     bool   // server/discover was answered after its time
	SDKError string // why the go-sdk session could not be used; empty if it lives
	Session  string // Mcp-Session-Id of the connection, cut behind MostOfSession; empty on stdio and where the server gave none
}

// MostOfSession is the length of the longest session id that is recorded whole.
const MostOfSession = 4 << 10

// Result returns the raw result of initialize (or server/discover); nil if none came.
func (h Hello) Result() json.RawMessage { return resultOf(h.Answer) }

// A Conn is one connection to an adapter: one MCP session.
type Conn interface {
	// Hello returns the outcome of the handshake.
	Hello() Hello
	// Ask sends one JSON-RPC request whose params are given as raw JSON (nil: no
	// params member) under an id of the connection's own and waits for its answer.
	// In the modern era the connection adds the per-request _meta it owes. The
	// deadline is ctx's; Ask never returns an error: misbehaviour is a Reply.
	Ask(ctx context.Context, method string, params []byte) Reply
	// Throw sends exactly these bytes as one frame and takes the next message that
	// nobody else claims as its answer. Nothing else may be in flight. On HTTP a
	// nil header keeps the session's own.
	Throw(ctx context.Context, frame []byte) Reply
	// Strays returns the messages that answered nothing: second answers to one id,
	// answers to unknown ids, lines that are no JSON-RPC message.
	Strays() []Frame
	// News returns the notifications and requests of the peer.
	News() []Frame
	// Stderr returns the last lines the process wrote to stderr; empty over HTTP.
	Stderr() string
	// Alive reports whether the peer has neither exited nor closed the connection.
	Alive() bool
	// Abort ends the session as a client does that crashes: the process group is
	// killed, over HTTP nothing more is sent. It is idempotent and bounded, and does
	// nothing after Close.
	Abort()
	// Close ends the session and the process group: stdin closed, then SIGTERM,
	// then SIGKILL, each after Grace. It is idempotent and bounded. The error says that
	// a server over HTTP did not let the session end, as it may.
	Close() error
}

// A StartError says why no connection came about.
type StartError struct {
	Stage  string // "start" (the program), "connect" (the URL) or "handshake"
	Err    error  // the reason, one line
	Stderr string // the last lines the program wrote to stderr
	Exit   string // how the program ended, if it did
	Stdout string // the first bytes it sent that were no JSON-RPC
	Hung   bool   // nothing was answered in time, and the program lives on
}

func (e *StartError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *StartError) Unwrap() error { return e.Err }
