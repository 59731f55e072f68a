package check

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// An IsolatedSession is a separate connection for risky requests, so that they do not affect the
// main session. A simple call after each risky request shows whether the session still works.
type IsolatedSession struct {
	model.Subject
	IsolatedConn string
	Ask          model.AskFunc
	Meta         string // _meta of every request if there is no initialize handshake

	handshake, FirstAnswer probes.Observation
}

// NewIsolatedSession opens the connection with the label and sends a simple call.
func NewIsolatedSession(s model.Subject, label string, ask model.AskFunc) *IsolatedSession {
	session := &IsolatedSession{Subject: s, IsolatedConn: s.Conn + "/" + label, Ask: ask}
	session.handshake = ask(probes.Request(session.IsolatedConn, "initialize", nil).As("handshake in " + label))
	session.FirstAnswer = ask(session.simpleCall().As(firstCall + label))
	if Discovered(session.handshake) {
		session.Meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + StatelessRevision + `","io.modelcontextprotocol/clientCapabilities":{}},`
	}
	return session
}

// simpleCall is a small call that every adapter can answer.
func (session *IsolatedSession) simpleCall() probes.Probe {
	return RawCall(SimpleLookup(session.Subject)).Over(session.IsolatedConn)
}

// OverHTTP reports whether the adapter answers over HTTP, where it may serve other clients.
func (session *IsolatedSession) OverHTTP() bool { return session.FirstAnswer.Status != 0 }

// A RiskyRequest is the answer to a risky request and to the requests after it in the same session.
// The first call of the session is the control: what failed before proves nothing afterwards.
type RiskyRequest struct{ Observation, Next, first, handshake probes.Observation }

// IsolatedNumber is the number of the risky request with the name. Version 1 of transcripts had these
// names without the words "nested in".
func IsolatedNumber(name string) int {
	return 1000 + int(crc32.ChecksumIEEE([]byte(strings.TrimPrefix(name, "nested in ")))%1_000_000)
}

// SendRisky sends a probe and then a simple call. Checks that use the same name must send the same
// probe.
func (session *IsolatedSession) SendRisky(name string, p probes.Probe) RiskyRequest {
	n := IsolatedNumber(name)
	if p.Method == "" {
		p = RawCall(p)
	}
	o, next := session.Ask(p.Over(session.IsolatedConn).Numbered(n).As(isolated+name)), session.Ask(session.simpleCall().Numbered(n).As(afterwards+name))
	if next.Outcome == probes.Silent {
		next = session.Ask(session.simpleCall().Numbered(n + retryNumber).As(retried + name)) // the adapter may still be busy with the first
	}
	return RiskyRequest{o, next, session.FirstAnswer, session.Ask(probes.Request(session.IsolatedConn, "initialize", nil).Numbered(n).As(handshakeAfter + name))}
}

// Accepts reports whether the adapter accepts a call on the isolated connection.
func (session *IsolatedSession) Accepts(p probes.Probe) bool {
	return session.Ask(RawCall(p).Over(session.IsolatedConn)).Succeeded()
}

// retryNumber is the offset of the second simple call.
const retryNumber = 2_000_000

// The steps of a risky request, before its name.
const (
	isolated       = "isolated request: "
	afterwards     = "call after: "
	retried        = "second call after: "
	handshakeAfter = "handshake after: "
	firstCall      = "first call in " // before the label of the session
)

// RiskyRequestNamed returns the risky request with the name. Its observations are empty if it was
// not sent.
func RiskyRequestNamed(got probes.Answers, name string) RiskyRequest {
	next, again := got.Find(retried + name)
	if !again {
		next = got.Step(afterwards + name)
	}
	o := got.Step(isolated + name)
	var first probes.Observation
	for _, other := range got {
		if strings.HasPrefix(other.Probe.Step, firstCall) && other.Probe.Conn == o.Probe.Conn {
			first = other
		}
	}
	return RiskyRequest{o, next, first, got.Step(handshakeAfter + name)}
}

// RiskyRequests returns all risky requests of a script in order.
func RiskyRequests(got probes.Answers) []RiskyRequest {
	var all []RiskyRequest
	for _, o := range got {
		if name, found := strings.CutPrefix(o.Probe.Step, isolated); found {
			all = append(all, RiskyRequestNamed(got, name))
		}
	}
	return all
}

// WasSent reports whether the risky request was sent.
func (t RiskyRequest) WasSent() bool { return t.Observation.Sent.Dir == "sent" }

// Survived rules on the session after the risky request.
func (t RiskyRequest) Survived() ruling.Ruling {
	const want = "the session to go on"
	switch {
	case !t.WasSent(), t.Next.Outcome == probes.Unasked, t.Observation.HungUp() && t.Next.Succeeded(), t.Next.HungUp():
		return ruling.NotProven("an adapter that can still be asked", t.Observation)
	case t.first.Outcome != "" && !t.first.Succeeded():
		return ruling.NotProven("a simple call that works before", t.first).Because("AQL-7.3-02")
	case t.Observation.Outcome == probes.Gone && t.Next.Succeeded() && t.Next.Status != 0:
		return ruling.Departs("the connection to stay open", t.Observation)
	case t.Observation.Outcome == probes.Gone:
		return ruling.Violates(want, t.Observation)
	case t.Next.Deferred():
		return ruling.NotProven("an answer to the next request", t.Next)
	case t.Next.Lost():
		return ruling.Violates("an answer to the next request", t.Next).By(t.Observation)
	case t.Next.Succeeded() && t.handshake.Sent.Seq <= t.Observation.Sent.Seq:
		return ruling.Conforms().By(t.Observation, t.Next)
	case t.Next.Status != 0:
		return ruling.Departs("the HTTP session to go on", t.Next).By(t.Observation)
	case t.Next.Succeeded():
		return ruling.Violates(want, "a process that ended after its answer").By(t.Observation)
	}
	return ruling.Violates("the next request to work as before", t.Next).By(t.Observation)
}

