package authorization

import (
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/probes/web"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

const (
	narrow  = "initialize with a token that lacks scopes"
	foreign = "initialize with a token for another resource"

	foreignInSession = "listing in the session with a token for another resource"
)

// lent is a script that sends the request that is refused without a token with a token of the author.
func lent(step, credential string) func(model.Subject, model.AskFunc) {
	return func(s model.Subject, ask model.AskFunc) {
		r, ok := begin(s, ask)
		if _, given := s.Hint(web.TokenCommands[credential]); ok && given {
			r.Credential = credential
			ask(probes.Web(s.Conn, r).As(step))
		}
	}
}

// judgeLent judges the answer to a token of the author.
func judgeLent(step, credential, printed string, judge func(got probes.Answers, answer reply) ruling.Ruling) func(model.Subject, probes.Answers) ruling.Ruling {
	return func(s model.Subject, got probes.Answers) ruling.Ruling {
		if r, ok := excused(got); ok {
			return r
		}
		if _, given := s.Hint(web.TokenCommands[credential]); !given {
			return model.HintMissing(web.TokenCommands[credential], printed)
		}
		answer := at(got, step)
		if answer.Outcome != probes.Result || answer.passing() {
			return ruling.NotProven("an answer to "+step, answer.Observation)
		}
		return judge(got, answer)
	}
}

const narrowToken = "a command that prints a token without the scopes that any request needs"

var (
	insufficient = regexp.MustCompile(`(?i)\berror\s*=\s*"?insufficient_scope\b`)
	scopes       = regexp.MustCompile(`(?i)\bscope\s*=\s*(?:"\s*[^"\s]|[^"\s,])`)
)

// challenges reports whether a refusal has a challenge with such a parameter.
func (r reply) challenges(with *regexp.Regexp) bool {
	return with.MatchString(strings.Join(r.header("www-authenticate"), ", "))
}

// MCP authorization, Runtime Insufficient Scope Errors; RFC 6750, section 3.1.
var narrowTokenGets403 = check.Check{
	Requirement: "MCP-AUTH-11",
	Rule:        "A token that lacks scopes is answered with HTTP 403, error=\"insufficient_scope\" and the scopes that are needed.",
	Why:         "A client that reads this asks its user for the scopes that are named. After HTTP 401 it signs in again for the same ones, and without scopes it must guess.",
	On:          model.WholeAdapter,
	Drive:       lent(narrow, web.Narrow),
	Judge: judgeLent(narrow, web.Narrow, narrowToken, func(got probes.Answers, answer reply) ruling.Ruling {
		const want = `HTTP 403 with error="insufficient_scope" and a scope`
		speaks := answer.challenges(insufficient)
		switch {
		case answer.succeeded():
			return ruling.NotProven("a request that needs a scope", answer.said()).By(answer.Observation)
		case answer.status != forbidden && !speaks: // the token may be refused for another reason
			return ruling.NotProven("a refusal for the scopes of the token", answer.said()).By(answer.Observation)
		case answer.status != forbidden:
			return ruling.Departs(want, answer.said()).By(accepted(got).Observation, answer.Observation)
		case !speaks:
			return ruling.Departs(want, "HTTP 403 without that error").By(accepted(got).Observation, answer.Observation)
		case !answer.challenges(scopes):
			return ruling.Departs(want, "no scope").By(accepted(got).Observation, answer.Observation)
		}
		return ruling.Conforms().By(answer.Observation)
	}),
	Fix: `answer HTTP 403 with WWW-Authenticate: Bearer error="insufficient_scope", scope="…"`,
}

// MCP authorization, Token Audience Binding and Validation; RFC 8707, section 2.
var foreignTokenIsRefused = check.Check{
	Requirement: "MCP-AUTH-12",
	Rule:        "A token that was issued for another resource is not accepted.",
	Why:         "Whoever runs another server gets tokens of its users, and could act for them here. Only the audience of a token tells.",
	On:          model.WholeAdapter,
	Drive: func(s model.Subject, ask model.AskFunc) {
		lent(foreign, web.Foreign)(s, ask)
		if _, given := s.Hint(web.TokenCommands[web.Foreign]); given {
			listInSession(step{bareInSession, web.None}, step{foreignInSession, web.Foreign})(s, ask)
		}
	},
	Judge: judgeLent(foreign, web.Foreign, "a command that prints a token for another resource", func(got probes.Answers, answer reply) ruling.Ruling {
		control, bare, later := at(got, inSession), at(got, bareInSession), at(got, foreignInSession) // as for MCP-AUTH-08
		switch {
		case answer.succeeded():
			return ruling.Violates("a refusal of a token for another resource", answer.said()).By(refusal(got).Observation, answer.Observation)
		case control.succeeded() && !bare.succeeded() && later.succeeded():
			return ruling.Violates("a refusal of a token for another resource in a session", "the result of tools/list").By(control.Observation, later.Observation)
		case !answer.refusedAs(refusal(got)) || answer.challenges(insufficient): // its scopes are another reason
			return ruling.NotProven("a refusal of a token for another resource", answer.said()).By(answer.Observation)
		}
		return ruling.Conforms().Noting("the author says that the token is valid where it belongs").By(answer.Observation)
	}),
	Fix: "compare the audience of each token with the address of this server",
}

// MCP authorization, Protected Resource Metadata Discovery Requirements.
var challengeNamesScopes = check.Check{
	Requirement: "MCP-AUTH-13",
	Rule:        "Where a request needs scopes, the challenge beside HTTP 401 names them.",
	Why:         "A client that is not told asks for all scopes there are, or for too few.",
	On:          model.WholeAdapter,
	Drive:       lent(narrow, web.Narrow),
	Judge: judgeLent(narrow, web.Narrow, narrowToken, func(got probes.Answers, answer reply) ruling.Ruling {
		without := refusal(got)
		switch {
		case answer.succeeded():
			return ruling.NotApplicable("does not hold: the request needs a scope").By(answer.Observation)
		case answer.status != forbidden:
			return ruling.NotProven("a refusal for the scopes of the token", answer.said()).By(answer.Observation)
		case without.status != unauthorized || len(without.header("www-authenticate")) == 0:
			return ruling.NotProven("a challenge without a token", without.said()).By(without.Observation)
		case !without.challenges(scopes):
			return ruling.Departs("a scope in the challenge beside HTTP 401", "none").By(answer.Observation, without.Observation)
		}
		return ruling.Conforms().By(without.Observation)
	}),
	Fix: `add scope="…" to WWW-Authenticate beside HTTP 401`,
}
