package suites

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
)

// The stages of the scripts on tokens and sessions, behind those of the tokens alone.
const (
	closedSession = (iota + 10) * specimenStage
	brokenSession
	forgedLabels
	copiedClient
)

// sharedState is what shows more about sessions than processes of their own do.
const sharedState = "--url: the adapter over HTTP, where its sessions share one store"

// A heritage is what a script found out about a token whose session has ended.
type heritage struct {
	control probes.Observation // a token redeemed in the session while it lived
	ended   Ruling             // why the session cannot have ended
	closed  bool               // it has
	seen    probes.Observation // the object, shown to the next session
	later   probes.Observation // the token of the ended session
	asked   bool
}

// session gives a connection of its own to one part of the scripts of an operation.
func (g guarded) session(label string) string { return g.Conn + "/" + label + "-" + g.Name }

// bequeath plays a session that hands a token on: another of its tokens is redeemed,
// then it ends, and the next session shows the token.
func (g guarded) bequeath(ask Asking, stage int, from, to string, abrupt bool) {
	name, ok := g.control(ask)
	if !ok {
		return
	}
	here := func(p probes.Probe) probes.Observation { return ask(p.Over(from)) }
	call, spent := g.tokenFor(here, stage)
	if spent.Is(probes.Absent) || !here(call.With(name, spent.Go()).Anew(g.first+stage+2)).Succeeded() {
		return
	}
	made, ok := g.object(here, stage+3)
	if !ok {
		return
	}
	call = g.on(made)
	token := tokenOf(here(call.Anew(g.first + stage + 4)))
	if token.Is(probes.Absent) {
		return
	}
	endSession(ask, from, abrupt, g.first+stage+7)
	there := func(p probes.Probe) probes.Observation { return ask(p.Over(to)) }
	g.looks(there, made, stage+5)
	there(call.With(name, token.Go()).Anew(g.first + stage + 6))
}

func (g guarded) heritage(got []probes.Observation, stage int) heritage {
	var h heritage
	h.control, _ = at(got, g.first+stage+2)
	h.seen, _ = at(got, g.first+stage+5)
	h.later, h.asked = at(got, g.first+stage+6)
	h.ended, h.closed = sessionEnded(got, g.first+stage+7)
	return h
}

// inherited rules on it; ok is false where the token was taken by the next session.
func (g guarded) inherited(got []probes.Observation, stage int) (r Ruling, ok bool) {
	if why, ok := g.controlled(got); !ok {
		return why, true
	}
	h := g.heritage(got, stage)
	switch {
	case !h.control.Succeeded():
		return NotProven("a token that is taken in a session of its own", h.control), true
	case !h.asked:
		return NotProven("a token and an ended session", got[len(got)-1]), true
	case h.later.Succeeded() && !h.closed:
		return h.ended, true
	case h.later.Succeeded() && !announcedPending(h.later):
		return Ruling{}, false
	case h.later.Code() == "CONFIRMATION_REQUIRED", strings.HasPrefix(h.later.Code(), "TOKEN_"):
		return Conforms().By(h.later, h.control), true
	}
	return NotProven("an object that outlives the session", h.later).By(h.control).Mend(sharedState), true
}

// endSession ends a connection and gives the adapter a moment to notice. It takes
// three takes.
func endSession(ask Asking, conn string, abrupt bool, take int) {
	ask(probes.Request(conn, "initialize", nil).Anew(take))
	ask(probes.Leave(conn, abrupt, take+1))
	ask(probes.Pause(conn, 500*time.Millisecond, take+2))
}

// sessionEnded rules on a session that endSession was to end: a server over HTTP may
// keep none, or not let a client end it.
func sessionEnded(got []probes.Observation, take int) (why Ruling, ok bool) {
	hello, _ := at(got, take)
	left, _ := at(got, take+1)
	overHTTP := slices.ContainsFunc(got, func(o probes.Observation) bool { return o.Status != 0 })
	switch kept := left.Result().At("kept"); {
	case overHTTP && hello.Session == "":
		return NotProven("an Mcp-Session-Id", "a server that may keep no sessions").By(hello), false
	case !kept.Is(probes.Absent):
		return NotProven("a session that a client can end", kept.Text()).By(hello), false
	}
	return Ruling{}, true
}

