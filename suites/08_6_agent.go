package suites

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aql-conform/aql-conform/probes"
)

// An agent is one execution inside the safety loop that a script starts, drives and
// ends: Section 8.6. Scripts that ask the same way share the answers, so a scene that
// many checks look at is played once. What it starts it ends, and a block that it
// caused is lifted where the author says how.
type agent struct {
	Subject
	ask     Asking
	over    string // the session that it is executing in
	name    string // of the agent
	take    int    // of the next question: no two are the same
	starts  []probes.Observation
	blocked bool         // a report was answered with a stop
	pending string       // the challenge that a report was last answered with
	wanted  probes.Probe // the call of its own that is held up
}

// scene numbers the scripts. Each has takes of its own, and with names that have a *
// agents of its own.
type scene int

// takes of one scene; none asks more.
const sceneTakes = 1000

// agentNamed is the name that the author gives an agent, with the * filled in.
func (f *Face) agentNamed(in scene, index int) string {
	names := f.Hints.Safety.Agent.Names
	if index >= len(names) {
		return ""
	}
	return strings.ReplaceAll(names[index], "*", fmt.Sprintf("%s-%d", f.Nonce, in))
}

// enter starts the agent that the author names at the index, with the settings given
// beside the author's own. It asks the author's person for approval where the adapter
// waits for that.
func enter(s Subject, ask Asking, in scene, index int, settings map[string]any) *agent {
	a := &agent{Subject: s, ask: ask, over: s.Conn, name: s.agentNamed(in, index), take: (int(in)*10 + index) * sceneTakes}
	if a.name == "" {
		return a
	}
	a.begin(settings)
	if index > 0 && !a.started() { // a session may be for one agent
		a.over = s.Conn + "/2"
		a.begin(settings)
	}
	return a
}

// begin starts the execution, once more after each pass of the agent's person.
func (a *agent) begin(settings map[string]any) {
	params := map[string]any{}
	for name, raw := range a.Hints.Safety.Agent.Params {
		params[name] = raw
	}
	for name, v := range settings {
		params[name] = v
	}
	o := a.call("execute_agent", params)
	a.starts = append(a.starts, o)
	if !waitsForPerson(o) {
		return
	}
	token := o.ConfirmationToken()
	switch passed := a.command("safety.approve_cmd", map[string]string{"operation": "execute_agent"}); {
	case passed && !o.Succeeded():
		a.starts = append(a.starts, a.call("execute_agent", params))
	case !passed && !token.Is(probes.Absent):
		operation, _ := a.Operation("execute_agent")
		params[operation.TokenNames()[0]] = token.Go()
		a.starts = append(a.starts, a.call("execute_agent", params))
	}
}

var putOff = regexp.MustCompile(`(?i)pending|await|waiting|unapproved|unconfirmed|(needs|requires)[ _-]*(approval|confirm)`)

