package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// request is one JSON-RPC request with params as given, its id written by hand.
func request(b *check.IsolatedSession, id, method, params string) probes.Probe {
	meta := strings.TrimSuffix(b.Meta, ",")
	if params != "" && meta != "" {
		meta += ","
	}
	return b.RawFrame(method, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s%s}}`, id, method, meta, params))
}

// Section mcp/Protocol Messages.
var repliesRepeatRequestId = check.Check{
	Requirement: "MCP-RPC-01",
	Rule:        "Each reply is a JSON-RPC 2.0 object that repeats the request id and carries exactly one of result and error.",
	Why:         "The id is all that ties an answer to its question, and a client compares it as it was sent.",
	Lane:        probes.Exclusive,
	Ambient: &check.Ambient{
		AllRequests: true,
		Watch: func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
			answer := o.Answer()
			if !answer.Is(probes.Object) || o.Outcome == probes.HTTPReject {
				return check.Irrelevant
			}
			failed, id := answer.Has("error"), answer.At("id")
			asked := probes.Value{} // the id of the request, where it is not the one the answer was found by
			if o.Probe.Frame != nil || o.Probe.Method == "initialize" || id.Is(probes.Absent) || id.Is(probes.Null) {
				sent, _ := probes.ParseValue(o.SentData())
				asked = sent.At("id")
			}
			// The server may be unable to read the id of a frame with a number from TextControl on.
			none, garbled := id.Is(probes.Absent) || id.Is(probes.Null), o.Probe.Frame != nil && o.Probe.Number >= check.TextControl
			unread := failed && none && (o.Status >= 400 || garbled)
			switch {
			case answer.At("jsonrpc").Text() != "2.0":
				return ruling.Violates("jsonrpc 2.0", "jsonrpc "+answer.At("jsonrpc").String()).By(o)
			case failed == answer.Has("result"):
				return ruling.Violates("either result or error", map[bool]string{true: "both", false: "neither"}[failed]).By(o)
			case none && garbled && !failed && !asked.Is(probes.Absent): // section 4.7.1 wants the refusal of bad UTF-8 in an envelope, which is a result
				return ruling.Departs("an error for a request whose id is unread, or the id "+asked.String(), "a result with the id "+id.String()).By(o)
			case !asked.Is(probes.Absent) && !unread && !answersBehind(o) && !id.Equal(asked):
				return ruling.Violates("the id "+asked.String(), "the id "+id.String()).By(o)
			case len(answer.Members()) > 3:
				return ruling.Departs("jsonrpc, id and result or error alone", strings.Join(answer.Names(), ", ")).By(o)
			}
			return ruling.Conforms()
		},
		Unsolicited: func(_ *model.Adapter, strays []probes.Frame) ruling.Ruling {
			for _, f := range strays {
				id, unknown := strings.CutPrefix(f.Note, "answer to unknown id ")
				if unknown && id != "null" && !strings.HasPrefix(id, `"aqlx-`) {
					return ruling.Violates("an answer with the id of a request", "an answer to the id "+id).Noting(ruling.Clip(string(f.Data)))
				}
				if m, _ := probes.ParseValue(f.Data); m.Has("result") && m.At("jsonrpc").Text() == "2.0" && (m.At("id").Is(probes.Absent) || m.At("id").Is(probes.Null)) {
					return ruling.Violates("a result with the id of its request", "a result with the id "+m.At("id").String()).Noting(ruling.Clip(string(f.Data)))
				}
			}
			return check.Irrelevant
		},
	},
	Handles: check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if s.Label != "" {
			return
		}
		b := check.NewIsolatedSession(s, "ids", ask)
		call := bytes.Trim(probes.ValueOf(map[string]any{"name": s.Introspect, "arguments": check.SimpleLookup(s).Args()}).Raw(), "{}")
		for i, id := range []string{"70001", `"aqlx-a"`} {
			ask(request(b, id, "tools/list", "").Anew(probes.Nth("request ids: tool list", i)))
			ask(request(b, strings.Replace(strings.Replace(id, "1", "2", 1), "-a", "-b", 1), "tools/call", string(call)).Anew(probes.Nth("request ids: call", i)))
		}
	},
	Fix: "copy the id of the request, value and type, into its answer",
}

