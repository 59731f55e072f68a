package loop

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/aql-conform/aql-conform/reference-adapter/adapter"
)

// Execution is one run of an agent inside the safety loop.
type Execution struct {
	ID       string
	Agent    string
	Status   string
	Started  time.Time
	Finished time.Time
	Session  *adapter.Session // that started it
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
func ExecuteAgent(t adapter.Task) adapter.Envelope {
	agent := t.Text("element_name")
	if problem := blocked(t.Adapter, agent); problem != nil {
		return problem
	}
	if e := Of(t.Adapter).Running[agent]; e != nil {
		return adapter.Failure("CONFLICT_EXECUTION_RUNNING", fmt.Sprintf("Agent '%s' is executing; complete or abort that execution first", agent),
			map[string]any{"element_name": agent, "execution_id": e.ID})
	}
	Of(t.Adapter).last++
	e := &Execution{
		ID: fmt.Sprintf("execution_%d", Of(t.Adapter).last), Agent: agent, Status: "running", Started: t.Clock(),
		Session: t.Session, Settings: evaluatorOf(t.Params), Waits: map[string]wait{},
	}
	if Of(t.Adapter).Mode == EnforcingLoop {
		e.Status, e.start = "pending", petition(t.Adapter, agent, "execute_agent").Token
	}
	Of(t.Adapter).Running[agent], Of(t.Adapter).Past[e.ID] = e, e
	return adapter.Success(e.Shown())
}

// executing returns the execution of an agent once a person has let it begin, else
// why there is none.
func executing(a *adapter.Adapter, agent string) (*Execution, adapter.Envelope) {
	e := Of(a).Running[agent]
	switch {
	case e == nil:
		return nil, adapter.Failure("NOT_FOUND_RESOURCE", fmt.Sprintf("No agent '%s' is executing; start it with execute_agent", agent),
			map[string]any{"resource_type": "execution", "element_name": agent})
	case begun(a, e).Status == "pending":
		return nil, adapter.Failure("CONFLICT_EXECUTION_PENDING", fmt.Sprintf("Agent '%s' waits for the approval of a person", agent),
			map[string]any{"element_name": agent, "execution_id": e.ID})
	}
	return e, nil
}

// begun lets a pending execution run if a person has approved it meanwhile.
func begun(a *adapter.Adapter, e *Execution) *Execution {
	if e.Status == "pending" && approved(a, e.start) {
		e.Status = "running"
	}
	return e
}

// recordStep takes a report and answers with the directive that is due in the mode
// of the loop: none where nothing is evaluated (spec 8.6.4, 8.6.7).
func recordStep(t adapter.Task) adapter.Envelope {
	agent := t.Text("element_name")
	if problem := blocked(t.Adapter, agent); problem != nil {
		return problem
	}
	e, problem := executing(t.Adapter, agent)
	if problem != nil {
		return problem
	}
	e.Steps++
	report := map[string]any{"execution_id": e.ID, "element_name": agent, "step": e.Steps}
	if Of(t.Adapter).Mode == EnforcingLoop || Of(t.Adapter).Mode == MonitoringLoop {
		e.Alone++
		report["directive"] = directive(t.Adapter, e, t.Text("nextActionHint"), t.Text("outcome"))
	}
	return adapter.Success(report)
}

func completeExecution(t adapter.Task) adapter.Envelope {
	if problem := blocked(t.Adapter, t.Text("element_name")); problem != nil {
		return problem
	}
	e, problem := executing(t.Adapter, t.Text("element_name"))
	if problem != nil {
		return problem
	}
	return adapter.Success(Finish(t.Adapter, e, "completed").Shown())
}

// abortExecution ends any execution, that of a blocked agent too: the block is on
// the agent and stays (spec 8.6.2, 8.8.3).
func abortExecution(t adapter.Task) adapter.Envelope {
	e := Of(t.Adapter).Running[t.Text("element_name")]
	if e == nil {
		_, problem := executing(t.Adapter, t.Text("element_name"))
		return problem
	}
	return adapter.Success(Finish(t.Adapter, e, "cancelled").Shown())
}

func getExecution(t adapter.Task) adapter.Envelope {
	e := Of(t.Adapter).Past[t.Text("execution_id")]
	if e == nil {
		return adapter.Absent("execution", t.Text("execution_id"))
	}
	return adapter.Success(begun(t.Adapter, e).Shown())
}

func Finish(a *adapter.Adapter, e *Execution, status string) *Execution {
	e.Status, e.Finished = status, a.Clock()
	delete(Of(a).Running, e.Agent)
	return e
}

// Leave ends the executions that a session leaves behind.
func (l *Loop) Leave(a *adapter.Adapter, s *adapter.Session) {
	for _, e := range l.Running {
		if e.Session == s {
			Finish(a, e, "cancelled")
		}
	}
}

// Executing returns the agents that are executing now, sorted.
func Executing(a *adapter.Adapter) []string {
	a.Mu.Lock()
	defer a.Mu.Unlock()
	return slices.Sorted(maps.Keys(Of(a).Running))
}