// RawCallFrame is a hand-written tools/call frame. It may contain bytes that an encoder would not
// write.
func (session *IsolatedSession) RawCallFrame(name, tool string, arguments []byte) probes.Probe {
	f := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"aqlx-%d","method":"tools/call","params":{%s"name":%s,"arguments":`, IsolatedNumber(name), session.Meta, probes.ValueOf(tool).Raw())
	return session.RawFrame("tools/call", append(append(f, arguments...), "}}"...))
}

// RawFrame is a frame that is sent as it is. Its answer is read as that of the method.
func (session *IsolatedSession) RawFrame(method string, frame []byte) probes.Probe {
	return probes.Probe{Conn: session.IsolatedConn, Method: method, Frame: frame, Within: session.AnswerTimeout()}
}

// AnswerTimeout is the time limit for requests that some servers drop. It is much longer than the
// simple call took.
func (session *IsolatedSession) AnswerTimeout() time.Duration {
	return 2*time.Second + 10*session.FirstAnswer.Elapsed
}

// Placeholder marks the position of the test bytes in a request.
const Placeholder = "aqlx_spot"

// FillPlaceholder returns the arguments of a call with the placeholder replaced.
func FillPlaceholder(p probes.Probe, text string) []byte {
	return bytes.Replace(p.Arguments(), []byte(Placeholder), []byte(text), 1)
}

// TextCarriers are READ calls with a free-text parameter for arbitrary strings. The lookup by name
// comes first, because every adapter has it.
func TextCarriers(f *model.Adapter) []probes.Probe {
	list := []probes.Probe{f.Lookup("operations", Placeholder)}
	for _, s := range f.ProvenReads() {
		for _, p := range s.Op.Parameters {
			kinds, _ := f.Kinds(p.Type)
			bound := slices.ContainsFunc([]string{"enum", "pattern", "format", "maxLength"}, p.Raw.Has) || len(f.EnumOf(p)) > 0
			if slices.Equal(kinds, []string{"string"}) && !bound && !probes.IsReference(s.Op, p) {
				list = append(list, s.ValidCall().With(p.Name, Placeholder))
			}
		}
	}
	return list[:min(len(list), 3)]
}

// A CarrierParameter is a documented array or object parameter of a READ operation. The adapter
// reads what is inside it.
type CarrierParameter struct {
	Probe probes.Probe // without the parameter
	Name  string
	Kind  string // array or object
	Item  any    // valid array element
}

// CarrierParameters returns up to four such parameters. The list is shared.
func CarrierParameters(f *model.Adapter) []CarrierParameter {
	return f.Remember("carrier parameters", func() any { return carrierParameters(f) }).([]CarrierParameter)
}

func carrierParameters(f *model.Adapter) []CarrierParameter {
	var list []CarrierParameter
	for _, s := range f.ProvenReads() {
		for _, p := range s.Op.Parameters {
			kinds, _ := f.Kinds(p.Type)
			switch field := SomeField(s, s.KnownGoodRequest().Reply); {
			case slices.Contains(kinds, "object"):
				list = append(list, CarrierParameter{s.ValidCall(), p.Name, "object", nil})
			case p.Name == "fields" && slices.Contains(kinds, "array") && field != "":
				list = append(list, CarrierParameter{s.ValidCall(), p.Name, "array", field})
			case slices.Contains(kinds, "array"):
				list = append(list, CarrierParameter{s.ValidCall(), p.Name, "array", itemOf(s, p)})
			}
		}
	}
	slices.SortStableFunc(list, func(x, y CarrierParameter) int { return strings.Compare(y.Kind, x.Kind) }) // objects first, because they accept any content
	return list[:min(len(list), 4)]
}

// itemOf returns a valid element of an array parameter.
func itemOf(s model.Subject, p probes.Parameter) any {
	for _, v := range s.Gen.Values(s.Op, p) {
		if items := v.Items(); len(items) > 0 {
			return items[0].Go()
		}
	}
	return s.Gen.Marker("")
}

// With returns the call with a value inside the parameter: as a member of an object, or as an
// element of an array.
func (v CarrierParameter) With(inside any) probes.Probe {
	if v.Kind == "object" {
		return v.Probe.With(v.Name, map[string]any{"aqlx": inside})
	}
	return v.Probe.With(v.Name, []any{inside})
}

// MainModeOnly limits an expensive check to the main endpoint mode.
func MainModeOnly(f *model.Adapter) []model.Subject {
	if f.Label != "" {
		return []model.Subject{model.Subject{Adapter: f, Name: "adapter"}.WithRuling(ruling.NotApplicable("asked of the main face alone"))}
	}
	return model.IntrospectSubject(f)
}

// JudgeDocumented rules on a duty to document. The wire can only confirm it: without evidence, the
// author must say where the documentation is.
func JudgeDocumented(f *model.Adapter, hint string, found bool, want, got string) ruling.Ruling {
	word, given := f.Hint(hint)
	switch {
	case found:
		return ruling.Conforms()
	case !given:
		return model.HintMissing(hint, "where "+want+" stands, or no")
	case slices.Contains([]string{"no", "none", "false", ""}, strings.ToLower(strings.TrimSpace(word))):
		return ruling.Departs(want, got)
	}
	return ruling.Conforms().Noting("attested: " + ruling.Clip(word))
}
