package adapter

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// execution is one run of an agent inside the safety loop.
type execution struct {
	ID       string
	Agent    string
	Status   string
	Started  time.Time
	Finished time.Time
	session  *session // that started it
	settings evaluator
	steps    int // reports in all
	alone    int // reports since a person last let it go on
	start    string
	waits    map[string]wait // what a person has to let pass, by action
	notices  []notice
}

// wait is a pause that a person has to end.
type wait struct {
	token    string
	decision decision
}

func (e *execution) shown() map[string]any {
	shown := map[string]any{
		"execution_id": e.ID, "element_name": e.Agent, "status": e.Status, "max_autonomous_steps": e.settings.limit,
		"started_at": e.Started.UTC().Format(time.RFC3339),
	}
	if !e.Finished.IsZero() {
		shown["finished_at"] = e.Finished.UTC().Format(time.RFC3339)
	}
	return shown
}

// executeAgent starts an agent. In an enforced loop it does nothing before a person
// has approved it: that is the gate before the loop (spec 8.6.2).
func executeAgent(t task) envelope {
	agent := t.text("element_name")
	if problem := t.blocked(agent); problem != nil {
		return problem
	}
	if e := t.loop.running[agent]; e != nil {
		return failure("CONFLICT_EXECUTION_RUNNING", fmt.Sprintf("Agent '%s' is executing; complete or abort that execution first", agent),
			map[string]any{"element_name": agent, "execution_id": e.ID})
	}
	t.loop.last++
	e := &execution{
		ID: fmt.Sprintf("execution_%d", t.loop.last), Agent: agent, Status: "running", Started: t.clock(),
		session: t.session, settings: evaluatorOf(t.params), waits: map[string]wait{},
	}
	if t.loop.mode == enforcingLoop {
		e.Status, e.start = "pending", t.petition(agent, "execute_agent").Token
	}
	t.loop.running[agent], t.loop.past[e.ID] = e, e
	return success(e.shown())
}

// executing returns the execution of an agent once a person has let it begin, else
// why there is none.
func (a *Adapter) executing(agent string) (*execution, envelope) {
	e := a.loop.running[agent]
	switch {
	case e == nil:
		return nil, failure("NOT_FOUND_RESOURCE", fmt.Sprintf("No agent '%s' is executing; start it with execute_agent", agent),
			map[string]any{"resource_type": "execution", "element_name": agent})
	case a.begun(e).Status == "pending":
		return nil, failure("CONFLICT_EXECUTION_PENDING", fmt.Sprintf("Agent '%s' waits for the approval of a person", agent),
			map[string]any{"element_name": agent, "execution_id": e.ID})
	}
	return e, nil
}

// begun lets a pending execution run if a person has approved it meanwhile.
func (a *Adapter) begun(e *execution) *execution {
	if e.Status == "pending" && a.approved(e.start) {
		e.Status = "running"
	}
	return e
}

// recordStep takes a report and answers with the directive that is due in the mode
// of the loop: none where nothing is evaluated (spec 8.6.4, 8.6.7).
func recordStep(t task) envelope {
	agent := t.text("element_name")
	if problem := t.blocked(agent); problem != nil {
		return problem
	}
	e, problem := t.executing(agent)
	if problem != nil {
		return problem
	}
	e.steps++
	report := map[string]any{"execution_id": e.ID, "element_name": agent, "step": e.steps}
	if t.loop.mode == enforcingLoop || t.loop.mode == monitoringLoop {
		e.alone++
		report["directive"] = t.directive(e, t.text("nextActionHint"), t.text("outcome"))
	}
	return success(report)
}

func completeExecution(t task) envelope {
	if problem := t.blocked(t.text("element_name")); problem != nil {
		return problem
	}
	e, problem := t.executing(t.text("element_name"))
	if problem != nil {
		return problem
	}
	return success(t.finish(e, "completed").shown())
}

// abortExecution ends any execution, that of a blocked agent too: the block is on
// the agent and stays (spec 8.6.2, 8.8.3).
func abortExecution(t task) envelope {
	e := t.loop.running[t.text("element_name")]
	if e == nil {
		_, problem := t.executing(t.text("element_name"))
		return problem
	}
	return success(t.finish(e, "cancelled").shown())
}

func getExecution(t task) envelope {
	e := t.loop.past[t.text("execution_id")]
	if e == nil {
		return absent("execution", t.text("execution_id"))
	}
	return success(t.begun(e).shown())
}

func (a *Adapter) finish(e *execution, status string) *execution {
	e.Status, e.Finished = status, a.clock()
	delete(a.loop.running, e.Agent)
	return e
}

// leave ends the executions that a session leaves behind.
func (a *Adapter) leave(s *session) {
	for _, e := range a.loop.running {
		if e.session == s {
			a.finish(e, "cancelled")
		}
	}
}

// Executing returns the agents that are executing now, sorted.
func (a *Adapter) Executing() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Sorted(maps.Keys(a.loop.running))
}
