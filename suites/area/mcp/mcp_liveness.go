package mcp

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/wire"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 3.2.
var everyRequestGetsExactlyOneAnswer = check.Check{
	Requirement: "AQL-3.2-03",
	Rule:        "Each well-formed tools/call, including lookups of unknown names, is answered exactly once under its own id.",
	Why:         "A request without an answer blocks the agent that sent it until its own deadline, and an adapter that ends takes every other client with it.",
	Handles:     check.Unanswered,
	Lane:        probes.Exclusive,
	Ask:         namelessCalls,
	Ambient: &check.Ambient{
		AllRequests: true,
		Watch: func(f *model.Adapter, o probes.Observation) ruling.Ruling {
			switch {
			case !ordinary(o):
				return ruling.NotApplicable("") // what survives oversized or broken text has rows of its own
			case !f.IsAQLCall(o) && !ended(f, o):
				return ruling.NotApplicable("") // how other requests are answered has rows of its own
			case o.Outcome == probes.Unasked:
				return ruling.NotApplicable("")
			case o.StoppedReading() && o.Probe.Conn == f.Conn: // only ordinary requests use this connection
				return ruling.Violates("an adapter that reads its requests", o)
			case o.Outcome == probes.Gone && (o.Late || o.Sent.Dir != "sent"):
				return ruling.NotApplicable("") // it was gone before
			case o.Outcome == probes.Gone:
				return ruling.Violates("an answer", o)
			case o.Unanswered():
				return silence(f, o)
			case o.Outcome == probes.Garbled:
				return ruling.NotProven("an answer that can be read", o)
			}
			return ruling.Conforms()
		},
		Unsolicited: secondAnswers,
	},
	Fix: "answer every request exactly once, also when its handler fails",
}

// ended reports whether the server ended over a request that is a message of JSON-RPC, on a
// connection that it serves.
func ended(f *model.Adapter, o probes.Observation) bool {
	return o.Outcome == probes.Gone && o.Exit != wire.HungUp && o.Probe.Frame == nil && o.Probe.Conn == f.Conn
}

// secondAnswers rules on messages that no request waited for. Answers to an id
// that was never sent are the concern of MCP-RPC-01, other noise of other rows.
func secondAnswers(_ *model.Adapter, strays []probes.Frame) ruling.Ruling {
	for _, f := range strays {
		if id, second := strings.CutPrefix(f.Note, "second answer to id "); second {
			return ruling.Violates("one answer for each id", "a second answer to id "+id).Noting(ruling.Clip(string(f.Data)))
		}
	}
	return ruling.NotApplicable("")
}

// ordinary reports whether a request is free of what puts text handling and
// limits to the test: broken text, great size, deep nesting.
func ordinary(o probes.Observation) bool {
	sent := o.SentData()
	return o.Sent.Size < 64<<10 && utf8.Valid(sent) && !bytes.Contains(sent, []byte(`\ud`)) &&
		bytes.Count(sent, []byte("{"))+bytes.Count(sent, []byte("[")) < 64
}

// silence rules on one request that was not answered in time. One silence after
// a faulty request may have other reasons; the check below asks again.
func silence(f *model.Adapter, o probes.Observation) ruling.Ruling {
	const want = "an answer within the timeout"
	name := o.Probe.Operation()
	_, listed := f.Operation(name)
	base := f.KnownGood[name]
	same := base.Probe.Tool == o.Probe.Tool && bytes.Equal(base.Probe.Arguments(), o.Probe.Arguments())
	switch {
	case name == "introspect", name != "" && !listed:
		return ruling.Violates(want, o)
	case name != "" && (same || !base.Usable()):
		return ruling.Departs(want, o).Noting("a slow operation or upstream may be the reason")
	}
	return ruling.NotProven(want, o)
}

// Section 3.2.
var faultyRequestsAreAnswered = check.Check{
	Requirement: "AQL-3.2-03",
	Why:         "A handler that crashes on bad input gives no answer every time. For that reason an unanswered request is sent a second time before it counts.",
	On:          model.Only(model.EachUsable, func(s model.Subject) bool { return s.Ruling == nil }),
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		for i, p := range faultyRequests(s) {
			step := probes.Nth("faulty request", i)
			// The second request has a connection of its own, where no earlier silence affects it.
			if ask(p.As(step)).Unanswered() && ask(p.Over(s.Conn+"/silent").As(step+": again")).Unanswered() {
				return
			}
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		for _, o := range got {
			if again := got.Step(o.Probe.Step + ": again"); o.Unanswered() && again.Unanswered() {
				return ruling.Violates("an answer within the timeout", again).By(o)
			}
		}
		if i := slices.IndexFunc(got, probes.Observation.Lost); i >= 0 {
			return ruling.NotProven("an answer to each faulty request", got[i])
		}
		return ruling.Conforms()
	},
	Fix: "turn what goes wrong in a handler into an error answer",
}

