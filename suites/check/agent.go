package check

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// An Agent is one execution inside the safety loop that a script starts, drives and ends: Section
// 8.6. Equal requests share their answers, so a scenario that several checks use runs once. The
// script ends every execution it started and lifts a block where the hints file gives a command for
// that.
type Agent struct {
	model.Subject
	Ask              model.AskFunc
	Session          string // session of the execution
	AgentName        string
	Script           string // step above the requests of the agent
	Requests         int
	StartAnswers     []probes.Observation
	Blocked          bool         // a report was answered with a stop
	PendingChallenge string       // challenge in the last answer to a report
	BlockedCall      probes.Probe // call of another operation that is blocked
}

// A Scenario names a script. Each scenario has its own agents if their names contain *.
type Scenario string

// Variant is one of several scenarios of the same kind, by its index.
func (in Scenario) Variant(index int) Scenario {
	return Scenario(probes.Nth(string(in), index))
}

// Step names a step of the scenario outside of its agents.
func (in Scenario) Step(step string) string { return string(in) + ": " + step }

// Agent names the step above the requests of an agent.
func (in Scenario) Agent(index int) string { return in.Step(probes.Nth("agent", index)) }

// AgentNamed returns the agent name at the index in the hints file, with the * replaced.
func AgentNamed(f *model.Adapter, in Scenario, index int) string {
	names := f.Hints.Safety.Agent.Names
	if index >= len(names) {
		return ""
	}
	return strings.ReplaceAll(names[index], "*", fmt.Sprintf("%s-%d", f.Nonce, probes.StepNumber(string(in))/scenarioNumbers))
}

// StartAgent starts the agent at the index in the hints file, with the given settings added to the
// hinted ones. If the adapter requires approval, it runs the approval command.
func StartAgent(s model.Subject, ask model.AskFunc, scenario Scenario, index int, settings map[string]any) *Agent {
	a := &Agent{Subject: s, Ask: ask, Session: s.Conn, AgentName: AgentNamed(s.Adapter, scenario, index), Script: scenario.Agent(index)}
	if a.AgentName == "" {
		return a
	}
	a.Start(settings)
	if index > 0 && !a.Started() { // the adapter may allow one agent per session
		a.Session = s.Conn + "/2"
		a.Start(settings)
	}
	return a
}

// Start starts the execution, and starts it again after an approval.
func (a *Agent) Start(settings map[string]any) {
	params := map[string]any{}
	for name, raw := range a.Hints.Safety.Agent.Params {
		params[name] = raw
	}
	for name, v := range settings {
		params[name] = v
	}
	o := a.Call("execute_agent", params)
	a.StartAnswers = append(a.StartAnswers, o)
	if !AwaitsApproval(o) {
		return
	}
	token := o.ConfirmationToken()
	switch passed := a.Command("safety.approve_cmd", map[string]string{"operation": "execute_agent"}); {
	case passed && !o.Succeeded():
		a.StartAnswers = append(a.StartAnswers, a.Call("execute_agent", params))
	case !passed && !token.Is(probes.Absent):
		operation, _ := a.Operation("execute_agent")
		params[operation.TokenNames()[0]] = token.Go()
		a.StartAnswers = append(a.StartAnswers, a.Call("execute_agent", params))
	}
}

var pendingApproval = regexp.MustCompile(`(?i)pending|await|waiting|unapproved|unconfirmed|(needs|requires)[ _-]*(approval|confirm)`)

// AwaitsApproval reports whether the start of an agent was deferred until a person approves it.
func AwaitsApproval(o probes.Observation) bool {
	if !o.Succeeded() {
		return strings.HasPrefix(o.Code(), "CONFIRMATION_") || !o.ConfirmationToken().Is(probes.Absent)
	}
	return approvalPending(o.Data())
}

func approvalPending(v probes.Value) bool {
	for _, m := range v.Members() {
		name := strings.ToLower(m.Name)
		if (name == "status" || name == "state") && pendingApproval.MatchString(m.Value.Text()) || approvalPending(m.Value) {
			return true
		}
		if strings.Contains(name, "approval") && (m.Value.True() || strings.HasPrefix(m.Value.Text(), "pending") || m.Value.Text() == "required") {
			return true
		}
	}
	return false
}

// Started reports whether the last attempt to start the agent succeeded.
func (a *Agent) Started() bool {
	return len(a.StartAnswers) > 0 && a.StartAnswers[len(a.StartAnswers)-1].Succeeded()
}

// AgentParameter is the parameter for the agent's name. Section 8.6.3 names it for reports only.
func AgentParameter(o probes.Operation) string {
	for _, name := range strings.Fields("element_name agent_name agent agent_id agentName name element") {
		if o.HasParameter(name) {
			return name
		}
	}
	return "element_name"
}

