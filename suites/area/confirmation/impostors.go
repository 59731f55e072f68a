package confirmation

import (
	"cmp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// stranger is a session that gives another client name than all others of the run.
func stranger(g check.Confirmable) string {
	return probes.InSession(g.Conn + "/client=aqlx-stranger/" + g.Name)
}

// identities are the values by which a session may be known from outside: what
// _protocol shows, and the identifier of the transport.
func identities(f *model.Adapter, listing, hello probes.Observation) (id string) {
	protocol := listing.Data().At("_protocol")
	way, _ := check.SessionMember(protocol)
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
	return p.WithRaw(probes.ValueOf(map[string]any{"name": p.Tool, "arguments": p.Args(), "_meta": claims(id)}).Raw())
}

// homeHandshake is the handshake of the session that requests the tokens.
const homeHandshake = "handshake before sessions"

// impersonate requests three tokens in the same session. A stranger sends the first, an impostor
// sends the second, and the session itself sends the third.
func impersonate(g check.Confirmable, ask model.AskFunc, script string, impostor func(p probes.Probe, id string) probes.Probe) {
	name, ok := g.RunControl(ask)
	if !ok {
		return
	}
	home, ok := check.HomeSession(g.Subject, ask)
	if !ok {
		return
	}
	here := func(p probes.Probe) probes.Observation { return ask(p.Over(home)) }
	hello := here(probes.Request(home, "initialize", nil).Anew(homeHandshake))
	id := identities(g.Adapter, here(g.Listing().Anew(g.Step(script+": listing"))), hello)
	for _, part := range []struct {
		name string
		as   func(probes.Probe) probes.Probe
	}{
		{"stranger", func(p probes.Probe) probes.Probe { return p.Over(stranger(g)) }},
		{"impostor", func(p probes.Probe) probes.Probe { return impostor(p, id) }},
		{"own session", func(p probes.Probe) probes.Probe { return p.Over(home) }},
	} {
		step := script + ": " + part.name
		_, call, token := tokenFor(g, here, step)
		if !token.Is(probes.Absent) {
			ask(part.as(call.With(name, token.Go()).Anew(g.Step(step + ": call with token"))))
		}
	}
}

// impostor rules on it.
func impostor(g check.Confirmable, got probes.Answers, script, what string) ruling.Ruling {
	if why, ok := g.JudgeControl(got); !ok {
		return why
	}
	plain := got.Step(g.Step(script + ": stranger: call with token"))
	forged, asked := got.Find(g.Step(script + ": impostor: call with token"))
	home := got.Step(g.Step(script + ": own session: call with token"))
	turned := func(o probes.Observation) bool {
		return o.Code() == "CONFIRMATION_REQUIRED" || strings.HasPrefix(o.Code(), "TOKEN_")
	}
	switch {
	case !check.HasSessions(got.Step(homeHandshake)):
		return check.NoSessions
	case !home.Succeeded() || !asked:
		return ruling.NotProven("a token that is taken in the session it belongs to", home)
	case plain.Succeeded():
		return ruling.NotApplicable("does not hold: a token is tied to its session").By(plain, home)
	case !turned(plain):
		return ruling.NotProven("a store that both sessions share", plain).By(home).Mend(sharedState)
	case forged.Succeeded():
		return ruling.Violates("the refusal that a stranger gets", "success with "+what).By(forged, plain, home)
	case got.Step(homeHandshake).SessionIsCut():
		return ruling.NotProven("a session id that can be copied", "a session id of over 4 KiB").By(plain, home)
	case !turned(forged) && !forged.Refused() && !forged.RefusedBelow():
		return ruling.NotProven("an answer to "+what, forged).By(plain)
	}
	return ruling.Conforms().By(forged, plain, home)
}

// Section 2.3.5.
var clientMetadataInfluencesNoDecision = check.Check{
	Requirement: "AQL-2.3.5-02",
	Rule:        "Metadata that a client puts into _meta influences nothing but logging labels.",
	Why:         "A client can write anything into _meta, so it proves nothing.",
	On:          check.ConfirmableSubject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		g := check.ConfirmableOf(s)
		impersonate(g, ask, "forged labels", func(p probes.Probe, id string) probes.Probe {
			return labelled(p.Over(stranger(g)), id)
		})
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return impostor(check.ConfirmableOf(s), got, "forged labels", "forged _meta")
	},
	Fix: "take the session from the connection; write _meta to the log and nowhere else",
}

// Section 2.3.5.
var clientValuesAreNoSessionIdentity = check.Check{
	Requirement: "AQL-2.3.5-03",
	Rule:        "Values supplied by the client are never taken as session identity when tokens or access rights are decided.",
	Why:         "The same holds for the name in the handshake and for parameters: a client can use the name of another, but is not the other.",
	On:          check.ConfirmableSubject,
	Lane:        probes.Serial,
	Drive: func(s model.Subject, ask model.AskFunc) {
		g := check.ConfirmableOf(s)
		impersonate(g, ask, "copied client", func(p probes.Probe, id string) probes.Probe {
			for name := range claims(id) {
				if g.Op.HasParameter(name) {
					p = p.With(name, id)
				}
			}
			return p.Top("_session_id", id).Over(session(g, "impostor"))
		})
	},
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		return impostor(check.ConfirmableOf(s), got, "copied client", "clientInfo and parameters copied from the session it belongs to")
	},
	Fix: "make the identifier of a session on the server, and trust no other",
}
