package suites

import (
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
	token := here(call.Anew(g.first + stage + 4)).ConfirmationToken()
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
