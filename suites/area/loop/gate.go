package loop

import (
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// whereGated is the loop, where there is a gatekeeper beside it that holds operations
// up: the author names one, or the adapter announces confirmations.
func whereGated(needs ...string) func(*model.Adapter) []model.Subject {
	return func(f *model.Adapter) []model.Subject {
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
func heldUpInLoop(f *model.Adapter) []model.Subject {
	all := check.InLoopModes([]string{check.Enforcing}, "confirm")(f)
	for i, s := range all {
		if s.Ruling != nil {
			continue
		}
		if _, why := check.NewConfirmable(f, f.Hints.Confirm.Operation); why != nil {
			all[i] = s.WithRuling(*why)
		}
	}
	return all
}

// The steps of the gate scene at which the operation is called, in order.
const (
	atFirst       = iota
	AfterBadToken // somebody made a token up
	AfterOwnToken // the agent's session sent the token that it was shown
	AfterForgery  // the same, posing as somebody else
	AfterSecond   // another session did it
	afterPerson   // the author's person did it
)

// throughGate has an agent's session run into an operation that is held up, try to
// confirm it in ways that must not work, and wait for the person at last.
func throughGate(s model.Subject, ask model.AskFunc) {
	a := check.StartAgent(s, ask, check.GateScenario, 0, nil)
	if !a.Started() {
		return
	}
	defer leave(a)
	if !heldUp(gated(a)) {
		return
	}
	a.Report(check.HarmlessAction(s), nil)
	a.Report(check.HarmlessAction(s), nil)
	confirm(a, "aqlx_bad_token", a.Session, nil)
	a.Report(check.HarmlessAction(s), nil)
	shown := tokenShown(gated(a))
	confirm(a, shown, a.Session, nil)
	shown = tokenShown(gated(a))
	confirm(a, shown, a.Session, map[string]any{"_meta": map[string]any{"confirmed_by": "human", "role": "operator", "agent": "nobody"}})
	if other := check.AgentNamed(s.Adapter, check.GateScenario, 1); other != "" {
		o, _ := a.Operation("confirm_operation")
		confirmAs(a, shown, a.Session, nil, map[string]any{check.AgentParameter(o): other})
	}
	shown = tokenShown(gated(a))
	confirm(a, shown, s.Conn+"/2", nil)
	last := gated(a)
	a.Report("reading file c.txt", map[string]any{"outcome": "failure"})
	if heldUp(last) && a.Command("safety.approve_cmd", map[string]string{"operation": s.Hints.Confirm.Operation}) {
		a.Report(check.HarmlessAction(s), nil)
		gated(a)
	}
}

// gated calls the operation of the hint confirm in the session of the agent: as the
// author says, else on an object of our own.
func gated(a *check.Agent) probes.Observation {
	if a.BlockedCall.Tool == "" {
		g, why := check.NewConfirmable(a.Subject.Adapter, a.Hints.Confirm.Operation)
		if why != nil {
			return probes.Observation{Outcome: probes.Unasked, Exit: why.Want}
		}
		made, ok := g.CreateObject(a.Ask, "object of the gate scenario")
		if !ok {
			return made
		}
		a.BlockedCall = g.CallOn(made)
	}
	return a.Send(a.BlockedCall)
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
func confirm(a *check.Agent, token, over string, beside map[string]any) {
	confirmAs(a, token, over, beside, nil)
}

// confirmAs fills in what confirm_operation documents: a token, the operation that is
// held up, the agent, and for what else it demands a value that fits.
func confirmAs(a *check.Agent, token, over string, beside, other map[string]any) {
	o, listed := a.Operation("confirm_operation")
	if !listed {
		return
	}
	params := map[string]any{}
	for _, p := range o.Parameters {
		word, values := vocab.Letters(p.Name), a.Gen.Values(o, p)
		switch {
		case (probes.TakesToken(p.Name) || strings.Contains(word, "token")) && token != "":
			params[p.Name] = token
		case strings.HasPrefix(word, "operation") || strings.HasSuffix(word, "operation"):
			params[p.Name] = a.Hints.Confirm.Operation
		case p.Name == check.AgentParameter(o):
			params[p.Name] = a.AgentName
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
	own := a.Session
	a.Session = over
	a.Send(call)
	a.Session = own
}

// heldCalls is what became of the gate scene.
type heldCalls struct {
	calls   []probes.Observation // of the operation that is held up
	reports []check.StepReport
	own     probes.Observation // the confirmation that the agent sends with its own token
}

// understood reports whether that confirmation was refused, if at all, for what it is:
// it carries the token that the agent was shown, and its form was not minded.
func (g heldCalls) understood() bool {
	token := tokenShown(g.calls[AfterBadToken])
	carried := slices.ContainsFunc(probes.ValueOf(g.own.Probe.Params()).Members(), func(m probes.Member) bool { return m.Value.Text() == token })
	return (g.own.Succeeded() || g.own.Refused()) && !check.RefusedAsMalformed(g.own) && (carried || token == "")
}

func gateOf(s model.Subject, got probes.Answers) (heldCalls, ruling.Ruling, bool) {
	if r, ok := directed(got); !ok && len(reportsIn(got)) > 0 {
		return heldCalls{}, r, false
	}
	played := part(got, check.GateScenario, 0)
	g := heldCalls{calls: callsOf(played, s.Hints.Confirm.Operation), reports: reportsIn(played)}
	if confirmed := callsOf(played, "confirm_operation"); len(confirmed) >= AfterOwnToken {
		g.own = confirmed[AfterOwnToken-1]
	}
	switch {
	case len(g.calls) == 0:
		return g, ruling.NotProven("an agent that starts", "none").By(played...), false
	case !heldUp(g.calls[atFirst]):
		return g, ruling.NotProven("a confirmation that "+s.Hints.Confirm.Operation+" waits for while an agent is executing", g.calls[atFirst]), false
	case len(g.calls) <= AfterSecond || len(g.reports) < 4:
		return g, ruling.NotProven("the whole scene", "a part of it").By(g.calls...), false
	}
	if i := slices.IndexFunc(g.reports, func(r check.StepReport) bool { return r.Directive.Is(probes.Absent) }); i >= 0 {
		return g, ruling.NotProven("a directive for every report", g.reports[i].Observation).Because("AQL-8.6.2-01"), false
	}
	return g, ruling.Ruling{}, true
}

// pendingFor reports whether a directive tells that the operation waits.
func pendingFor(r check.StepReport, operation string) bool {
	return slices.ContainsFunc(notices(r, "permission_pending"), func(n probes.Value) bool {
		return n.At("metadata", "operation").Text() == operation
	})
}
