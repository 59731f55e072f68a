package authorization

import (
	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/web"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// MCP authorization, Error Handling.
var requestWithoutTokenGets401 = check.Check{
	Requirement: "MCP-AUTH-01",
	Rule:        "A server that requires authorization refuses a request without a token with HTTP 401.",
	Why:         "A client signs in when it sees 401. Any other refusal, also one within HTTP 200, is taken for the end of the matter.",
	On:          model.WholeAdapter,
	Drive:       asking(),
	Judge: guarded(func(got probes.Answers) ruling.Ruling {
		if control, without := refused(got); without.status != unauthorized {
			return ruling.Violates("HTTP 401 without a token", without.said()).By(control.Observation, without.Observation)
		}
		return ruling.Conforms()
	}),
	Fix: "answer a request without a token with HTTP 401 before anything reads its body",
}

// RFC 9110, section 11.6.1; RFC 6750, section 3.
var refusalCarriesChallenge = check.Check{
	Requirement: "MCP-AUTH-02",
	Rule:        "HTTP 401 carries the header WWW-Authenticate with the scheme of the credentials that are wanted.",
	Why:         "The challenge is what tells a client that a bearer token is wanted, and where its issuer is described.",
	On:          model.WholeAdapter,
	Drive:       asking(),
	Judge: guarded(func(got probes.Answers) ruling.Ruling {
		without := refusal(got)
		switch {
		case without.status != unauthorized:
			return ruling.NotProven("HTTP 401 without a token", without.said()).Because("MCP-AUTH-01")
		case len(without.header("www-authenticate")) == 0:
			return ruling.Violates("WWW-Authenticate beside HTTP 401", "none").By(without.Observation)
		}
		return ruling.Conforms()
	}),
	Fix: `add WWW-Authenticate: Bearer resource_metadata="…" to HTTP 401`,
}

const (
	invalid   = "initialize with a token that nobody has issued"
	forged    = "initialize with another signature of the token"
	inSession = "listing in the session with the token"
	unissued  = "listing in the session with a token that nobody has issued"
)

// MCP authorization, Token Handling.
var invalidTokenGets401 = check.Check{
	Requirement: "MCP-AUTH-08",
	Rule:        "An invalid token receives HTTP 401.",
	Why:         "A server that accepts any token has no authorization. One that fails over it keeps the client from signing in again.",
	On:          model.WholeAdapter,
	Drive: func(s model.Subject, ask model.AskFunc) {
		asking(step{invalid, web.Invalid}, step{forged, web.Forged})(s, ask)
		listInSession(step{bareInSession, web.None}, step{unissued, web.Invalid})(s, ask)
		callInSession(step{bareCallInSession, web.None}, step{unissuedCall, web.Invalid})(s, ask)
	},
	Judge: guarded(func(got probes.Answers) ruling.Ruling {
		for _, answer := range []reply{at(got, invalid), at(got, forged)} {
			switch {
			case answer.passing():
				return ruling.NotProven("a refusal of an invalid token", answer.said()).By(answer.Observation)
			case answer.status != unauthorized:
				return ruling.Violates("HTTP 401 for an invalid token", answer.said()).By(accepted(got).Observation, answer.Observation)
			}
		}
		for _, asked := range [][3]string{{inSession, bareInSession, unissued}, {calledInSession, bareCallInSession, unissuedCall}} {
			control, bare, answer := at(got, asked[0]), at(got, asked[1]), at(got, asked[2]) // a session that needs no token at all is MCP-AUTH-09
			if control.succeeded() && !bare.succeeded() && answer.succeeded() {
				return ruling.Violates("HTTP 401 for an invalid token in a session", "the result of "+asked[2]).By(control.Observation, answer.Observation)
			}
		}
		return ruling.Conforms()
	}),
	Fix: "validate each token, and answer HTTP 401 with error=\"invalid_token\" where that fails",
}

const bareInSession = "listing in the session without a token"

// listInSession sends a listing in the session that began with the token: with the token, then with
// other credentials.
func listInSession(others ...step) func(model.Subject, model.AskFunc) {
	return func(s model.Subject, ask model.AskFunc) {
		closed, ok := begin(s, ask)
		if !ok {
			return
		}
		body := closed.Body
		if body == initialize {
			body = listing
		}
		home, _ := check.HomeSession(s, ask)
		ask(probes.Web(home, web.Request{Body: body, Credential: web.Own, Session: true}).As(inSession))
		for _, one := range others {
			ask(probes.Web(home, web.Request{Body: body, Credential: one.credential, Session: true}).As(one.name))
		}
	}
}

const (
	calledInSession   = "introspect in the session with the token"
	bareCallInSession = "introspect in the session without a token"
	unissuedCall      = "introspect in the session with a token that nobody has issued"
)

// callInSession sends introspect in the session that began with the token: with it, then with other credentials.
// Where initialize is open to everybody, introspect may be so, too.
func callInSession(others ...step) func(model.Subject, model.AskFunc) {
	return func(s model.Subject, ask model.AskFunc) {
		closed, ok := begin(s, ask)
		if !ok || closed.Body != initialize {
			return
		}
		home, _ := check.HomeSession(s, ask)
		for _, one := range append([]step{{calledInSession, web.Own}}, others...) {
			ask(probes.Web(home, web.Request{Body: entering(s, 2).Body, Credential: one.credential, Session: true}).As(one.name))
		}
	}
}

// MCP security best practices, Session Hijacking.
var sessionIsNoAuthorization = check.Check{
	Requirement: "MCP-AUTH-09",
	Rule:        "A server with authorization verifies every request; a session is no authentication.",
	Why:         "A session id is no secret of OAuth: whoever sees one would act for the user without a token, and longer than any token lives.",
	On:          model.WholeAdapter,
	Drive: func(s model.Subject, ask model.AskFunc) {
		listInSession(step{bareInSession, web.None})(s, ask)
		callInSession(step{bareCallInSession, web.None})(s, ask)
	},
	Judge: guarded(func(got probes.Answers) ruling.Ruling {
		control, answer := at(got, inSession), at(got, bareInSession)
		called, bareCall := at(got, calledInSession), at(got, bareCallInSession)
		switch {
		case !check.OffersSessions(got):
			return check.NoSessions
		case !control.succeeded():
			return ruling.NotProven("tools/list in the session with the token", control.said()).By(control.Observation)
		case answer.succeeded():
			return ruling.Violates("a refusal of tools/list without a token", "its result, for the session alone").By(refusal(got).Observation, control.Observation, answer.Observation)
		case called.succeeded() && bareCall.succeeded():
			return ruling.Violates("a refusal of tools/call without a token", "its result, for the session alone").By(refusal(got).Observation, called.Observation, bareCall.Observation)
		case !answer.refusedAs(refusal(got)):
			return ruling.NotProven("a refusal of tools/list for the missing token", answer.said()).By(answer.Observation)
		}
		return ruling.Conforms()
	}),
	Fix: "look for the token in each request, whatever session it names",
}

const inQuery = "initialize with the token in the query"

// MCP authorization, Token Requirements.
var tokenInQueryIsNotAccepted = check.Check{
	Requirement: "MCP-AUTH-10",
	Rule:        "A token in the query of the URL is not accepted.",
	Why:         "Addresses stand in the logs of servers and proxies, and a token with them.",
	On:          model.WholeAdapter,
	Drive:       asking(step{inQuery, web.Query}),
	Judge: guarded(func(got probes.Answers) ruling.Ruling {
		answer := at(got, inQuery)
		switch {
		case answer.succeeded():
			return ruling.Violates("a refusal of the token in the query", answer.said()).By(refusal(got).Observation, answer.Observation)
		case !answer.refusedAs(refusal(got)):
			return ruling.NotProven("a refusal as without a token", answer.said()).By(answer.Observation)
		}
		return ruling.Conforms()
	}),
	Fix: "read tokens from the header Authorization alone",
}
