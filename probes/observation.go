package probes

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aql-conform/aql-conform/probes/wire"
)

// An Outcome says which layer answered and how, the taxonomy every judge rests on.
type Outcome string

// The outcomes of a probe.
const (
	Unasked    Outcome = "unasked"           // never sent: a value it depends on was missing
	Success    Outcome = "success"           // envelope with success true
	Failure    Outcome = "failure"           // envelope with success false
	Result     Outcome = "result"            // JSON-RPC result of another method than tools/call
	ToolText   Outcome = "tool text"         // tool result without an envelope
	RPCError   Outcome = "JSON-RPC error"    // refused below the adapter's own layer
	HTTPReject Outcome = "HTTP rejection"    // HTTP status without a JSON-RPC body
	Silent     Outcome = "silence"           // no answer before the deadline
	Gone       Outcome = "process gone"      // exited or closed the connection
	Garbled    Outcome = "unreadable answer" // bytes that are no JSON-RPC message
)

// An Observation is what became of one probe, read from the recorded frames.
type Observation struct {
	Probe    Probe
	Outcome  Outcome
	Sent     Trace
	Received Trace
	Status   int           // HTTP status; 0 on stdio
	After    string        // the HTTP header Retry-After; empty without one
	Exit     string        // for Gone: how the process ended
	Elapsed  time.Duration //
	Late     bool          // for Gone over HTTP: an earlier exchange broke, and none was answered since, or HungUp
	Cured    string        // the transient error that the same request met first; else empty
	Identity string        // JSON object: what identifies the new object, where the answer to a creation does not tell it; else empty
	Session  string        // of a handshake over HTTP: the Mcp-Session-Id it opened; else empty

	readable bool  // what came back is a JSON object that answers the probe
	shelf    taker // nil when nothing was sent
	held     *Kept // where the engine keeps it; nil for one that it does not
}

// SessionIsCut reports whether the server gave a longer session id than is recorded.
func (o Observation) SessionIsCut() bool { return len(o.Session) > wire.MostOfSession }

// A Trace is one recorded message without its bytes, which the observation gives.
type Trace struct {
	Seq  int            // position in the record, from 1; 0 when there was no message
	At   time.Duration  // since the recorder was made
	Dir  wire.Direction //
	Note string         // HTTP method or status, or what the event was
	Size int            // bytes on the wire; more than there are here when it was cut
}

func traceOf(f wire.Frame) Trace { return Trace{f.Seq, f.At, f.Dir, f.Note, f.Size} }

// frame is the message with its bytes.
func (t Trace) frame(conn string, data []byte) wire.Frame {
	return wire.Frame{Seq: t.Seq, Conn: conn, At: t.At, Dir: t.Dir, Data: data, Note: t.Note, Size: t.Size}
}

// Classify reads a reply as the observation of a probe. It is a pure function,
// so that a recorded run can be judged again.
func Classify(p Probe, r wire.Reply) Observation {
	o := Observation{Probe: p, Sent: traceOf(r.Sent), Received: traceOf(r.Received), Status: r.Status, After: r.After, Exit: r.Exit, Elapsed: r.Elapsed}
	o.lay(&frames{sent: r.Sent.Data, received: r.Received.Data})
	switch r.Class {
	case wire.Silent:
		o.Outcome = Silent
	case wire.Gone:
		o.Outcome = Gone
	case wire.Rejected:
		o.Outcome = HTTPReject
	case wire.Answered:
		o.read()
	default:
		o.Outcome = Garbled
	}
	return o
}

// lay puts the bytes of the exchange where the observation finds them.
func (o *Observation) lay(f *frames) {
	call := o.Probe.method() == "tools/call"
	o.shelf = &shelf{kept: newExchange(f, call), held: f, call: call}
}