// noSuchTool and noSuchMethod end in protocol errors on most servers.
func noSuchTool(s model.Subject, name string) probes.Probe {
	p := s.Listing().To(name)
	p.Method = "tools/call"
	return p.WithRaw(probes.ValueOf(map[string]any{"name": p.Tool, "arguments": p.Args()}).Raw())
}

// noSuchMethod has a connection of its own: some servers read nothing more after it.
func noSuchMethod(s model.Subject) probes.Probe {
	return probes.Request(s.Conn+"/no-such-method", "aqlx/no_such_method", map[string]any{})
}

// Section mcp/Error Handling.
var protocolErrorsHaveCodeAndMessage = check.Check{
	Requirement: "MCP-RPC-02",
	Rule:        "A protocol error object has an integer code and a text message.",
	Why:         "Programs branch on the code, people read the message; both have to be there in the form that they expect, in every error.",
	Lane:        probes.Exclusive,
	Ambient: &check.Ambient{
		AllRequests: true,
		Watch: func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
			fault := o.Answer().At("error")
			switch code, message := fault.At("code"), fault.At("message"); {
			case fault.Is(probes.Absent), o.Answer().Has("result"): // both is the concern of MCP-RPC-01
				return check.Irrelevant
			case !code.Is(probes.Number) || !code.Whole():
				return ruling.Violates("an error with an integer code", "code "+code.String()).By(o)
			case !message.Is(probes.String):
				return ruling.Violates("an error with a message", "message "+message.String()).By(o)
			case strings.TrimSpace(message.Text()) == "":
				return ruling.Departs("an error with a message", "an empty one").By(o)
			}
			return ruling.Conforms()
		},
	},
	Handles: check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if s.Introspect != "" {
			ask(noSuchTool(s, "aqlx_no_such_tool"))
			ask(noSuchMethod(s))
		}
	},
	Fix: "give every JSON-RPC error an integer code and a message",
}

// Section mcp/Error Code Guidelines.
var unknownMethodHasItsDefinedCode = check.Check{
	Requirement: "MCP-RPC-03",
	Rule:        "Calling a method the server does not implement yields the method-not-found code.",
	Why:         "Clients may try methods that a server does not know. The code tells them that the method is not supported.",
	On:          model.WholeAdapter,
	Lane:        probes.Exclusive,
	Handles:     check.Unanswered,
	Drive: func(s model.Subject, ask model.AskFunc) {
		if ask(noSuchMethod(s)).Unanswered() {
			ask(noSuchMethod(s).Over(s.Conn + "/no-such-method-again").As("unknown method: again"))
		}
	},
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		again := got.Last()
		switch {
		case again.Deferred(), again.Lost() && !(len(got) == 2 && again.Unanswered()):
			return ruling.NotProven("an answer to an unknown method", again)
		case check.RPCCode(again) == "-32601":
			return ruling.Conforms()
		}
		return ruling.Departs("JSON-RPC error -32601", again).By(got[0])
	},
	Fix: "answer methods the server does not implement with -32601",
}

// Section mcp/Error Code Guidelines.
var wrongMethodParametersHaveTheirCode = check.Check{
	Requirement: "MCP-RPC-04",
	Rule:        "A known method called with structurally wrong parameters yields the invalid-params code.",
	Why:         "A call that names no tool calls none.",
	On:          model.IntrospectSubject,
	Lane:        probes.Exclusive,
	Ask:         namelessCalls,
	Judge: func(_ model.Subject, got probes.Answers) ruling.Ruling {
		rs := []ruling.Ruling{}
		for _, o := range got {
			what := o.Probe.Step
			switch code := check.RPCCode(o); {
			case o.Deferred():
				rs = append(rs, ruling.NotProven("an answer to "+what, o))
			case code == "-32602", code == "-32600" && what == "a call without params":
				rs = append(rs, ruling.Conforms().By(o))
			default:
				rs = append(rs, ruling.Departs("JSON-RPC error -32602 for "+what, o).By(o))
			}
		}
		return ruling.Worst(rs...)
	},
	Fix: "answer tools/call whose params have the wrong structure with -32602",
}

// namelessCalls are calls whose params have the wrong structure.
func namelessCalls(s model.Subject) []probes.Probe {
	arguments := check.SimpleLookup(s).Args()
	return []probes.Probe{
		probes.Request(s.Conn, "tools/call", map[string]any{"arguments": arguments}).As("a call without a tool name"),
		probes.Request(s.Conn, "tools/call", map[string]any{"name": 42, "arguments": arguments}).As("a call of the tool 42"),
		probes.Request(s.Conn, "tools/call", nil).As("a call without params"),
	}
}