// Call calls an operation on the agent, with the agent's name, the execution id if that is
// documented, and the other required parameters. An adapter may name the execution otherwise, such
// as run_id: then a required parameter has the value that the start told under its name, and the
// agent's name is sent only where it is documented.
func (a *Agent) Call(operation string, params map[string]any) probes.Observation {
	o, listed := a.Operation(operation)
	if !listed {
		return probes.Observation{Outcome: probes.Unasked, Exit: "no operation " + operation}
	}
	full := map[string]any{AgentParameter(o): a.AgentName}
	for _, p := range o.Parameters {
		switch values := a.Gen.Values(o, p); {
		case vocab.Letters(p.Name) == "executionid":
			if id := a.told("execution_id"); !id.Is(probes.Absent) {
				full[p.Name] = id.Go()
			}
		case p.Required && p.Name != AgentParameter(o) && a.told(p.Name).Is(probes.String):
			full[p.Name] = a.told(p.Name).Text()
			if !o.HasParameter(AgentParameter(o)) {
				delete(full, AgentParameter(o))
			}
		case p.Required && p.Name != AgentParameter(o) && len(values) > 0:
			full[p.Name] = values[0].Go()
		}
	}
	for name, v := range params {
		if full[name] = v; v == nil {
			delete(full, name)
		}
	}
	return a.Send(a.Request(o, full))
}

// Send sends a probe in the agent's session as a request of its own.
func (a *Agent) Send(p probes.Probe) probes.Observation {
	a.Requests++
	return a.Ask(p.Over(a.Session).Anew(a.Script + ": " + probes.Nth("request", a.Requests-1)))
}

// told returns what the answer to the last start that succeeded says under a name.
func (a *Agent) told(name string) probes.Value {
	for _, o := range slices.Backward(a.StartAnswers) {
		if o.Succeeded() {
			return findMember(o.Data(), name)
		}
	}
	return probes.Value{}
}

// findMember finds a member by name at any depth.
func findMember(v probes.Value, name string) probes.Value {
	if v.Has(name) {
		return v.At(name)
	}
	for _, m := range v.Members() {
		if found := findMember(m.Value, name); !found.Is(probes.Absent) {
			return found
		}
	}
	return probes.Value{}
}

// Report reports a next action. more are further parameters; a nil value removes one.
func (a *Agent) Report(hint string, more map[string]any) probes.Observation {
	params := map[string]any{"nextActionHint": hint}
	for name, v := range more {
		params[name] = v
	}
	o := a.Call("record_execution_step", params)
	d := DirectiveIn(o)
	a.Blocked = a.Blocked || d.At("stopped").True() && d.At("continue").False()
	a.PendingChallenge = cmp.Or(ChallengeIn(o, "autonomy_pause"), a.PendingChallenge)
	return o
}

// Command runs a command of the hints file for the agent and reports whether it succeeded. Its
// output is in the observation.
func (a *Agent) Command(hint string, about map[string]string) bool {
	if _, given := a.Hint(hint); !given {
		return false
	}
	all := map[string]string{"agent": a.AgentName}
	for key, v := range about {
		all[key] = v
	}
	o := a.Send(probes.Command(a.Conn, hint, all))
	return o.Outcome == probes.Result
}

// LiftBlock runs the command that lifts the block of the agent.
func (a *Agent) LiftBlock() {
	if a.Blocked && a.Command("safety.admin_unblock_cmd", nil) {
		a.Blocked = false
	}
}

// HarmlessAction is a next action that the adapter allows: the hinted one, or a default.
func HarmlessAction(s model.Subject) string {
	return cmp.Or(s.Hints.Safety.AutoHint, "reading README.md")
}

// directiveMembers identify a directive, because the specification does not name the member that
// holds it. Section 8.7.1.
var directiveMembers = strings.Fields("continue factors stopped stepsRemaining nextStepRisk notifications reason")

// DirectiveIn returns the directive in the answer to a report; absent if there is none. Other objects
// may tell of an evaluation, or repeat an earlier directive: the one that is named directive counts,
// then the one with the two required members, then the outermost, then the one with the most members.
func DirectiveIn(o probes.Observation) probes.Value {
	var best probes.Value
	var most [4]int
	var walk func(name string, v probes.Value, depth int)
	walk = func(name string, v probes.Value, depth int) {
		rank := [4]int{2: -depth}
		for i, member := range directiveMembers {
			if v.Has(member) && i < 2 {
				rank[1]++
			}
			if v.Has(member) {
				rank[3]++
			}
		}
		if name == "directive" && depth < 2 {
			rank[0] = 1
		}
		known := rank[3] > 1 || v.Has("continue") // many objects have a reason; continue is specific
		if known && (best.Is(probes.Absent) || slices.Compare(rank[:], most[:]) > 0) {
			best, most = v, rank
		}
		for _, m := range v.Members() {
			walk(m.Name, m.Value, depth+1)
		}
	}
	walk("", o.Data(), 0)
	return best
}

// A StepReport is one report of a next action with its answer.
type StepReport struct {
	Observation probes.Observation
	Hint        string
	Directive   probes.Value
}

// Paused reports whether the directive pauses the agent.
func (r StepReport) Paused() bool { return r.Directive.At("continue").False() }

// Continues reports whether the directive lets the agent continue.
func (r StepReport) Continues() bool { return r.Directive.At("continue").True() }

// Stopped reports whether the directive stops the agent.
func (r StepReport) Stopped() bool { return r.Directive.At("stopped").True() }
