package suites

import (
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// sessionName matches member names that hold an identifier of a session; limits
// and modes of sessions (session_timeout, sessions) are none.
var sessionName = regexp.MustCompile(`^(mcp|aql|mcpaql|current)?session(id|identifier|uuid|key|token|handle)$`)

// sessionMember finds the session identifier in _protocol. clear reports whether
// its name can mean nothing but the session: session_key may name a process.
func sessionMember(protocol probes.Value) (way []string, clear bool) {
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

// Section 2.3.1. Tokens and executions are tied to the session: an identifier
// that two connections share lets one act for the other, even when both belong to
// the same client.
var _ = register(Check{
	Requirement: "AQL-2.3.1-01",
	On: only(introspecting, func(s Subject) bool {
		way, _ := sessionMember(s.Protocol)
		return way != nil
	}),
	Ask: func(s Subject) []probes.Probe {
		var ps []probes.Probe
		for _, conn := range []string{s.Conn, s.Conn + "/2", s.Conn + "/3"} {
			ps = append(ps, s.Listing().Over(conn), probes.Request(conn, "initialize", nil))
		}
		return ps
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		way, clear := sessionMember(s.Protocol)
		if revisionOf(got[1]) >= stateless {
			return NotApplicable("the negotiated MCP era has no sessions")
		}
		seen, opened := map[string]bool{}, map[string]bool{}
		for i := 0; i < len(got); i += 2 {
			o, start := got[i], got[i+1]
			id := o.Data().At("_protocol").At(way...)
			kept := start.Session != "" && !opened[start.Session]
			opened[start.Session] = true
			switch {
			case !o.Succeeded(), id.Is(probes.Absent), id.Is(probes.Null):
				return NotProven(strings.Join(way, ".")+" in each session", o)
			case !seen[id.Canonical(nil)]:
				seen[id.Canonical(nil)] = true
				continue
			case o.Status != 0 && !kept:
				return NotProven("an Mcp-Session-Id for each connection", "the same identifier over HTTP, where the server may keep no sessions").By(got[0], o)
			}
			want, found := "an identifier of its own for each session", strings.Join(way, ".")+" "+id.String()+" in two sessions"
			if clear {
				return Violates(want, found).By(got[0], o)
			}
			return Departs(want, found).Noting("the name may also mean a process or a deployment").By(got[0], o)
		}
		return Conforms().By(got[0], got[2], got[4])
	},
	Fix: "generate the session identifier when initialize completes",
})
