package confirmation

import (
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
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
func session(g check.Confirmable, label string) string {
	return probes.InSession(g.Conn + "/" + label + "-" + g.Name)
}

// bequeath redeems a token in a session, requests another one there, ends the session, and sends
// that token in the next session.
func bequeath(g check.Confirmable, ask model.AskFunc, script, from, to string, abrupt bool) {
	name, ok := g.RunControl(ask)
	if !ok {
		return
	}
	here := func(p probes.Probe) probes.Observation { return ask(p.Over(from)) }
	_, call, spent := tokenFor(g, here, script)
	if spent.Is(probes.Absent) || !here(call.With(name, spent.Go()).Anew(g.Step(script+": call with token"))).Succeeded() {
		return
	}
	made, ok := g.CreateObject(here, script+": second object")
	if !ok {
		return
	}
	call = g.CallOn(made)
	token := here(call.Anew(g.Step(script + ": second call without token"))).ConfirmationToken()
	if token.Is(probes.Absent) {
		return
	}
	check.EndSession(ask, from, abrupt, g.Step(script+": end of the session"))
	there := func(p probes.Probe) probes.Observation { return ask(p.Over(to)) }
	g.ReadObject(there, made, script+": read in the next session")
	there(call.With(name, token.Go()).Anew(g.Step(script + ": call in the next session")))
}

func inheritanceOf(g check.Confirmable, got probes.Answers, script string) sessionTokenResult {
	var h sessionTokenResult
	h.control = got.Step(g.Step(script + ": call with token"))
	h.seen = got.Step(g.Step(script + ": read in the next session"))
	h.later, h.asked = got.Find(g.Step(script + ": call in the next session"))
	h.ended, h.closed = check.SessionEnded(got, g.Step(script+": end of the session"))
	return h
}

// inherited rules on it. ok is false if the next session accepted the token.
func inherited(g check.Confirmable, got probes.Answers, script string) (r ruling.Ruling, ok bool) {
	if why, ok := g.JudgeControl(got); !ok {
		return why, true
	}
	h := inheritanceOf(g, got, script)
	switch {
	case !h.control.Succeeded():
		return ruling.NotProven("a token that is taken in a session of its own", h.control), true
	case !h.asked:
		return ruling.NotProven("a token and an ended session", got.Last()), true
	case h.later.Succeeded() && !h.closed:
		return h.ended, true
	case h.later.Succeeded() && !check.AnnouncedPending(g.Adapter, h.later):
		return ruling.Ruling{}, false
	case h.later.Code() == "CONFIRMATION_REQUIRED", strings.HasPrefix(h.later.Code(), "TOKEN_"):
		return ruling.Conforms().By(h.later, h.control), true
	}
	return ruling.NotProven("an object that outlives the session", h.later).By(h.control).Mend(sharedState), true
}

// persists reports whether the author says that tokens outlive their session.
func persists(s model.Subject) bool { return s.Hints.Confirm.CrossSession }

// Section 2.3.3.
var tokenDiesWithItsClosedSession = check.Check{
	Requirement: "AQL-2.3.3-01",
	Rule:        "A confirmation token issued in a session is not honoured after that session was closed in an orderly way, unless the adapter explicitly documents cross-session tokens.",
	Why:         "After the session ends, the person who confirmed is no longer responsible for the call.",
	On:          check.ConfirmableSubject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		g := check.ConfirmableOf(s)
		bequeath(g, ask, "closed session", session(g, "closed"), session(g, "after-closed"), false)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		g := check.ConfirmableOf(s)
		r, ok := inherited(g, got, "closed session")
		h := inheritanceOf(g, got, "closed session")
		switch {
		case !check.HasSessions(got.Step(g.Step("closed session: end of the session"))):
			return check.NoSessions
		case ok:
			return r
		case persists(s):
			return ruling.NotApplicable("the author documents that tokens persist across sessions")
		}
		if documents(g.Op, outlivesSession) {
			return ruling.Departs("a refusal of a token whose session was closed", h.later).By(h.control).Noting("introspection says that tokens outlive their session")
		}
		return ruling.Violates("a refusal of a token whose session was closed", h.later).By(h.control)
	},
	Fix: "drop the tokens of a session when it ends, or document that they persist",
}

// Section 2.3.3.
var tokenDiesWithAbortedSession = check.Check{
	Requirement: "AQL-2.3.3-02",
	Rule:        "A confirmation token is equally dead after the session ended abruptly (process killed, socket reset).",
	Why:         "A session that breaks off has ended as well. Cleaning up must not depend on a proper goodbye. Over HTTP a server notices only after a timeout.",
	On:          check.ConfirmableSubject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		g := check.ConfirmableOf(s)
		bequeath(g, ask, "closed session", session(g, "closed"), session(g, "after-closed"), false)
		bequeath(g, ask, "broken session", session(g, "broken"), session(g, "after-broken"), true)
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		const want = "a refusal of a token whose session broke off"
		g := check.ConfirmableOf(s)
		_, closed := inherited(g, got, "closed session")
		r, ok := inherited(g, got, "broken session")
		h := inheritanceOf(g, got, "broken session")
		switch {
		case !check.HasSessions(got.Step(g.Step("closed session: end of the session"))):
			return check.NoSessions
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
