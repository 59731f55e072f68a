package probes

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/aql-conform/aql-conform/probes/bearer"
	"github.com/aql-conform/aql-conform/probes/web"
	"github.com/aql-conform/aql-conform/probes/wire"
)

// webMethod marks a probe that is one HTTP request beside the MCP sessions.
const webMethod = "$web"

// Web returns the probe for one HTTP request to the server of a connection, or for a document that
// the server names. The result is the answer of package web.
func Web(conn string, r web.Request) Probe { return Request(conn, webMethod, r) }

// Fetches reports whether the probe is such a request.
func (p Probe) Fetches() bool { return p.Method == webMethod }

func (e *Engine) web(ctx context.Context, p Probe) Observation {
	target, err := e.targetOf(ctx, p.Conn)
	if err != nil {
		return Observation{Probe: p, Outcome: Gone, Exit: err.Error()}
	}
	var r web.Request
	if err := json.Unmarshal(p.Raw(), &r); err != nil {
		return Observation{Probe: p, Outcome: Unasked, Exit: "no request"}
	}
	var lent string
	if name := web.TokenCommands[r.Credential]; name != "" {
		if lent, err = e.lentToken(ctx, name); err != nil {
			return Observation{Probe: p, Outcome: Unasked, Exit: err.Error()}
		}
	}
	session := e.Hello(p.Conn).Session
	if r.Session && len(session) > wire.MostOfSession {
		return Observation{Probe: p, Outcome: Unasked, Exit: "the session id is too long to be sent beside the session"}
	}
	if err := e.pace.turn(ctx, false); err != nil {
		return Observation{Probe: p, Outcome: Unasked, Exit: "interrupted"}
	}
	if web.Sends(target, r) {
		if why := e.count(p); why != "" {
			return Observation{Probe: p, Outcome: Unasked, Exit: why}
		}
	}
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	answer, err := web.Do(ctx, target, session, lent, r)
	if err != nil {
		return Observation{Probe: p, Outcome: Gone, Exit: err.Error()}
	}
	said := e.rec.Mask(ValueOf(map[string]any{"jsonrpc": "2.0", "id": 0, "result": answer}).Raw())
	return Classify(p, wire.Reply{Class: wire.Answered, Received: wire.Frame{Data: said}})
}

// lentToken runs the author's command that prints a token, and hides it. What the command prints may
// be a token also where it fails, so no error repeats it.
func (e *Engine) lentToken(ctx context.Context, name string) (string, error) {
	if e.runner == nil {
		return "", errors.New("no commands are run")
	}
	token, err := e.runner(ctx, name, nil)
	if err != nil || !bearer.WellFormed(token) {
		return "", errors.New("the command " + name + " printed no token")
	}
	e.rec.Hide(token)
	return token, nil
}