// waitsForPerson reports whether the start of an agent was put off until somebody
// approves it.
func waitsForPerson(o probes.Observation) bool {
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

// started reports whether the last attempt to start the agent succeeded.
func (a *agent) started() bool {
	return len(a.starts) > 0 && a.starts[len(a.starts)-1].Succeeded()
}

// agentParameter is the parameter in which an operation takes the agent: Section 8.6.3
// names that of reports alone.
func agentParameter(o probes.Operation) string {
	for _, name := range strings.Fields("element_name agent_name agent agent_id agentName name element") {
		if o.HasParameter(name) {
			return name
		}
	}
	return "element_name"
}

// call asks an operation about the agent: the agent's name, the identifier of its
// execution where that is documented, and what else is required.
func (a *agent) call(operation string, params map[string]any) probes.Observation {
	o, listed := a.Operation(operation)
	if !listed {
		return probes.Observation{Outcome: probes.Unasked, Exit: "no operation " + operation}
	}
	full := map[string]any{agentParameter(o): a.name}
	for _, p := range o.Parameters {
		switch values := a.Gen.Values(o, p); {
		case letters(p.Name) == "executionid":
			if id := a.execution(); !id.Is(probes.Absent) {
				full[p.Name] = id.Go()
			}
		case p.Required && p.Name != agentParameter(o) && len(values) > 0:
			full[p.Name] = values[0].Go()
		}
	}
	for name, v := range params {
		if full[name] = v; v == nil {
			delete(full, name)
		}
	}
	return a.send(a.Request(o, full))
}

// send asks a question of the scene's own.
func (a *agent) send(p probes.Probe) probes.Observation {
	a.take++
	return a.ask(p.Over(a.over).Anew(a.take))
}

// execution is the identifier that the start of the agent was answered with.
func (a *agent) execution() probes.Value {
	if !a.started() {
		return probes.Value{}
	}
	return member(a.starts[len(a.starts)-1].Data(), "execution_id")
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

// report reports a next action. more are further parameters of the report; nil takes
// one away.
func (a *agent) report(hint string, more map[string]any) probes.Observation {
	params := map[string]any{"nextActionHint": hint}
	for name, v := range more {
		params[name] = v
	}
	o := a.call("record_execution_step", params)
	d := directiveIn(o)
	a.blocked = a.blocked || d.At("stopped").True() && d.At("continue").False()
	a.pending = cmp.Or(challengeIn(o, "autonomy_pause"), a.pending)
	return o
}

// command runs a command of the author about the agent and reports whether it ran to
// a good end. The output is in what was recorded.
func (a *agent) command(hint string, about map[string]string) bool {
	if _, given := a.Hint(hint); !given {
		return false
	}
	all := map[string]string{"agent": a.name}
	for key, v := range about {
		all[key] = v
	}
	o := a.send(probes.Command(a.Conn, hint, all))
	return o.Outcome == probes.Result
}

// leave ends the execution, and lifts a block that the scene has caused. An agent
// that other scenes have to share is not left waiting for a person either.
func (a *agent) leave() {
	if !a.started() {
		return
	}
	if a.pending != "" && a.shared() {
		a.release()
	}
	if a.blocked {
		a.lift()
	}
	if !a.call("complete_execution", nil).Succeeded() {
		a.call("abort_execution", nil)
	}
}

// release has the author's person verify what is pending, and spends the pass that this
// may give: the scenes behind are to find the agent as it was.
func (a *agent) release() {
	t := errand{agent: a, used: map[string]bool{}}
	if !t.solve(a.pending) {
		return
	}
	if id := challengeIn(a.report(a.Hints.Safety.VerifyHint, nil), "autonomy_pause"); id != "" {
		t.solve(id)
	}
}

// shared reports whether the author gives agents by name, so that every scene has the
// same.
func (a *agent) shared() bool {
	return !slices.ContainsFunc(a.Hints.Safety.Agent.Names, func(name string) bool { return strings.Contains(name, "*") })
}

// lift has the author's person lift the block of the agent.
func (a *agent) lift() {
	if a.blocked && a.command("safety.admin_unblock_cmd", nil) {
		a.blocked = false
	}
}

// harmlessAction is a next action that the adapter lets pass: the one that the author
// names, else one that nobody minds.
func (s Subject) harmlessAction() string {
	return cmp.Or(s.Hints.Safety.AutoHint, "reading README.md")
}

// settingOf is the parameter of execute_agent that sets a part of the evaluation,
// known by the letters of its name: Section 8.7.4 spells them one way, Section 4.3
// demands another.
func (f *Face) settingOf(name string) (parameter string, documented bool) {
	o, _ := f.Operation("execute_agent")
	i := slices.IndexFunc(o.Parameters, func(p probes.Parameter) bool { return letters(p.Name) == letters(name) })
	if i < 0 {
		return "", false
	}
	return o.Parameters[i].Name, true
}
