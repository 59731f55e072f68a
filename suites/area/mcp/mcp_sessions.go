package mcp

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// Section 2.3.1.
var eachConnectionOpensFreshSession = check.Check{
	Requirement: "AQL-2.3.1-01",
	Rule:        "Each completed initialize handshake opens a fresh MCP-AQL session that lasts exactly as long as that one MCP connection, including when the same client reconnects at once.",
	Why:         "Tokens and executions are tied to the session: an identifier that two connections share lets one act for the other, even when both belong to the same client.",
	On: model.Only(model.IntrospectSubject, func(s model.Subject) bool {
		way, _ := check.SessionMember(s.Protocol)
		return way != nil
	}),
	Drive: func(s model.Subject, ask model.AskFunc) {
		home, ok := check.HomeSession(s, ask)
		for i, conn := range []string{home, home + "/2", home + "/3"} {
			if ok {
				ask(s.Listing().Over(conn).As(probes.Nth("listing", i)))
				ask(probes.Request(conn, "initialize", nil).As(probes.Nth("handshake", i)))
			}
		}
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		way, clear := check.SessionMember(s.Protocol)
		if !check.OffersSessions(got) {
			return check.NoSessions
		}
		seen, opened := map[string]bool{}, map[string]bool{}
		listings := got.Under("listing")
		for i, o := range listings {
			start := got.Step(probes.Nth("handshake", i))
			id := o.Data().At("_protocol").At(way...)
			kept := start.Session != "" && !opened[start.Session]
			opened[start.Session] = true
			switch {
			case !o.Succeeded(), id.Is(probes.Absent), id.Is(probes.Null):
				return ruling.NotProven(strings.Join(way, ".")+" in each session", o)
			case !seen[id.Canonical(nil)]:
				seen[id.Canonical(nil)] = true
				continue
			case o.Status != 0 && !kept:
				return ruling.NotProven("an Mcp-Session-Id for each connection", "the same identifier over HTTP, where the server may keep no sessions").By(got[0], o)
			}
			want, found := "an identifier of its own for each session", strings.Join(way, ".")+" "+id.String()+" in two sessions"
			if o.Status == 0 { // each process has one session, and may count its own alone
				return ruling.NotProven(want, found+" of two processes").By(got[0], o)
			}
			if clear {
				return ruling.Violates(want, found).By(got[0], o)
			}
			return ruling.Departs(want, found).Noting("the name may also mean a process or a deployment").By(got[0], o)
		}
		return ruling.Conforms().By(listings...)
	},
	Fix: "generate the session identifier when initialize completes",
}