// Section mcp/Error Code Guidelines.
var serverErrorCodesStayInTheir = check.Check{
	Requirement: "MCP-RPC-07",
	Rule:        "Codes of the server-defined band are used only for what that band allows in the negotiated revision.",
	Why:         "The codes are split since 2026-07-28; a client of that era reads -32020 to -32022 as what they stand for.",
	Ambient: &check.Ambient{
		AllRequests: true,
		Watch: func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
			code, ok := o.RPCError().At("code").Float()
			if !ok || code < -32099 || code > -32000 {
				return check.Irrelevant
			}
			switch {
			case check.InSession(o):
				return ruling.Conforms().Noting("the band is free before 2026-07-28")
			case code == -32002 || code == -32042:
				return ruling.Departs("a code that this MCP revision defines", "the retired code "+o.RPCError().At("code").String()).By(o)
			case code < -32022:
				return ruling.Departs("a code that this MCP revision leaves to servers", "the reserved code "+o.RPCError().At("code").String()).By(o)
			}
			return ruling.Conforms()
		},
	},
	Drive: func(s model.Subject, ask model.AskFunc) {
		conn := s.Conn + "/2"
		plain := ask(probes.Request(conn, "tools/list", map[string]any{}))
		marked := ask(probes.Request(conn, "tools/list", era()))
		if marked.Result().Has("resultType") && !plain.Result().Has("resultType") || check.Discovered(ask(probes.Request(conn, "initialize", nil))) {
			call := era()
			call["name"], call["arguments"] = "aqlx_no_such_tool", s.Listing().Args()
			ask(probes.Request(conn, "aqlx/no_such_method", era()))
			ask(probes.Request(conn, "tools/call", call))
		}
	},
	Fix: "use -32000 to -32019 for errors of the server's own",
}

// era is what every request owes in the MCP era without handshakes.
func era() map[string]any {
	return map[string]any{"_meta": map[string]any{
		"io.modelcontextprotocol/protocolVersion":    check.StatelessRevision,
		"io.modelcontextprotocol/clientCapabilities": map[string]any{},
	}}
}

// Section mcp/Protocol Messages.
var stdoutCarriesMessagesAlone = check.Check{
	Requirement: "MCP-RPC-10",
	Rule:        "Over stdio, each line on stdout is a JSON-RPC message.",
	Why:         "Stdout is the connection. Some clients end it at the first line that is no message.",
	Ambient: &check.Ambient{
		AllRequests: true,
		Watch: func(_ *model.Adapter, o probes.Observation) ruling.Ruling {
			if o.Status != 0 || !o.Answer().Is(probes.Object) {
				return check.Irrelevant
			}
			return ruling.Conforms()
		},
		Unsolicited: func(_ *model.Adapter, strays []probes.Frame) ruling.Ruling {
			n, first := 0, ""
			for _, f := range strays {
				if f.Size > len(f.Data) || messages(f.Data) { // what was cut cannot be read
					continue
				}
				if n++; n == 1 {
					first = ruling.Clip(string(f.Data))
				}
			}
			if n == 0 {
				return check.Irrelevant
			}
			return ruling.Departs("JSON-RPC messages alone on stdout", fmt.Sprintf("the line %q, first of %d", first, n))
		},
		UnseenReason: "does not hold: the adapter is reached over stdio",
	},
	Fix: "write logs to stderr",
}

// messages reports whether a line is a message of JSON-RPC, or a batch of them. What lacks jsonrpc alone is meant as one;
// lines of a log may have a method or an error of their own.
func messages(line []byte) bool {
	v, err := probes.ParseValue(line)
	if err != nil {
		return json.Valid(line) // nested more deeply than is read
	}
	all := v.Items()
	if !v.Is(probes.Array) {
		all = []probes.Value{v}
	}
	return len(all) > 0 && !slices.ContainsFunc(all, func(m probes.Value) bool {
		speaks := m.Has("method") || m.Has("result") || m.Has("error")
		meant := m.At("error", "code").Is(probes.Number) || m.Has("id") && (m.Has("method") || m.Has("result") || m.At("error").Is(probes.Object))
		return !(m.Has("jsonrpc") && speaks) && !meant
	})
}