// persists reports whether the author says that tokens outlive their session.
func persists(s Subject) bool { return s.Hints.Confirm.CrossSession }

// sessionless reports whether an answer came in the era without sessions.
func sessionless(f *Face, got []probes.Observation) bool {
	hello, _ := at(got, handshakeTake)
	return revisionOf(hello) >= stateless
}

// handshakeTake is the take of the handshakes that scripts on sessions look at.
const handshakeTake = 77

// Section 2.3.3. Who confirmed is no longer there to answer for it when the session
// has ended.
var _ = register(Check{
	Requirement: "AQL-2.3.3-01",
	On:          onGuarded,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		g := guardOf(s)
		ask(probes.Request(s.Conn, "initialize", nil).Anew(handshakeTake))
		g.bequeath(ask, closedSession, g.session("closed"), g.session("after-closed"), false)
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		g := guardOf(s)
		r, ok := g.inherited(got, closedSession)
		h := g.heritage(got, closedSession)
		switch {
		case sessionless(s.Face, got):
			return NotApplicable("the negotiated MCP era has no sessions")
		case ok:
			return r
		case persists(s):
			return NotApplicable("the author documents that tokens persist across sessions")
		}
		return Violates("a refusal of a token whose session was closed", h.later).By(h.control)
	},
	Fix: "drop the tokens of a session when it ends, or document that they persist",
})

// Section 2.3.3. A session that breaks off has ended as well; nothing must hang on it
// that somebody took his leave. Over HTTP a server cannot notice before it loses
// patience.
var _ = register(Check{
	Requirement: "AQL-2.3.3-02",
	On:          onGuarded,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		g := guardOf(s)
		ask(probes.Request(s.Conn, "initialize", nil).Anew(handshakeTake))
		g.bequeath(ask, closedSession, g.session("closed"), g.session("after-closed"), false)
		g.bequeath(ask, brokenSession, g.session("broken"), g.session("after-broken"), true)
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		const want = "a refusal of a token whose session broke off"
		g := guardOf(s)
		_, closed := g.inherited(got, closedSession)
		r, ok := g.inherited(got, brokenSession)
		h := g.heritage(got, brokenSession)
		switch {
		case sessionless(s.Face, got):
			return NotApplicable("the negotiated MCP era has no sessions")
		case ok:
			return r
		case persists(s):
			return NotApplicable("the author documents that tokens persist across sessions")
		case !closed:
			return NotProven(want, h.later).By(h.control).Because("AQL-2.3.3-01")
		case h.later.Status != 0:
			return NotProven(want, "a server over HTTP that may not have noticed the end").By(h.later, h.control)
		}
		return Violates(want, h.later).By(h.control)
	},
	Fix: "drop the tokens of a session however it ends",
})

// stranger is a session that gives another client name than all others of the run.
func (g guarded) stranger() string { return g.Conn + "/client=aqlx-stranger/" + g.Name }

// identities are the values by which a session may be known from outside: what
// _protocol shows, and the identifier of the transport.
func identities(f *Face, listing, hello probes.Observation) (id string) {
	protocol := listing.Data().At("_protocol")
	way, _ := sessionMember(protocol)
	if way != nil {
		id = strings.Trim(protocol.At(way...).String(), `"`)
	}
	return cmp.Or(id, hello.Session, "aqlx-"+f.Nonce)
}

// claims are the labels by which a client may say that it is another session.
func claims(id string) map[string]any {
	return map[string]any{"session_id": id, "sessionId": id, "session": id, "client_id": "aql-conform"}
}

// labelled is a call with the labels in both places that _meta may stand in: the
// arguments, and the params of the MCP request.
func labelled(p probes.Probe, id string) probes.Probe {
	p = p.Top("_meta", claims(id))
	p.Raw = probes.ValueOf(map[string]any{"name": p.Tool, "arguments": p.Args, "_meta": claims(id)}).Raw()
	return p
}

