package suites

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// whereGated is the loop, where there is a gatekeeper beside it that holds operations
// up: the author names one, or the adapter announces confirmations.
func whereGated(needs ...string) func(*Face) []Subject {
	return func(f *Face) []Subject {
		for _, name := range needs {
			if _, listed := f.Operation(name); !listed {
				return nil
			}
		}
		_, named := f.Hint("confirm")
		if len(needs) == 0 && !named && !f.Protocol.At("capabilities", "confirmation").True() {
			return nil
		}
		return heldUpInLoop(f)
	}
}

// heldUpInLoop is the loop, with an operation that may be held up in it: a gate that
// fails lets it through, so it takes the leave that it takes elsewhere.
func heldUpInLoop(f *Face) []Subject {
	all := inLoop([]string{enforcing}, "confirm")(f)
	for i, s := range all {
		if s.settled != nil {
			continue
		}
		if _, why := f.guard(f.Hints.Confirm.Operation); why != nil {
			all[i] = s.settle(*why)
		}
	}
	return all
}

// The steps of the gate scene at which the operation is called, in order.
const (
	atFirst       = iota
	afterBadToken // somebody made a token up
	afterOwnToken // the agent's session sent the token that it was shown
	afterForgery  // the same, posing as somebody else
	afterSecond   // another session did it
	afterPerson   // the author's person did it
)

// throughGate has an agent's session run into an operation that is held up, try to
// confirm it in ways that must not work, and wait for the person at last.
func throughGate(s Subject, ask Asking) {
	a := enter(s, ask, gateScene, 0, nil)
	if !a.started() {
		return
	}
	defer a.leave()
	if !heldUp(a.gated()) {
		return
	}
	a.report(s.harmlessAction(), nil)
	a.report(s.harmlessAction(), nil)
	a.confirm("aqlx_bad_token", a.over, nil)
	a.report(s.harmlessAction(), nil)
	shown := tokenShown(a.gated())
	a.confirm(shown, a.over, nil)
	shown = tokenShown(a.gated())
	a.confirm(shown, a.over, map[string]any{"_meta": map[string]any{"confirmed_by": "human", "role": "operator", "agent": "nobody"}})
	if other := s.agentNamed(gateScene, 1); other != "" {
		o, _ := a.Operation("confirm_operation")
		a.confirmAs(shown, a.over, nil, map[string]any{agentParameter(o): other})
	}
	shown = tokenShown(a.gated())
	a.confirm(shown, s.Conn+"/2", nil)
	last := a.gated()
	a.report("reading file c.txt", map[string]any{"outcome": "failure"})
	if heldUp(last) && a.command("safety.approve_cmd", map[string]string{"operation": s.Hints.Confirm.Operation}) {
		a.report(s.harmlessAction(), nil)
		a.gated()
	}
}

// gateMade is the take of the object that is put at risk, among those of the guarded
// operation.
const gateMade = 40 * specimenStage

// gated calls the operation of the hint confirm in the session of the agent: as the
// author says, else on an object of our own.
func (a *agent) gated() probes.Observation {
	if a.wanted.Tool == "" {
		g, why := a.guard(a.Hints.Confirm.Operation)
		if why != nil {
			return probes.Observation{Outcome: probes.Unasked, Exit: why.want}
		}
		made, ok := g.object(a.ask, gateMade)
		if !ok {
			return made
		}
		a.wanted = g.on(made)
	}
	return a.send(a.wanted)
}

// heldUp reports whether an operation waits for a confirmation.
func heldUp(o probes.Observation) bool {
	return strings.HasPrefix(o.Code(), "CONFIRMATION_") || !o.ConfirmationToken().Is(probes.Absent)
}

// released reports whether an operation was let through: it was done, or failed for
// reasons of its own.
func released(o probes.Observation) bool {
	return o.Succeeded() || o.Refused() && !o.Deferred() && !heldUp(o) && !strings.HasPrefix(o.Code(), "TOKEN_")
}

func tokenShown(o probes.Observation) string { return o.ConfirmationToken().Text() }

// confirm sends confirm_operation over a session, with members beside it.
func (a *agent) confirm(token, over string, beside map[string]any) {
	a.confirmAs(token, over, beside, nil)
}

// confirmAs fills in what confirm_operation documents: a token, the operation that is
// held up, the agent, and for what else it demands a value that fits.
func (a *agent) confirmAs(token, over string, beside, other map[string]any) {
	o, listed := a.Operation("confirm_operation")
	if !listed {
		return
	}
	params := map[string]any{}
	for _, p := range o.Parameters {
		word, values := letters(p.Name), a.Gen.Values(o, p)
		switch {
		case (probes.TakesToken(p.Name) || strings.Contains(word, "token")) && token != "":
			params[p.Name] = token
		case strings.HasPrefix(word, "operation") || strings.HasSuffix(word, "operation"):
			params[p.Name] = a.Hints.Confirm.Operation
		case p.Name == agentParameter(o):
			params[p.Name] = a.name
		case p.Required && len(values) > 0:
			params[p.Name] = values[0].Go()
		}
	}
	for name, v := range other {
		params[name] = v
	}
	call := a.Request(o, params)
	for name, v := range beside {
		call = call.Top(name, v)
	}
	a.take++
	a.ask(call.Over(over).Anew(a.take))
}

// heldCalls is what became of the gate scene.
type heldCalls struct {
	calls   []probes.Observation // of the operation that is held up
	reports []stepReport
	own     probes.Observation // the confirmation that the agent sends with its own token
}

// understood reports whether that confirmation was refused, if at all, for what it is:
// it carries the token that the agent was shown, and its form was not minded.
func (g heldCalls) understood() bool {
	token := tokenShown(g.calls[afterBadToken])
	carried := slices.ContainsFunc(probes.ValueOf(g.own.Probe.Params()).Members(), func(m probes.Member) bool { return m.Value.Text() == token })
	return (g.own.Succeeded() || g.own.Refused()) && !malformed(g.own) && (carried || token == "")
}

func gateOf(s Subject, got []probes.Observation) (heldCalls, Ruling, bool) {
	if r, ok := directed(got); !ok && len(reportsIn(got)) > 0 {
		return heldCalls{}, r, false
	}
	played := part(got, gateScene, 0)
	g := heldCalls{calls: callsOf(played, s.Hints.Confirm.Operation), reports: reportsIn(played)}
	if confirmed := callsOf(played, "confirm_operation"); len(confirmed) >= afterOwnToken {
		g.own = confirmed[afterOwnToken-1]
	}
	switch {
	case len(g.calls) == 0:
		return g, NotProven("an agent that starts", "none").By(played...), false
	case !heldUp(g.calls[atFirst]):
		return g, NotProven("a confirmation that "+s.Hints.Confirm.Operation+" waits for while an agent is executing", g.calls[atFirst]), false
	case len(g.calls) <= afterSecond || len(g.reports) < 4:
		return g, NotProven("the whole scene", "a part of it").By(g.calls...), false
	}
	if i := slices.IndexFunc(g.reports, func(r stepReport) bool { return r.directive.Is(probes.Absent) }); i >= 0 {
		return g, NotProven("a directive for every report", g.reports[i].o).Because("AQL-8.6.2-01"), false
	}
	return g, Ruling{}, true
}

// pendingFor reports whether a directive tells that the operation waits.
func pendingFor(r stepReport, operation string) bool {
	return slices.ContainsFunc(notices(r, "permission_pending"), func(n probes.Value) bool {
		return n.At("metadata", "operation").Text() == operation
	})
}
