package confirmation

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The stages of the scripts on tokens and sessions, behind those of the tokens alone.
const (
	closedSession = (iota + 10) * model.TakesPerScript
	brokenSession
	forgedLabels
	copiedClient
)

// sharedState is what shows more about sessions than processes of their own do.
const sharedState = "--url: the adapter over HTTP, where its sessions share one store"

// A sessionTokenResult is what a script found out about a token whose session has ended.
type sessionTokenResult struct {
	control probes.Observation // a token redeemed in the session while it lived
	ended   ruling.Ruling      // why the session cannot have ended
	closed  bool               // it has
	seen    probes.Observation // the object, shown to the next session
	later   probes.Observation // the token of the ended session
	asked   bool
}

// session gives a connection of its own to one part of the scripts of an operation.
func session(g check.Confirmable, label string) string { return g.Conn + "/" + label + "-" + g.Name }

// bequeath plays a session that hands a token on: another of its tokens is redeemed,
// then it ends, and the next session shows the token.
func bequeath(g check.Confirmable, ask model.AskFunc, stage int, from, to string, abrupt bool) {
	name, ok := g.RunControl(ask)
	if !ok {
		return
	}
	here := func(p probes.Probe) probes.Observation { return ask(p.Over(from)) }
	call, spent := tokenFor(g, here, stage)
	if spent.Is(probes.Absent) || !here(call.With(name, spent.Go()).Anew(g.FirstTake+stage+2)).Succeeded() {
		return
	}
	made, ok := g.CreateObject(here, stage+3)
	if !ok {
		return
	}
	call = g.CallOn(made)
	token := here(call.Anew(g.FirstTake + stage + 4)).ConfirmationToken()
	if token.Is(probes.Absent) {
		return
	}
	check.EndSession(ask, from, abrupt, g.FirstTake+stage+7)
	there := func(p probes.Probe) probes.Observation { return ask(p.Over(to)) }
	g.ReadObject(there, made, stage+5)
	there(call.With(name, token.Go()).Anew(g.FirstTake + stage + 6))
}

func inheritanceOf(g check.Confirmable, got []probes.Observation, stage int) sessionTokenResult {
	var h sessionTokenResult
	h.control, _ = check.AtTake(got, g.FirstTake+stage+2)
	h.seen, _ = check.AtTake(got, g.FirstTake+stage+5)
	h.later, h.asked = check.AtTake(got, g.FirstTake+stage+6)
	h.ended, h.closed = check.SessionEnded(got, g.FirstTake+stage+7)
	return h
}

// inherited rules on it; ok is false where the token was taken by the next session.
func inherited(g check.Confirmable, got []probes.Observation, stage int) (r ruling.Ruling, ok bool) {
	if why, ok := g.JudgeControl(got); !ok {
		return why, true
	}
	h := inheritanceOf(g, got, stage)
	switch {
	case !h.control.Succeeded():
		return ruling.NotProven("a token that is taken in a session of its own", h.control), true
	case !h.asked:
		return ruling.NotProven("a token and an ended session", got[len(got)-1]), true
	case h.later.Succeeded() && !h.closed:
		return h.ended, true
	case h.later.Succeeded() && !check.AnnouncedPending(h.later):
		return ruling.Ruling{}, false
	case h.later.Code() == "CONFIRMATION_REQUIRED", strings.HasPrefix(h.later.Code(), "TOKEN_"):
		return ruling.Conforms().By(h.later, h.control), true
	}
	return ruling.NotProven("an object that outlives the session", h.later).By(h.control).Mend(sharedState), true
}

// persists reports whether the author says that tokens outlive their session.
func persists(s model.Subject) bool { return s.Hints.Confirm.CrossSession }

// sessionless reports whether an answer came in the era without sessions.
func sessionless(f *model.Adapter, got []probes.Observation) bool {
	hello, _ := check.AtTake(got, handshakeTake)
	return check.RevisionOf(hello) >= check.StatelessRevision
}

// handshakeTake is the take of the handshakes that scripts on sessions look at.
const handshakeTake = 77

// Section 2.3.3.
var tokenDiesWithItsClosedSession = check.Check{
	Requirement: "AQL-2.3.3-01",
	Rule:        "A confirmation token issued in a session is not honoured after that session was closed in an orderly way, unless the adapter explicitly documents cross-session tokens.",
	Why:         "Who confirmed is no longer there to answer for it when the session has ended.",
	On:          check.ConfirmableSubject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		g := check.ConfirmableOf(s)
		ask(probes.Request(s.Conn, "initialize", nil).Anew(handshakeTake))
		bequeath(g, ask, closedSession, session(g, "closed"), session(g, "after-closed"), false)
	},
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling {
		g := check.ConfirmableOf(s)
		r, ok := inherited(g, got, closedSession)
		h := inheritanceOf(g, got, closedSession)
		switch {
		case sessionless(s.Adapter, got):
			return ruling.NotApplicable("the negotiated MCP era has no sessions")
		case ok:
			return r
		case persists(s):
			return ruling.NotApplicable("the author documents that tokens persist across sessions")
		}
		return ruling.Violates("a refusal of a token whose session was closed", h.later).By(h.control)
	},
	Fix: "drop the tokens of a session when it ends, or document that they persist",
}

// Section 2.3.3.
var tokenDiesWithAbortedSession = check.Check{
	Requirement: "AQL-2.3.3-02",
	Rule:        "A confirmation token is equally dead after the session ended abruptly (process killed, socket reset).",
	Why:         "A session that breaks off has ended as well; nothing must hang on it that somebody took his leave. Over HTTP a server cannot notice before it loses patience.",
	On:          check.ConfirmableSubject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		g := check.ConfirmableOf(s)
		ask(probes.Request(s.Conn, "initialize", nil).Anew(handshakeTake))
		bequeath(g, ask, closedSession, session(g, "closed"), session(g, "after-closed"), false)
		bequeath(g, ask, brokenSession, session(g, "broken"), session(g, "after-broken"), true)
	},
	Judge: func(s model.Subject, got []probes.Observation) ruling.Ruling {
		const want = "a refusal of a token whose session broke off"
		g := check.ConfirmableOf(s)
		_, closed := inherited(g, got, closedSession)
		r, ok := inherited(g, got, brokenSession)
		h := inheritanceOf(g, got, brokenSession)
		switch {
		case sessionless(s.Adapter, got):
			return ruling.NotApplicable("the negotiated MCP era has no sessions")
		case ok:
			return r
		case persists(s):
			return ruling.NotApplicable("the author documents that tokens persist across sessions")
		case !closed:
			return ruling.NotProven(want, h.later).By(h.control).Because("AQL-2.3.3-01")
		case h.later.Status != 0:
			return ruling.NotProven(want, "a server over HTTP that may not have noticed the end").By(h.later, h.control)
		}
		return ruling.Violates(want, h.later).By(h.control)
	},
	Fix: "drop the tokens of a session however it ends",
}