func (o *Observation) read() {
	r := o.exchange().answer()
	if r == nil {
		o.Outcome = Garbled
		return
	}
	o.readable = true
	switch {
	case r.message.At("error").Is(Object):
		o.Outcome = RPCError
	case o.Probe.method() != "tools/call" && r.message.Has("result"):
		o.Outcome = Result
	case r.message.At("result").Is(Object):
		switch success := r.envelope.At("success"); {
		case success.True():
			o.Outcome = Success
		case success.False():
			o.Outcome = Failure
		default:
			o.Outcome = ToolText
		}
	default:
		o.Outcome = Garbled
	}
}

// Answer returns the whole JSON-RPC message that came back; absent when it was no
// JSON object.
func (o Observation) Answer() Value { return o.reading().message }

// Result returns the raw JSON-RPC result; absent when there is none.
func (o Observation) Result() Value { return o.reading().message.At("result") }

// RPCError returns the raw JSON-RPC error; absent when there is none.
func (o Observation) RPCError() Value { return o.reading().message.At("error") }

// Envelope returns the MCP-AQL envelope, or the object that stands in its place
// with a success member of another kind; absent when there is none.
func (o Observation) Envelope() Value { return o.reading().envelope }

// Carrier says where the envelope was found.
func (o Observation) Carrier() Carrier { return o.reading().carrier }

// Data returns the data member of a success envelope. Section 5.1.
func (o Observation) Data() Value {
	if o.Outcome != Success {
		return Value{}
	}
	return o.Envelope().At("data")
}

// Code returns error.code of a failure envelope; empty when it is no string.
func (o Observation) Code() string { return o.Envelope().At("error", "code").Text() }

// Message returns error.message of a failure envelope.
func (o Observation) Message() string { return o.Envelope().At("error", "message").Text() }

// Details returns error.details of a failure envelope.
func (o Observation) Details() Value { return o.Envelope().At("error", "details") }

// Succeeded reports whether the adapter answered with a success envelope.
func (o Observation) Succeeded() bool { return o.Outcome == Success }

// Refused reports whether the adapter answered with a failure envelope.
func (o Observation) Refused() bool { return o.Outcome == Failure }

// RefusedBelow reports whether a layer below MCP-AQL refused: a JSON-RPC error,
// an HTTP status, or a tool result flagged as error that holds no envelope.
func (o Observation) RefusedBelow() bool {
	return o.Outcome == RPCError || o.Outcome == HTTPReject && !o.hollow() ||
		o.Outcome == ToolText && o.Result().At("isError").True()
}

// Lost reports whether no answer was obtained at all.
func (o Observation) Lost() bool {
	return o.Unanswered() || o.Outcome == Gone || o.Outcome == Garbled || o.Outcome == Unasked
}

// Cut reports whether an answer came of which more was sent than was kept. What it says is unknown.
func (o Observation) Cut() bool {
	return o.Outcome == Garbled && o.Received.Size > len(o.ReceivedData())
}

// StoppedReading reports whether the request met an adapter that lives on and reads no more.
func (o Observation) StoppedReading() bool {
	return o.Outcome == Gone && strings.HasPrefix(o.Exit, wire.StoppedReading)
}

// HungUp reports whether the request met a kept connection that the server had closed. It says
// nothing of the adapter, and nobody knows whether the request was read.
func (o Observation) HungUp() bool { return o.Outcome == Gone && o.Exit == wire.HungUp }

// Unanswered reports whether the request was taken and nothing came back: no
// message in time, or over HTTP a status of success and no message in the body.
func (o Observation) Unanswered() bool { return o.Outcome == Silent || o.hollow() }

func (o Observation) hollow() bool { return o.Outcome == HTTPReject && o.Status < 400 }

// Deferred reports whether the answer says nothing about the request itself: the
// identity, a limit, a confirmation or the backend stands before it (ODD-02).
func (o Observation) Deferred() bool {
	for _, prefix := range []string{"PERMISSION_", "RATE_LIMIT_", "CONFIRMATION_", "AUTH_", "TRANSPORT_"} {
		if strings.HasPrefix(o.Code(), prefix) {
			return true
		}
	}
	return o.Status == 401 || o.Status == 403 || o.Status == 429
}

