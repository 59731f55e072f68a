package check

import (
	"bytes"
	"context"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/schemas"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Handshake returns the handshake of the subject's connection.
func Handshake(s model.Subject) probes.Probe { return probes.Request(s.Conn, "initialize", nil) }

// StatelessRevision is the first MCP revision without the initialize handshake.
const StatelessRevision = "2026-07-28"

// HomeSession asks for a connection with a session: that of the run, or another where the run is over
// a revision without sessions. ok is false where the adapter offers none.
func HomeSession(s model.Subject, ask model.AskFunc) (conn string, ok bool) {
	if !Discovered(ask(Handshake(s).As("handshake of the run"))) {
		return s.Conn, true
	}
	conn = probes.InSession(s.Conn)
	return conn, HasSessions(ask(probes.Request(conn, "initialize", nil).As(homeSession)))
}

// OffersSessions reports whether the adapter offers a revision with sessions, by the handshakes of
// HomeSession.
func OffersSessions(got probes.Answers) bool { return HasSessions(got.Step(homeSession)) }

const homeSession = "handshake of a session"

// HasSessions reports whether a handshake is that of a revision with sessions.
func HasSessions(handshake probes.Observation) bool {
	return RevisionOf(handshake) < StatelessRevision
}

// InSession reports whether a request was sent over a revision with sessions: later ones name theirs in
// each request.
func InSession(o probes.Observation) bool {
	sent, _ := probes.ParseValue(o.SentData())
	return sent.At("params", "_meta", "io.modelcontextprotocol/protocolVersion").Text() < StatelessRevision
}

// NoSessions is the ruling where the adapter offers no revision with sessions.
var NoSessions = ruling.NotApplicable("the negotiated MCP era has no sessions")

// RevisionOf returns the MCP revision that a handshake negotiated; empty if it failed.
func RevisionOf(handshake probes.Observation) string {
	if !Discovered(handshake) {
		return handshake.Result().At("protocolVersion").Text()
	}
	sent, _ := probes.ParseValue(handshake.SentData())
	return sent.At("params", "_meta", "io.modelcontextprotocol/protocolVersion").Text()
}

// Discovered reports whether the handshake was server/discover instead of initialize.
func Discovered(handshake probes.Observation) bool {
	sent, _ := probes.ParseValue(handshake.SentData())
	return sent.At("method").Text() == "server/discover" && handshake.Result().Is(probes.Object)
}

// MissingOr reports whether the value is absent or of the kind.
func MissingOr(v probes.Value, kind probes.Kind) bool { return v.Is(probes.Absent) || v.Is(kind) }

// sessionNamePattern matches names of members with a session id. Limits and modes of sessions
// (session_timeout, sessions) do not match.
var sessionNamePattern = regexp.MustCompile(`^(mcp|aql|mcpaql|current)?session(id|identifier|uuid|key|token|handle)$`)

// SessionMember finds the session id in _protocol. clear reports whether its name is unambiguous:
// session_key may name a process.
func SessionMember(protocol probes.Value) (path []string, clear bool) {
	for _, m := range protocol.Members() {
		name := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(m.Name))
		identifies := m.Value.Is(probes.String) || m.Value.Is(probes.Number)
		if sessionNamePattern.MatchString(name) && identifies {
			return []string{m.Name}, name == "sessionid"
		}
		if id := m.Value.At("id"); name == "session" && (id.Is(probes.String) || id.Is(probes.Number)) {
			return []string{m.Name, "id"}, false
		}
	}
	return nil, false
}

// JudgeTool judges the entry of a tool on its page.
func JudgeTool(judge func(s model.Subject, tool probes.Value) ruling.Ruling) func(model.Subject, probes.Answers) ruling.Ruling {
	return func(s model.Subject, got probes.Answers) ruling.Ruling {
		for _, page := range got {
			for _, entry := range page.Result().At("tools").Items() {
				if bytes.Equal(entry.Raw(), s.Tool.Raw.Raw()) {
					return judge(s, entry).By(page)
				}
			}
		}
		return ruling.NotProven("the tool in an array of tools", "a list of another shape").Because("MCP-LIST-02")
	}
}

// UnreadableToolList reports whether the server declares the tools capability and lists tools in a
// form that nobody can read. Section 2.1. A server whose list is empty is no adapter, or none yet.
func UnreadableToolList(ctx context.Context, f *model.Adapter, ask probes.Asker) bool {
	start, page := ask.Ask(ctx, Handshake(model.Subject{Adapter: f})), ask.Ask(ctx, f.Pages[0])
	return start.Result().At("capabilities", "tools").Is(probes.Object) && page.Outcome == probes.Result && !HasToolList(page)
}

// JudgeToolHint judges one annotation of a tool. MCP-ANNOT-01 covers annotations that are not
// boolean.
func JudgeToolHint(hint string, judge func(s model.Subject, given probes.Value) ruling.Ruling) func(model.Subject, probes.Answers) ruling.Ruling {
	return JudgeTool(func(s model.Subject, tool probes.Value) ruling.Ruling {
		given := tool.At("annotations", hint)
		broken := tool.Has("annotations") && !tool.At("annotations").Is(probes.Object)
		if broken || !MissingOr(given, probes.Boolean) {
			return ruling.NotProven("annotations that can be read", ruling.Clip(tool.At("annotations").String())).Because("MCP-ANNOT-01")
		}
		return judge(s, given)
	})
}

// HasToolList reports whether a page has an array of objects.
func HasToolList(page probes.Observation) bool {
	tools := page.Result().At("tools")
	for _, entry := range tools.Items() {
		if !entry.Is(probes.Object) {
			return false
		}
	}
	return tools.Is(probes.Array)
}

// RPCCode returns the code of a JSON-RPC error; empty if there is none.
func RPCCode(o probes.Observation) string {
	if o.Outcome != probes.RPCError {
		return ""
	}
	return strings.Trim(o.RPCError().At("code").String(), `"`) // MCP-RPC-02 covers a code that is a string
}

// CompileSchema compiles a schema in its dialect, within the time limit.
func CompileSchema(schema probes.Value) (*schemas.Published, error) {
	ctx, cancel := model.SchemaContext()
	defer cancel()
	return schemas.Compile(ctx, schema.Raw())
}

// ListChangedFlag returns the flag that announces list-changed notifications.
func ListChangedFlag(handshake probes.Observation) probes.Value {
	return handshake.Result().At("capabilities", "tools", "listChanged")
}
