package check

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/vocab"
)

// An Agent is one execution inside the safety loop that a script starts, drives and
// ends: Section 8.6. Scripts that ask the same way share the answers, so a scene that
// many checks look at is played once. What it starts it ends, and a block that it
// caused is lifted where the author says how.
type Agent struct {
	model.Subject
	Ask       model.AskFunc
	Over      string // the session that it is executing in
	AgentName string // of the agent
	Take      int    // of the next question: no two are the same
	Starts    []probes.Observation
	Blocked   bool         // a report was answered with a stop
	Pending   string       // the challenge that a report was last answered with
	Wanted    probes.Probe // the call of its own that is held up
}

// Scene numbers the scripts. Each has takes of its own, and with names that have a *
// agents of its own.
type Scene int

// takes of one scene; none asks more.
const SceneTakes = 1000

// AgentNamed is the name that the author gives an agent, with the * filled in.
func AgentNamed(f *model.Adapter, in Scene, index int) string {
	names := f.Hints.Safety.Agent.Names
	if index >= len(names) {
		return ""
	}
	return strings.ReplaceAll(names[index], "*", fmt.Sprintf("%s-%d", f.Nonce, in))
}

// Enter starts the agent that the author names at the index, with the settings given
// beside the author's own. It asks the author's person for approval where the adapter
// waits for that.
func Enter(s model.Subject, ask model.AskFunc, in Scene, index int, settings map[string]any) *Agent {
	a := &Agent{Subject: s, Ask: ask, Over: s.Conn, AgentName: AgentNamed(s.Adapter, in, index), Take: (int(in)*10 + index) * SceneTakes}
	if a.AgentName == "" {
		return a
	}
	a.Begin(settings)
	if index > 0 && !a.Started() { // a session may be for one agent
		a.Over = s.Conn + "/2"
		a.Begin(settings)
	}
	return a
}

// Begin starts the execution, once more after each pass of the agent's person.
func (a *Agent) Begin(settings map[string]any) {
	params := map[string]any{}
	for name, raw := range a.Hints.Safety.Agent.Params {
		params[name] = raw
	}
	for name, v := range settings {
		params[name] = v
	}
	o := a.Call("execute_agent", params)
	a.Starts = append(a.Starts, o)
	if !WaitsForPerson(o) {
		return
	}
	token := o.ConfirmationToken()
	switch passed := a.Command("safety.approve_cmd", map[string]string{"operation": "execute_agent"}); {
	case passed && !o.Succeeded():
		a.Starts = append(a.Starts, a.Call("execute_agent", params))
	case !passed && !token.Is(probes.Absent):
		operation, _ := a.Operation("execute_agent")
		params[operation.TokenNames()[0]] = token.Go()
		a.Starts = append(a.Starts, a.Call("execute_agent", params))
	}
}

var putOff = regexp.MustCompile(`(?i)pending|await|waiting|unapproved|unconfirmed|(needs|requires)[ _-]*(approval|confirm)`)

// WaitsForPerson reports whether the start of an agent was put off until somebody
// approves it.
func WaitsForPerson(o probes.Observation) bool {
	if !o.Succeeded() {
		return strings.HasPrefix(o.Code(), "CONFIRMATION_") || !o.ConfirmationToken().Is(probes.Absent)
	}
	return waits(o.Data())
}