// Transient is the error of which a second request may show that it has passed: one that
// speaks of the adapter's state and not of the request. It is empty for any other answer.
func (o Observation) Transient() string {
	switch {
	case o.Code() == transientCode:
		return o.Code()
	case o.Outcome == RPCError && o.RPCError().At("code").String() == "-32603":
		return "JSON-RPC error -32603"
	case o.Outcome == HTTPReject && slices.Contains([]int{502, 503, 504}, o.Status):
		return fmt.Sprintf("HTTP status %d", o.Status)
	}
	for _, item := range o.Envelope().At("results").Items() {
		if item.At("result", "error", "code").Text() == transientCode {
			return transientCode + " in a batch"
		}
	}
	return ""
}

const transientCode = "INTERNAL_ERROR"

// Passed reports whether the error of the answer passed, and the same request could not show what
// the adapter does without it: the first one may have done it already.
func (o Observation) Passed() bool { return o.Cured != "" && o.MayPass() != "" }

// alreadyDone reports whether a refusal may come from what the same request did before. It may have
// used up its confirmation token as well.
func (o Observation) alreadyDone() bool {
	return slices.ContainsFunc([]string{"CONFLICT_", "NOT_FOUND_", "TOKEN_"}, func(prefix string) bool { return strings.HasPrefix(o.Code(), prefix) })
}

// Mentions reports whether the failure's message or details hold the text as whole words, in any style
// of writing: maxItems is mentioned as max_items too, and id is not mentioned by Validation.
func (o Observation) Mentions(text string) bool {
	holds := mention(text)
	return holds(o.Message()) || slices.ContainsFunc(o.Details().Scalars(), holds)
}

// mention returns the predicate of texts that mention a name.
func mention(name string) func(text string) bool {
	const longest = 200
	parts := wordParts.FindAllString(humps.ReplaceAllString(name, "$1 $2"), -1)
	if len(parts) == 0 || len(name) > longest {
		return func(text string) bool { return strings.Contains(text, name) }
	}
	begins := strings.ToLower(parts[0])
	const edge = `[^\p{Latin}\p{Nd}_]` // scripts without spaces between words write a name next to their letters
	writings := regexp.QuoteMeta(strings.ToValidUTF8(name, "")) + `|` + strings.Join(parts, `[\s_-]?`)
	whole := sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|` + edge + `)(?:` + writings + `)(?:$|` + edge + `)`)
	})
	return func(text string) bool { // most texts do not hold the letters at all
		return strings.Contains(strings.ToLower(text), begins) && whole().MatchString(text)
	}
}

var (
	humps     = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)
	wordParts = regexp.MustCompile(`[\pL\pN]+`)
)

// Brief says in a noun phrase what came back, for the got line of a finding.
func (o Observation) Brief() string {
	switch o.Outcome {
	case Failure:
		if o.Code() == "" {
			return "a failure without a code"
		}
		return "error " + o.Code()
	case RPCError:
		return fmt.Sprintf("JSON-RPC error %s (%s)", o.RPCError().At("code"), o.RPCError().At("message").Text())
	case HTTPReject:
		return fmt.Sprintf("HTTP status %d without a JSON-RPC body", o.Status)
	case ToolText:
		if o.Envelope().Has("success") {
			return "success " + o.Envelope().At("success").String()
		}
		return "a tool result without an envelope"
	case Gone:
		return "the adapter gone (" + o.Exit + ")"
	case Silent:
		return "no answer within the deadline"
	case Garbled:
		if o.Cut() {
			return fmt.Sprintf("an answer of %d bytes, of which %d were kept: too much to be judged", o.Received.Size, len(o.ReceivedData()))
		}
		return "an answer that is no JSON-RPC message"
	}
	return string(o.Outcome)
}
