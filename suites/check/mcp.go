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

// StartUp asks for the handshake of the subject's face.
func StartUp(s model.Subject) probes.Probe { return probes.Request(s.Conn, "initialize", nil) }

const Stateless = "2026-07-28"

// RevisionOf returns the MCP revision a handshake settled; empty when it settled
// none.
func RevisionOf(handshake probes.Observation) string {
	if !Discovered(handshake) {
		return handshake.Result().At("protocolVersion").Text()
	}
	sent, _ := probes.ParseValue(handshake.SentData())
	return sent.At("params", "_meta", "io.modelcontextprotocol/protocolVersion").Text()
}

// Discovered reports whether server/discover took the place of initialize.
func Discovered(handshake probes.Observation) bool {
	sent, _ := probes.ParseValue(handshake.SentData())
	return sent.At("method").Text() == "server/discover" && handshake.Result().Is(probes.Object)
}

// MissingOr reports whether the value is absent or of the kind.
func MissingOr(v probes.Value, kind probes.Kind) bool { return v.Is(probes.Absent) || v.Is(kind) }

// sessionName matches member names that hold an identifier of a session; limits
// and modes of sessions (session_timeout, sessions) are none.
var sessionName = regexp.MustCompile(`^(mcp|aql|mcpaql|current)?session(id|identifier|uuid|key|token|handle)$`)

// SessionMember finds the session identifier in _protocol. clear reports whether
// its name can mean nothing but the session: session_key may name a process.
func SessionMember(protocol probes.Value) (way []string, clear bool) {
	for _, m := range protocol.Members() {
		name := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(m.Name))
		identifies := m.Value.Is(probes.String) || m.Value.Is(probes.Number)
		if sessionName.MatchString(name) && identifies {
			return []string{m.Name}, name == "sessionid"
		}
		if id := m.Value.At("id"); name == "session" && (id.Is(probes.String) || id.Is(probes.Number)) {
			return []string{m.Name, "id"}, false
		}
	}
	return nil, false
}

// OfTool judges the entry of a tool as it stands on its page.
func OfTool(judge func(s model.Subject, tool probes.Value) ruling.Ruling) func(model.Subject, []probes.Observation) ruling.Ruling {
	return func(s model.Subject, got []probes.Observation) ruling.Ruling {
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

// OwesTools reports whether the server declared tools at its start and then
// listed none, or listed them in a form nobody can read. Section 2.1. That is a
// rule broken, whatever the server is for. One that declares no tools is of
// another kind, and one whose list may change has not broken its word yet.
func OwesTools(ctx context.Context, f *model.Adapter, ask probes.Asker) bool {
	start, page := ask.Ask(ctx, StartUp(model.Subject{Adapter: f})), ask.Ask(ctx, f.Pages[0])
	switch {
	case !start.Result().At("capabilities", "tools").Is(probes.Object), page.Outcome != probes.Result:
		return false
	case !HoldsTools(page):
		return true
	}
	return len(f.Tools) == 0 && !AnnouncedChanges(start).True()
}

// OfHint judges one hint of a tool. Hints of another type than boolean are left
// to MCP-ANNOT-01.
func OfHint(hint string, judge func(s model.Subject, given probes.Value) ruling.Ruling) func(model.Subject, []probes.Observation) ruling.Ruling {
	return OfTool(func(s model.Subject, tool probes.Value) ruling.Ruling {
		given := tool.At("annotations", hint)
		broken := tool.Has("annotations") && !tool.At("annotations").Is(probes.Object)
		if broken || !MissingOr(given, probes.Boolean) {
			return ruling.NotProven("annotations that can be read", ruling.Clip(tool.At("annotations").String())).Because("MCP-ANNOT-01")
		}
		return judge(s, given)
	})
}

// HoldsTools reports whether a page is an array of objects.
func HoldsTools(page probes.Observation) bool {
	tools := page.Result().At("tools")
	for _, entry := range tools.Items() {
		if !entry.Is(probes.Object) {
			return false
		}
	}
	return tools.Is(probes.Array)
}

// RpcCode returns the code of a JSON-RPC error; empty when there is none.
func RpcCode(o probes.Observation) string {
	if o.Outcome != probes.RPCError {
		return ""
	}
	return strings.Trim(o.RPCError().At("code").String(), `"`) // that it is text is MCP-RPC-02
}

// Compiled reads a schema in the dialect it names, within the budget.
func Compiled(schema probes.Value) (*schemas.Published, error) {
	ctx, cancel := model.SchemaContext()
	defer cancel()
	return schemas.Compile(ctx, schema.Raw())
}

// AnnouncedChanges is the flag by which a server announces list-change
// notifications.
func AnnouncedChanges(handshake probes.Observation) probes.Value {
	return handshake.Result().At("capabilities", "tools", "listChanged")
}
