package suites

import (
	"cmp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

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
	return p.WithRaw(probes.ValueOf(map[string]any{"name": p.Tool, "arguments": p.Args(), "_meta": claims(id)}).Raw())
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