// faultyRequests are requests a handler has to refuse, next to the valid one.
// Only of a READ is a parameter left out or mistyped, an object named that is not
// there, or another tool asked.
func faultyRequests(s model.Subject) []probes.Probe {
	valid := s.ValidCall()
	list := []probes.Probe{valid.With(check.UnknownName(s), 1)}
	if s.Op.Category != "READ" {
		return list
	}
	list = append(list, valid.With(check.UnknownName(s), map[string]any{}))
	for _, t := range check.WrongTools(s.Adapter, s.Op)[:min(len(check.WrongTools(s.Adapter, s.Op)), 1)] {
		list = append(list, valid.To(t))
	}
	for _, p := range s.Op.Parameters {
		t := model.Subject{Adapter: s.Adapter, Name: s.Name, Op: s.Op, Par: p}
		for _, v := range check.WrongTypeValues(t)[:min(len(check.WrongTypeValues(t)), 1)] {
			list = append(list, valid.With(p.Name, v))
		}
	}
	for _, p := range s.Op.Parameters {
		absent, known := s.Absent[s.AbsentKey(s.Op, p)]
		switch {
		case !p.Required:
		case known && probes.IsReference(s.Op, p):
			list = append(list, valid.Without(p.Name), valid.With(p.Name, absent.Go()))
		default:
			list = append(list, valid.Without(p.Name))
		}
	}
	return list[:min(len(list), 16)]
}

// Section mcp/Server Requirements.
var serverKeepsServingAfterRefusals = check.Check{
	Requirement: "MCP-RPC-09",
	Rule:        "After any rejected request the server keeps serving correct answers.",
	Why:         "One bad request must not end the server for all clients.",
	On:          model.IntrospectSubject,
	Lane:        probes.Disposable, // the last lane: after all that is refused
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		ask(s.Listing())
		for i, tool := range s.AQL {
			ask(check.UnknownOperation(s.Adapter, tool).Anew(probes.Nth(refusedRequest, i)))
		}
		ask(s.Query(map[string]any{"query": "aqlx_" + s.Nonce}).Anew(refusedRequest + ": unknown query"))
		if list := ask(s.Listing().Anew("service after refusals: listing")); list.Status == 404 || list.Status == 400 {
			ask(s.Listing().Over(s.Conn + "/again").As("service after refusals: listing in a new session")) // an HTTP session may have expired
		}
		if len(s.Operations) > 0 {
			ask(s.Lookup("operations", s.Operations[0].Name).Anew("service after refusals: lookup"))
		}
		for i, name := range servedReads(s.Adapter) {
			ask(s.KnownGood[name].Probe.Anew(probes.Nth("service after refusals: valid request", i)))
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		before, rest := got[0], got.Rest()
		if !before.Succeeded() {
			return ruling.NotProven("a listing before the refusals", before).Because("AQL-7.2-01")
		}
		rs := []ruling.Ruling{ruling.Conforms().By(before)}
		for i, o := range rest {
			refusal := o.Probe.Under(refusedRequest)
			switch {
			case refusal && o.Lost():
				return ruling.NotProven("an answer to the request that is to be refused", o).Because("AQL-3.2-03")
			case refusal:
			default:
				rs = append(rs, stillServed(s.Adapter, before, o, rest[min(i+1, len(rest)-1)]))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "keep the state of one request out of the next",
}

// refusedRequest is the step of the requests that the server has to refuse.
const refusedRequest = "service after refusals: refused request"

// servedReads names one READ operation with a proven request for each tool.
func servedReads(f *model.Adapter) []string {
	reads := map[string]string{}
	for _, o := range f.Operations {
		if o.Category == "READ" && o.Name != "introspect" && f.KnownGood[o.Name].State == model.Proven && reads[o.Tool] == "" {
			reads[o.Tool] = o.Name
		}
	}
	return slices.Sorted(maps.Values(reads))
}

// stillServed rules on a valid request after the refusals; next is what followed
// it, which for an expired HTTP session is the same on a new one.
func stillServed(f *model.Adapter, before, o, next probes.Observation) ruling.Ruling {
	slow := o.Elapsed > 2*time.Second && o.Elapsed > 10*before.Elapsed
	name := o.Probe.Operation()
	_, listed := f.Operation(name)
	switch {
	case o.Deferred():
		return ruling.NotProven("an answer after the refusals", o)
	case o.Lost():
		return ruling.Violates("an answer after the refusals", o)
	case o.Outcome == probes.HTTPReject && next.Succeeded() && next.Probe.Conn != o.Probe.Conn:
		return ruling.Conforms().Noting("the HTTP session had expired").By(o, next)
	case name == "introspect" && !o.Succeeded():
		return ruling.Violates("the listing and the lookup to work as before", o)
	case o.Code() == "NOT_FOUND_OPERATION" && listed:
		return ruling.Violates("an operation that is still known", o)
	case slow:
		return ruling.Departs("an answer as quick as before the refusals", o.Elapsed.String()).By(o)
	}
	return ruling.Conforms().By(o)
}