// The steps of a script in which a session shows the tokens of another: each token is
// asked for in the first session and shown by the stranger or an impostor.
const (
	plainStep    = 0
	impostorStep = 10
	homeStep     = 20
	listingStep  = 30
)

// impersonate plays it: a token shown by a stranger as he is, one shown by an
// impostor, and one by the session it belongs to.
func (g guarded) impersonate(ask Asking, stage int, impostor func(p probes.Probe, id string) probes.Probe) {
	name, ok := g.control(ask)
	if !ok {
		return
	}
	home := g.Conn
	hello := ask(probes.Request(home, "initialize", nil).Anew(handshakeTake))
	id := identities(g.Face, ask(g.Listing().Anew(g.first+stage+listingStep)), hello)
	for _, part := range []struct {
		step int
		as   func(probes.Probe) probes.Probe
	}{
		{plainStep, func(p probes.Probe) probes.Probe { return p.Over(g.stranger()) }},
		{impostorStep, func(p probes.Probe) probes.Probe { return impostor(p, id) }},
		{homeStep, func(p probes.Probe) probes.Probe { return p }},
	} {
		call, token := g.tokenFor(ask, stage+part.step)
		if !token.Is(probes.Absent) {
			ask(part.as(call.With(name, token.Go()).Anew(g.first + stage + part.step + 2)))
		}
	}
}

// impostor rules on it.
func (g guarded) impostor(got []probes.Observation, stage int, what string) Ruling {
	if why, ok := g.controlled(got); !ok {
		return why
	}
	plain, _ := at(got, g.first+stage+plainStep+2)
	forged, asked := at(got, g.first+stage+impostorStep+2)
	home, _ := at(got, g.first+stage+homeStep+2)
	turned := func(o probes.Observation) bool {
		return o.Code() == "CONFIRMATION_REQUIRED" || strings.HasPrefix(o.Code(), "TOKEN_")
	}
	switch {
	case sessionless(g.Face, got):
		return NotApplicable("the negotiated MCP era has no sessions")
	case !home.Succeeded() || !asked:
		return NotProven("a token that is taken in the session it belongs to", home)
	case plain.Succeeded():
		return NotApplicable("does not hold: a token is tied to its session").By(plain, home)
	case !turned(plain):
		return NotProven("a store that both sessions share", plain).By(home).Mend(sharedState)
	case forged.Succeeded():
		return Violates("the refusal that a stranger gets", "success with "+what).By(forged, plain, home)
	case !turned(forged) && !forged.Refused() && !forged.RefusedBelow():
		return NotProven("an answer to "+what, forged).By(plain)
	}
	return Conforms().By(forged, plain, home)
}

// Section 2.3.5. What a client writes into _meta it can write as it likes.
var _ = register(Check{
	Requirement: "AQL-2.3.5-02",
	On:          onGuarded,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		g := guardOf(s)
		g.impersonate(ask, forgedLabels, func(p probes.Probe, id string) probes.Probe {
			return labelled(p.Over(g.stranger()), id)
		})
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		return guardOf(s).impostor(got, forgedLabels, "forged _meta")
	},
	Fix: "take the session from the connection; write _meta to the log and nowhere else",
})

// Section 2.3.5. The same goes for the name in the handshake and for parameters: who
// calls himself as another does is still not the other.
var _ = register(Check{
	Requirement: "AQL-2.3.5-03",
	On:          onGuarded,
	Lane:        probes.Serial,
	Drive: func(s Subject, ask Asking) {
		g := guardOf(s)
		g.impersonate(ask, copiedClient, func(p probes.Probe, id string) probes.Probe {
			for name := range claims(id) {
				if g.Op.HasParameter(name) {
					p = p.With(name, id)
				}
			}
			return p.Top("_session_id", id).Over(g.session("impostor"))
		})
	},
	Judge: func(s Subject, got []probes.Observation) Ruling {
		return guardOf(s).impostor(got, copiedClient, "clientInfo and parameters copied from the session it belongs to")
	},
	Fix: "make the identifier of a session on the server, and trust no other",
})