func waits(v probes.Value) bool {
	for _, m := range v.Members() {
		name := strings.ToLower(m.Name)
		if (name == "status" || name == "state") && putOff.MatchString(m.Value.Text()) || waits(m.Value) {
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
	return len(a.Starts) > 0 && a.Starts[len(a.Starts)-1].Succeeded()
}

// AgentParameter is the parameter in which an operation takes the agent: Section 8.6.3
// names that of reports alone.
func AgentParameter(o probes.Operation) string {
	for _, name := range strings.Fields("element_name agent_name agent agent_id agentName name element") {
		if o.HasParameter(name) {
			return name
		}
	}
	return "element_name"
}

// Call asks an operation about the agent: the agent's name, the identifier of its
// execution where that is documented, and what else is required.
func (a *Agent) Call(operation string, params map[string]any) probes.Observation {
	o, listed := a.Operation(operation)
	if !listed {
		return probes.Observation{Outcome: probes.Unasked, Exit: "no operation " + operation}
	}
	full := map[string]any{AgentParameter(o): a.AgentName}
	for _, p := range o.Parameters {
		switch values := a.Gen.Values(o, p); {
		case vocab.Letters(p.Name) == "executionid":
			if id := a.execution(); !id.Is(probes.Absent) {
				full[p.Name] = id.Go()
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

// Send asks a question of the scene's own.
func (a *Agent) Send(p probes.Probe) probes.Observation {
	a.Take++
	return a.Ask(p.Over(a.Over).Anew(a.Take))
}

// execution is the identifier that the start of the agent was answered with.
func (a *Agent) execution() probes.Value {
	if !a.Started() {
		return probes.Value{}
	}
	return member(a.Starts[len(a.Starts)-1].Data(), "execution_id")
}

// member finds a member by its name at any depth.
func member(v probes.Value, name string) probes.Value {
	if v.Has(name) {
		return v.At(name)
	}
	for _, m := range v.Members() {
		if found := member(m.Value, name); !found.Is(probes.Absent) {
			return found
		}
	}
	return probes.Value{}
}

// Report reports a next action. more are further parameters of the report; nil takes
// one away.
func (a *Agent) Report(hint string, more map[string]any) probes.Observation {
	params := map[string]any{"nextActionHint": hint}
	for name, v := range more {
		params[name] = v
	}
	o := a.Call("record_execution_step", params)
	d := DirectiveIn(o)
	a.Blocked = a.Blocked || d.At("stopped").True() && d.At("continue").False()
	a.Pending = cmp.Or(ChallengeIn(o, "autonomy_pause"), a.Pending)
	return o
}

// Command runs a command of the author about the agent and reports whether it ran to
// a good end. The output is in what was recorded.
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

// Lift has the author's person lift the block of the agent.
func (a *Agent) Lift() {
	if a.Blocked && a.Command("safety.admin_unblock_cmd", nil) {
		a.Blocked = false
	}
}

// HarmlessAction is a next action that the adapter lets pass: the one that the author
// names, else one that nobody minds.
func HarmlessAction(s model.Subject) string {
	return cmp.Or(s.Hints.Safety.AutoHint, "reading README.md")
}

// directiveMembers are what tells a directive from other objects: the specification
// does not say under which name it stands. Section 8.7.1.
var directiveMembers = strings.Fields("continue factors stopped stepsRemaining nextStepRisk notifications reason")

// DirectiveIn finds the directive in the answer to a report; absent when there is none.
func DirectiveIn(o probes.Observation) probes.Value {
	var best probes.Value
	most := 0
	var walk func(v probes.Value)
	walk = func(v probes.Value) {
		own := 0
		for _, name := range directiveMembers {
			if v.Has(name) {
				own++
			}
		}
		if v.Has("continue") {
			own++ // reason alone stands in many objects
		}
		if own > max(most, 1) {
			best, most = v, own
		}
		for _, m := range v.Members() {
			walk(m.Value)
		}
	}
	walk(o.Data())
	return best
}

// A StepReport is one report of a next action, with what it was answered.
type StepReport struct {
	O         probes.Observation
	Hint      string
	Directive probes.Value
}

// Paused and stopped report what the directive tells the agent.
func (r StepReport) Paused() bool  { return r.Directive.At("continue").False() }
func (r StepReport) GoesOn() bool  { return r.Directive.At("continue").True() }
func (r StepReport) Stopped() bool { return r.Directive.At("stopped").True() }
