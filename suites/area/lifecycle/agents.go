package lifecycle

import (
	"slices"
	"strings"
	"time"

	"github.com/aql-conform/aql-conform/probes"
	"github.com/aql-conform/aql-conform/suites/check"
	"github.com/aql-conform/aql-conform/suites/model"
	"github.com/aql-conform/aql-conform/suites/ruling"
)

// The agents of the safety loop are executions as well: Section 8.6 begins and ends them by
// operations with names of their own.

// agentEnds are the two ways in which an agent's execution ends.
var agentEnds = []string{"complete_execution", "abort_execution"}

const (
	endedAgent = check.Scenario("ended agent")
	heirAgent  = check.Scenario("agent of an ended session")
)

// endTwice ends an execution in one way, then in the other, and in the first once more. What the
// adapter says of it is read after each. Then the agent begins another.
func endTwice(s model.Subject, ask model.AskFunc) {
	for i := range agentEnds {
		a := check.StartAgent(s, ask, endedAgent.Variant(i), 0, nil)
		if !a.Started() {
			return
		}
		id := agentExecution(a.StartAnswers[len(a.StartAnswers)-1])
		a.Report(check.HarmlessAction(s), nil)
		for j := range 3 {
			if i == 0 && j == 2 {
				a.Send(probes.Pause(s.Conn, 2*time.Second, a.Script)) // the times of two ends are to differ
			}
			a.Call(agentEnds[(i+j)%2], nil)
			lookAt(a, id)
		}
		if a.Start(nil); a.Started() {
			a.Call("abort_execution", nil)
		}
	}
}

// lookAt reads the state of the agent's execution by the operations that take nothing but an
// identifier of executions, until one knows it.
func lookAt(a *check.Agent, id probes.Value) {
	for _, o := range a.Operations {
		if o.Category != "READ" || !check.TakesExecutionID(o) || id.Is(probes.Absent) {
			continue
		}
		if ok, _ := a.Callable(o); ok && a.Send(a.Request(o, map[string]any{"execution_id": id.Go()})).Succeeded() {
			return
		}
	}
}

func agentExecution(o probes.Observation) probes.Value {
	return check.StateIn(o.Data()).At("execution_id")
}

// agentCheck registers a check that looks at the ends of one agent.
func agentCheck(id string, way int, judge func(states []event) ruling.Ruling) check.Check {
	return check.Check{
		Requirement: id,
		On:          check.InLoopModes([]string{check.Enforcing}),
		Lane:        probes.Serial,
		Drive:       endTwice,
		Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
			states := statesOf(s, got.Under(endedAgent.Variant(way).Agent(0)))
			if len(states) == 0 {
				return ruling.NotProven("the states of an agent's execution, with its execution_id", "none")
			}
			return judge(states)
		},
	}
}

// statesOf are the answers that tell the state of the execution that was begun first, up to the
// next. A word that is no core state tells nothing here, nor does a read that does not name the
// agent: executions of another kind may have the same identifier.
func statesOf(s model.Subject, got probes.Answers) (told []event) {
	var id probes.Value
	begin, _ := s.Operation("execute_agent")
	for _, o := range got {
		agent, read := got[0].Probe.Params()[check.AgentParameter(begin)], o.Probe.Operation()
		if op, listed := s.Operation(read); listed && op.Category == "READ" && !strings.Contains(string(o.Data().Raw()), probes.ValueOf(agent).String()) {
			continue
		}
		state := check.StateIn(o.Data())
		core, _ := check.CoreState(state.At("status").Text())
		starts := o.Probe.Operation() == "execute_agent"
		switch now := state.At("execution_id"); {
		case starts && slices.ContainsFunc(told, func(v event) bool { return check.IsFinal(v.status) }):
			return told
		case !o.Succeeded() || now.Is(probes.Absent) || core == "":
			continue
		case id.Is(probes.Absent):
			id = now
			fallthrough
		case id.Equal(now):
			told = append(told, event{verb: o.Probe.Operation(), o: o, state: state, status: core})
		}
	}
	return told
}

// Section 8.4.2.
var completedAgentsNeverChangeState = agentCheck("AQL-8.4.2-01", 0, func(told []event) ruling.Ruling {
	return settled(told, "completed")
}).WithReason("The result of a completed agent is relied upon; a later call must not change it.")

// Section 8.4.2.
var cancelledAgentsNeverChangeState = agentCheck("AQL-8.4.2-02", 1, func(told []event) ruling.Ruling {
	return settled(told, "cancelled")
}).WithReason("A person who aborts an agent relies on it that its work is not reported as done.")

// Section 8.4.3.
var agentsEndOnce = agentCheck("AQL-8.4.3-04", 0, func(told []event) ruling.Ruling {
	var first event
	for _, v := range told {
		switch at := v.state.At("finished_at"); {
		case at.Is(probes.Absent) || !check.IsFinal(v.status):
		case first.o.Outcome == "":
			first = v
		case first.status == v.status && apart(at.Text(), first.state.At("finished_at").Text()):
			return ruling.Violates("one finished_at, the time of the end", at).By(v.o, first.o)
		}
	}
	if first.o.Outcome == "" {
		return ruling.NotApplicable("does not hold: a state with finished_at")
	}
	return ruling.Conforms().By(first.o)
}).WithReason("A second end that is answered must not tell another time than the first.")

