package adapter

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Execution is one run of an agent inside the safety loop.
type Execution struct {
	ID       string
	Agent    string
	Status   string
	Started  time.Time
	Finished time.Time
	Session  *Session // that started it
	Settings evaluator
	Steps    int // reports in all
	Alone    int // reports since a person last let it go on
	start    string
	Waits    map[string]wait // what a person has to let pass, by action
	Notices  []Notice
}

// wait is a pause that a person has to end.
type wait struct {
	Token    string
	Decision Decision
}

func (e *Execution) Shown() map[string]any {
	shown := map[string]any{
		"execution_id": e.ID, "element_name": e.Agent, "status": e.Status, "max_autonomous_steps": e.Settings.limit,
		"started_at": e.Started.UTC().Format(time.RFC3339),
	}
	if !e.Finished.IsZero() {
		shown["finished_at"] = e.Finished.UTC().Format(time.RFC3339)
	}
	return shown
}

// ExecuteAgent starts an agent. In an enforced loop it does nothing before a person
// has approved it: that is the gate before the loop (spec 8.6.2).
func ExecuteAgent(t Task) Envelope {
	agent := t.Text("element_name")
	if problem := t.blocked(agent); problem != nil {
		return problem
	}
	if e := t.Loop.Running[agent]; e != nil {
		return Failure("CONFLICT_EXECUTION_RUNNING", fmt.Sprintf("Agent '%s' is executing; complete or abort that execution first", agent),
			map[string]any{"element_name": agent, "execution_id": e.ID})
	}
	t.Loop.last++
	e := &Execution{
		ID: fmt.Sprintf("execution_%d", t.Loop.last), Agent: agent, Status: "running", Started: t.Clock(),
		Session: t.Session, Settings: evaluatorOf(t.Params), Waits: map[string]wait{},
	}
	if t.Loop.Mode == EnforcingLoop {
		e.Status, e.start = "pending", t.petition(agent, "execute_agent").Token
	}
	t.Loop.Running[agent], t.Loop.Past[e.ID] = e, e
	return Success(e.Shown())
}

// executing returns the execution of an agent once a person has let it begin, else
// why there is none.
func (a *Adapter) executing(agent string) (*Execution, Envelope) {
	e := a.Loop.Running[agent]
	switch {
	case e == nil:
		return nil, Failure("NOT_FOUND_RESOURCE", fmt.Sprintf("No agent '%s' is executing; start it with execute_agent", agent),
			map[string]any{"resource_type": "execution", "element_name": agent})
	case a.begun(e).Status == "pending":
		return nil, Failure("CONFLICT_EXECUTION_PENDING", fmt.Sprintf("Agent '%s' waits for the approval of a person", agent),
			map[string]any{"element_name": agent, "execution_id": e.ID})
	}
	return e, nil
}

// begun lets a pending execution run if a person has approved it meanwhile.
func (a *Adapter) begun(e *Execution) *Execution {
	if e.Status == "pending" && a.approved(e.start) {
		e.Status = "running"
	}
	return e
}

// recordStep takes a report and answers with the directive that is due in the mode
// of the loop: none where nothing is evaluated (spec 8.6.4, 8.6.7).
func recordStep(t Task) Envelope {
	agent := t.Text("element_name")
	if problem := t.blocked(agent); problem != nil {
		return problem
	}
	e, problem := t.executing(agent)
	if problem != nil {
		return problem
	}
	e.Steps++
	report := map[string]any{"execution_id": e.ID, "element_name": agent, "step": e.Steps}
	if t.Loop.Mode == EnforcingLoop || t.Loop.Mode == MonitoringLoop {
		e.Alone++
		report["directive"] = t.directive(e, t.Text("nextActionHint"), t.Text("outcome"))
	}
	return Success(report)
}

func completeExecution(t Task) Envelope {
	if problem := t.blocked(t.Text("element_name")); problem != nil {
		return problem
	}
	e, problem := t.executing(t.Text("element_name"))
	if problem != nil {
		return problem
	}
	return Success(t.Finish(e, "completed").Shown())
}

// abortExecution ends any execution, that of a blocked agent too: the block is on
// the agent and stays (spec 8.6.2, 8.8.3).
func abortExecution(t Task) Envelope {
	e := t.Loop.Running[t.Text("element_name")]
	if e == nil {
		_, problem := t.executing(t.Text("element_name"))
		return problem
	}
	return Success(t.Finish(e, "cancelled").Shown())
}

func getExecution(t Task) Envelope {
	e := t.Loop.Past[t.Text("execution_id")]
	if e == nil {
		return Absent("execution", t.Text("execution_id"))
	}
	return Success(t.begun(e).Shown())
}

func (a *Adapter) Finish(e *Execution, status string) *Execution {
	e.Status, e.Finished = status, a.Clock()
	delete(a.Loop.Running, e.Agent)
	return e
}

// leave ends the executions that a session leaves behind.
func (a *Adapter) leave(s *Session) {
	for _, e := range a.Loop.Running {
		if e.Session == s {
			a.Finish(e, "cancelled")
		}
	}
}

// Executing returns the agents that are executing now, sorted.
func (a *Adapter) Executing() []string {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	return slices.Sorted(maps.Keys(a.Loop.Running))
}