// apart reports whether two times differ by more than they are rounded.
func apart(x, y string) bool {
	at, err := time.Parse(time.RFC3339, x)
	other, problem := time.Parse(time.RFC3339, y)
	return err == nil && problem == nil && at.Sub(other).Abs() > time.Second
}

// Section 8.4.3.
var agentExecutionIdsAreUnique = check.Check{
	Requirement: "AQL-8.4.3-02",
	Why:         "An agent that begins anew is another execution; its state must not be read as that of the one that ended.",
	On:          check.InLoopModes([]string{check.Enforcing}),
	Lane:        probes.Serial,
	Drive:       endTwice,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		if first, second, shared := sharedByAgents(s, got); shared {
			return ruling.Violates("an execution_id of its own for each execution", agentExecution(second)).By(second, first)
		}
		var before probes.Observation
		ended := false
		for _, o := range got.Under(endedAgent.Variant(0).Agent(0)) {
			starts := o.Probe.Operation() == "execute_agent" && o.Succeeded() && !agentExecution(o).Is(probes.Absent)
			switch {
			case starts && !ended:
				before = o
			case starts && agentExecution(o).Equal(agentExecution(before)):
				return ruling.Violates("another execution_id", agentExecution(o)).By(o, before)
			case starts:
				return ruling.Conforms().By(o, before)
			case o.Probe.Operation() == "complete_execution" && o.Succeeded() && before.Outcome != "":
				ended = true
			}
		}
		return ruling.NotProven("two executions of one agent, one after the other", "none")
	},
	Fix: "give each execution an identifier of its own",
}

// sharedByAgents returns the answers that give executions of two agents one identifier.
func sharedByAgents(s model.Subject, got probes.Answers) (first, second probes.Observation, shared bool) {
	begin, _ := s.Operation("execute_agent")
	agent := func(o probes.Observation) any { return o.Probe.Params()[check.AgentParameter(begin)] }
	starts := map[string]probes.Observation{}
	for _, o := range got.Under(string(endedAgent)) {
		if o.Probe.Operation() != "execute_agent" || !o.Succeeded() || agentExecution(o).Is(probes.Absent) {
			continue
		}
		id := agentExecution(o).Canonical(nil)
		if before, known := starts[id]; known && agent(before) != agent(o) {
			return before, o, true
		}
		starts[id] = o
	}
	return first, second, false
}

// inherit leaves an agent running when its session ends, and reports for it in the next one. An
// agent whose execution was completed there shows what such a report is answered with.
func inherit(s model.Subject, ask model.AskFunc) {
	a := agentOver(s, ask, "leaving-agents", heirAgent.Agent(0), heirAgent)
	done := agentOver(s, ask, "later-agents", heirAgent.Agent(1), heirAgent.Variant(1))
	if a.AgentName == done.AgentName {
		return // what one agent has left would be taken for the other's
	}
	if a.Start(nil); !a.Started() || !check.DirectiveIn(a.Report(check.HarmlessAction(s), nil)).At("continue").True() {
		return
	}
	check.EndSession(ask, a.Session, false, heirAgent.Step("end of the session"))
	if done.Start(nil); !done.Started() || !done.Call("complete_execution", nil).Succeeded() {
		return
	}
	done.Report(check.HarmlessAction(s), nil)
	a.Session = done.Session
	a.Report(check.HarmlessAction(s), nil)
	a.Call("abort_execution", nil)
}

// agentOver is an agent with a connection of its own.
func agentOver(s model.Subject, ask model.AskFunc, label, script string, in check.Scenario) *check.Agent {
	return &check.Agent{Subject: s, Ask: ask, Session: probes.InSession(s.Conn + "/" + label), AgentName: check.AgentNamed(s.Adapter, in, 0), Script: script}
}

// Section 2.3.3.
var agentsAreNotDrivenAcross = check.Check{
	Requirement: "AQL-2.3.3-04",
	Why:         "A person gave permission to the session that asked; another session did not ask.",
	On:          check.InLoopModes([]string{check.Enforcing}),
	Lane:        probes.Serial,
	Drive:       inherit,
	Judge: func(s model.Subject, got probes.Answers) ruling.Ruling {
		lastReport := func(index int) (before, last probes.Observation) {
			for _, o := range got.Under(heirAgent.Agent(index)) {
				if o.Probe.Operation() == "record_execution_step" {
					before, last = last, o
				}
			}
			return before, last
		}
		before, after := lastReport(0)
		_, done := lastReport(1)
		why, ended := check.SessionEnded(got, heirAgent.Step("end of the session"))
		goesOn := func(o probes.Observation) bool { return check.DirectiveIn(o).At("continue").True() }
		switch {
		case before.Outcome == "" || done.Outcome == "":
			return ruling.NotProven("an agent that is executing when its session ends, and another that is done", "none")
		case !ended:
			return why
		case goesOn(done):
			return ruling.NotApplicable("does not hold: a report needs an execution").By(done)
		case !done.Refused() || done.Deferred():
			return ruling.NotProven("a refusal of a report of an agent that is done", done)
		case goesOn(after):
			return ruling.Violates("a refusal as for an agent that is done", "continue true").By(after, before, done)
		case !after.Refused() || after.Deferred():
			return ruling.NotProven("an answer that the execution of an ended session is not active", after).By(done)
		}
		return ruling.Conforms().By(after, done)
	},
	Fix: "end the executions of a session with it",
}
